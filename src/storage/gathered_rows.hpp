// The owners of each pair of a relation, found in one pass through all tables.
//
// Where nearly every entity has a table of its own, the tables of one pair lie far apart in memory.
// A caller that asks for many pairs of the relation saves time by going through all tables once, in
// the order in which they lie.
//
//   tables     [(R, a) (R, b)]: e1     [(R, b)]: e2 e3     [(R, a)]: e4
//   rows       of a: e1 e4             of b: e1 e2 e3
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "storage/store.hpp"

namespace kith::core {

class gathered_rows {
 public:
  // Gives up, and is then not complete, where tables are not tiny or the indices of targets lie far
  // apart: gathering would take more time and memory than the tables do. Requires: the pairs of the
  // relation are kept in tables.
  gathered_rows(const core::store& store, std::uint32_t relation);

  std::uint32_t relation() const { return relation_; }
  bool is_complete() const { return !first_.empty(); }
  // Valid as long as this object lives. O(1). Requires: is_complete(); the pair has a record.
  std::span<const entity_t> of(std::uint32_t target) const {
    const std::size_t n = target - lowest_;
    return std::span(rows_).subspan(first_[n], first_[n + 1] - first_[n]);
  }

  // Does gathering pay for a caller that has asked for `done` pairs like this one and will ask for
  // `left` more? rows() says roughly how many rows a pair has.
  template <class Rows>
  static bool pays(const core::store& s, const id_record& pair, std::size_t done, std::size_t left,
                   Rows rows) {
    constexpr std::size_t some = 1024;
    const std::size_t tables = pair.tables.size();
    const std::size_t all = s.tables().limit() + pair.group->table_uses / 4;
    return tables * done > some && tables * left > all &&
           rows() < static_cast<double>(tiny * tables);
  }

 private:
  // Tables are tiny if they have at most this many rows per pair that they have.
  static constexpr std::size_t tiny = 4;

  std::uint32_t relation_;
  std::uint32_t lowest_ = 0;          // the lowest index of a target
  std::vector<entity_t> rows_;        // the rows of one target lie side by side
  std::vector<std::uint32_t> first_;  // by target: where its rows begin; one more for the end
};

}  // namespace kith::core
