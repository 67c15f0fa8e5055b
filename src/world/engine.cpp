#include <algorithm>

#include <kith/detail/engine.hpp>

#include "base/scope_exit.hpp"
#include "entity/path.hpp"
#include "relations/change.hpp"
#include "world/define.hpp"
#include "world/engine_state.hpp"
#include "world/facts.hpp"

namespace kith::core {

engine::engine(entity_t instantiate) : state_(std::make_unique<engine_state>()) {
  if (instantiate != Inherit && instantiate != Override && instantiate != DontInherit)
    raise(errc::constraint, "instantiate is one of Inherit, Override and DontInherit");
  state_->bootstrap();
  state_->graph_.instantiate = instantiate;
  state_->graph_.inherit.set_default(instantiate != DontInherit);
  type_desc info = describe_type<component_info>();
  const std::uint32_t slot = slot_of_type<component_info>();
  std::vector<entity_t>& components = state_->components_by_slot;
  components.resize(std::max<std::size_t>(components.size(), slot + 1));
  components[slot] = Component;
  components_ = components;
  state_->store().types().insert(Component, info);
  component_info own{sizeof(component_info), alignof(component_info)};
  state_->store().add(Component, Component,
                      {&own, [](void* place, void* context) {
                         ::new (place) component_info(*static_cast<component_info*>(context));
                       }});
}

engine::~engine() {
  // Destructors of the user may still ask for changes: nothing comes of them.
  state_->ending = true;
  state_->main.queue.clear();
  state_->store().destroy_all_values();
  while (!state_->main.queue.empty()) state_->main.queue.clear();
}

// --- entities ------------------------------------------------------------------------------------

entity_t engine::create() {
  engine_state& s = *state_;
  if (!s.scope && !s.reading) return s.store().create();
  return create_in_scope();
}

entity_t engine::create_in_scope() {
  engine_state& s = *state_;
  const entity_t parent = scope();
  const entity_t e = s.make_entity();
  if (!parent) return e;
  scope_exit undo([&] { s.unmake_entity(e); });
  add(e, make_pair(ChildOf, parent));
  undo.dismiss();
  return e;
}

entity_t engine::create_id() { return state_->make_entity(); }

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
      s.check_not_reading("a named entity cannot be made");
      next = s.store().create();
      // A new entity has its name at once, also while other changes wait: whoever asks for the same
      // path again must get the same entity.
      s.names_.set(next, index_of(at), name);
      s.store().entities().at_index(index_of(next)).named = true;
      scope_exit undo([&] {
        s.names_.erase(next);
        s.store().destroy(next);
      });
      if (at) add(next, make_pair(ChildOf, at));
      undo.dismiss();
    }
    at = next;
  }
  return at;
}

entity_t engine::create_with(std::span<const new_id> ids) {
  engine_state& s = *state_;
  const entity_t parent = scope();
  const auto all_plain = [&] {
    return !parent &&
           std::ranges::all_of(ids, [&](const new_id& n) { return s.graph_.is_plain(n.id); });
  };
  if (!s.queueing() && all_plain()) {
    entity_t e = 0;
    // A constructor may have asked for a change that fails.
    scope_exit undo([&] { s.unmake_entity(e); });
    s.carry([&] { e = s.store().create_in_place(ids); });
    undo.dismiss();
    if (e) return e;
  }
  s.check_new_ids(ids);
  const entity_t e = s.make_entity();
  const std::size_t queued = s.here().queue.size();
  scope_exit undo([&] {
    s.here().queue.truncate(queued);
    s.unmake_entity(e);
  });
  if (s.queueing()) {
    if (parent) add(e, make_pair(ChildOf, parent));
    for (const new_id& n : ids) {
      if (const type_info* type = s.store().types().type_of(n.id))
        s.here().queue.push_value(e, n.id, *type, n.source);
      else
        add(e, n.id);
    }
  } else {
    s.carry([&] {
      if (all_plain()) return s.store().add_all(e, ids);
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
  if (count > max_index)
    raise(errc::out_of_range, std::to_string(count), " entities are more than a world can have");
  std::vector<bulk_id> all(ids.begin(), ids.end());
  if (const entity_t parent = scope()) all.push_back({make_pair(ChildOf, parent)});
  s.check_new_ids(std::span<const bulk_id>(all));
  std::vector<entity_t> created;
  if (!s.queueing()) {
    const bool plain =
        std::ranges::all_of(all, [&](const bulk_id& b) { return s.graph_.is_plain(b.id); });
    s.carry([&] {
      if (plain)
        s.store().create_many(count, all, created);
      else
        s.create_each(count, all, created);
    });
    return created;
  }
  const std::size_t queued = s.here().queue.size();
  scope_exit undo([&] {
    s.here().queue.truncate(queued);
    for (entity_t e : created) s.unmake_entity(e);
  });
  for (std::size_t i = 0; i < count; ++i) {
    const entity_t e = created.emplace_back(s.make_entity());
    for (const bulk_id& b : all) {
      const type_info* type = s.store().types().type_of(b.id);
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
      s.here().queue.push_value(e, b.id, *type, source);
    }
  }
  undo.dismiss();
  return created;
}

void engine::make_alive(entity_t e) {
  state_->check_not_reading("an id cannot be made alive");
  if (is_builtin(e) || !state_->store().make_alive(e))
    raise(errc::constraint, "#", std::to_string(e),
          " cannot be made alive: it is no entity, or another entity lives "
          "at its index");
}

bool engine::is_alive(entity_t e) const {
  return state_->store().entities().is_alive(e) || (state_->reading && state_->is_promised(e));
}

entity_t engine::alive_at(std::uint32_t index) const {
  return state_->store().entities().alive_at(index);
}

std::size_t engine::entity_count() const {
  return state_->store().entities().size() - state_->builtin_count;
}

void engine::destroy(entity_t e) {
  engine_state& s = *state_;
  s.alive(e);
  if (s.queueing()) return s.here().queue.push({.what = command::kind::destroy, .entity = e});
  s.carry([&] { s.destroy(e); });
}

void engine::clear(entity_t e) {
  engine_state& s = *state_;
  s.alive(e);
  if (s.queueing()) return s.here().queue.push({.what = command::kind::clear, .entity = e});
  s.carry([&] { s.clear(e); });
}

entity_t engine::clone(entity_t e, entity_t into, bool with_values) {
  engine_state& s = *state_;
  s.alive(e);
  if (into) s.alive(into);
  const entity_t to = into ? into : s.make_entity();
  scope_exit undo([&] {
    if (!into) s.unmake_entity(to);
  });
  if (s.queueing())
    s.here().queue.push(
        {.what = command::kind::clone, .with_values = with_values, .entity = to, .id = e});
  else
    s.carry([&] {
      s.clone(e, to, with_values);
      undo.dismiss();
    });
  undo.dismiss();
  return to;
}

// --- ids -----------------------------------------------------------------------------------------

entity_t engine::first(id_t pair) const { return alive_at(relation_of(pair)); }
entity_t engine::second(id_t pair) const { return alive_at(target_of(pair)); }

void engine::add(entity_t e, id_t id) {
  engine_state& s = *state_;
  if (s.queueing()) return s.queue_add(e, id);
  static constexpr value_source nothing{};
  s.carry([&] { s.add(e, id, nothing); });
}

void engine::remove(entity_t e, id_t id) {
  engine_state& s = *state_;
  if (s.queueing()) return s.queue_remove(e, id);
  s.carry([&] { s.remove(e, id); });
}

void engine::set_enabled(entity_t e, id_t id, bool on) {
  engine_state& s = *state_;
  s.alive(e);
  s.check_exact(id);
  if (s.queueing())
    return s.here().queue.push(
        {.what = on ? command::kind::enable : command::kind::disable, .entity = e, .id = id});
  s.set_enabled(e, id, on);
}

// --- values --------------------------------------------------------------------------------------

void engine::modified(entity_t e, id_t id) {
  engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  s.check_known(id);
  if (!s.store().owns(r, id))
    raise(errc::out_of_range, s.text(e), " does not have ", s.text_of_id(id));
  if (const located_value found = s.store().find_value(r, id)) s.note_write(found, e, id);
}

void* engine::ensure(entity_t e, id_t id, entity_t value_type) {
  engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  s.check_addable(id);
  s.check_has_value(id, value_type);
  const located_value found = s.store().find_value(r, id);
  if (!found && id == Component)
    raise(errc::constraint, "an entity becomes a component when it is registered as one");
  if (s.queueing()) {
    const command_queue::outlook ahead = s.here().queue.outlook_for(
        e, id, is_pair(id) && s.graph_.traits.of_id(id) & trait::exclusive);
    if (ahead.value) return ahead.value.value();
    if (found && !ahead.removed) {
      s.note_write(found, e, id);
      return found.value();
    }
    const type_info& type = *s.store().types().type_of(id);
    // As when it is added: a copy of what is inherited, or the default value.
    value_source source;
    located_value inherited;
    if (const entity_t owner = found ? 0 : s.graph_.inherit.owner(e, r, id)) {
      inherited = s.store().find_value(s.alive(owner), id);
      source = {&inherited, [](void* slot, void* context) {
                  const auto& from = *static_cast<located_value*>(context);
                  construct_copy(*from.type, slot, from.slot);
                }};
    }
    return type.value(s.here().queue.push_value(e, id, type, source));
  }
  if (found) {
    s.note_write(found, e, id);
    return found.value();
  }
  s.carry([&] { s.add(e, id, {}); });
  const entity_record* still = s.store().entities().find(e);
  const located_value made = still ? s.store().find_value(*still, id) : located_value();
  if (!made) raise(errc::constraint, s.text_of_id(id), " was removed by its own constructor");
  return made.value();
}

void engine::set(entity_t e, id_t id, entity_t value_type, const value_source& source) {
  engine_state& s = *state_;
  if (s.ending) return;
  if (id == Component)
    raise(errc::constraint, "an entity becomes a component when it is registered as one");
  if (id != value_type) {
    s.check_addable(id);
    s.check_has_value(id, value_type);
  }
  if (s.queueing()) return s.queue_set(e, id, value_type, source);
  s.carry([&] { s.set(e, id, source); });
}

void engine::set_copy(entity_t e, id_t id, const void* value) {
  engine_state& s = *state_;
  s.check_addable(id);
  s.check_has_value(id, 0);
  if (!value) raise(errc::type, text_of(id), " was given no value to copy");
  const type_info& type = *s.store().types().type_of(id);
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
  const type_info* type = state_->store().types().type_of(id);
  return type ? type->component : 0;
}

// --- facts -----------------------------------------------------------------------------------------

namespace {

error cannot_define_now() {
  return error(errc::constraint, "facts cannot be defined while the world is deferred");
}

}  // namespace

result<std::size_t> engine::try_define(std::string_view text, progress_listener listener) {
  engine_state& s = *state_;
  if (s.queueing()) return cannot_define_now();
  if (s.scope && !is_alive(s.scope))
    return error(errc::not_alive, "the current scope is not alive any more; set another one");
  result<std::size_t> done = core::define(*this, s, text, listener);
  s.settle_quietly();
  return done;
}

std::size_t engine::define(std::string_view text) {
  engine_state& s = *state_;
  if (s.queueing()) raise(cannot_define_now());
  scope();
  const result<std::size_t> done = core::define(*this, s, text, {});
  if (!done) raise(done.error());
  s.settle();
  return done.value();
}

void engine::facts(void (*write)(std::string_view piece, void* context), void* context) const {
  print_facts(*state_, write, context);
}

// --- deferred mode -------------------------------------------------------------------------------

void engine::defer_begin() {
  ++state_->here().begun;
  ++state_->here().defer_depth;
}

void engine::defer_end() {
  if (state_->here().begun == 0) raise(errc::constraint, "defer_end without defer_begin");
  --state_->here().begun;
  visit_end();
}

void engine::visit_begin() { ++state_->here().defer_depth; }

void engine::visit_end() {
  --state_->here().defer_depth;
  state_->settle();
}

void engine::visit_end_quietly() noexcept {
  --state_->here().defer_depth;
  state_->settle_quietly();
}

bool engine::is_deferred() const { return state_->reading || state_->here().defer_depth != 0; }

void engine::readonly_begin() { state_->begin_reading(); }

void engine::readonly_end() { state_->end_reading(); }

std::vector<error> engine::take_deferred_errors() {
  return std::exchange(state_->deferred_errors, {});
}

// --- storage -------------------------------------------------------------------------------------

std::size_t engine::reclaim() { return state_->queueing() ? 0 : state_->store().reclaim(); }
std::size_t engine::table_count() const { return state_->store().tables().size(); }

std::uint32_t engine::table_number(entity_t e) const { return state_->alive(e).table.value; }

std::vector<id_t> engine::table_ids(entity_t e) const {
  const auto ids = state_->store().tables().at(state_->alive(e).table).ids();
  return {ids.begin(), ids.end()};
}

}  // namespace kith::core
