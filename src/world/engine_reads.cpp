// What one entity has. A world is mostly asked such things, so they stand together: the compiler puts small
// steps into each other only as long as a file does not grow much by it.
#include <vector>

#include <kith/detail/engine.hpp>

#include "world/engine_state.hpp"

namespace kith::core {

// --- ids -----------------------------------------------------------------------------------------

id_t engine::pair(entity_t relation, entity_t target) const {
  return state_->pair(relation, target);
}

bool engine::has(entity_t e, id_t id) const {
  // No pattern if it only has the index of a wildcard.
  if (has_wildcard(id)) state_->check_known(id);
  if (state_->sees(e, id)) return true;
  state_->check_known(id);
  return false;
}

// Almost always all three are alive and the answer is what the entity owns. The rest is left to others.
bool engine::has(entity_t e, entity_t relation, entity_t target) const {
  const engine_state& s = *state_;
  const entity_index& entities = s.store_.entities();
  const entity_record* const r = entities.find(e);
  if (!r || !entities.is_alive(relation) || !entities.is_alive(target) || s.store_.toggles_used() ||
      is_wildcard(index_of(relation)))
    return s.sees_pair(e, relation, target);
  const bool owns = is_wildcard(index_of(target))
                        ? !s.store_.pairs_of(*r, index_of(relation)).empty()
                        : s.store_.owns(*r, make_pair(relation, target));
  if (owns || !s.graph_.bases.any()) return owns;
  return s.sees_pair(e, relation, target);
}

bool engine::owns(entity_t e, id_t id) const {
  const engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  if (has_wildcard(id)) {
    s.check_known(id);
    if (is_pair(id) && !is_wildcard(relation_of(id)))
      return !s.store_.pairs_of(r, relation_of(id)).empty();
    return !matching_ids(e, id).empty();
  }
  if (s.store_.owns(r, id)) return true;
  s.check_known(id);
  return false;
}

bool engine::is_enabled(entity_t e, id_t id) const {
  const entity_record& r = state_->alive(e);
  if (state_->store_.owns(r, id)) return !state_->store_.is_off(r, id);
  state_->check_known(id);
  return false;
}

std::vector<id_t> engine::owned_ids(entity_t e) const {
  return state_->store_.owned_ids(state_->alive(e));
}

std::vector<id_t> engine::matching_ids(entity_t e, id_t pattern) const {
  const engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  s.check_known(pattern);
  if (is_pair(pattern) && !is_wildcard(relation_of(pattern))) {
    const auto pairs = s.store_.pairs_of(r, relation_of(pattern));
    std::vector<id_t> ids(pairs.begin(), pairs.end());
    std::erase_if(ids, [&](id_t id) { return !matches(id, pattern); });
    return ids;
  }
  std::vector<id_t> ids = s.store_.owned_ids(r);
  std::erase_if(ids, [&](id_t id) { return !matches(id, pattern); });
  return ids;
}

std::span<const id_t> engine::pairs_of(entity_t e, entity_t relation) const {
  state_->alive(relation);
  return state_->store_.pairs_of(state_->alive(e), index_of(relation));
}

entity_t engine::target(entity_t e, entity_t relation, std::size_t n) const {
  const engine_state& s = *state_;
  const entity_index& entities = s.store_.entities();
  const entity_record* const r = entities.find(e);
  if (!r || !entities.is_alive(relation) || s.store_.toggles_used() ||
      s.graph_.bases.has_bases(*r) || is_wildcard(index_of(relation)))
    return find_target(e, relation, n);
  const std::span<const id_t> pairs = s.store_.pairs_of(*r, index_of(relation));
  return n < pairs.size() ? entities.alive_at(target_of(pairs[n])) : 0;
}

entity_t engine::find_target(entity_t e, entity_t relation, std::size_t n) const {
  const engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  s.alive(relation);
  if (is_wildcard(index_of(relation))) {
    const auto found = targets(e, relation);
    return n < found.size() ? found[n] : 0;
  }
  const id_t pair = s.graph_.bases.nth_visible(e, r, index_of(relation), n);
  return pair ? s.store_.entities().alive_at(target_of(pair)) : 0;
}

// --- values --------------------------------------------------------------------------------------

namespace {

// A value whose id is its own type needs no check; others are pairs.
void check_type(const engine_state& s, const located_value& found, id_t id, entity_t value_type) {
  if (found && value_type && id != value_type && found.type->component != value_type)
    s.check_has_value(id, value_type);
}

}  // namespace

const void* engine::get(entity_t e, id_t id, entity_t value_type) const {
  const engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  located_value found = s.store_.find_value(r, id);
  if (found) {
    check_type(s, found, id, value_type);
    return s.store_.is_off(r, id) ? nullptr : found.value();
  }
  if (s.graph_.bases.has_bases(r) && !s.store_.owns(r, id)) {
    if (const entity_t owner = s.graph_.bases.base_with(e, r, id)) {
      found = s.store_.find_value(s.alive(owner), id);
      check_type(s, found, id, value_type);
      return found.value();
    }
  }
  s.check_known(id);
  return nullptr;
}

void* engine::get_mut(entity_t e, id_t id, entity_t value_type) {
  engine_state& s = *state_;
  const located_value found = s.store_.find_value(s.alive(e), id);
  check_type(s, found, id, value_type);
  if (!found) s.check_known(id);
  if (found) s.note_write(found, e, id);
  return found.value();
}

}  // namespace kith::core
