#include "query/exec/value_lists.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "query/exec/term_now.hpp"

namespace kith::core {

namespace {

// Keeps what is in the other list too. Both ascend.
template <class List, class Key>
void keep_common(std::vector<std::uint32_t>& kept, const List& other, Key key) {
  // One by one through both, and by halves through one that is much longer.
  constexpr std::size_t much_longer = 16;
  const bool by_halves = other.size() > much_longer * kept.size();
  auto to = kept.begin();
  auto at = other.begin();
  for (std::uint32_t value : kept) {
    if (by_halves)
      at = std::ranges::lower_bound(at, other.end(), value, {}, key);
    else
      while (at != other.end() && key(*at) < value) ++at;
    if (at == other.end()) break;
    if (key(*at) == value) *to++ = value;
  }
  kept.erase(to, kept.end());
}

// Appends what is in both lists of pairs, which ascend and have no more than one relation each.
void list_common(std::span<const id_t> a, std::span<const id_t> b, const entity_index& entities,
                 std::vector<id_t>& out) {
  std::size_t i = 0, k = 0;
  // Which list goes on is a coin toss, so it is no branch.
  while (i < a.size() && k < b.size()) {
    const std::uint32_t x = target_of(a[i]), y = target_of(b[k]);
    if (x == y) out.push_back(entities.alive_at(x));
    i += x <= y;
    k += y <= x;
  }
}

// So many owners are put in order in the time in which one value is asked for.
constexpr double few = 4;

// Two lists that have no more together are gone through side by side, whatever their lengths.
constexpr std::size_t short_lists = 64;

}  // namespace

value_lists::value_lists(meaning& m, slot_index slot, std::span<const checked_term* const> terms,
                         const slot_values& values)
    : m_(m), counts_(m.world(), m.shortcuts()) {
  for (const checked_term* t : terms) {
    if (!t->pair || !has_plain_pairs(*t)) continue;
    const std::uint32_t relation = index_of(t->first.entity);
    const bool handed_on = term_now(m, *t).is_inherited();
    if (t->second.is_slot(slot) && is_known(t->source, values) && !t->source.is_slot(slot)) {
      by_target_.push_back({t, relation, handed_on, {}});
      if (!m.value_of(t->source, values)) impossible_ = true;
    }
    if (t->source.is_slot(slot) && is_known(t->second, values) && !handed_on &&
        !t->second.is_slot(slot))
      by_source_.push_back({t, relation});
  }
}

bool value_lists::has_plain_pairs(const checked_term& t) const {
  const term_shape& shape = t.shape;
  if (!shape.is_present_ids() || !shape.names_first || shape.looks_up ||
      shape.on == term_shape::place::walk)
    return false;
  const term_now now(m_, t);
  return now.is_alive() && !now.has_kinds() && !now.was_off();
}

bool value_lists::is_known(const checked_ref& r, const slot_values& values) const {
  return r.is == checked_ref::kind::fixed || (r.is == checked_ref::kind::slot && values[r.slot]);
}

bool value_lists::find(const slot_values& values, std::vector<id_t>& out) {
  const graph& g = m_.world();
  if (impossible_) return true;
  targets* shortest = nullptr;
  const entity_record* r = nullptr;
  entity_t last = 0;
  for (targets& t : by_target_) {
    const checked_ref& ref = t.term->source;
    const entity_t source = ref.is == checked_ref::kind::slot ? values[ref.slot] : ref.entity;
    if (source != last) r = &g.store.entities().at_index(index_of(source));
    last = source;
    if (t.handed_on && g.inherit.has_bases(*r)) return false;
    t.pairs = g.store.pairs_of(*r, t.relation);
    if (t.pairs.empty()) return true;
    if (!shortest || t.pairs.size() < shortest->pairs.size()) shortest = &t;
  }
  if (by_target_.size() == 2 && by_source_.empty() &&
      by_target_[0].pairs.size() + by_target_[1].pairs.size() <= short_lists) {
    m_.effort().spend(std::min(by_target_[0].pairs.size(), by_target_[1].pairs.size()));
    list_common(by_target_[0].pairs, by_target_[1].pairs, g.store.entities(), out);
    return true;
  }
  common_.clear();
  // Few owners are looked for among many targets rather than the other way round.
  constexpr std::size_t many = 64;
  owners* fewest = nullptr;
  if (shortest->pairs.size() > many) {
    double rows = static_cast<double>(shortest->pairs.size()) / few;
    for (owners& o : by_source_)
      if (const double of_this = rows_of(o, values); of_this < rows) {
        fewest = &o;
        rows = of_this;
      }
  }
  if (fewest) {
    begin(*fewest, id_of(*fewest, values));
    list_owners(*fewest);
    common_ = fewest->list;
  } else {
    for (id_t pair : shortest->pairs) common_.push_back(target_of(pair));
  }
  m_.effort().spend(common_.size());
  for (const targets& t : by_target_)
    if (fewest || &t != shortest) keep_common(common_, t.pairs, target_of);
  for (owners& o : by_source_)
    if (&o != fewest) keep_owners(o, values);
  for (std::uint32_t index : common_) out.push_back(g.store.entities().alive_at(index));
  return true;
}

id_t value_lists::id_of(const owners& o, const slot_values& values) const {
  const entity_t target = m_.value_of(o.term->second, values);
  // The wildcards are entities too, but no id is made of them.
  return target && !is_wildcard(index_of(target)) ? make_pair_of(o.relation, index_of(target)) : 0;
}

double value_lists::rows_of(const owners& o, const slot_values& values) const {
  const id_t id = id_of(o, values);
  return id ? counts_.rows(id) : 0;
}

// Puts the owners in order, if that was not done yet.
void value_lists::list_owners(owners& o) {
  o.used = true;
  if (std::exchange(o.sorted, true)) return;
  o.list.clear();
  if (const id_record* record = o.id ? m_.world().store.ids().find(o.id) : nullptr)
    m_.world().store.each(*record, [&](entity_t e) { o.list.push_back(index_of(e)); });
  std::ranges::sort(o.list);
}

void value_lists::begin(owners& o, id_t id) {
  if (o.id == id) return;
  o.id = id;
  o.sorted = false;
  o.asked = 0;
}

void value_lists::keep_owners(owners& o, const slot_values& values) {
  o.used = false;
  begin(o, id_of(o, values));
  // Asking for the values one by one costs about as much as putting a few owners in order.
  o.asked += common_.size();
  if (!o.sorted && o.id && counts_.rows(o.id) > few * static_cast<double>(o.asked)) return;
  list_owners(o);
  keep_common(common_, o.list, std::identity());
}

bool value_lists::takes(const checked_term& t) const {
  return std::ranges::any_of(by_target_, [&](const targets& of) { return of.term == &t; }) ||
         std::ranges::any_of(by_source_, [&](const owners& o) { return o.term == &t; });
}

bool value_lists::proves(const checked_term& t) const {
  return std::ranges::any_of(by_target_, [&](const targets& of) { return of.term == &t; }) ||
         std::ranges::any_of(by_source_, [&](const owners& o) { return o.used && o.term == &t; });
}

}  // namespace kith::core
