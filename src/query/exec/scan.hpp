// The entities that pass conditions about ids, in blocks of neighbouring rows.
//
// The scan goes through the rows of the rarest required id. A `judge` decides each table; the scan
// asks the rows what the judge leaves open.
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

#include "query/exec/judge.hpp"
#include "query/exec/meaning.hpp"
#include "storage/runs.hpp"

namespace kith::core {

class row_scan {
 public:
  explicit row_scan(meaning& m) : m_(m), g_(m.world()), judge_(m) {}

  // Neighbouring rows that pass.
  using block = run;

  // --- conditions ---
  // The entities that are no results of a query are left out.
  void hide(const checked_query& q) { judge_.hide(q); }
  // Blocks are cut where another entity is the owner of this id, as seen from the rows.
  void observe(id_t id) { observed_.push_back(judge_.watch(id)); }
  void leave_out_builtins() { no_builtins_ = true; }
  // Blocks are cut where entities have several pairs of this relation.
  void observe_pairs(entity_t relation) { observed_relations_.push_back(index_of(relation)); }

  // Is a term, as a condition on `slot`, one about ids alone? Adds it if so.
  bool add(const checked_term& t, slot_index slot, const slot_values& values, bool refused);

  // --- rows ---
  // Picks what to go through. Conditions are complete.
  void begin();
  // The same with a list of entities to choose from.
  void begin(std::vector<id_t> candidates);
  // The id whose tables it goes through, if each of their rows passes; else null.
  // Requires: begun.
  const id_record* goes_through() const;
  // Goes through these instead of the rows of those tables. Requires: goes_through, they are the
  // same, and they stay where they are.
  void take_rows(std::span<const entity_t> rows);
  bool next(block& b);
  // About how many rows it goes through.
  double cost();

 private:
  using watched_id = judge::watched_id;
  using condition = judge::condition;
  // What the judge decides for a table, and what else differs between its rows.
  struct verdict : judge::verdict {
    std::vector<std::uint32_t> observed;  // observed ids whose owner differs
    bool builtins = false;                // built-in entities are among the rows
    bool closures = false;                // some closure must be asked per row
    bool relations = false;               // pairs of observed relations are kept apart
    bool all_alike() const {
      return passes_all() && observed.empty() && !builtins && !closures && !relations;
    }
  };
  enum class stage : std::uint8_t { owners, gathered, heirs, closure, everything, list, done };

  bool add_star(const checked_term& t, const slot_values& values);
  bool add_closure(const checked_term& t, const slot_values& values, bool refused);
  bool add_source(const checked_term& t, slot_index slot, const slot_values& values, bool refused);
  // Finds the entities on which one of many ids is visible, once for all rows.
  void find_holders(condition& c);
  double rows_of(const condition& c) const;
  // Finds out which conditions need not be asked.
  void settle();
  void decide(const table& t, verdict& v) const;
  const verdict& verdict_of(const table& t);
  bool passes(entity_t e, const entity_record& r, const verdict& v) const;
  bool passes_closures(entity_t e, const entity_record& r) const;
  bool same_owners(entity_t e, const entity_record& r, const verdict& v,
                   std::vector<entity_t>& owners, bool first) const;
  // Opens the next run of rows to go through; false if there are no more.
  bool open_rows();
  // Opens the next of `runs_`; false if there are no more.
  bool open_run();
  bool open_owners();
  bool open_closure();
  bool hands_on(const watched_id& w, entity_t base) const;
  bool open_heirs();
  bool is_first_way(const entity_record& r) const;
  bool has_pair_of(const meaning::closure& c, const entity_record& r) const;
  // Is the pair whose rows are gone through the first of the closure that the row has?
  bool is_first_pair(const entity_record& r) const;
  // Do all rows of a table inherit in the same way?
  bool inherit_alike() const;
  bool is_whole() const;
  // May the rows that were opened come as one block, must all be passed over, or be looked at one
  // by one?
  enum class opened : std::uint8_t { block, nothing, rows };
  opened look_at_rows();
  bool take(block& b);

  meaning& m_;
  const graph& g_;
  judge judge_;
  std::vector<watched_id> observed_;
  // Of each, some pair must be there. No entity inherits pairs of their relations, and none is off.
  std::vector<std::shared_ptr<const meaning::closure>> closures_;
  std::vector<std::shared_ptr<const meaning::closure>> refused_;  // of each, no pair may be there
  // Rows must be among what a Transitive relation leads to from `source`, or must not.
  struct led_from {
    entity_t source, relation;
    bool refused;
  };
  std::vector<led_from> led_from_;
  std::vector<std::uint32_t> observed_relations_;
  bool no_builtins_ = false;
  bool asks_closures_ = false;  // rows are asked for closures beside the one that is gone through

  // What it goes through: the ids of a condition, one after the other.
  std::vector<watched_id> driver_;
  std::size_t driver_condition_ = 0;
  bool all_settled_ = false;
  bool all_observed_settled_ = false;
  double cost_ = 0;  // negative: not counted yet
  stage stage_ = stage::done;
  runs runs_;
  std::size_t at_id_ = 0;  // of the driver: the one after that whose runs are gone through
  const id_record* base_ = nullptr;  // (IsA, base) whose rows are gone through for heirs
  std::vector<id_t> list_;
  std::span<const entity_t> gathered_;
  const meaning::closure* closure_ = nullptr;  // whose pairs are gone through
  std::size_t at_pair_ = 0;                    // the one after that whose runs are gone through

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
