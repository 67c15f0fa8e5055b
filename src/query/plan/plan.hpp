// In which order a query is answered.
//
// A plan is a tree of steps. Each step reads slots that have values and gives values to others;
// what follows it is tried for each of them. Where a variable may stay unset (`?`, `||`) the tree
// branches, because the terms that use it are then as if not written. Where two such variables wait
// for each other the first is guessed: a branch for each value, and one in which it stays unset.
// Branches are planned when they are first needed, so that a query with many of them costs only
// what it meets.
//
//   (Likes, $x), ?(Owns, $y), Big($y)
//
//   bind $this     from Likes($this, $x)
//   bind $x        from Likes($this, $x)
//   optional
//   ├─ bind $y     from Owns($this, $y)
//   │  end, test Big($y), result
//   └─ otherwise   result
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "query/check/checked_query.hpp"
#include "query/model/print.hpp"
#include "query/plan/estimate.hpp"
#include "query/plan/order.hpp"
#include "query/plan/plan_level.hpp"
#include "query/plan/reductions.hpp"

namespace kith::core {

class plan;

// Where planning stands: what is bound, what is still to do.
struct plan_state {
  slot_list bound;
  std::shared_ptr<const plan_level> level;
  // The order that was found for the level; null: none yet.
  std::shared_ptr<const slot_order> order{};
  // Terms of which it is asked, before what they name is listed, whether they name anything.
  std::vector<const checked_term*> filters{};
};

struct plan_step {
  enum class op : std::uint8_t {
    bind,             // gives `slot` each value that one of `from` names; without any, each entity
    star,             // gives `slot` each id that fits `term`
    all,              // gives `slot` each entity that a place of `term` stands for
    guess,            // gives `slot` each entity; then goes on with `otherwise`, where it is unset
    test,             // goes on if `term` holds
    filter,           // goes on if `term` may hold for some value of its other variables
    absent,           // goes on if `inner[0]` has no result
    optional,         // goes on with bodies[0] for each of its results, or else with `otherwise`
    any_of,           // goes on with each of `bodies`
    end_optional,     // the body of `owner` has a result
    end_alternative,  // goes on unless an earlier alternative of `owner` has the same result
    result,
    nothing,  // no result this way
  };

  op does = op::result;
  std::size_t number = 0;  // among the steps of the plan
  slot_index slot = no_slot;
  std::vector<const checked_term*> from;
  std::vector<double> from_rows;  // how many values each of `from` is thought to name
  const checked_term* term = nullptr;
  const item* what = nullptr;
  plan_step* owner = nullptr;
  std::size_t alternative = 0;
  bool first_only = false;  // any_of: no alternative gives a value to anything
  // absent: what must have no result. end_alternative: the earlier alternatives.
  std::vector<std::unique_ptr<plan>> inner;

  // bind: what could have come first instead, with the cost of the best order that begins so.
  std::shared_ptr<const slot_order> considered{};
  double cost = 0;                   // of this step and all that follow, as far as the order says
  double estimate = 0;               // how many rows this step is thought to let through
  mutable std::uint64_t actual = 0;  // how many it has let through

 private:
  friend class plan;
  // What follows, and from where to plan it when it is asked for.
  plan_step* next_ = nullptr;
  plan_state then_;
  std::vector<plan_step*> bodies_;
  std::vector<plan_state> body_states_;
  std::vector<bool> vanished_;      // alternatives of which nothing is left
  std::vector<const block*> said_;  // what is left of the others
  plan_step* otherwise_ = nullptr;
  plan_state else_;
};

class plan {
 public:
  // The results of `b`, if the slots in `bound` have values. `known`: what occurs around the block,
  // and so is no variable of its own.
  plan(const checked_query& q, const block& b, slot_list bound, const slot_list& known,
       const estimates& counts, statistics& samples);
  ~plan();
  plan(const plan&) = delete;

  plan_step* first();
  plan_step* after(plan_step& s);
  // The first step of an alternative, or of what is optional; null if nothing is left of it.
  plan_step* body(plan_step& s, std::size_t which);
  std::size_t body_count(const plan_step& s) const { return s.body_states_.size(); }
  plan_step* otherwise(plan_step& s);

  // The same result may come up twice.
  bool repeats() const { return repeats_; }

  // One line per step, with estimated and actual rows.
  std::string to_text(const entity_namer& names);

 private:
  plan_step* plan_next(const plan_state& from);
  plan_step& add(plan_step::op does);
  std::shared_ptr<const plan_level> make_level(const block& b, const slot_list& bound,
                                               std::shared_ptr<const plan_level> outer,
                                               plan_step* owner, std::size_t alternative) const;
  slot_list free_slots(const item& i) const;
  double cost_of(const item& any_of, const plan_level& level, const slot_list& bound) const;

  bool may_vanish(const item& i, const plan_state& from) const;
  bool may_have_any_value(slot_index slot) const;
  std::shared_ptr<const slot_order> find_order(const plan_state& from) const;
  const order_choice* next_choice(plan_state& from) const;
  bool find_only_choice(const plan_state& from, order_choice& only) const;
  plan_step* plan_slot(const plan_state& from, const order_choice& next);
  std::shared_ptr<const plan_level> without_idle(const plan_state& from) const;
  int rank_of_test(const item& i) const;
  plan_step* plan_test(const plan_state& from);
  plan_step* plan_binding(const plan_state& from);
  plan_step* plan_optional(const plan_state& from);
  plan_step* plan_open_term(const plan_state& from);
  plan_step* plan_everything(const plan_state& from);
  plan_step* plan_guess(const plan_state& from);
  plan_step* plan_end(const plan_state& from);
  plan_step* plan_bodies(const plan_state& from, std::size_t which);

  const checked_query& q_;
  const estimates& counts_;
  statistics& samples_;
  slot_list known_;
  plan_state start_;
  reductions left_;
  plan_step* first_ = nullptr;
  std::deque<plan_step> steps_;
  bool repeats_ = false;
};

}  // namespace kith::core
