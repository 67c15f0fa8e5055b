#include "oracle/evaluate.hpp"

#include <algorithm>
#include <functional>

namespace kith_oracle {

namespace {

using oper = part::model::oper;

// The ways something holds. `written` is false for what is "as if not written" because a variable
// was left unset.
struct outcome {
  bool written = true;
  std::vector<way> ways;
};

variables without(const variables& a, const variables& b) {
  variables result;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(),
                      std::inserter(result, result.begin()));
  return result;
}

way joined(const way& a, const way& b) {
  way both = a;
  both.field = {};
  both.slots.insert(b.slots.begin(), b.slots.end());
  return both;
}

class evaluation {
 public:
  evaluation(facts& world, const question& q, const arguments& bound)
      : world_(world), terms_(world), q_(q), values_(q.names.size(), 0) {
    for (const auto& [name, e] : bound) {
      const auto v = std::find(q.names.begin(), q.names.end(), name) - q.names.begin();
      values_.at(static_cast<std::size_t>(v)) = e;
      given_.insert(static_cast<variable>(v));
    }
    for (variable v : q.bound_by_term)
      if (!q.used_as_source.contains(v)) range_over_all_.insert(v);
    for (const auto& [e, ids] : world.world().owned)
      for (const owned_id& o : ids) in_some_id_.insert({o.id.first, o.id.second});
    in_some_id_.insert(q.named.begin(), q.named.end());
  }

  std::vector<row> rows() {
    for (const auto& [a, b] : q_.distinct)
      if (value(a) == value(b)) return {};
    for (variable v : given_)
      if (q_.used_as_source.contains(v) && is_builtin(value(v))) return {};
    plan();
    variables known = given_;
    known.insert(this_variable);
    chosen_.resize(q_.chains.size());
    if (q_.outer.contains(this_variable)) {
      for (entity_t e : range_of_this()) {
        value(this_variable) = e;
        solve(0, known, {});
      }
    } else {
      solve(0, known, {});
    }
    return std::move(rows_);
  }

  // A yes/no question needs one row only.
  bool stop_at_first = false;

 private:
  entity_t& value(variable v) { return values_[static_cast<std::size_t>(v)]; }
  bool is_unset(variable v) { return value(v) == 0; }

  // --- ranges ---

  // "`$this` never ranges over built-in entities, and over Prefab or Disabled entities only if a
  // predicate term on `$this`, anywhere in the query, names that tag."
  std::vector<entity_t> range_of_this() {
    std::vector<entity_t> range;
    for (entity_t e : world_.world().entities) {
      if (is_builtin(e)) continue;
      if (!q_.shows_prefabs && world_.has_trait(e, kith::Prefab)) continue;
      if (!q_.shows_disabled && world_.has_trait(e, kith::Disabled)) continue;
      range.push_back(e);
    }
    return range;
  }

  // "Other variables used as a source leave out built-in entities"; "one that no positive term and
  // no `==` binds ranges over all entities that are not built in". A built-in entity that is in no
  // id and not in the query cannot be what a plain predicate or target stands for, unless all that
  // asks for it has vanished or is optional.
  bool ranges_over(variable v, entity_t e) const {
    if (!is_builtin(e)) return true;
    // The wildcards are not values of variables.
    if (e == kith::Wildcard || e == kith::Any) return false;
    if (!range_over_all_.contains(v)) return false;
    const bool may_vanish = !q_.conditional.empty() && !q_.conditional.contains(v);
    return may_vanish || q_.used_oddly.contains(v) || in_some_id_.contains(e);
  }

  using leaves = std::vector<const part*>;

  // Calls `visit` with every assignment of `these`, including unset variables where they are
  // possible, until it returns true. Then restores the old values. Skips assignments that make a
  // leaf false.
  bool each_assignment(const variables& these, const leaves& all_must_hold,
                       const std::function<bool()>& visit) {
    if (these.empty()) return visit();
    const variable v = *these.begin();
    variables rest = these;
    rest.erase(v);
    const entity_t before = value(v);
    bool done = false;
    if (!q_.conditional.empty()) {
      value(v) = 0;
      done = each_assignment(rest, all_must_hold, visit);
    }
    for (entity_t e : world_.world().entities) {
      if (done) break;
      if (!ranges_over(v, e)) continue;
      value(v) = e;
      if (can_hold(v, rest, all_must_hold)) done = each_assignment(rest, all_must_hold, visit);
    }
    value(v) = before;
    return done;
  }

  bool can_hold(variable v, const variables& still_open, const leaves& all_must_hold) {
    return std::all_of(all_must_hold.begin(), all_must_hold.end(), [&](const part* p) {
      const bool has_values = p->positive.contains(v) &&
                              std::none_of(p->positive.begin(), p->positive.end(), [&](variable u) {
                                return still_open.contains(u) || is_unset(u);
                              });
      return !has_values || !terms_.of(*p, values_).empty();
    });
  }

  // The terms inside a term that must hold where it holds with all variables set.
  static void find_leaves(const part& p, leaves& result) {
    if (p.is != part::model::kind::scope) {
      result.push_back(&p);
      return;
    }
    for (const parts& c : p.scope)
      if (c.alternatives.size() == 1 && c.alternatives.front().op == oper::and_)
        find_leaves(c.alternatives.front(), result);
  }
  const leaves& leaves_of(const part& p) {
    const auto known = leaves_.find(&p);
    if (known != leaves_.end()) return known->second;
    leaves result;
    find_leaves(p, result);
    return leaves_[&p] = std::move(result);
  }

  // --- terms, chains, scopes ---
  //
  // `known` are the variables that earlier terms introduced; each function adds those that it
  // introduces. `quantified` are the variables that have a value here, even if their first use
  // comes later.

  // "where it was left unset, the other terms that use it are as if not written"
  outcome plain_term(const part& p, variables& known, const variables& quantified) {
    if (p.is == part::model::kind::scope) return scope(p, known, quantified);
    for (variable v : p.positive)
      if (known.contains(v) && is_unset(v)) {
        const variables own = conditional_of(without(p.positive, known));
        known.insert(own.begin(), own.end());
        return unset_or_fail(own, {false, {}});
      }
    known.insert(p.positive.begin(), p.positive.end());
    for (variable v : p.positive)
      if (is_unset(v)) return {true, {}};
    return {true, terms_.of(p, values_)};
  }

  // "and so is a chain or scope that this leaves empty"
  outcome scope(const part& p, variables& known, const variables& quantified) {
    outcome result{false, {way{}}};
    for (const parts& c : p.scope) {
      const outcome inner = chain(c, known, quantified);
      if (!inner.written) continue;
      result.written = true;
      std::vector<way> product;
      for (const way& a : result.ways)
        for (const way& b : inner.ways) {
          product.push_back(joined(a, b));
        }
      result.ways = std::move(product);
    }
    if (!result.written) result.ways.clear();
    return result;
  }

  // "`!T` holds if T has no result."
  outcome not_term(const part& p, const variables& quantified) {
    const part& asked = positive_form(p);
    bool written = true, has_result = false;
    const variables ranges = range_over_all_;
    range_over_all_.insert(p.range_over_all.begin(), p.range_over_all.end());
    variables inside = quantified;
    inside.insert(p.existential.begin(), p.existential.end());
    each_assignment(p.existential, leaves_of(asked), [&] {
      variables known = quantified;
      const outcome o = plain_term(asked, known, inside);
      written = o.written;
      has_result = o.written && !o.ways.empty() && rest_is_unset(p.existential, known);
      return !written || has_result;
    });
    range_over_all_ = ranges;
    if (!written) return {false, {}};
    if (has_result) return {true, {}};
    return {true, {way{}}};
  }

  // "`?T`: one result per way T holds, or one with its variables unset. Likewise `?{...}`." A
  // variable that is not conditional, because a term that vanished is its first use, stays an
  // ordinary one.
  outcome optional_term(const part& p, variables& known, const variables& quantified) {
    const variables before = known;
    const variables own = conditional_of(without(p.positive, known));
    outcome result = plain_term(p, known, quantified);
    const variables introduced = known;
    known.insert(own.begin(), own.end());
    if (!result.written) return unset_or_fail(own, result);
    if (!ordinary_are_set(without(introduced, before))) return {true, {}};
    if (!result.ways.empty() && rest_is_unset(own, introduced)) return result;
    result.ways.clear();
    for (variable v : own)
      if (!is_unset(v)) return result;
    // A way may also need a value for a variable that is unset because its terms vanished together
    // with these, also one that only a `!` of this part uses.
    variables open = own;
    for (variable v : p.positive)
      if (!introduced.contains(v) && is_unset(v)) open.insert(v);
    for (variable v : p.inside_not)
      if (q_.outer.contains(v) && !q_.conditional.contains(v) && !introduced.contains(v) &&
          is_unset(v))
        open.insert(v);
    const bool can_hold = each_assignment(open, leaves_of(p), [&] {
      variables inside = before;
      const outcome o = plain_term(p, inside, quantified);
      return !o.ways.empty() && rest_is_unset(own, inside);
    });
    if (!can_hold) result.ways.push_back(way{});
    return result;
  }

  outcome term(const part& p, variables& known, const variables& quantified) {
    if (p.op == oper::not_) return not_term(p, quantified);
    if (p.op == oper::optional) return optional_term(p, known, quantified);
    return plain_term(p, known, quantified);
  }

  // "`A || B`: one result per distinct assignment of the union; the field reports the first
  // alternative that holds."
  outcome chain(const parts& c, variables& known, const variables& quantified) {
    if (c.alternatives.size() == 1) return term(c.alternatives.front(), known, quantified);
    const variables before = known;
    const variables own = conditional_of(without(c.positive, known));
    outcome result{false, {}};
    for (const part& p : c.alternatives) {
      variables inside = before;
      const outcome o = term(p, inside, quantified);
      if (!o.written) continue;
      result.written = true;
      known.insert(inside.begin(), inside.end());
      if (!rest_is_unset(own, inside)) continue;
      result.ways.insert(result.ways.end(), o.ways.begin(), o.ways.end());
    }
    const variables introduced = without(known, before);
    known.insert(own.begin(), own.end());
    if (!result.written) return unset_or_fail(own, result);
    if (!ordinary_are_set(introduced)) result.ways.clear();
    return result;
  }

  variables conditional_of(const variables& all) const {
    return without(all, without(all, q_.conditional));
  }

  bool ordinary_are_set(const variables& introduced) {
    return std::all_of(introduced.begin(), introduced.end(),
                       [&](variable v) { return q_.conditional.contains(v) || !is_unset(v); });
  }

  // A part that vanishes leaves its variables unset.
  outcome unset_or_fail(const variables& own, const outcome& vanished) {
    const bool all_unset =
        std::all_of(own.begin(), own.end(), [&](variable v) { return is_unset(v); });
    return all_unset ? vanished : outcome{true, {}};
  }

  bool rest_is_unset(const variables& own, const variables& introduced) {
    return std::all_of(own.begin(), own.end(),
                       [&](variable v) { return introduced.contains(v) || is_unset(v); });
  }

  const part& positive_form(const part& p) {
    const auto known = positive_.find(&p);
    if (known != positive_.end()) return known->second;
    part form = p;
    form.op = oper::and_;
    for (const place* at : {&p.first, &p.source, &p.second})
      if (at->is == place::kind::var) form.positive.insert(at->variable);
    for (const parts& c : p.scope) form.positive.insert(c.positive.begin(), c.positive.end());
    return positive_.emplace(&p, std::move(form)).first->second;
  }

  // --- the whole query ---

  // Solves chains in written order, and those that are one `!T` last, when all variables have
  // values.
  void plan() {
    const auto is_not = [&](std::size_t i) {
      const parts& c = q_.chains[i];
      return c.alternatives.size() == 1 && c.alternatives.front().op == oper::not_;
    };
    for (bool last : {false, true})
      for (std::size_t i = 0; i < q_.chains.size(); ++i)
        if (is_not(i) == last) order_.push_back(i);
  }

  // `ahead` are variables that got a value before their introduction, because a `!` needed it.
  void solve(std::size_t step, const variables& known, const variables& ahead) {
    if (stop_at_first && !rows_.empty()) return;
    if (step == order_.size()) {
      if (rest_is_unset(q_.outer, known)) add_rows();
      return;
    }
    const std::size_t at = order_[step];
    const parts& c = q_.chains[at];
    variables own = without(c.positive, known);
    variables asked;
    for (variable v : c.inside_not)
      if (q_.outer.contains(v) && !known.contains(v) && !own.contains(v) && !ahead.contains(v))
        asked.insert(v);
    // A variable that no chain has introduced by now stays unset.
    if (is_last_part(step)) asked.clear();
    variables early = ahead;
    early.insert(asked.begin(), asked.end());
    std::set<assignment> tried;
    const auto go_on = [&] {
      if (!tried.insert(values_).second) return false;
      variables after = known;
      outcome o = chain(c, after, q_.outer);
      if (!o.written) o.ways = {way{}};
      if (o.ways.empty()) return false;
      for (variable v : without(own, after))
        if (!is_unset(v) && !ahead.contains(v)) return false;
      chosen_[at] = std::move(o.ways);
      solve(step + 1, after, early);
      return stop_at_first && !rows_.empty();
    };
    // An alternative leaves the variables unset that it does not use, so each is tried on its own.
    for (const part& p : c.alternatives) {
      const variables not_here = conditional_of(without(own, p.positive));
      variables fresh = without(without(own, not_here), ahead);
      fresh.insert(asked.begin(), asked.end());
      for (variable v : without(not_here, ahead)) value(v) = 0;
      // `?T` holds for any value of a variable that is not its own.
      const bool need_not_hold =
          p.op == oper::not_ || (p.op == oper::optional && conditional_of(fresh) != fresh);
      if (each_assignment(fresh, need_not_hold ? leaves{} : leaves_of(p), go_on)) return;
    }
  }

  bool is_last_part(std::size_t step) const {
    return std::all_of(order_.begin() + static_cast<std::ptrdiff_t>(step), order_.end(),
                       [&](std::size_t i) { return q_.chains[i].positive.empty(); });
  }

  // "A result is an assignment of `$this`, the variables, the id of each `*` and the entity of each
  // `all`."
  void add_rows() {
    row base;
    base.values.push_back(q_.outer.contains(this_variable) ? value(this_variable) : 0);
    for (variable v : q_.columns) base.values.push_back(value(v));
    base.rank = rank();
    std::vector<std::pair<way, row>> product{{way{}, base}};
    for (const std::vector<way>& ways : chosen_) {
      std::vector<std::pair<way, row>> longer;
      for (const auto& [so_far, r] : product)
        for (const way& w : ways) {
          longer.emplace_back(joined(so_far, w), r);
          longer.back().second.fields.push_back(w.field);
        }
      product = std::move(longer);
    }
    // "Results are a set": the first way decides what the fields show.
    std::set<std::map<slot, id>> seen;
    for (auto& [w, r] : product)
      if (seen.insert(w.slots).second) {
        r.slots = w.slots;
        rows_.push_back(std::move(r));
      }
  }

  // "breadth-first order of depth along that relation (`desc`: deepest first); entities on a cycle
  // or leading into one come last, also with `desc`"
  int rank() {
    if (!q_.order || !q_.outer.contains(q_.order->variable)) return 0;
    if (is_unset(q_.order->variable)) return row::comes_last + 1;
    const auto depth = world_.depth(q_.order->relation, value(q_.order->variable));
    if (!depth) return row::comes_last;
    return q_.order->descending ? -*depth : *depth;
  }

  facts& world_;
  term_ways terms_;
  const question& q_;
  assignment values_;
  variables given_;
  variables range_over_all_;              // the others do not range over built-in entities
  std::vector<std::size_t> order_;        // of chains
  std::vector<std::vector<way>> chosen_;  // by chain, for the values as they are now
  std::set<entity_t> in_some_id_;
  std::map<const part*, leaves> leaves_;
  std::map<const part*, part> positive_;  // maps `!T` to T
  std::vector<row> rows_;
};

}  // namespace

answer evaluate(facts& world, const kith::core::expression& e, const arguments& bound) {
  answer result;
  std::set<std::string> given;
  for (const auto& [name, value] : bound) given.insert(name);
  try {
    const question q = ask(world, e, given);
    for (const auto& [name, value] : bound)
      if (!std::count(q.names.begin(), q.names.end(), name))
        throw unresolved("unknown variable '" + name + "'");
    for (variable v : q.parameters)
      if (!given.contains(q.names[static_cast<std::size_t>(v)]))
        throw unresolved("parameter '" + q.names[static_cast<std::size_t>(v)] + "' has no value");
    result.is_yes_no = q.is_yes_no();
    result.is_ordered = q.order.has_value() && q.outer.contains(q.order->variable);
    for (variable v : q.columns) result.columns.push_back(q.names[static_cast<std::size_t>(v)]);
    evaluation run(world, q, bound);
    run.stop_at_first = result.is_yes_no;
    result.rows = run.rows();
  } catch (const unresolved& problem) {
    result.error = problem.what();
    return result;
  }
  result.is_true = !result.rows.empty();
  if (result.is_yes_no) result.rows.clear();
  std::stable_sort(result.rows.begin(), result.rows.end(),
                   [](const row& a, const row& b) { return a.rank < b.rank; });
  return result;
}

}  // namespace kith_oracle
