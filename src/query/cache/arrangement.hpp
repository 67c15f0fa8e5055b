// In which order the results of a query come: by group, by depth, by values.
#pragma once

#include <kith/detail/query_desc.hpp>

#include "query/cache/recorded_rows.hpp"
#include "relations/graph.hpp"
#include "storage/value_finder.hpp"

namespace kith::core {

class arrangement {
 public:
  arrangement(const graph& g, order_desc order, group_desc group)
      : g_(g), order_(std::move(order)), group_(std::move(group)) {}

  bool sorts() const { return static_cast<bool>(order_.less); }
  bool groups() const { return group_.relation.raw || group_.group_of; }
  bool arranges() const { return sorts() || groups(); }
  // The id whose values decide the order, or 0.
  id_t sorted_by() const { return sorts() ? order_.id.raw : 0; }
  entity_t grouped_by() const { return group_.relation.raw; }
  bool groups_by_function() const { return static_cast<bool>(group_.group_of); }

  // Puts rows in their order.
  void arrange(recorded_rows& rows) const;
  // Puts the rows of a few entities, whose values were written, where they belong now. False: it
  // takes a new order of all. Requires: sorted otherwise.
  bool repair(recorded_rows& rows, std::vector<entity_t> written) const;
  // Adds a row where it belongs. Requires: all rows are alike, and it is like them.
  void insert(recorded_rows& rows, entity_t e, bool is_new) const;

 private:
  sort_row row_of(entity_t e, std::size_t row, value_finder& values) const;
  std::vector<std::uint32_t> sorted(const recorded_rows& rows) const;
  std::uint64_t group_of(entity_t e) const;
  // Where a row belongs between two others, all of which are in order.
  std::size_t place_of(const recorded_rows& rows, const sort_row& moving, std::size_t first,
                       std::size_t last) const;

  const graph& g_;
  order_desc order_;
  group_desc group_;
};

}  // namespace kith::core
