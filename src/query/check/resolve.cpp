#include <kith/detail/builtins.hpp>

#include "base/spelling.hpp"
#include "query/check/check.hpp"
#include "query/model/words.hpp"
#include "query/parse/parse.hpp"

namespace kith::core {

namespace {

class resolver {
 public:
  resolver(std::string_view text, const name_source& names) : text_(text), names_(names) {}

  bool resolve(expression& e) {
    // Scopes wait in a list, so that deep nesting costs no stack.
    std::vector<expression*> open{&e};
    while (!open.empty()) {
      expression& here = *open.back();
      open.pop_back();
      for (chain& c : here.chains)
        for (term& t : c.alternatives) {
          if (is_list(t) && t.is != term::kind::predicate) {
            fail(errc::parse, t.at, "a list of ids must be one entity");
            return false;
          }
          if (t.is == term::kind::scope)
            open.push_back(&t.scope);
          else if (!resolve(t))
            return false;
        }
    }
    return true;
  }

  error failure = error(errc::parse, "");

 private:
  bool fail(errc code, const text_range& at, std::string_view message, std::string_view hint = {}) {
    failure = error_at(code, text_, at, message, hint);
    return false;
  }

  static bool is_list(const term& t) {
    return t.op == term::oper::and_from || t.op == term::oper::or_from ||
           t.op == term::oper::not_from;
  }

  // `is_source`: a flag could have been meant.
  bool resolve(entity_name& name, bool is_source = false) {
    if (name.entity) return true;
    name.entity = names_.find(name.path);
    if (name.entity) return true;
    const std::string near = names_.nearest(name.path);
    std::string hint = near.empty() ? "" : concat("did you mean '", near, "'?");
    const std::string_view flag = is_source ? nearest_flag_word(name.path) : std::string_view();
    const std::size_t far = too_far_from(name.path);
    if (!flag.empty() &&
        (near.empty() || letters_apart(name.path, flag, far) < letters_apart(name.path, near, far)))
      hint = concat("did you mean the flag '", flag, "'?");
    return fail(errc::unresolved, name.at, concat("unknown name '", name.path, "'"), hint);
  }

  bool resolve(ref& r, bool is_source = false) {
    if (r.is == ref::kind::entity) {
      if (!resolve(r.name, is_source)) return false;
      // Programs name the wildcards by their entities.
      const entity_t e = r.name.entity;
      if (e == Wildcard || e == Any) {
        r.is = e == Wildcard ? ref::kind::wildcard : ref::kind::any;
        r.name = {};
      }
    }
    if (!r.flags) return true;
    if (r.is == ref::kind::wildcard || r.is == ref::kind::any)
      return fail(errc::parse, r.at, "a wildcard takes no flags");
    for (walk& w : r.flags->walks) {
      if (!resolve(w.relation)) return false;
      if (is_wildcard(index_of(w.relation.entity)))
        return fail(errc::parse, w.relation.at, "a wildcard cannot be followed");
    }
    return true;
  }

  bool resolve(term& t) {
    if (!resolve(t.first) || !resolve(t.source, true) || !resolve(t.second)) return false;
    const auto is_star = [](const ref& r) {
      return r.is == ref::kind::wildcard || r.is == ref::kind::any;
    };
    if (t.is == term::kind::equality) {
      if (is_star(t.first)) return fail(errc::parse, t.first.at, "a wildcard cannot be compared");
      if (is_star(t.second)) return fail(errc::parse, t.second.at, "a wildcard cannot be compared");
      return true;
    }
    if (is_star(t.first) && t.source.is == ref::kind::singleton)
      return fail(errc::parse, t.source.at, "a wildcard has no single source");
    const bool list =
        t.op == term::oper::and_from || t.op == term::oper::or_from || t.op == term::oper::not_from;
    if (list && is_star(t.first))
      return fail(errc::parse, t.first.at, "a list of ids must be one entity, not a wildcard");
    if (is_list(t) && t.second.is != ref::kind::none)
      return fail(errc::parse, t.second.at, "a list of ids has no target");
    return true;
  }

  std::string_view text_;
  const name_source& names_;
};

}  // namespace

result<expression> resolve(expression e, std::string_view text, const name_source& names) {
  resolver r(text, names);
  if (!r.resolve(e)) return r.failure;
  return e;
}

}  // namespace kith::core
