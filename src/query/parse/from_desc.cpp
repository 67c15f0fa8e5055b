#include "query/parse/from_desc.hpp"

#include <optional>

#include <kith/detail/builtins.hpp>

#include "query/parse/parse.hpp"

namespace kith::core {

namespace {

term::oper oper_of(oper_kind o) {
  switch (o) {
    case And:
    case Or:
      return term::oper::and_;
    case Not:
      return term::oper::not_;
    case Optional:
      return term::oper::optional;
    case AndFrom:
      return term::oper::and_from;
    case OrFrom:
      return term::oper::or_from;
    case NotFrom:
      return term::oper::not_from;
  }
  return term::oper::and_;
}

term::access access_of(inout_kind i) {
  switch (i) {
    case InOutDefault:
      return term::access::normal;
    case InOut:
      return term::access::inout;
    case In:
      return term::access::in;
    case Out:
      return term::access::out;
    case InOutNone:
      return term::access::none;
    case InOutFilter:
      return term::access::filter;
  }
  return term::access::normal;
}

class describer {
 public:
  explicit describer(const expression_resolver& names) : names_(names) {}

  std::optional<term> make_term(const term_desc& d) {
    joined_ = false;
    if (d.singleton && !d.src.empty())
      return fail(error(errc::parse, "a singleton is its own source; another one was given"));
    if (!d.expr.empty()) return parsed_term(d);
    term t;
    t.op = oper_of(d.oper);
    t.rights = access_of(d.inout);
    ref_desc first = d.first, second = d.second;
    if (d.id.raw) {
      if (is_pair(d.id.raw)) {
        first = names_.at(relation_of(d.id.raw));
        if (second.empty()) second = names_.at(target_of(d.id.raw));
        if (!first.entity || second.empty())
          return fail(error(errc::not_alive, "a part of the pair is not alive"));
      } else {
        first = d.id.raw;
        first.owner = d.id.owner;
      }
    }
    if (first.empty())
      return fail(error(errc::parse, "a term needs an id, a predicate or an expression"));
    if (!make_ref(first, t.first) || !make_ref(d.src, t.source) || !make_ref(second, t.second))
      return std::nullopt;
    if (d.singleton) t.source.is = ref::kind::singleton;
    // The source of a pair, or of a term with flags, is $this unless another one is given.
    if (t.source.is == ref::kind::none && (t.second.is != ref::kind::none || d.src.set)) {
      t.source.is = ref::kind::variable;
      t.source.text = "this";
    }
    return t;
  }

  // Whether the term is a text such as `A || B` to which the descriptor adds nothing.
  bool is_chain(const term_desc& d, const term& t) const {
    return joined_ && t.op == term::oper::and_ && d.inout == InOutDefault;
  }

  error failure = error(errc::parse, "");

 private:
  std::nullopt_t fail(const error& e) {
    failure = e;
    return std::nullopt;
  }

  std::optional<term> parsed_term(const term_desc& d) {
    auto parsed = parse_chain(d.expr);
    if (!parsed) return fail(parsed.error());
    expression alone;
    alone.chains.push_back(std::move(parsed.value()));
    auto resolved = names_.resolve(std::move(alone), d.expr);
    if (!resolved) return fail(resolved.error());
    chain& c = resolved->chains[0];
    term t;
    if (c.alternatives.size() == 1) {
      t = std::move(c.alternatives[0]);
    } else {
      t.is = term::kind::scope;
      t.scope = std::move(resolved.value());
      joined_ = true;
    }
    if (d.oper != And && d.oper != Or) {
      if (t.op != term::oper::and_)
        return fail(
            error(errc::parse, concat("a term has one operator, and '", d.expr, "' has its own")));
      t.op = oper_of(d.oper);
    }
    if (d.inout != InOutDefault) t.rights = access_of(d.inout);
    const auto is_given = [](const ref_desc& r) { return !r.empty() || r.set; };
    const bool places = is_given(d.first) || is_given(d.src) || is_given(d.second) || d.singleton;
    if (places && t.is != term::kind::predicate)
      return fail(
          error(errc::parse, concat("'", d.expr, "' is no predicate whose places can be set")));
    if (!set_place(d.first, t.first) || !set_place(d.src, t.source) ||
        !set_place(d.second, t.second))
      return std::nullopt;
    if (d.singleton) t.source.is = ref::kind::singleton;
    return t;
  }

  // The descriptor may replace what the text has in a place, or add flags to it.
  bool set_place(const ref_desc& d, ref& r) {
    if (d.empty() && d.set && r.is != ref::kind::none) return make_flags(d, r);
    return (d.empty() && !d.set) || make_ref(d, r);
  }

  bool make_ref(const ref_desc& d, ref& r) {
    if (d.parameter) {
      r.is = ref::kind::variable;
      r.parameter = true;
      r.text = std::to_string(++parameters_);
    } else if (d.entity) {
      const auto sound = names_.check(d.entity, d.owner);
      if (d.entity != This && !sound) {
        failure = sound.error();
        return false;
      }
      r.is = ref::kind::entity;
      r.name.entity = d.entity;
      if (d.entity == Wildcard || d.entity == Any) {
        r.is = d.entity == Wildcard ? ref::kind::wildcard : ref::kind::any;
        r.name = {};
      } else if (d.entity == This) {
        r.is = ref::kind::variable;
        r.name = {};
        r.text = "this";
      }
    } else if (!d.text.empty()) {
      // The text of a place has the form of a predicate.
      auto parsed = parse_chain(d.text);
      if (!parsed) {
        failure = parsed.error();
        return false;
      }
      const bool alone = parsed->alternatives.size() == 1;
      const term& t = parsed->alternatives[0];
      if (!alone || t.is != term::kind::predicate || t.op != term::oper::and_ ||
          t.source.is != ref::kind::none || t.second.is != ref::kind::none) {
        failure =
            error_at(errc::parse, d.text, {1, 1, 1}, "expected one name, variable or wildcard");
        return false;
      }
      expression one;
      one.chains.push_back(std::move(parsed.value()));
      auto resolved = names_.resolve(std::move(one), d.text);
      if (!resolved) {
        failure = resolved.error();
        return false;
      }
      r = std::move(resolved->chains[0].alternatives[0].first);
    }
    if (!d.set && (d.min_depth || d.max_depth)) {
      failure = error(errc::parse, "a depth needs a direction to follow");
      return false;
    }
    if (d.set) {
      if (r.is == ref::kind::none) {
        r.is = ref::kind::variable;
        r.text = "this";
      }
      return make_flags(d, r);
    }
    return true;
  }

  bool make_flags(const ref_desc& d, ref& r) {
    substitution s;
    s.self = d.set & Self;
    s.all = d.set & All;
    s.descending = d.set & Desc;
    const bool cascade = d.set & Cascade;
    const auto add = [&](walk::way way, bool ordered) {
      walk w;
      w.direction = way;
      const bool down = way == walk::way::down;
      w.relation.entity = down && d.down_relation          ? d.down_relation
                          : d.relation                     ? d.relation
                          : ordered && !(d.set & SuperSet) ? ChildOf
                                                           : IsA;
      if (d.min_depth) w.min = d.min_depth;
      if (d.max_depth) w.max = d.max_depth;
      w.cascade = ordered;
      s.walks.push_back(w);
    };
    if (d.set & SuperSet || cascade) add(walk::way::up, cascade);
    if (d.set & SubSet) add(walk::way::down, false);
    for (entity_t relation : {d.relation, d.down_relation})
      if (relation) {
        const auto sound = names_.check(relation, d.owner);
        if (!sound) {
          failure = sound.error();
          return false;
        }
      }
    const char* wrong = nullptr;
    if (r.is == ref::kind::wildcard || r.is == ref::kind::any) wrong = "a wildcard takes no flags";
    if (s.all && s.walks.empty()) wrong = "'all' needs a direction to follow";
    if (s.descending && !cascade) wrong = "'desc' needs 'cascade'";
    if ((d.min_depth || d.max_depth) && s.walks.empty())
      wrong = "a depth needs a direction to follow";
    if (!s.self && s.walks.empty()) wrong = "a set needs 'self' or a direction to follow";
    for (const walk& w : s.walks)
      if (w.min > w.max) wrong = "the least depth is more than the greatest";
    if (wrong) {
      failure = error(errc::parse, wrong);
      return false;
    }
    r.flags = std::move(s);
    return true;
  }

  const expression_resolver& names_;
  int parameters_ = 0;
  bool joined_ = false;  // the last term is a text with several alternatives
};

}  // namespace

result<expression> from_desc(const query_desc& desc, const expression_resolver& names) {
  expression e;
  describer d(names);
  // Neighbouring terms that are all Or become one chain; a single Or joins the term after it.
  bool join = false;
  for (std::size_t i = 0; i < desc.terms.size(); ++i) {
    std::optional<term> t = d.make_term(desc.terms[i]);
    if (!t) return d.failure;
    if (!join) e.chains.emplace_back();
    std::vector<term>& alternatives = e.chains.back().alternatives;
    if (d.is_chain(desc.terms[i], *t))
      for (term& one : t->scope.chains[0].alternatives) alternatives.push_back(std::move(one));
    else
      alternatives.push_back(std::move(*t));
    const bool is_or = desc.terms[i].oper == Or;
    const bool next_is_or = i + 1 < desc.terms.size() && desc.terms[i + 1].oper == Or;
    const bool lone = is_or && !next_is_or && !(i > 0 && desc.terms[i - 1].oper == Or);
    join = desc.terms[i].or_next || (is_or && next_is_or) || lone;
  }
  if (!desc.terms.empty() && desc.terms.back().or_next)
    return error(errc::parse, "nothing follows the last '||'");
  // resolve() makes the same checks as for a text.
  auto sound = names.resolve(std::move(e), {});
  if (!sound) return sound.error();
  e = std::move(sound.value());
  if (desc.expr) {
    auto parsed = parse_query(*desc.expr);
    if (!parsed) return parsed.error();
    if (parsed->chains.empty())
      return error_at(errc::parse, *desc.expr, {1, 1, 1},
                      "expected a term, found the end of the text");
    auto resolved = names.resolve(std::move(parsed.value()), *desc.expr);
    if (!resolved) return resolved.error();
    for (chain& c : resolved->chains) e.chains.push_back(std::move(c));
  }
  return e;
}

}  // namespace kith::core
