// Entities begin and end, and ids and values change: at once, or in the queue. Each function checks
// what it is given, then queues a command or carries the change out.
#include <algorithm>

#include <kith/detail/engine.hpp>

#include "base/make_room.hpp"
#include "base/scope_exit.hpp"
#include "entity/path.hpp"
#include "relations/change.hpp"
#include "world/engine_state.hpp"

namespace kith::core {

// --- entities ------------------------------------------------------------------------------------

entity_t engine::create() {
  engine_state& s = *state_;
  if (!s.scope && s.with.empty() && s.stages.is_open() && !s.watches_births())
    return s.store().create();
  return create_in_scope();
}

entity_t engine::create_in_scope() {
  engine_state& s = *state_;
  const entity_t parent = scope();
  entity_t e = 0;
  const std::uint64_t raised = s.raised_reactions_;
  scope_exit undo([&] {
    if (s.raised_reactions_ == raised) s.unmake_entity(e);
  });
  s.carry_or_queue([&] {
    e = s.make_entity();
    const auto give = [&](id_t id) {
      if (s.stages.queueing())
        add(e, id);
      else
        add_id(s.graph_, e, id);
    };
    if (parent) give(make_pair(ChildOf, parent));
    for (id_t id : s.with) give(id);
  });
  undo.dismiss();
  return e;
}

entity_t engine::create_id() {
  entity_t e = 0;
  state_->carry_or_queue([&] { e = state_->make_entity(); });
  return e;
}

entity_t engine::create_named(std::string_view text) {
  engine_state& s = *state_;
  result<parsed_path> parsed = parse_path(text);
  if (!parsed) raise(parsed.error());
  entity_t at = parsed->number ? parsed->number : parsed->from_root ? 0 : scope();
  if (parsed->number && !is_alive(at)) {
    s.stages.check_not_ended();
    raise(errc::unresolved, "there is no entity #", std::to_string(at));
  }
  std::span<const std::string> rest = parsed->names;
  for (; !rest.empty(); rest = rest.subspan(1)) {
    const entity_t next = s.names_.find(index_of(at), rest.front());
    if (!next) break;
    at = next;
  }
  if (rest.empty()) return at;
  s.stages.check_open("a named entity cannot be made");
  const bool is_watched =
      s.has_observers() && (s.watches_births() || s.store().sinks().seeing(make_pair(ChildOf, 0)));
  if (!is_watched || s.stages.queueing()) return create_path(at, rest);
  entity_t made = 0;
  s.react_to([&] { made = create_path(at, rest); }, true);
  return made;
}

// Makes all of the path below `at`, or nothing.
entity_t engine::create_path(entity_t at, std::span<const std::string> path) {
  engine_state& s = *state_;
  const std::size_t queued = s.stages.here().queue.size();
  std::vector<entity_t> made;
  scope_exit undo([&] {
    // A transaction takes back by itself what was made in it.
    if (s.graph_.undo) return;
    s.stages.truncate_queue(queued);
    for (; !made.empty(); made.pop_back()) {
      const entity_t e = made.back();
      s.graph_.child_order.erase(s.names_.parent_of(index_of(e)), e);
      s.names_.erase(e);
      s.unmake_entity(e);
    }
  });
  made.reserve(path.size());
  for (const std::string& name : path) {
    if (s.names_.is_coming(index_of(at), name))
      raise(errc::constraint, "the name '", name, "' is about to be given to another entity");
    const entity_t next = made.emplace_back(s.make_entity());
    // A new entity has its name at once, also while other changes wait, so that a second call
    // with the same path finds it.
    s.names_.set(next, index_of(at), name);
    s.store().entities().at_index(index_of(next)).named = true;
    if (at) add(next, make_pair(ChildOf, at));
    at = next;
  }
  for (id_t id : s.with) add(at, id);
  undo.dismiss();
  return at;
}

entity_t engine::create_with(std::span<const new_id> ids) {
  engine_state& s = *state_;
  std::vector<new_id> more;
  if (!s.with.empty()) {
    more.assign(ids.begin(), ids.end());
    for (id_t id : s.with)
      if (std::ranges::find(more, id, &new_id::id) == more.end()) more.push_back({id});
    ids = more;
  }
  const entity_t parent = scope();
  const auto all_plain = [&] {
    return !parent &&
           std::ranges::all_of(ids, [&](const new_id& n) { return s.graph_.is_plain(n.id); });
  };
  if (!s.stages.queueing() && all_plain()) {
    entity_t e = 0;
    // A constructor may have asked for a change that fails.
    const std::uint64_t raised = s.raised_reactions_;
    scope_exit undo([&] {
      if (s.raised_reactions_ == raised) s.unmake_entity(e);
    });
    const auto create = [&] { e = s.store().create_in_place(ids); };
    s.carry_ids(ids, s.watches_births(), create, &new_id::id);
    undo.dismiss();
    if (e) return e;
  }
  s.check_new_ids(ids);
  entity_t e = 0;
  const std::size_t queued = s.stages.here().queue.size();
  const std::uint64_t raised = s.raised_reactions_;
  scope_exit undo([&] {
    if (s.raised_reactions_ != raised) return;
    s.stages.truncate_queue(queued);
    s.unmake_entity(e);
  });
  if (s.stages.queueing()) {
    e = s.make_entity();
    if (parent) add(e, make_pair(ChildOf, parent));
    for (const new_id& n : ids) {
      if (const type_info* type = s.store().types().type_of(n.id))
        s.stages.push_value(e, n.id, *type, n.source);
      else
        add(e, n.id);
    }
    s.stages.here().queue.join(queued);
  } else {
    s.carry([&] {
      e = s.make_entity();
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
  for (id_t id : s.with)
    if (std::ranges::find(all, id, &bulk_id::id) == all.end()) all.push_back({id});
  s.check_new_ids(std::span<const bulk_id>(all));
  std::vector<entity_t> created;
  if (!s.stages.queueing()) {
    const bool plain =
        std::ranges::all_of(all, [&](const bulk_id& b) { return s.graph_.is_plain(b.id); });
    const auto create = [&] {
      if (plain)
        s.store().create_many(count, all, created);
      else
        create_each(s.graph_, count, all, created);
    };
    if (plain)
      s.carry_ids(all, s.watches_births(), create, &bulk_id::id);
    else
      s.carry(create);
    return created;
  }
  const std::size_t queued = s.stages.here().queue.size();
  scope_exit undo([&] {
    s.stages.truncate_queue(queued);
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
      nth_value value{&b, i};
      s.stages.push_value(e, b.id, *type, value.source());
    }
  }
  s.stages.here().queue.join(queued);
  undo.dismiss();
  return created;
}

void engine::make_alive(entity_t e) {
  state_->stages.check_open("an id cannot be made alive");
  const auto begin = [&] {
    const bool is_new = !is_alive(e);
    if (is_builtin(e) || !state_->store().make_alive(e))
      raise(errc::constraint, "#", std::to_string(e),
            " cannot be made alive: it is no entity, or another entity lives "
            "at its index");
    if (is_new) state_->note_birth(e, true);
  };
  state_->carry_or_queue(begin);
}

bool engine::is_alive(entity_t e) const { return state_->is_alive(e); }

entity_t engine::alive_at(std::uint32_t index) const {
  const entity_t e = state_->store().entities().alive_at(index);
  if (!e) state_->stages.check_not_ended();
  return e;
}

std::size_t engine::entity_count() const {
  return state().store().entities().size() - state_->builtin_count;
}

void engine::destroy(entity_t e) {
  engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  if (s.stages.queueing())
    return s.stages.queue().push({.what = command::kind::destroy, .entity = e});
  const auto destroy = [&] { s.destroy(e); };
  if (!s.has_observers() || r.referenced || s.reactions->ends_with(e)) return s.carry(destroy);
  s.carry_ids(s.store().owned_ids(r), s.reactions->reads_end_of(e), destroy);
}

void engine::clear(entity_t e) {
  engine_state& s = *state_;
  s.alive(e);
  if (s.stages.queueing())
    return s.stages.queue().push({.what = command::kind::clear, .entity = e});
  s.carry([&] { core::clear(s.graph_, e); });
}

entity_t engine::clone(entity_t e, entity_t into, bool with_values) {
  engine_state& s = *state_;
  s.alive(e);
  if (into) s.alive(into);
  entity_t to = into;
  const std::uint64_t raised = s.raised_reactions_;
  scope_exit undo([&] {
    if (!into && s.raised_reactions_ == raised) s.unmake_entity(to);
  });
  s.carry_or_queue([&] {
    const std::size_t queued = s.stages.here().queue.size();
    if (!into) to = s.make_entity();
    if (s.stages.queueing()) {
      s.stages.queue().push(
          {.what = command::kind::clone, .with_values = with_values, .entity = to, .id = e});
      s.stages.here().queue.join(queued);
    } else {
      copy_ids(s.graph_, e, to, with_values);
    }
    undo.dismiss();
  });
  undo.dismiss();
  return to;
}

// --- ids -----------------------------------------------------------------------------------------

entity_t engine::first(id_t pair) const { return alive_at(relation_of(pair)); }
entity_t engine::second(id_t pair) const { return alive_at(target_of(pair)); }

namespace {

[[gnu::noinline]] void queue_add(engine_state& s, entity_t e, id_t id) {
  s.alive(e);
  s.check_addable(id);
  s.stages.queue().push({.what = command::kind::add, .entity = e, .id = id});
}

[[gnu::noinline]] void queue_remove(engine_state& s, entity_t e, id_t id) {
  s.alive(e);
  s.check_known(id);
  s.stages.queue().push({.what = command::kind::remove, .entity = e, .id = id});
}

[[gnu::noinline]] void queue_set(engine_state& s, entity_t e, id_t id, entity_t value_type,
                                 const value_source& source) {
  // A destructor that sets a value with such a destructor would go on for ever.
  if (s.stages.is_ending()) return;
  s.alive(e);
  s.check_addable(id);
  s.stages.push_value(e, id, s.check_has_value(id, value_type), source);
}

[[gnu::noinline]] void set_anywhere(graph& g, entity_t e, id_t id, const value_source& source) {
  if (const located_value now = g.store.find_value(g.alive(e), id))
    g.store.assign(now, e, id, source);
  else
    add_id(g, e, id, source);
}

}  // namespace

// The common cases are decided by a look at the table.
void set_value(graph& g, entity_t e, id_t id, const value_source& source) {
  if (const entity_record* r = g.store.entities().find(e)) {
    const table& t = g.store.tables().at(r->table);
    if (t.has_few_columns()) {
      if (const column* c = t.find_column(id)) return g.store.assign(*c, r->row, e, source);
      if (!r->loose) return add_id(g, e, id, source);
    }
  }
  set_anywhere(g, e, id, source);
}

void engine::add(entity_t e, id_t id) {
  engine_state& s = *state_;
  if (s.stages.queueing()) return queue_add(s, e, id);
  static constexpr value_source nothing{};
  s.carry_one(e, id, engine_state::one_change::add, [&] { add_id(s.graph_, e, id, nothing); });
}

void engine::remove(entity_t e, id_t id) {
  engine_state& s = *state_;
  if (s.stages.queueing()) return queue_remove(s, e, id);
  s.carry_one(e, id, engine_state::one_change::remove, [&] { remove_id(s.graph_, e, id); });
}

void engine::set_enabled(entity_t e, id_t id, bool on) {
  engine_state& s = *state_;
  s.alive(e);
  s.check_exact(id);
  if (s.stages.queueing())
    return s.stages.queue().push(
        {.what = on ? command::kind::enable : command::kind::disable, .entity = e, .id = id});
  s.carry([&] { core::set_enabled(s.graph_, e, id, on); });
}

// --- values --------------------------------------------------------------------------------------

void engine::modified(entity_t e, id_t id) {
  engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  s.check_known(id);
  if (!s.store().owns(r, id) && !s.will_have_value(e, id))
    raise(errc::out_of_range, s.text(e), " does not have ", s.text(id));
  const located_value found = s.store().find_value(r, id);
  if (!found && !s.stages.queueing()) return;
  if (found) s.note_write(found, e, id);
  if (!s.has_observers() || !s.store().sinks().seeing(id)) return;
  if (s.stages.queueing())
    return s.stages.queue().push({.what = command::kind::modified, .entity = e, .id = id});
  const auto nothing = [] {};
  if (s.react_plainly(e, id, engine_state::one_change::set, nothing)) return s.settle();
  s.carry([&] { s.note_modified(e, id); });
}

bool engine_state::will_have_value(entity_t e, id_t id) {
  if (!stages.queueing()) return false;
  const bool exclusive = is_pair(id) && graph_.traits.of_id(id) & trait::exclusive;
  return static_cast<bool>(stages.queue().outlook_for(e, id, exclusive).value);
}

void engine_state::note_modified(entity_t e, id_t id) {
  if (has_observers() && store().find_value(alive(e), id)) reactions->note_modified(e, id);
}

void* engine::ensure(entity_t e, id_t id, entity_t value_type) {
  engine_state& s = *state_;
  const entity_record& r = s.alive(e);
  s.check_addable(id);
  s.check_has_value(id, value_type);
  const located_value found = s.store().find_value(r, id);
  if (!found && id == Component) engine_state::raise_becomes_component();
  if (s.stages.queueing()) {
    const command_queue::outlook ahead = s.stages.queue().outlook_for(
        e, id, is_pair(id) && s.graph_.traits.of_id(id) & trait::exclusive);
    if (ahead.value) return ahead.value.value();
    if (found && !ahead.removed) {
      s.note_write(found, e, id);
      return found.value();
    }
    const type_info& type = *s.store().types().type_of(id);
    // The value begins as `add` would make it: a copy of the inherited one, or the default one.
    value_source source{.is_default = true};
    located_value inherited;
    if (const entity_t owner = found ? 0 : s.graph_.inherit.owner(e, r, id)) {
      inherited = s.store().find_value(s.alive(owner), id);
      source = inherited.copy();
    }
    return type.value(s.stages.push_value(e, id, type, source));
  }
  if (found) {
    s.note_write(found, e, id);
    return found.value();
  }
  s.carry([&] { add_id(s.graph_, e, id); });
  const entity_record* still = s.store().entities().find(e);
  const located_value made = still ? s.store().find_value(*still, id) : located_value();
  if (!made) raise(errc::constraint, s.text(id), " was removed by its own constructor");
  return made.value();
}

void engine::set(entity_t e, id_t id, entity_t value_type, const value_source& source) {
  engine_state& s = *state_;
  if (id == Component) engine_state::raise_becomes_component();
  if (id != value_type) {
    s.check_addable(id);
    s.check_has_value(id, value_type);
  }
  if (s.stages.queueing()) return queue_set(s, e, id, value_type, source);
  s.carry_one(e, id, engine_state::one_change::set, [&] { set_value(s.graph_, e, id, source); });
}

void engine::set_copy(entity_t e, id_t id, const void* value, std::optional<std::size_t> size) {
  engine_state& s = *state_;
  s.check_addable(id);
  s.check_has_value(id, 0);
  if (!value) raise(errc::type, text_of(id), " was given no value to copy");
  const type_info& type = *s.store().types().type_of(id);
  if (size && *size != type.size)
    raise(errc::type, text_of(id), " has values of ", std::to_string(type.size), " bytes, not of ",
          std::to_string(*size));
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
  const type_info* type = state().store().types().type_of(id);
  return type ? type->component : 0;
}

std::size_t engine::size_of(entity_t component) const {
  const type_info* type = state().store().types().find(index_of(component));
  return type ? type->size : 0;
}

// --- storage -------------------------------------------------------------------------------------

std::size_t engine::reclaim() { return state().stages.queueing() ? 0 : state_->store().reclaim(); }
std::size_t engine::table_count() const { return state().store().tables().size(); }

std::uint32_t engine::table_number(entity_t e) const { return state_->alive(e).table.value; }

std::uint32_t engine::table_row(entity_t e) const { return state_->alive(e).row.value; }

std::span<const entity_t> engine::table_entities(std::uint32_t t) const {
  const auto& tables = state().store().tables();
  if (t >= tables.size()) return {};
  return tables.at(table_id{t}).entities();
}

void* engine::table_values(std::uint32_t t, id_t id) const {
  const auto& tables = state().store().tables();
  if (t >= tables.size() || tables.at(table_id{t}).size() == 0) return nullptr;
  const column* const c = tables.at(table_id{t}).find_column(id);
  return c && !c->type->boxed ? c->slot(row_index{0}) : nullptr;
}

std::vector<id_t> engine::table_ids(entity_t e) const {
  const auto ids = state_->store().tables().at(state_->alive(e).table).ids();
  return {ids.begin(), ids.end()};
}

}  // namespace kith::core
