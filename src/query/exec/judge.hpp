// Decides which rows of a table pass conditions about ids.
//
// A condition says that one of some ids is visible on an entity, or that one is not. Most
// conditions are decided once for a table. Those about ids that are kept in pools, switched off
// somewhere or inherited in more than one way are left to be asked row by row.
//
//   Position, !Frozen         [Position]            all rows pass
//                             [Position, Frozen]    no row passes
//   Frozen in a pool          [Position]            some rows pass: !Frozen is asked per row
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "query/exec/meaning.hpp"

namespace kith::core {

class judge {
 public:
  explicit judge(meaning& m) : g_(m.world()) {}

  // Where the rows of a table have an id.
  enum class where : std::uint8_t { nowhere, owned, inherited, differs };
  struct watched_id {
    id_t id;
    const id_record* record;
    bool handed_on;  // instances may inherit it
    bool exclusive;
    bool settled = false;  // all rows that come up own it
  };
  struct condition {
    enum class kind : std::uint8_t { required, refused, optional };
    std::vector<watched_id> ids;  // one of them decides
    kind is = kind::required;
    bool settled = false;  // every row that comes up passes it
    // Of many ids, where that is known: the entities on which one is visible, at this moment.
    std::shared_ptr<const hash_map<entity_t, bool>> holders{};
  };
  // What is decided for all rows of a table.
  struct verdict {
    bool rejected = false;                  // no row passes
    std::vector<std::uint32_t> conditions;  // those that are left to be asked per row
    bool passes_all() const { return !rejected && conditions.empty(); }
  };
  // The id that made a condition hold for a table.
  struct shown_id {
    static constexpr std::size_t none = ~std::size_t{0};
    std::size_t which = none;  // of the ids of the condition
    entity_t owner = 0;        // a base; 0: the rows themselves
  };

  // --- conditions ---
  void add(std::span<const id_t> ids, condition::kind kind);
  // Hides the entities that are no results of a query.
  void hide(const checked_query& q) {
    for (id_t id : q.hides) add({&id, 1}, condition::kind::refused);
  }
  void forget_conditions() { conditions_.clear(); }
  std::vector<condition>& conditions() { return conditions_; }
  const std::vector<condition>& conditions() const { return conditions_; }
  // Finds out what is known of an id at this moment.
  watched_id watch(id_t id) const;

  // --- verdicts ---
  where locate(const watched_id& w, const table& t, entity_t* owner = nullptr) const;
  // Leaves out settled conditions. `shown`, if it is given, has a place for each condition.
  // Requires: the table has rows, or its entities have no bases.
  void decide(const table& t, verdict& v, std::span<shown_id> shown = {}) const;
  // Does a row pass the conditions that a verdict leaves? Inline, for it is asked for each row.
  bool passes(entity_t e, const entity_record& r, const verdict& v) const {
    for (std::uint32_t n : v.conditions) {
      const condition& c = conditions_[n];
      const auto is_visible = [&](const watched_id& w) {
        return g_.inherit.is_visible(e, r, w.id);
      };
      const bool some = c.holders ? is_holder(c, e) : std::ranges::any_of(c.ids, is_visible);
      if (some == (c.is == condition::kind::refused)) return false;
    }
    return true;
  }
  // Is an id, as long as it stays where it is kept, decided by tables alone?
  bool is_decided_by_tables(id_t id) const;

 private:
  // Apart, for it is seldom asked and `passes` is inlined.
  static bool is_holder(const condition& c, entity_t e);
  const graph& g_;
  std::vector<condition> conditions_;
};

}  // namespace kith::core
