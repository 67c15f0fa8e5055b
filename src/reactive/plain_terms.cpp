#include "reactive/plain_terms.hpp"

#include <algorithm>

#include "query/exec/term_now.hpp"

namespace kith::core {

bool plain_terms::requires_id(id_t id) const {
  return std::ranges::find(required, id) != required.end();
}

bool plain_terms::forbids(id_t id) const {
  return std::ranges::find(forbidden, id) != forbidden.end();
}

bool plain_terms::shows_value_of(id_t id) const {
  return std::ranges::any_of(fields, [&](const field& f) { return f.shows_value && f.id == id; });
}

bool plain_terms::match(const store& s, const entity_record& r) const {
  const auto shows = [&](id_t id) { return shows_owned(s, r, id); };
  return std::ranges::all_of(required, shows) && std::ranges::none_of(forbidden, shows);
}

namespace {

// The term of an item that is one plain term, or of a Not or an optional with one in it; null if it
// is something else.
const checked_term* plain_term(const item& i, meaning& m) {
  const item* inner = &i;
  if (i.is == item::kind::not_ || i.is == item::kind::optional) {
    if (i.bodies.size() != 1 || i.bodies[0].items.size() != 1) return nullptr;
    inner = &i.bodies[0].items[0];
  }
  if (inner->is != item::kind::term || !inner->term.shape.is_plain()) return nullptr;
  const term_now now(m, inner->term);
  return now.is_alive() && !now.has_kinds() ? &inner->term : nullptr;
}

}  // namespace

std::optional<plain_terms> plain_terms_of(const checked_query& q, meaning& m) {
  if (!q.uses_this || !q.parameters.empty() || q.ordered) return std::nullopt;
  plain_terms found;
  found.forbidden = q.hides;
  found.fields.resize(q.fields.size());
  for (const item& i : q.root.items) {
    const checked_term* const term = plain_term(i, m);
    const id_t id = term ? fixed_id(*term) : 0;
    if (!id) return std::nullopt;
    if (i.is == item::kind::not_)
      found.forbidden.push_back(id);
    else if (i.is == item::kind::term)
      found.required.push_back(id);
    if (i.field >= q.fields.size()) continue;
    using way = kith::core::term::access;
    const way access = q.fields[i.field].access;
    if (access == way::filter) return std::nullopt;
    if (i.is != item::kind::not_)
      found.fields[i.field] = {
          id, access != way::none && m.world().store.types().type_of(id) != nullptr, term};
  }
  if (found.required.empty()) return std::nullopt;
  return found;
}

}  // namespace kith::core
