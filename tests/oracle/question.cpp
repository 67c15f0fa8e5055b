#include "oracle/question.hpp"

#include <algorithm>
#include <map>

namespace kith_oracle {

namespace model = kith::core;

namespace {

// --- names and short forms -----------------------------------------------------------------------

class reader {
 public:
  reader(facts& world, question& q) : world_(world), q_(q) { q_.names.push_back("this"); }

  std::vector<parts> read(const model::expression& e) {
    std::vector<parts> chains;
    for (const model::chain& c : e.chains) chains.push_back(read(c));
    return chains;
  }

 private:
  entity_t resolve(const model::entity_name& name) {
    if (name.entity) return name.entity;
    if (const auto e = world_.world().lookup(name.path)) return *e;
    throw unresolved("unknown name '" + name.path + "'");
  }

  variable number_of(const std::string& name) {
    const auto known = std::find(q_.names.begin(), q_.names.end(), name);
    if (known != q_.names.end()) return static_cast<variable>(known - q_.names.begin());
    q_.names.push_back(name);
    return static_cast<variable>(q_.names.size()) - 1;
  }

  place read(const model::ref& r) {
    place p;
    switch (r.is) {
      case model::ref::kind::none:
        return p;
      case model::ref::kind::singleton:
        break;
      case model::ref::kind::entity:
        p.is = place::kind::entity;
        p.entity = resolve(r.name);
        break;
      case model::ref::kind::variable:
        p.is = place::kind::var;
        p.variable = number_of(r.text);
        p.lookup = r.lookup;
        if (r.parameter) q_.parameters.insert(p.variable);
        break;
      case model::ref::kind::wildcard:
        p.is = place::kind::star;
        break;
      case model::ref::kind::any:
        p.is = place::kind::any;
        break;
      case model::ref::kind::text:
        p.is = place::kind::text;
        p.text = r.text;
        break;
    }
    if (r.flags) {
      p.flags.emplace();
      p.flags->self = r.flags->self;
      p.flags->all = r.flags->all;
      for (const model::walk& w : r.flags->walks)
        p.flags->walks.push_back(
            {w.direction == model::walk::way::up, resolve(w.relation), w.min, w.max});
    }
    return p;
  }

  // "A bare predicate with the Singleton trait has itself as source. A relation with the
  // Relationship trait, written bare, means `(R, _)`."
  void write_out_bare(part& p) {
    const bool named = p.first.is == place::kind::entity;
    p.source.is = place::kind::var;
    p.source.variable = this_variable;
    if (!named || p.is_from()) return;
    if (world_.has_trait(p.first.entity, kith::Singleton)) {
      p.source = p.first;
      p.source.flags.reset();
    }
    if (world_.has_trait(p.first.entity, kith::Relationship)) p.second.is = place::kind::any;
  }

  void number_slots(part& p) {
    const auto add = [&](slot::kind k) { p.slots.push_back({k, slots_[k]++}); };
    if (p.first.is == place::kind::star || p.second.is == place::kind::star)
      add(slot::kind::star_id);
    if (p.source.is == place::kind::star) add(slot::kind::star_source);
    if (p.first.flags && p.first.flags->all) add(slot::kind::all_first);
    if (p.source.flags && p.source.flags->all) add(slot::kind::all_source);
    if (p.second.flags && p.second.flags->all) add(slot::kind::all_second);
  }

  void note_variables(part& p) {
    variables all;
    for (const place* at : {&p.first, &p.source, &p.second})
      if (at->is == place::kind::var) all.insert(at->variable);
    variables hidden;
    for (const parts& c : p.scope) {
      all.insert(c.positive.begin(), c.positive.end());
      hidden.insert(c.inside_not.begin(), c.inside_not.end());
    }
    if (p.op == model::term::oper::not_) {
      hidden.insert(all.begin(), all.end());
      all.clear();
    }
    p.positive = std::move(all);
    p.inside_not = std::move(hidden);
  }

  part read(const model::term& t) {
    part p;
    p.is = t.is;
    p.op = t.op;
    p.compare = t.compare;
    // Slots inside `!` are no part of the results, so they get numbers of their own.
    const auto outside = slots_;
    const bool negated = t.op == model::term::oper::not_;
    constexpr int far = 1000;
    if (negated)
      for (slot::kind k : {slot::kind::star_id, slot::kind::star_source, slot::kind::all_first,
                           slot::kind::all_source, slot::kind::all_second})
        slots_[k] += far;
    if (t.is == model::term::kind::scope) {
      p.scope = read(t.scope);
    } else {
      p.first = read(t.first);
      p.source = read(t.source);
      p.second = read(t.second);
      if (t.is == model::term::kind::predicate) {
        // "Game($) is Game(Game)"
        if (t.source.is == model::ref::kind::singleton) {
          const auto flags = p.source.flags;
          p.source = p.first;
          p.source.flags = flags;
        } else if (t.source.is == model::ref::kind::none && p.second.is == place::kind::none) {
          write_out_bare(p);
        } else if (t.source.is == model::ref::kind::none) {
          p.source.is = place::kind::var;
          p.source.variable = this_variable;
        }
      }
      number_slots(p);
    }
    if (negated) slots_ = outside;
    note_variables(p);
    return p;
  }

  parts read(const model::chain& c) {
    parts result;
    const auto before = slots_;
    auto after = slots_;
    for (const model::term& t : c.alternatives) {
      slots_ = before;
      result.alternatives.push_back(read(t));
      const part& p = result.alternatives.back();
      result.positive.insert(p.positive.begin(), p.positive.end());
      result.inside_not.insert(p.inside_not.begin(), p.inside_not.end());
      for (const auto& [kind, count] : slots_) after[kind] = std::max(after[kind], count);
    }
    slots_ = after;
    return result;
  }

  facts& world_;
  question& q_;
  std::map<slot::kind, int> slots_;
};

// --- what the whole query says of its variables --------------------------------------------------

// Finds the variables that are used as a source, and those that some term outside `!` may bind. A
// lookup, a From-list, `!=` and `~=` do not bind a variable.
void note_uses(const part& p, bool inside_not, variables& sources, variables& bound) {
  inside_not = inside_not || p.op == part::model::oper::not_;
  const auto note = [](const place& at, variables& set) {
    if (at.is == place::kind::var && at.lookup.empty()) set.insert(at.variable);
  };
  note(p.source, sources);
  if (!inside_not && p.may_bind())
    for (const place* at : {&p.first, &p.source, &p.second}) note(*at, bound);
  for (const parts& c : p.scope)
    for (const part& inner : c.alternatives) note_uses(inner, inside_not, sources, bound);
}

// "A variable that occurs only inside `!` or `!{...}` is existential there"
void find_existential(part& p, variables quantified);

void find_existential(std::vector<parts>& chains, const variables& quantified) {
  for (parts& c : chains)
    for (part& p : c.alternatives) find_existential(p, quantified);
}

void find_existential(part& p, variables quantified) {
  if (p.op == part::model::oper::not_) {
    part asked = p;
    asked.op = part::model::oper::and_;
    variables here, sources, bound;
    for (const place* at : {&p.first, &p.source, &p.second})
      if (at->is == place::kind::var) here.insert(at->variable);
    for (const parts& c : p.scope) here.insert(c.positive.begin(), c.positive.end());
    note_uses(asked, false, sources, bound);
    for (variable v : here) {
      if (quantified.contains(v)) continue;
      p.existential.insert(v);
      if (bound.contains(v) && !sources.contains(v)) p.range_over_all.insert(v);
    }
    quantified.insert(here.begin(), here.end());
  }
  find_existential(p.scope, quantified);
}

// "A variable whose first written use (uses inside `!` aside) is in an optional term, or in some
// but not all alternatives of a `||` chain, is conditional": it is not if that use is sure to set
// it.
bool sets(const std::vector<parts>& chains, variable v);

bool sets(const part& p, variable v) {
  if (p.op == part::model::oper::not_ || p.op == part::model::oper::optional) return false;
  return p.is == part::model::kind::scope ? sets(p.scope, v) : p.positive.contains(v);
}

bool sets(const std::vector<parts>& chains, variable v) {
  for (const parts& c : chains)
    if (c.positive.contains(v))
      return std::all_of(c.alternatives.begin(), c.alternatives.end(),
                         [&](const part& p) { return sets(p, v); });
  return false;
}

// Inside `!T` only the uses in T decide.
void find_conditional_in_nots(const std::vector<parts>& chains, variables& conditional) {
  for (const parts& c : chains)
    for (const part& p : c.alternatives) {
      if (p.is == part::model::kind::scope)
        for (variable v : p.existential)
          if (!sets(p.scope, v)) conditional.insert(v);
      find_conditional_in_nots(p.scope, conditional);
    }
}

void in_order_of_appearance(const std::vector<parts>& chains, std::vector<variable>& order) {
  const auto note = [&](const place& at) {
    if (at.is == place::kind::var && at.variable != this_variable &&
        !std::count(order.begin(), order.end(), at.variable))
      order.push_back(at.variable);
  };
  for (const parts& c : chains)
    for (const part& p : c.alternatives) {
      note(p.first);
      note(p.source);
      note(p.second);
      in_order_of_appearance(p.scope, order);
    }
}

// Finds the variables that are not only plain predicates or targets, and the entities in the text.
void find_odd_uses(const std::vector<parts>& chains, question& q) {
  for (const parts& c : chains)
    for (const part& p : c.alternatives) {
      const bool plain_term = p.is == part::model::kind::predicate && !p.is_from();
      for (const place* at : {&p.first, &p.source, &p.second}) {
        if (at->is == place::kind::entity) q.named.insert(at->entity);
        if (at->is != place::kind::var) continue;
        if (!plain_term || at->flags || !at->lookup.empty()) q.used_oddly.insert(at->variable);
      }
      find_odd_uses(p.scope, q);
    }
}

// "over Prefab or Disabled entities only if a predicate term on `$this`, anywhere in the query,
// names that tag"
void find_shown(const std::vector<parts>& chains, question& q) {
  for (const parts& c : chains)
    for (const part& p : c.alternatives) {
      find_shown(p.scope, q);
      if (p.is != part::model::kind::predicate || p.is_from()) continue;
      if (p.source.is != place::kind::var || p.source.variable != this_variable) continue;
      if (!p.source.lookup.empty() || p.first.is != place::kind::entity) continue;
      q.shows_prefabs = q.shows_prefabs || p.first.entity == kith::Prefab;
      q.shows_disabled = q.shows_disabled || p.first.entity == kith::Disabled;
    }
}

// --- over the expression as it is written --------------------------------------------------------

template <class Visit>
void each_term(const model::expression& e, Visit visit) {
  for (const model::chain& c : e.chains)
    for (const model::term& t : c.alternatives) {
      if (t.op == model::term::oper::not_) continue;
      if (t.is == model::term::kind::scope)
        each_term(t.scope, visit);
      else
        visit(t);
    }
}

// "the first cascade term decides"
std::optional<cascade> find_order(const facts& world, const question& q,
                                  const model::expression& e) {
  std::optional<cascade> order;
  bool decided = false;
  each_term(e, [&](const model::term& t) {
    for (const model::ref* r : {&t.first, &t.source, &t.second}) {
      if (decided || !r->flags) continue;
      for (const model::walk& w : r->flags->walks) {
        if (!w.cascade || decided) continue;
        decided = true;
        if (r->is != model::ref::kind::variable || !r->lookup.empty()) continue;
        const auto v = std::find(q.names.begin(), q.names.end(), r->text) - q.names.begin();
        const entity_t relation =
            w.relation.entity ? w.relation.entity : world.world().lookup(w.relation.path).value();
        order = cascade{static_cast<variable>(v), relation, r->flags->descending};
      }
    }
  });
  return order;
}

// "Different parameters that are plain targets of one relation on one source, outside `!`, bind
// *distinct* targets"
void find_distinct(question& q, const model::expression& e) {
  std::vector<const model::term*> targets;
  const auto is_parameter = [&](const model::ref& r) {
    if (r.is != model::ref::kind::variable || r.flags || !r.lookup.empty()) return false;
    const auto v = std::find(q.names.begin(), q.names.end(), r.text) - q.names.begin();
    return q.parameters.contains(static_cast<variable>(v));
  };
  each_term(e, [&](const model::term& t) {
    if (t.is == model::term::kind::predicate && is_parameter(t.second)) targets.push_back(&t);
  });
  const auto number_of = [&](const model::ref& r) {
    return static_cast<variable>(std::find(q.names.begin(), q.names.end(), r.text) -
                                 q.names.begin());
  };
  for (const model::term* a : targets)
    for (const model::term* b : targets)
      if (a->second.text != b->second.text && a->first == b->first && a->source == b->source)
        q.distinct.emplace_back(number_of(a->second), number_of(b->second));
}

}  // namespace

question ask(facts& world, const kith::core::expression& e, const std::set<std::string>& bound) {
  question q;
  q.chains = reader(world, q).read(e);

  bool has_this = false;
  for (const parts& c : q.chains) {
    has_this =
        has_this || c.positive.contains(this_variable) || c.inside_not.contains(this_variable);
    q.outer.insert(c.positive.begin(), c.positive.end());
    for (const part& p : c.alternatives) note_uses(p, false, q.used_as_source, q.bound_by_term);
  }
  // "`$this` is never existential." "A variable the caller binds is never existential"
  if (has_this) q.outer.insert(this_variable);
  variables given;
  for (variable v = 1; v < static_cast<variable>(q.names.size()); ++v)
    if (bound.contains(q.names[static_cast<std::size_t>(v)])) given.insert(v);
  q.outer.insert(given.begin(), given.end());

  find_existential(q.chains, q.outer);
  find_conditional_in_nots(q.chains, q.conditional);
  for (variable v : q.outer)
    if (v != this_variable && !given.contains(v) && !sets(q.chains, v)) q.conditional.insert(v);
  std::vector<variable> order;
  in_order_of_appearance(q.chains, order);
  for (variable v : order)
    if (q.outer.contains(v)) q.columns.push_back(v);
  find_shown(q.chains, q);
  find_odd_uses(q.chains, q);
  q.order = find_order(world, q, e);
  find_distinct(q, e);
  return q;
}

}  // namespace kith_oracle
