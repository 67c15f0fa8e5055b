// The entities that pass simple conditions, in blocks of neighbouring rows.
//
// A condition is about ids alone: one of these is visible, this one is not. Most are decided once per
// table; those that are not (kept in pools, switched off somewhere, inherited in more than one way) are
// decided per row. The scan goes through the rows of the rarest required id.
//
//   tables of Position   [e1 e2 e3 e4] [e5 e6]        pool of Position   [e7 e8 e9]
//   without Frozen        └────┘    ×   └───┘                             ×  └────┘
//   blocks                e1 e2 e3      e5 e6                                e8 e9
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "query/exec/meaning.hpp"

namespace kith::core {

class row_scan {
 public:
  explicit row_scan(meaning& m) : m_(m), g_(m.world()) {}

  struct block {
    std::span<const entity_t> entities;
    const table* in = nullptr;  // where the rows are: in a table,
    const pool* of = nullptr;   // or in a pool,
    row_index first{};          // from this row on; else the entities have nothing in common
  };

  // --- conditions ---
  // One of the ids is visible.
  void require(std::vector<id_t> ids);
  void refuse(id_t id);
  // Blocks are cut where another entity is the owner of this id, as seen from the rows.
  void observe(id_t id);
  void leave_out_builtins() { no_builtins_ = true; }
  // Some pair of the closure is visible. Requires: nobody inherits pairs of the relation, and none is off.
  void require(std::shared_ptr<const meaning::closure> pairs) {
    closures_.push_back(std::move(pairs));
  }
  // Blocks are cut where entities have several pairs of this relation.
  void observe_pairs(entity_t relation) { observed_relations_.push_back(index_of(relation)); }

  // Is a term, as a condition on `slot`, one about ids alone? Adds it if so.
  bool add(const checked_term& t, slot_index slot, const slot_values& values, bool refused);

  // --- rows ---
  // Picks what to go through. Conditions are complete.
  void begin();
  // The same with a list of entities to choose from.
  void begin(std::vector<id_t> candidates);
  // The id whose tables it goes through, if each of their rows passes; null if it is not so simple. Requires: begun.
  const id_record* goes_through() const;
  // Goes through these instead of the rows of those tables. Requires: goes_through, they are the same, and they stay
  // where they are.
  void take_rows(std::span<const entity_t> rows);
  bool next(block& b);
  // About how many rows it goes through.
  double cost();

 private:
  enum class where : std::uint8_t { nowhere, owned, inherited, differs };
  struct watched_id {
    id_t id;
    const id_record* record;
    bool handed_on;
    bool exclusive;
    bool settled = false;  // observed: all rows that come up own it
  };
  struct condition {
    std::vector<watched_id> ids;
    bool refused;
    // Nothing can fail it, or every row that comes up passes it.
    bool settled = false;
  };
  // What is decided for all rows of a table.
  struct verdict {
    bool rejected = false;
    std::vector<std::uint32_t> conditions;  // those to ask per row
    std::vector<std::uint32_t> observed;
    bool builtins = false;
    bool closures = false;   // some must be asked per row
    bool relations = false;  // pairs of observed relations are kept apart
    bool plain() const {
      return conditions.empty() && observed.empty() && !builtins && !closures && !relations;
    }
  };
  enum class stage : std::uint8_t {
    owners,
    pool,
    gathered,
    heirs,
    closure,
    everything,
    list,
    done
  };

  watched_id watch(id_t id) const;
  where locate(const watched_id& w, const table& t) const;
  double rows_of(const condition& c) const;
  // Finds out which conditions need not be asked.
  void settle();
  void judge(const table& t, verdict& v) const;
  const verdict& verdict_of(const table& t);
  bool passes(entity_t e, const entity_record& r, const verdict& v) const;
  bool same_owners(entity_t e, const entity_record& r, const verdict& v,
                   std::vector<entity_t>& owners, bool first) const;
  // Opens the next run of rows to go through; false if there are no more.
  bool open_rows();
  void expect_tables(const std::vector<table*>& tables) const;
  bool hands_on(const watched_id& w, entity_t base) const;
  bool open_heirs();
  bool is_first_way(const entity_record& r) const;
  bool has_pair_of(const meaning::closure& c, const entity_record& r) const;
  // Is the pair whose rows are gone through the first of the closure that the row has?
  bool is_first_pair(const entity_record& r) const;
  // Do all rows of a table inherit in the same way?
  bool inherit_alike() const;
  bool is_whole() const;
  bool take(block& b);

  meaning& m_;
  const graph& g_;
  std::vector<condition> conditions_;
  std::vector<watched_id> observed_;
  std::vector<std::shared_ptr<const meaning::closure>> closures_;
  std::vector<std::uint32_t> observed_relations_;
  bool no_builtins_ = false;

  // What it goes through: the ids of a condition, one after the other.
  std::vector<watched_id> driver_;
  std::size_t driver_condition_ = 0;
  bool all_settled_ = false;
  bool all_observed_settled_ = false;
  double cost_ = 0;  // negative: not counted yet
  stage stage_ = stage::done;
  std::size_t at_id_ = 0;
  std::size_t at_table_ = 0;
  const id_record* base_ = nullptr;  // (IsA, base) whose rows are gone through for heirs
  bool base_pool_ = false;
  std::vector<id_t> list_;
  std::span<const entity_t> gathered_;
  const meaning::closure* closure_ = nullptr;  // whose pairs are gone through
  std::size_t at_pair_ = 0;

  // The rows that are being gone through.
  std::span<const entity_t> rows_;
  const table* in_ = nullptr;
  const pool* of_ = nullptr;
  std::size_t at_row_ = 0;
  bool heirs_ = false;
  std::vector<entity_t> copied_;

  // Rows that are not gone through by table ask for the verdict on theirs.
  hash_map<std::uint32_t, std::uint32_t> verdict_of_table_;
  std::vector<verdict> verdicts_;
  std::uint32_t last_table_ = no_table;
  std::uint32_t last_verdict_ = 0;
  static constexpr std::uint32_t no_table = ~0u;
  verdict current_;
  const verdict settled_;  // where nothing is left to ask
};

}  // namespace kith::core
