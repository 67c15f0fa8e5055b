#include "query/cache/locality.hpp"

#include <algorithm>

namespace kith::core {

namespace {

// Is it about what $this has, and about values that do not depend on anything?
bool is_local(const checked_term& t, const meaning& m) {
  const auto is_plain = [](const checked_ref& r) { return !r.flagged && r.lookup.empty(); };
  if (!is_plain(t.first) || !is_plain(t.source) || !is_plain(t.second)) return false;
  if (t.is == checked_term::kind::equality) return true;
  return t.is == checked_term::kind::predicate && t.source.is_slot(this_slot) &&
         t.first.is == checked_ref::kind::fixed && m.alive(t.first.entity) &&
         !(t.pair && m.traits_of(t.first.entity) & (trait::transitive | trait::reflexive));
}

bool is_local(const block& b, const meaning& m) {
  return std::ranges::all_of(b.items, [&](const item& i) {
    if (i.is == item::kind::term) return is_local(i.term, m);
    return std::ranges::all_of(i.bodies, [&](const block& body) { return is_local(body, m); });
  });
}

}  // namespace

bool is_local(const checked_query& q, const meaning& m) {
  return q.uses_this && !q.ordered && is_local(q.root, m);
}

}  // namespace kith::core
