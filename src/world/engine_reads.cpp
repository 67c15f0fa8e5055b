// What one entity has. These are the questions that programs ask most. Each function answers the
// common case inline and calls an out-of-line function for the rest, so that the common case saves
// no registers.
#include <vector>

#include <kith/detail/engine.hpp>

#include "world/engine_state.hpp"

namespace kith::core {

namespace {

// --- the slow halves of the questions below ---

[[gnu::noinline]] bool find_id(const engine_state& s, entity_t e, id_t id) {
  // An id with the index of a wildcard and another generation is no pattern, but dead.
  if (has_wildcard(id)) s.check_known(id);
  if (s.sees(e, id)) return true;
  s.check_known(id);
  return false;
}

[[gnu::noinline]] bool has_inherited(const engine_state& s, entity_t e, const entity_record& r,
                                     id_t id) {
  if (s.graph_.inherit.base_at_once(r, id)) return true;
  if (s.graph_.inherit.has_bases(r)) return find_id(s, e, id);
  s.check_known(id);
  return false;
}

[[gnu::cold, gnu::noinline]] bool sees_pair(const engine_state& s, entity_t e, entity_t relation,
                                            entity_t target) {
  return s.sees(e, s.pair(relation, target));
}

[[gnu::noinline]] bool has_pair(const engine_state& s, entity_t e, const entity_record& r,
                                id_t pair) {
  if (is_wildcard(relation_of(pair))) return s.sees(e, pair);
  const bool owns = s.store().owns(r, pair);
  if (!s.store().toggles_used() && (owns || !s.graph_.inherit.has_bases(r))) return owns;
  return s.sees(e, pair);
}

[[gnu::noinline]] bool sees_any(const engine_state& s, entity_t e, const entity_record& r,
                                std::uint32_t relation) {
  return s.graph_.inherit.any_visible(e, r, make_pair_of(relation, index_of(Wildcard)));
}

[[gnu::noinline]] bool has_any(const engine_state& s, entity_t e, const entity_record& r,
                               entity_t relation) {
  if (is_wildcard(index_of(relation))) return sees_pair(s, e, relation, Wildcard);
  if (const auto pairs = s.store().pairs_at_once(r, index_of(relation))) {
    if (!pairs->empty()) return true;
    if (!s.graph_.inherit.any()) return false;
  }
  return sees_any(s, e, r, index_of(relation));
}

[[gnu::noinline]] entity_t visible_target(const engine_state& s, entity_t e, const entity_record& r,
                                          std::uint32_t relation, std::size_t n) {
  const id_t pair = s.graph_.inherit.nth_visible(e, r, relation, n);
  return pair ? s.store().entities().alive_at(target_of(pair)) : 0;
}

[[gnu::cold, gnu::noinline]] entity_t find_target(const engine_state& s, entity_t e,
                                                  entity_t relation, std::size_t n) {
  const entity_record& r = s.alive(e);
  s.alive(relation);
  if (is_wildcard(index_of(relation))) {
    const auto found = s.graph_.inherit.visible_ids(e, r, make_pair(relation, Wildcard));
    return n < found.size() ? s.store().entities().alive_at(target_of(found[n])) : 0;
  }
  return visible_target(s, e, r, index_of(relation), n);
}

// A value whose id is its own type needs no check; others are pairs.
void check_type(const engine_state& s, const located_value& found, id_t id, entity_t value_type) {
  if (found && value_type && id != value_type && found.type->component != value_type)
    s.check_has_value(id, value_type);
}

[[gnu::noinline]] const void* find_value(const engine_state& s, entity_t e, id_t id,
                                         entity_t value_type) {
  const entity_record& r = s.alive(e);
  located_value found = s.store().find_value(r, id);
  if (found) {
    check_type(s, found, id, value_type);
    return s.store().is_off(r, id) ? nullptr : found.value();
  }
  if (s.graph_.inherit.has_bases(r) && !s.store().owns(r, id)) {
    if (const entity_t owner = s.graph_.inherit.base_with(e, r, id)) {
      found = s.store().find_value(s.alive(owner), id);
      check_type(s, found, id, value_type);
      return found.value();
    }
  }
  s.check_known(id);
  return nullptr;
}

[[gnu::noinline]] const void* get_elsewhere(const engine_state& s, entity_t e,
                                            const entity_record& r, id_t id, entity_t value_type) {
  if (const entity_t base = s.graph_.inherit.base_at_once(r, id)) {
    const entity_record& b = s.store().entities().at_index(index_of(base));
    const column* const c = s.store().find_column_at_once(b, id);
    if (c && (!value_type || c->type->component == value_type))
      return c->type->value(c->slot(b.row));
  }
  const bool is_nowhere = s.store().owns_at_once(r, id) == store::answer::no &&
                          !s.graph_.inherit.any() && s.store().entities().is_alive(id);
  return is_nowhere ? nullptr : find_value(s, e, id, value_type);
}

}  // namespace

// --- ids -----------------------------------------------------------------------------------------

id_t engine::pair(entity_t relation, entity_t target) const {
  return state_->pair(relation, target);
}

bool engine::has(entity_t e, id_t id) const {
  const engine_state& s = *state_;
  const entity_index& entities = s.store().entities();
  const entity_record* const r = entities.find(e);
  if (!r) return find_id(s, e, id);
  const store::answer owns = s.store().owns_at_once(*r, id);
  // No entity owns a pattern.
  if (owns == store::answer::yes) return true;
  if (owns == store::answer::unknown || has_wildcard(id)) return find_id(s, e, id);
  const bool known = is_pair(id)
                         ? entities.alive_at(relation_of(id)) && entities.alive_at(target_of(id))
                         : entities.is_alive(id);
  return known && !s.graph_.inherit.any() ? false : has_inherited(s, e, *r, id);
}

// Almost always all three are alive and what the entity owns answers. Other functions do the rest.
bool engine::has(entity_t e, entity_t relation, entity_t target) const {
  const engine_state& s = *state_;
  const entity_index& entities = s.store().entities();
  const entity_record* const r = entities.find(e);
  if (!r || !entities.is_alive(relation) || !entities.is_alive(target))
    return sees_pair(s, e, relation, target);
  if (is_wildcard(index_of(target))) return has_any(s, e, *r, relation);
  const id_t pair = make_pair(relation, target);
  const store::answer owns = s.store().owns_at_once(*r, pair);
  // No entity owns a pattern.
  if (owns == store::answer::yes) return true;
  if (owns == store::answer::no && !s.graph_.inherit.any() && !is_wildcard(index_of(relation)))
    return false;
  return has_pair(s, e, *r, pair);
}

bool engine::owns(entity_t e, id_t id) const {
  const engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  if (has_wildcard(id)) {
    s.check_known(id);
    if (is_pair(id) && !is_wildcard(relation_of(id)))
      return !s.store().pairs_of(r, relation_of(id)).empty();
    return !matching_ids(e, id).empty();
  }
  if (s.store().owns(r, id)) return true;
  s.check_known(id);
  return false;
}

bool engine::is_enabled(entity_t e, id_t id) const {
  const entity_record& r = state_->alive(e);
  if (state_->store().owns(r, id)) return !state_->store().is_off(r, id);
  state_->check_known(id);
  return false;
}

std::vector<id_t> engine::owned_ids(entity_t e) const {
  return state_->store().owned_ids(state_->alive(e));
}

std::vector<id_t> engine::matching_ids(entity_t e, id_t pattern) const {
  const engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  s.check_known(pattern);
  if (is_pair(pattern) && !is_wildcard(relation_of(pattern))) {
    const auto pairs = s.store().pairs_of(r, relation_of(pattern));
    std::vector<id_t> ids(pairs.begin(), pairs.end());
    std::erase_if(ids, [&](id_t id) { return !matches(id, pattern); });
    return ids;
  }
  std::vector<id_t> ids = s.store().owned_ids(r);
  std::erase_if(ids, [&](id_t id) { return !matches(id, pattern); });
  return ids;
}

std::span<const id_t> engine::pairs_of(entity_t e, entity_t relation) const {
  state_->alive(relation);
  return state_->store().pairs_of(state_->alive(e), index_of(relation));
}

entity_t engine::target(entity_t e, entity_t relation, std::size_t n) const {
  const engine_state& s = *state_;
  const entity_index& entities = s.store().entities();
  const entity_record* const r = entities.find(e);
  if (!r || !entities.is_alive(relation) || is_wildcard(index_of(relation)))
    return find_target(s, e, relation, n);
  if (s.graph_.inherit.any()) return visible_target(s, e, *r, index_of(relation), n);
  const auto pairs = s.store().pairs_at_once(*r, index_of(relation));
  if (!pairs) return visible_target(s, e, *r, index_of(relation), n);
  return n < pairs->size() ? entities.alive_at(target_of((*pairs)[n])) : 0;
}

// --- values --------------------------------------------------------------------------------------

// Mostly it is in the table of the entity, or nowhere.
const void* engine::get(entity_t e, id_t id, entity_t value_type) const {
  const engine_state& s = *state_;
  const core::store& store = s.store();
  const entity_record* const r = store.entities().find(e);
  if (!r) return find_value(s, e, id, value_type);
  const column* const c = store.find_column_at_once(*r, id);
  if (!c) return get_elsewhere(s, e, *r, id, value_type);
  if (value_type && c->type->component != value_type) return find_value(s, e, id, value_type);
  return c->type->value(c->slot(r->row));
}

void* engine::get_mut(entity_t e, id_t id, entity_t value_type) {
  engine_state& s = *state_;
  const located_value found = s.store().find_value(s.alive(e), id);
  check_type(s, found, id, value_type);
  if (!found) s.check_known(id);
  if (found) s.note_write(found, e, id);
  return found.value();
}

}  // namespace kith::core
