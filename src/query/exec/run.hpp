// Answers a plan, one result after the other.
//
// A stack of frames stands for the choices that were made: each holds the values its slot can have
// and which one is being tried. The world must not change while a run lasts; an iteration defers
// changes.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "query/exec/candidates.hpp"
#include "query/exec/meaning.hpp"
#include "query/exec/scan.hpp"
#include "query/exec/value_lists.hpp"
#include "query/plan/plan.hpp"
#include "storage/gathered_rows.hpp"

namespace kith::core {

class plan_run {
 public:
  // `values` has one place per slot and is shared with runs inside this one.
  plan_run(const checked_query& q, plan& p, meaning& m, slot_values& values)
      : q_(q), plan_(p), meaning_(m), candidates_(m), values_(values) {}

  // Results that differ in $this alone may come together. `observed`: the ids whose owner must be
  // the same for all of them, and the relations of which all of them have just one pair. Requires:
  // not started.
  void allow_batches(std::vector<id_t> observed, std::vector<entity_t> observed_relations) {
    batches_ = true;
    observed_ = std::move(observed);
    observed_relations_ = std::move(observed_relations);
  }

  // Finds the next result, whose values are then in `values`. False: there is none.
  bool next();
  // Of the result: the rows it stands for, $this being the first of them; null if it is just one.
  const row_scan::block* batch() const {
    return depth_ && frames_[depth_ - 1].by_block ? &frames_[depth_ - 1].block : nullptr;
  }
  // Leaves the values as they were before.
  void stop();

  // Which alternative of an outermost chain made the result: by field.
  std::size_t alternative_of(std::uint32_t field) const;

 private:
  struct frame {
    plan_step* step = nullptr;
    std::vector<id_t> list;
    std::size_t at = 0;
    bool found = false;
    // What holds for each value of the list: the term that listed them, or all terms of `common`,
    // which listed what they have in common.
    const checked_term* proven = nullptr;
    const value_lists* common = nullptr;
    // Or rows that pass conditions, block by block.
    std::unique_ptr<row_scan> scan;
    row_scan::block block;
    plan_step* then = nullptr;  // after the tests that the scan has made
    bool by_block = false;
  };
  enum class outcome : std::uint8_t { failed, opened, result };

  outcome descend(plan_step* step);
  plan_step* advance(frame& f);
  void open(plan_step& s);
  frame& push(plan_step& s);
  bool open_lists(frame& f);
  value_lists* lists_of(const plan_step& s);
  bool has_nothing_in_common(const plan_step& s);
  bool names_fewer(const plan_step& s, const value_lists& lists) const;
  double rows_of(const plan_step& s, std::size_t i) const;
  void open_bind(frame& f);
  void list_everything(frame& f);
  bool open_scan(frame& f);
  void gather(row_scan& scan);
  bool pays_to_gather(const id_record& pair, row_scan& scan) const;
  plan_step* advance_scan(frame& f);
  frame& frame_of(const plan_step& s);
  bool allowed(slot_index slot, entity_t value) const;
  bool is_proven(const checked_term& t);
  bool has_result(plan& inner);

  const checked_query& q_;
  plan& plan_;
  meaning& meaning_;
  candidates candidates_;
  slot_values& values_;
  // The first `depth_` are open; the others keep their memory for the next.
  std::vector<frame> frames_;
  std::size_t depth_ = 0;
  // By slot: the frame that gives it a value, of the first `slots_noted_` frames. Entries of frames
  // that were left since stay; such a frame is one of another slot, or is not open.
  std::vector<std::size_t> frame_of_slot_;
  std::size_t slots_noted_ = 0;
  std::vector<std::unique_ptr<value_lists>> lists_;  // by step
  std::vector<gathered_rows> gathered_;
  // What the terms of a step that comes next have in common.
  const plan_step* known_step_ = nullptr;
  std::vector<id_t> known_list_;
  std::vector<const checked_term*> in_scan_;          // the terms that the scan being opened asks
  hash_map<plan*, std::unique_ptr<plan_run>> inner_;  // what a Not or an earlier alternative runs
  std::set<slot_values> seen_;                        // results so far, of a plan that repeats
  std::vector<id_t> observed_;
  std::vector<entity_t> observed_relations_;
  bool batches_ = false;
  bool started_ = false;
};

// Can the slot have this value, whatever the terms say? $this is never built in or hidden, no
// source is built in.
bool is_allowed(const checked_query& q, const graph& g, slot_index slot, entity_t value);

}  // namespace kith::core
