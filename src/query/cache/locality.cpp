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

}  // namespace

bool is_local(const checked_query& q, const meaning& m) {
  return q.uses_this && !q.ordered && each_item(q.root, [&](const item& i) {
           return i.is != item::kind::term || is_local(i.term, m);
         });
}

}  // namespace kith::core
