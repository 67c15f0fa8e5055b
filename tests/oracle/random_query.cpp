#include "oracle/random_query.hpp"

#include <algorithm>

namespace kith_oracle {

namespace model = kith::core;

namespace {

using model::ref;
using model::term;

class query_dice {
 public:
  query_dice(const scripted_world& world, dice& random) : world_(world), random_(random) {}

  random_query write() {
    has_parameters_ = random_.chance(12);
    const std::size_t chains = 1 + random_.below(random_.chance(30) ? 5 : 3);
    result_.text = expression(chains, 0);
    for (const std::string& v : parameters_) result_.with[v] = object();
    // The caller may also give a value to a variable that is no parameter.
    if (!variables_.empty() && random_.chance(6))
      result_.with[random_.one_of(variables_)] = object();
    return std::move(result_);
  }

 private:
  // --- names ---

  std::string object() {
    const std::size_t which = random_.below(10);
    if (which == 0 && !world_.tags.empty()) return random_.one_of(world_.tags);
    if (which == 1 && !world_.relations.empty()) return random_.one_of(world_.relations);
    return world_.objects.empty() ? "IsA" : random_.one_of(world_.objects);
  }
  std::string relation() {
    const std::size_t which = random_.below(10);
    if (which < 2) return "ChildOf";
    if (which < 4 || world_.relations.empty()) return "IsA";
    return random_.one_of(world_.relations);
  }
  std::string tag() {
    if (random_.chance(4)) return random_.chance(50) ? "Prefab" : "Disabled";
    return world_.tags.empty() ? "Prefab" : random_.one_of(world_.tags);
  }

  // --- refs ---

  static ref entity(const std::string& name) {
    ref r;
    r.is = ref::kind::entity;
    r.name.path = name;
    return r;
  }
  static ref of_kind(ref::kind k) {
    ref r;
    r.is = k;
    return r;
  }
  static ref this_ref() {
    ref r = of_kind(ref::kind::variable);
    r.text = "this";
    return r;
  }

  // Uses at most three names, and prefers a name that is in use.
  ref variable() {
    static const std::vector<std::string> names{"x", "y", "z"};
    ref r = of_kind(ref::kind::variable);
    if (has_parameters_ && random_.chance(45)) {
      r.text = random_.chance(60) ? "p" : "q";
      r.parameter =
          random_.chance(80) || !std::count(parameters_.begin(), parameters_.end(), r.text);
      if (r.parameter && !std::count(parameters_.begin(), parameters_.end(), r.text))
        parameters_.push_back(r.text);
    } else if (!variables_.empty() && (random_.chance(60) || variables_.size() == names.size())) {
      r.text = random_.one_of(variables_);
    } else {
      r.text = names[variables_.size()];
      variables_.push_back(r.text);
    }
    if (!world_.child_names.empty() && random_.chance(3))
      r.lookup.push_back(random_.one_of(world_.child_names));
    return r;
  }

  // `up(R, 2)`, rarely several; `all`, `self` and `cascade` now and then.
  model::substitution flags(bool source) {
    model::substitution s;
    s.self = random_.chance(50);
    if (s.self && random_.chance(30)) return s;
    const std::size_t walks = random_.chance(15) ? 2 : 1;
    for (std::size_t i = 0; i < walks; ++i) {
      model::walk w;
      w.direction =
          random_.chance(source ? 70 : 45) ? model::walk::way::up : model::walk::way::down;
      w.relation.path = random_.chance(40) ? "ChildOf" : relation();
      if (random_.chance(25)) {
        w.min = 1 + static_cast<std::uint32_t>(random_.below(2));
        w.max = w.min + static_cast<std::uint32_t>(random_.below(3));
      }
      s.walks.push_back(w);
    }
    s.all = random_.chance(20);
    for (model::walk& w : s.walks)
      if (w.direction == model::walk::way::up && random_.chance(source ? 30 : 4)) {
        w.cascade = true;
        s.descending = random_.chance(30);
        break;
      }
    return s;
  }

  void maybe_flags(ref& r, int percent, bool source = false) {
    if ((r.is == ref::kind::entity || r.is == ref::kind::variable) && random_.chance(percent))
      r.flags = flags(source);
  }

  // --- terms ---

  ref source(const std::string& known) {
    const std::size_t which = random_.below(100);
    ref r = which < 60   ? this_ref()
            : which < 84 ? variable()
            : which < 93 ? entity(known)
            : which < 96 ? of_kind(ref::kind::wildcard)
            : which < 99 ? of_kind(ref::kind::any)
                         : of_kind(ref::kind::singleton);
    maybe_flags(r, 14, true);
    return r;
  }

  ref target(const std::string& known) {
    const std::size_t which = random_.below(100);
    ref r = which < 30   ? entity(known)
            : which < 72 ? variable()
            : which < 77 ? this_ref()
            : which < 91 ? of_kind(ref::kind::wildcard)
                         : of_kind(ref::kind::any);
    maybe_flags(r, 12);
    return r;
  }

  ref predicate(const std::string& known) {
    const std::size_t which = random_.below(100);
    ref r = which < 82   ? entity(known)
            : which < 91 ? variable()
            : which < 97 ? of_kind(ref::kind::wildcard)
                         : of_kind(ref::kind::any);
    maybe_flags(r, 8);
    return r;
  }

  // Mostly a fact of the world; the caller replaces parts of it by variables.
  scripted_world::fact idea() {
    if (!world_.known_facts.empty() && random_.chance(70))
      return random_.one_of(world_.known_facts);
    if (random_.chance(45)) return {object(), tag(), ""};
    return {object(), relation(), object()};
  }

  term predicate_term() {
    const scripted_world::fact f = idea();
    term t;
    t.first = predicate(f.first);
    if (!f.second.empty()) t.second = target(f.second);
    const bool bare = f.second.empty() && random_.chance(50);
    if (bare) return t;
    t.source = source(f.subject);
    if (t.source.is == ref::kind::singleton && t.first.is != ref::kind::entity)
      t.source = this_ref();
    return t;
  }

  term list_term() {
    term t;
    const std::size_t which = random_.below(3);
    t.op = which == 0   ? term::oper::and_from
           : which == 1 ? term::oper::or_from
                        : term::oper::not_from;
    t.first = random_.chance(75) ? entity(object()) : variable();
    maybe_flags(t.first, 8);
    if (random_.chance(30)) {
      t.source = source(object());
      if (t.source.is == ref::kind::singleton) t.source = this_ref();
    }
    return t;
  }

  term equality_term() {
    term t;
    t.is = term::kind::equality;
    t.first = random_.chance(40) ? this_ref() : variable();
    const std::size_t which = random_.below(100);
    if (which < 35) {
      t.compare = random_.chance(50) ? term::comparison::equal : term::comparison::different;
      t.second = entity(object());
    } else if (which < 65) {
      t.compare = random_.chance(25) ? term::comparison::equal : term::comparison::different;
      t.second = variable();
    } else {
      t.compare = which < 75   ? term::comparison::equal
                  : which < 82 ? term::comparison::different
                               : term::comparison::contains;
      t.second = of_kind(ref::kind::text);
      t.second.text = object();
      if (t.compare == term::comparison::contains && random_.chance(40))
        t.second.text = "!" + t.second.text;
    }
    if (t.second.is != ref::kind::text) maybe_flags(t.second, 5);
    maybe_flags(t.first, 3);
    return t;
  }

  term any_term(int depth) {
    term t;
    const std::size_t which = random_.below(100);
    if (which < 80 - 2 * static_cast<std::size_t>(depth)) {
      t = predicate_term();
    } else if (which < 88) {
      t = equality_term();
    } else if (which < 93) {
      return list_term();
    } else if (depth < 3) {
      t.is = term::kind::scope;
      t.scope = expression(1 + random_.below(2), depth + 1);
    } else {
      t = predicate_term();
    }
    const int extra = t.is == term::kind::scope ? 20 : 0;
    if (random_.chance(11 + extra))
      t.op = term::oper::not_;
    else if (random_.chance(11 + extra))
      t.op = term::oper::optional;
    if (t.is == term::kind::predicate && random_.chance(4))
      t.rights = random_.chance(50) ? term::access::in : term::access::none;
    return t;
  }

  model::expression expression(std::size_t chains, int depth) {
    model::expression e;
    for (std::size_t i = 0; i < chains; ++i) {
      model::chain c;
      c.alternatives.push_back(any_term(depth));
      if (random_.chance(14))
        for (std::size_t more = 1 + random_.below(2); more > 0; --more)
          c.alternatives.push_back(any_term(depth));
      e.chains.push_back(std::move(c));
    }
    return e;
  }

  const scripted_world& world_;
  dice& random_;
  random_query result_;
  bool has_parameters_ = false;
  std::vector<std::string> variables_, parameters_;
};

void rename(model::expression& e, const scripted_world& world) {
  const auto rename_ref = [&](ref& r) {
    if (r.is == ref::kind::entity) r.name.path = world.path_of(r.name.path);
    if (!r.flags) return;
    for (model::walk& w : r.flags->walks) w.relation.path = world.path_of(w.relation.path);
  };
  for (model::chain& c : e.chains)
    for (term& t : c.alternatives) {
      rename_ref(t.first);
      rename_ref(t.source);
      rename_ref(t.second);
      rename(t.scope, world);
    }
}

}  // namespace

random_query random_query_about(const scripted_world& world, dice& random) {
  return query_dice(world, random).write();
}

model::expression with_paths(model::expression e, const scripted_world& world) {
  rename(e, world);
  return e;
}

}  // namespace kith_oracle
