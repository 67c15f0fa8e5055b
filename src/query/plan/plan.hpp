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
  bit_set bound;
  std::shared_ptr<const plan_level> level;
  // Slots that turned out to stay unset; the level still has what uses them.
  slot_list unset{};
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
  // A branch is made when it is first asked for, since a run may need only the first few.
  struct branch {
    plan_state from;
    plan_step* first = nullptr;
    const block* said = nullptr;  // what is left of an alternative, for those after it
    bool vanished = false;        // nothing is left of it
  };
  std::vector<branch> branches_;
  plan_state around_;        // what is to do after a branch, and what had values before it
  slot_list open_, wanted_;  // the slots without values, and those of them that others use
  plan_step* otherwise_ = nullptr;
  plan_state else_;
};

class plan {
 public:
  // The results of `b`, if the slots in `bound` have values. `known`: what occurs around the block,
  // and so is no variable of its own.
  plan(const checked_query& q, const block& b, bit_set bound, const bit_set& known,
       const estimates& counts, statistics& samples);
  ~plan();
  plan(const plan&) = delete;

  plan_step* first();
  plan_step* after(plan_step& s);
  // The first step of an alternative, or of what is optional; null if nothing is left of it.
  plan_step* body(plan_step& s, std::size_t which);
  std::size_t body_count(const plan_step& s) const { return s.what->bodies.size(); }
  plan_step* otherwise(plan_step& s);

  // The same result may come up twice.
  bool repeats() const { return repeats_; }

  // One line per step, with estimated and actual rows.
  std::string to_text(const entity_namer& names);

 private:
  plan_step* plan_next(const plan_state& from);
  plan_step& add(plan_step::op does);
  std::shared_ptr<plan_level> make_level(const block& b, const bit_set& bound, slot_list own,
                                         std::shared_ptr<const plan_level> outer, plan_step* owner,
                                         std::size_t alternative) const;
  plan_step::branch& branch_of(plan_step& s, std::size_t which);
  double cost_of(const item& any_of, const plan_level& level, const bit_set& bound) const;

  bool may_have_any_value(slot_index slot) const;
  plan_state brought_up_to_date(const plan_state& from) const;
  std::size_t news_for(const slot_order& order, const plan_level& level,
                       const slot_list& fresh) const;
  std::shared_ptr<const slot_order> find_order(const plan_state& from) const;
  const order_choice* next_choice(plan_state& from, bool& is_new) const;
  bool find_only_choice(const plan_state& from, order_choice& only) const;
  plan_step* plan_slot(const plan_state& from, const order_choice& next);
  plan_step* plan_test(const plan_state& from);
  plan_step* plan_binding(plan_state& from);
  plan_step* plan_optional(const plan_state& from);
  plan_step* plan_open_term(const plan_state& from);
  plan_step* plan_everything(const plan_state& from);
  plan_step* plan_guess(const plan_state& from);
  plan_step* plan_end(const plan_state& from);
  plan_step* plan_bodies(const plan_state& from, std::size_t which);

  const checked_query& q_;
  const estimates& counts_;
  statistics& samples_;
  bit_set known_;
  plan_state start_;
  reductions left_;
  plan_step* first_ = nullptr;
  std::deque<plan_step> steps_;
  bool repeats_ = false;
};

}  // namespace kith::core
