// Questions about the graph: relations, hierarchies, names; and changes of many entities at once.
#include <algorithm>
#include <charconv>

#include <kith/detail/engine.hpp>

#include "entity/path.hpp"
#include "world/engine_state.hpp"

namespace kith::core {

// --- the graph -----------------------------------------------------------------------------------

std::optional<std::span<const id_t>> engine::shown_pairs(entity_t e, entity_t relation) const {
  engine_state& s = *state_;
  if (is_wildcard(index_of(relation))) return std::nullopt;
  const auto pairs = s.graph_.inherit.pairs_of_one_owner(e, s.alive(e), index_of(relation));
  return pairs && pairs->off.empty() ? std::optional(pairs->all) : std::nullopt;
}

std::vector<entity_t> engine::targets(entity_t e, entity_t relation) const {
  engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  s.alive(relation);
  std::vector<entity_t> found;
  for (id_t id : s.graph_.inherit.visible_ids(e, r, make_pair(relation, Wildcard)))
    found.push_back(alive_at(target_of(id)));
  return found;
}

std::size_t engine::target_count(entity_t e, entity_t relation) const {
  engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  s.alive(relation);
  if (!is_wildcard(index_of(relation)))
    if (const auto pairs = s.graph_.inherit.pairs_of_one_owner(e, r, index_of(relation)))
      return pairs->on();
  return targets(e, relation).size();
}

entity_t engine::parent(entity_t e) const { return target(e, ChildOf, 0); }

std::span<const entity_t> engine::children_of(entity_t parent) const {
  state_->alive(parent);
  return state_->graph_.children(parent);
}

void engine::set_child_order(entity_t parent, std::span<const entity_t> children) {
  engine_state& s = *state_;
  s.alive(parent);
  for (entity_t child : children) s.alive(child);
  if (s.stages.queueing()) return s.stages.queue().push_order(parent, children);
  core::set_child_order(s.graph_, parent, children);
}

entity_t engine::target_for(entity_t e, entity_t relation, id_t id) const {
  engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  s.alive(relation);
  s.check_known(id);
  // What is inherited is visible on every kind, and one base owns it.
  if (relation == IsA)
    if (const entity_t owner = s.graph_.inherit.owner(e, r, id)) return owner;
  return s.stages.here().reach.first_with(e, relation, id);
}

bool engine::related(entity_t e, entity_t relation, entity_t target) const {
  engine_state& s = *state_;
  s.alive(e);
  s.alive(relation);
  s.alive(target);
  s.check_exact(make_pair(relation, target));
  return s.stages.here().reach.related(e, relation, target);
}

bool engine::related(entity_t e, id_t id) const {
  engine_state& s = *state_;
  s.alive(e);
  s.check_exact(id);
  return is_pair(id) ? s.stages.here().reach.related(e, first(id), second(id))
                     : s.stages.here().reach.related(e, id);
}

std::vector<entity_t> engine::reached_from(entity_t e, entity_t relation) const {
  state_->alive(e);
  state_->alive(relation);
  return state_->stages.here().reach.reached_from(e, relation);
}

std::vector<entity_t> engine::reached_to(entity_t e, entity_t relation) const {
  state_->alive(e);
  state_->alive(relation);
  return state_->stages.here().reach.reached_to(e, relation);
}

bool engine::leads(entity_t e, entity_t relation, entity_t target) const {
  state_->alive(e);
  state_->alive(relation);
  state_->alive(target);
  return state_->stages.here().reach.leads(e, relation, target);
}

void engine::each_with(id_t id, void (*visit)(entity_t e, void* context), void* context) const {
  engine_state& s = *state_;
  s.check_known(id);
  if (has_wildcard(id)) {
    for (entity_t e : entities_with(s.graph_, id)) visit(e, context);
  } else if (const id_record* record = s.store().ids().find(id)) {
    s.store().each(*record, [&](entity_t e) {
      if (!is_builtin(e)) visit(e, context);
    });
  }
}

std::size_t engine::count(id_t id) const {
  engine_state& s = *state_;
  s.check_known(id);
  if (has_wildcard(id)) return entities_with(s.graph_, id).size();
  const id_record* record = s.store().ids().find(id);
  if (!record) return 0;
  std::size_t n = s.store().count(*record);
  // Built-in entities do not count.
  for (std::uint32_t i = 1; i < first_user_index; ++i)
    if (const entity_t e = alive_at(i); e && s.store().owns(s.alive(e), id)) --n;
  return n;
}

void engine::remove_from_all(id_t id) {
  engine_state& s = *state_;
  s.check_known(id);
  if (s.stages.queueing())
    return s.stages.queue().push({.what = command::kind::remove_from_all, .id = id});
  s.carry([&] { core::remove_from_all(s.graph_, id); });
}

void engine::delete_with(id_t id) {
  engine_state& s = *state_;
  s.check_known(id);
  if (s.stages.queueing())
    return s.stages.queue().push({.what = command::kind::delete_with, .id = id});
  s.carry([&] { s.delete_with(id); });
}

// --- names ---------------------------------------------------------------------------------------

void engine::set_name(entity_t e, std::string_view name) {
  engine_state& s = *state_;
  s.alive(e);
  if (s.stages.queueing()) return s.stages.queue().push_name(e, name);
  s.carry([&] { core::set_name(s.graph_, e, name); });
}

std::string_view engine::name(entity_t e) const {
  return state_->alive(e).named ? state_->names_.name_of(index_of(e)) : std::string_view();
}

std::string engine::path(entity_t e, std::string_view separator) const {
  state_->alive(e);
  return path_of(state_->store(), state_->names_, e, separator);
}

entity_t engine::lookup(std::string_view text, entity_t parent) const {
  const engine_state& s = state();
  if (parent) s.alive(parent);
  const result<parsed_path> parsed = parse_path(text);
  if (!parsed) return 0;
  const parsed_path& p = parsed.value();
  const auto below = [&](entity_t start) { return find_below(s.names_, start, p.names); };
  if (p.from_root) return below(0);
  if (parent) return p.number ? 0 : below(parent);
  if (p.number) return is_alive(p.number) ? below(p.number) : 0;
  for (entity_t from = s.scope; from && is_alive(from); from = parent_of(s.store(), s.alive(from)))
    if (entity_t found = below(from)) return found;
  if (entity_t found = below(0)) return found;
  if (entity_t found = below(BuiltinScope)) return found;
  // Digits that are the name of no entity are a number.
  entity_t number = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool digits = code == std::errc{} && stop == text.data() + text.size();
  return digits && is_alive(number) ? number : 0;
}

entity_t engine::constant(entity_t enumeration, std::string_view name) const {
  const engine_state& s = *state_;
  s.alive(enumeration);
  const entity_t found = name.empty() ? 0 : s.names_.find(index_of(enumeration), name);
  if (!found) raise(errc::unresolved, s.text(enumeration), " has no such constant");
  return found;
}

entity_t engine::scope() const {
  engine_state& s = *state_;
  if (s.scope && !is_alive(s.scope)) {
    s.stages.check_not_ended();
    raise(errc::not_alive, "the current scope is not alive any more; set another one");
  }
  return s.scope;
}

entity_t engine::set_scope(entity_t scope) {
  state_->stages.check_open("the scope cannot be set");
  if (scope) state_->alive(scope);
  if (is_wildcard(index_of(scope))) raise(errc::constraint, text_of(scope), " cannot be a scope");
  return std::exchange(state_->scope, scope);
}

void engine::restore_scope(entity_t scope) noexcept {
  if (!state_->stages.has_ended()) state_->scope = scope;
}

void engine::push_with(id_t id) {
  state_->stages.check_open("what new entities get cannot be said");
  state_->check_addable(id);
  state_->with.push_back(id);
}

void engine::pop_with() noexcept {
  if (!state_->with.empty()) state_->with.pop_back();
}

std::string engine::text_of(id_t id) const { return state_->text(id); }

}  // namespace kith::core
