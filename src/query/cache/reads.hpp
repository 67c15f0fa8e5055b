// What the answer to a query depends on, and whether that has changed.
//
// A query reads groups of ids: those its terms name, their kinds, the relations its flags follow, IsA, and
// Prefab and Disabled of $this. One that asks for any predicate reads everything. Beyond ids an answer can
// depend on names, on whether named entities live, and on which entities there are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "query/check/checked_query.hpp"
#include "query/exec/meaning.hpp"
#include "storage/change_log.hpp"

namespace kith::core {

class reads {
 public:
  reads(const checked_query& q, meaning& m);

  // Has nothing it reads changed since the last `mark`, or since it was made?
  bool unchanged() const;
  void mark();
  // Who changed since, each once, if these are not many and nothing else changed that it reads.
  std::optional<std::vector<entity_t>> changed_entities() const;
  // The answer depends on which entities there are.
  void read_life();
  // It also depends on who has this id, or on pairs of this relation.
  void read_id(id_t id);
  void read_relation(entity_t relation);
  // And on the values of an id.
  void read_values(id_t id);

 private:
  // Beyond the entities that its groups list.
  bool others_unchanged() const;

  static constexpr id_t no_group = ~id_t{0};
  struct watched {
    id_t group;  // `no_group`: of values
    log_reader log;
  };

  void add(const block& b);
  void add(const checked_term& t);
  void add_walks(const checked_ref& r);
  void add_group(id_t group);
  void add_entity(entity_t e, bool as_relation);

  meaning& m_;
  std::vector<watched> groups_;
  std::vector<std::pair<entity_t, bool>> named_;  // entities, and whether they were alive
  bool all_ids_ = false;
  bool names_ = false;
  std::uint64_t store_version_ = 0;
  std::uint64_t names_version_ = 0;
};

}  // namespace kith::core
