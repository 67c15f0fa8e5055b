#include <algorithm>
#include <charconv>

#include <kith/detail/engine.hpp>

#include "base/scope_exit.hpp"
#include "entity/path.hpp"
#include "relations/change.hpp"
#include "world/engine_state.hpp"

namespace kith::core {

engine::engine(entity_t instantiate) : state_(std::make_unique<engine_state>(components_)) {
  if (instantiate != Inherit && instantiate != Override && instantiate != DontInherit)
    raise(errc::constraint, "instantiate is one of Inherit, Override and DontInherit");
  state_->bootstrap();
  state_->graph_.instantiate = instantiate;
  type_desc info = describe_type<component_info>();
  const std::uint32_t slot = slot_of_type<component_info>();
  components_.resize(std::max<std::size_t>(components_.size(), slot + 1));
  components_[slot] = Component;
  state_->store_.types().insert(Component, info);
  component_info own{sizeof(component_info), alignof(component_info)};
  state_->store_.add(Component, Component,
                     {&own, [](void* place, void* context) {
                        ::new (place) component_info(*static_cast<component_info*>(context));
                      }});
}

engine::~engine() {
  // Destructors of the user may still ask for changes: they are queued and never carried out.
  state_->ending = true;
  state_->queue.clear();
  state_->store_.destroy_all_values();
  while (!state_->queue.empty()) state_->queue.clear();
}

// --- entities ------------------------------------------------------------------------------------

entity_t engine::create() {
  engine_state& s = *state_;
  const entity_t parent = scope();
  const entity_t e = s.store_.create();
  if (!parent) return e;
  scope_exit undo([&] { s.store_.destroy(e); });
  add(e, make_pair(ChildOf, parent));
  undo.dismiss();
  return e;
}

entity_t engine::create_id() { return state_->store_.create(); }

entity_t engine::create_named(std::string_view text) {
  engine_state& s = *state_;
  result<parsed_path> parsed = parse_path(text);
  if (!parsed) raise(parsed.error());
  entity_t at = parsed->number ? parsed->number : parsed->from_root ? 0 : scope();
  if (parsed->number && !is_alive(at))
    raise(errc::unresolved, "there is no entity #", std::to_string(at));
  for (const std::string& name : parsed->names) {
    entity_t next = s.names_.find(index_of(at), name);
    if (!next) {
      next = s.store_.create();
      // A new entity has its name at once, also while other changes wait: whoever asks for the same
      // path again must get the same entity.
      s.names_.set(next, index_of(at), name);
      s.store_.entities().at_index(index_of(next)).named = true;
      if (at) add(next, make_pair(ChildOf, at));
    }
    at = next;
  }
  return at;
}

entity_t engine::create_with(std::span<const new_id> ids) {
  engine_state& s = *state_;
  const entity_t parent = scope();
  std::vector<id_t> given;
  for (const new_id& n : ids) given.push_back(n.id);
  s.check_new_ids(given);
  const entity_t e = s.store_.create();
  const std::size_t queued = s.queue.size();
  scope_exit undo([&] {
    s.queue.truncate(queued);
    s.store_.destroy(e);
  });
  if (s.queueing()) {
    if (parent) add(e, make_pair(ChildOf, parent));
    for (const new_id& n : ids) {
      if (const type_info* type = s.store_.types().type_of(n.id))
        s.queue.push_value(e, n.id, *type, n.source);
      else
        add(e, n.id);
    }
  } else {
    s.carry([&] {
      const bool plain = std::ranges::all_of(given, [&](id_t id) { return s.graph_.is_plain(id); });
      if (plain && !parent) return s.store_.add_all(e, ids);
      change c(s.graph_);
      if (parent) c.add(e, make_pair(ChildOf, parent));
      for (const new_id& n : ids) c.add(e, n.id, n.source);
      c.commit();
    });
  }
  undo.dismiss();
  return e;
}

std::vector<entity_t> engine::create_many(std::size_t count, std::span<const bulk_id> ids) {
  engine_state& s = *state_;
  std::vector<bulk_id> all(ids.begin(), ids.end());
  if (const entity_t parent = scope()) all.push_back({make_pair(ChildOf, parent)});
  std::vector<id_t> given;
  for (const bulk_id& b : all) given.push_back(b.id);
  s.check_new_ids(given);
  std::vector<entity_t> created;
  if (!s.queueing()) {
    const bool plain = std::ranges::all_of(given, [&](id_t id) { return s.graph_.is_plain(id); });
    s.carry([&] {
      if (plain)
        s.store_.create_many(count, all, created);
      else
        s.create_each(count, all, created);
    });
    return created;
  }
  const std::size_t queued = s.queue.size();
  scope_exit undo([&] {
    s.queue.truncate(queued);
    for (entity_t e : created) s.store_.destroy(e);
  });
  for (std::size_t i = 0; i < count; ++i) {
    const entity_t e = created.emplace_back(s.store_.create());
    for (const bulk_id& b : all) {
      const type_info* type = s.store_.types().type_of(b.id);
      if (!type || !b.construct) {
        add(e, b.id);
        continue;
      }
      struct nth {
        const bulk_id* bulk;
        std::size_t i;
      } which{&b, i};
      const value_source source{&which, [](void* slot, void* context) {
                                  const auto& n = *static_cast<nth*>(context);
                                  std::size_t done = 0;
                                  n.bulk->construct(slot, n.i, 1, done, n.bulk->context);
                                }};
      s.queue.push_value(e, b.id, *type, source);
    }
  }
  undo.dismiss();
  return created;
}

void engine::make_alive(entity_t e) {
  if (is_builtin(e) || !state_->store_.make_alive(e))
    raise(errc::constraint, "#", std::to_string(e),
          " cannot be made alive: it is no entity, or another entity lives "
          "at its index");
}

bool engine::is_alive(entity_t e) const { return state_->store_.entities().is_alive(e); }

entity_t engine::alive_at(std::uint32_t index) const {
  return state_->store_.entities().alive_at(index);
}

std::size_t engine::entity_count() const {
  return state_->store_.entities().size() - state_->builtin_count;
}

void engine::destroy(entity_t e) {
  engine_state& s = *state_;
  s.alive(e);
  if (s.queueing()) return s.queue.push({.what = command::kind::destroy, .entity = e});
  s.carry([&] { s.destroy(e); });
}

void engine::clear(entity_t e) {
  engine_state& s = *state_;
  s.alive(e);
  if (s.queueing()) return s.queue.push({.what = command::kind::clear, .entity = e});
  s.carry([&] { s.clear(e); });
}

entity_t engine::clone(entity_t e, entity_t into, bool with_values) {
  engine_state& s = *state_;
  s.alive(e);
  if (into) s.alive(into);
  const entity_t to = into ? into : s.store_.create();
  if (s.queueing()) {
    s.queue.push({.what = command::kind::clone, .with_values = with_values, .entity = to, .id = e});
    return to;
  }
  s.carry([&] {
    scope_exit undo([&] {
      if (!into) s.store_.destroy(to);
    });
    s.clone(e, to, with_values);
    undo.dismiss();
  });
  return to;
}

// --- ids -----------------------------------------------------------------------------------------

id_t engine::pair(entity_t relation, entity_t target) const {
  const engine_state& s = *state_;
  if (is_pair(relation) || is_pair(target))
    raise(errc::constraint, "a pair cannot be the relation or the target of a pair: ",
          s.text_of_id(is_pair(relation) ? relation : target));
  s.alive(relation);
  s.alive(target);
  return make_pair(relation, target);
}

entity_t engine::first(id_t pair) const { return alive_at(relation_of(pair)); }
entity_t engine::second(id_t pair) const { return alive_at(target_of(pair)); }

void engine::add(entity_t e, id_t id) {
  engine_state& s = *state_;
  if (s.queueing()) {
    s.alive(e);
    s.check_addable(id);
    return s.queue.push({.what = command::kind::add, .entity = e, .id = id});
  }
  s.carry([&] { s.add(e, id, {}); });
}

void engine::remove(entity_t e, id_t id) {
  engine_state& s = *state_;
  s.alive(e);
  s.check_known(id);
  if (s.queueing()) return s.queue.push({.what = command::kind::remove, .entity = e, .id = id});
  s.carry([&] { s.remove(e, id); });
}

bool engine::has(entity_t e, id_t id) const {
  const engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  if (has_wildcard(id)) {
    s.check_known(id);
    return s.graph_.bases.any_visible(e, r, id);
  }
  if (s.graph_.bases.is_visible(e, r, id)) return true;
  s.check_known(id);
  return false;
}

bool engine::owns(entity_t e, id_t id) const {
  const engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  if (has_wildcard(id)) {
    if (is_pair(id) && !is_wildcard(relation_of(id)))
      return !s.store_.pairs_of(r, relation_of(id)).empty();
    return !matching_ids(e, id).empty();
  }
  if (s.store_.owns(r, id)) return true;
  s.check_known(id);
  return false;
}

void engine::set_enabled(entity_t e, id_t id, bool on) {
  engine_state& s = *state_;
  s.alive(e);
  s.check_addable(id);
  if (s.queueing())
    return s.queue.push(
        {.what = on ? command::kind::enable : command::kind::disable, .entity = e, .id = id});
  s.set_enabled(e, id, on);
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
  if (s.graph_.bases.has_bases(r)) {
    if (const entity_t owner = s.graph_.bases.owner(e, r, id)) {
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
  return found.value();
}

void* engine::ensure(entity_t e, id_t id, entity_t value_type) {
  engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  s.check_addable(id);
  s.check_has_value(id, value_type);
  const located_value found = s.store_.find_value(r, id);
  if (!found && id == Component)
    raise(errc::constraint, "an entity becomes a component when it is registered as one");
  if (s.queueing()) {
    const command_queue::outlook ahead =
        s.queue.outlook_for(e, id, is_pair(id) && s.graph_.rules.of_id(id) & trait::exclusive);
    if (ahead.value) return ahead.value.value();
    if (found && !ahead.removed) return found.value();
    const type_info& type = *s.store_.types().type_of(id);
    // As when it is added: a copy of what is inherited, or the default value.
    value_source source;
    located_value inherited;
    if (const entity_t owner = found ? 0 : s.graph_.bases.owner(e, r, id)) {
      inherited = s.store_.find_value(s.alive(owner), id);
      source = {&inherited, [](void* slot, void* context) {
                  const auto& from = *static_cast<located_value*>(context);
                  construct_copy(*from.type, slot, from.slot);
                }};
    }
    return type.value(s.queue.push_value(e, id, type, source));
  }
  if (found) return found.value();
  s.carry([&] { s.add(e, id, {}); });
  const entity_record* still = s.store_.entities().find(e);
  const located_value made = still ? s.store_.find_value(*still, id) : located_value();
  if (!made) raise(errc::constraint, s.text_of_id(id), " was removed by its own constructor");
  return made.value();
}

void engine::set(entity_t e, id_t id, entity_t value_type, const value_source& source) {
  engine_state& s = *state_;
  if (id == Component)
    raise(errc::constraint, "an entity becomes a component when it is registered as one");
  if (id != value_type) {
    s.check_addable(id);
    s.check_has_value(id, value_type);
  }
  if (s.queueing()) {
    s.alive(e);
    s.check_addable(id);
    s.check_has_value(id, value_type);
    s.queue.push_value(e, id, *s.store_.types().type_of(id), source);
    return;
  }
  s.carry([&] { s.set(e, id, source); });
}

void engine::set_copy(entity_t e, id_t id, const void* value) {
  engine_state& s = *state_;
  s.check_addable(id);
  s.check_has_value(id, 0);
  const type_info& type = *s.store_.types().type_of(id);
  if (!type.can_copy()) raise(errc::type, "values of ", type.name, " cannot be copied");
  struct original {
    const type_info& type;
    const void* value;
  } from{type, value};
  value_source source;
  source.context = &from;
  source.construct = [](void* slot, void* context) {
    const auto& o = *static_cast<original*>(context);
    construct_copy_of(o.type, slot, o.value);
  };
  source.assign = [](void* slot, void* context) {
    const auto& o = *static_cast<original*>(context);
    slot_buffer fresh(o.type);
    construct_copy_of(o.type, fresh.get(), o.value);
    replace(o.type, slot, fresh.get());
  };
  set(e, id, type.component, source);
}

entity_t engine::type_of(id_t id) const {
  const type_info* type = state_->store_.types().type_of(id);
  return type ? type->component : 0;
}

// --- the graph -----------------------------------------------------------------------------------

bool engine::shows_just_its_own(entity_t e) const {
  return !state_->store_.toggles_used() && !state_->graph_.bases.has_bases(state_->alive(e));
}

std::vector<entity_t> engine::targets(entity_t e, entity_t relation) const {
  const engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  s.alive(relation);
  std::vector<entity_t> found;
  for (id_t id : s.graph_.bases.visible_ids(e, r, make_pair(relation, Wildcard)))
    found.push_back(alive_at(target_of(id)));
  return found;
}

entity_t engine::target(entity_t e, entity_t relation, std::size_t n) const {
  const engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  s.alive(relation);
  if (shows_just_its_own(e)) {
    const auto pairs = s.store_.pairs_of(r, index_of(relation));
    return n < pairs.size() ? alive_at(target_of(pairs[n])) : entity_t{0};
  }
  const auto found = targets(e, relation);
  return n < found.size() ? found[n] : 0;
}

std::size_t engine::target_count(entity_t e, entity_t relation) const {
  return targets(e, relation).size();
}

entity_t engine::parent(entity_t e) const { return target(e, ChildOf, 0); }

std::span<const entity_t> engine::children_of(entity_t parent) const {
  state_->alive(parent);
  return state_->graph_.children(parent);
}

void engine::set_child_order(entity_t parent, std::span<const entity_t> children) {
  engine_state& s = *state_;
  const entity_record& r = s.alive(parent);
  if (!s.store_.owns(r, OrderedChildren))
    raise(errc::constraint, s.text(parent), " does not have OrderedChildren");
  std::vector<entity_t> given(children.begin(), children.end());
  const auto now = s.graph_.children(parent);
  std::vector<entity_t> there(now.begin(), now.end());
  std::ranges::sort(given);
  std::ranges::sort(there);
  if (given != there)
    raise(errc::constraint, "the order must name each child of ", s.text(parent), " once");
  if (s.queueing()) raise(errc::constraint, "children cannot be put in order while visiting");
  s.graph_.order.set(index_of(parent), children);
}

entity_t engine::target_for(entity_t e, entity_t relation, id_t id) const {
  const engine_state& s = *state_;
  s.alive(e);
  s.alive(relation);
  s.check_known(id);
  return s.reach_.first_with(e, relation, id);
}

bool engine::related(entity_t e, entity_t relation, entity_t target) const {
  const engine_state& s = *state_;
  s.alive(e);
  s.check_addable(relation);
  s.check_addable(target);
  return s.reach_.related(e, relation, target);
}

bool engine::related(entity_t e, id_t id) const {
  const engine_state& s = *state_;
  s.alive(e);
  s.check_addable(id);
  return is_pair(id) ? s.reach_.related(e, first(id), second(id)) : s.reach_.related(e, id);
}

std::vector<entity_t> engine::reached_from(entity_t e, entity_t relation) const {
  state_->alive(e);
  state_->alive(relation);
  return state_->reach_.reached_from(e, relation);
}

std::vector<entity_t> engine::reached_to(entity_t e, entity_t relation) const {
  state_->alive(e);
  state_->alive(relation);
  return state_->reach_.reached_to(e, relation);
}

bool engine::leads(entity_t e, entity_t relation, entity_t target) const {
  state_->alive(e);
  state_->alive(relation);
  state_->alive(target);
  return state_->reach_.leads(e, relation, target);
}

void engine::each_with(id_t id, void (*visit)(entity_t e, void* context), void* context) const {
  const engine_state& s = *state_;
  s.check_known(id);
  if (has_wildcard(id) || s.builtins_may_have(id)) {
    for (entity_t e : s.entities_with(id)) visit(e, context);
  } else if (const id_record* record = s.store_.ids().find(id)) {
    s.store_.each(*record, [&](entity_t e) { visit(e, context); });
  }
}

std::size_t engine::count(id_t id) const {
  const engine_state& s = *state_;
  s.check_known(id);
  if (has_wildcard(id) || s.builtins_may_have(id)) return s.entities_with(id).size();
  const id_record* record = s.store_.ids().find(id);
  return record ? s.store_.count(*record) : 0;
}

void engine::remove_from_all(id_t id) {
  engine_state& s = *state_;
  s.check_known(id);
  if (s.queueing()) return s.queue.push({.what = command::kind::remove_from_all, .id = id});
  s.carry([&] { s.remove_from_all(id); });
}

void engine::delete_with(id_t id) {
  engine_state& s = *state_;
  s.check_known(id);
  if (s.queueing()) return s.queue.push({.what = command::kind::delete_with, .id = id});
  s.carry([&] { s.delete_with(id); });
}

// --- names ---------------------------------------------------------------------------------------

void engine::set_name(entity_t e, std::string_view name) {
  engine_state& s = *state_;
  s.alive(e);
  if (s.queueing()) return s.queue.push_name(e, name);
  s.set_name(e, name);
}

std::string_view engine::name(entity_t e) const {
  return state_->alive(e).named ? state_->names_.name_of(index_of(e)) : std::string_view();
}

std::string engine::path(entity_t e, std::string_view separator) const {
  state_->alive(e);
  return path_of(state_->store_, state_->names_, e, separator);
}

entity_t engine::lookup(std::string_view text, entity_t parent) const {
  const engine_state& s = *state_;
  if (parent) s.alive(parent);
  const result<parsed_path> parsed = parse_path(text);
  if (!parsed) return 0;
  const parsed_path& p = parsed.value();
  const auto below = [&](entity_t start) { return s.find_below(start, p.names); };
  if (parent) return p.number || p.from_root ? 0 : below(parent);
  if (p.number) return is_alive(p.number) ? below(p.number) : 0;
  if (p.from_root) return below(0);
  for (entity_t from = s.scope; from && is_alive(from); from = parent_of(s.store_, s.alive(from)))
    if (entity_t found = below(from)) return found;
  if (entity_t found = below(0)) return found;
  if (entity_t found = below(BuiltinScope)) return found;
  // Digits that nobody is called are a number.
  entity_t number = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool digits = code == std::errc{} && stop == text.data() + text.size();
  return digits && is_alive(number) ? number : 0;
}

entity_t engine::scope() const {
  const engine_state& s = *state_;
  if (s.scope && !is_alive(s.scope))
    raise(errc::not_alive, "the current scope is not alive any more; set another one");
  return s.scope;
}

entity_t engine::set_scope(entity_t scope) {
  if (scope) state_->alive(scope);
  if (is_wildcard(index_of(scope))) raise(errc::constraint, text_of(scope), " cannot be a scope");
  return std::exchange(state_->scope, scope);
}

void engine::restore_scope(entity_t scope) noexcept { state_->scope = scope; }

std::string engine::text_of(id_t id) const { return state_->text_of_id(id); }

// --- deferred mode -------------------------------------------------------------------------------

void engine::defer_begin() {
  ++state_->begun;
  ++state_->defer_depth;
}

void engine::defer_end() {
  if (state_->begun == 0) raise(errc::constraint, "defer_end without defer_begin");
  --state_->begun;
  visit_end();
}

void engine::visit_begin() { ++state_->defer_depth; }

void engine::visit_end() {
  --state_->defer_depth;
  state_->settle();
}

void engine::visit_end_quietly() noexcept {
  --state_->defer_depth;
  state_->settle_quietly();
}

bool engine::is_deferred() const { return state_->defer_depth != 0; }

std::vector<error> engine::take_deferred_errors() {
  return std::exchange(state_->deferred_errors, {});
}

// --- storage -------------------------------------------------------------------------------------

std::size_t engine::reclaim() { return state_->queueing() ? 0 : state_->store_.reclaim(); }
std::size_t engine::table_count() const { return state_->store_.tables().size(); }

std::uint32_t engine::table_number(entity_t e) const { return state_->alive(e).table.value; }

std::vector<id_t> engine::table_ids(entity_t e) const {
  const auto ids = state_->store_.tables().at(state_->alive(e).table).ids();
  return {ids.begin(), ids.end()};
}

}  // namespace kith::core
