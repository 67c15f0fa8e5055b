#include "world/engine_state.hpp"

#include <algorithm>

#include "base/scope_exit.hpp"
#include "entity/describe.hpp"

namespace kith::core {

void engine_state::bootstrap() {
  constexpr struct {
    entity_t e;
    const char* name;
  } builtins[] = {
      {BuiltinScope, "kith"},   {Wildcard, "*"},          {Any, "_"},
      {Component, "Component"}, {ChildOf, "ChildOf"},     {Disabled, "Disabled"},
      {PairIsTag, "PairIsTag"}, {Exclusive, "Exclusive"}, {Acyclic, "Acyclic"},
  };
  for (const auto& b : builtins) store_.make_alive(b.e);
  builtin_count = std::size(builtins);

  id_group& children = store_.ids().group_of(make_pair(ChildOf, 0));
  children.where = id_group::place::pools;
  children.pinned = true;
  children.traits = delete_with_target;
  for (entity_t trait : {PairIsTag, Exclusive, Acyclic}) {
    traits_.apply(ChildOf, trait, true);
    store_.add(ChildOf, trait);
  }

  for (const auto& b : builtins) {
    const entity_t scope_of_b = b.e == BuiltinScope ? 0 : BuiltinScope;
    if (scope_of_b) store_.add(b.e, make_pair(ChildOf, scope_of_b));
    names_.set(b.e, index_of(scope_of_b), b.name);
    store_.entities().at_index(index_of(b.e)).named = true;
  }
}

// --- checks --------------------------------------------------------------------------------------

entity_record& engine_state::alive(entity_t e) {
  if (entity_record* r = store_.entities().find(e)) return *r;
  if (e) raise(errc::not_alive, "entity ", text(e), " is not alive");
  raise(errc::not_alive, "no entity was given");
}

const entity_record& engine_state::alive(entity_t e) const {
  return const_cast<engine_state*>(this)->alive(e);
}

void engine_state::check_addable(id_t id) const {
  if (has_wildcard(id))
    raise(errc::constraint, text_of_id(id), " is a pattern and cannot be added to an entity");
  check_known(id);
}

void engine_state::check_known(id_t id) const {
  if (!is_pair(id)) {
    alive(id);
    return;
  }
  for (std::uint32_t index : {relation_of(id), target_of(id)})
    if (!store_.entities().alive_at(index))
      raise(errc::not_alive, "a part of the pair ", text_of_id(id), " is not alive");
}

void engine_state::check_has_value(id_t id, entity_t value_type) const {
  const type_info* type = store_.types().type_of(id);
  if (!type) raise(errc::type, text_of_id(id), " is a tag and has no value");
  if (value_type && type->component != value_type)
    raise(errc::type, text_of_id(id), " has values of type ", text(type->component), ", not ",
          text(value_type));
}

void engine_state::check_new_ids(std::span<const id_t> ids) const {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    check_addable(ids[i]);
    if (ids[i] == Component || traits::is_trait(ids[i]))
      raise(errc::constraint, "an entity cannot start with ", text_of_id(ids[i]));
    for (id_t other : ids.subspan(i + 1)) {
      if (ids[i] == other) raise(errc::constraint, text_of_id(other), " is given twice");
      if (is_pair(ids[i]) && is_pair(other) && relation_of(ids[i]) == relation_of(other) &&
          traits_.flags_of(other) & exclusive)
        raise(errc::constraint, text_of_id(ids[i]), " and ", text_of_id(other),
              " exclude each other");
    }
  }
}

void engine_state::raise_taken(std::string_view name, entity_t parent) const {
  raise(errc::constraint, "the name '", name, "' is taken ",
        parent ? concat("in ", text(parent)) : "at the root");
}

// A name must be free under the new parent.
void engine_state::check_parent_change(entity_t e, const entity_record& r,
                                       entity_t new_parent) const {
  if (is_builtin(e)) raise(errc::constraint, text(e), " is built in and keeps its place");
  if (!r.named) return;
  const std::string_view name = names_.name_of(index_of(e));
  const entity_t other = names_.find(index_of(new_parent), name);
  if (other && other != e) raise_taken(name, new_parent);
}

entity_t engine_state::find_below(entity_t start, std::span<const std::string> path) const {
  entity_t at = start;
  for (const std::string& name : path)
    if (at = names_.find(index_of(at), name); !at) return 0;
  return at;
}

// --- changes -------------------------------------------------------------------------------------

void engine_state::add(entity_t e, id_t id, const value_source& source) {
  entity_record& r = alive(e);
  // An edge tells at once that the id is sound and whether it is there. Ids that mean more than
  // themselves take the long way.
  const bool plain = is_pair(id) ? !traits_.any_guarded() : !is_builtin(id);
  if (plain) {
    const table& from = store_.tables().at(r.table);
    if (const table* to = from.edges().find(id)) {
      if (to->ids().size() > from.ids().size()) store_.add(e, id, source);
      return;
    }
  }

  check_addable(id);
  if (store_.owns(r, id)) return;
  if (!is_pair(id)) {
    // Registering comes with the value.
    if (id == Component && !source.construct)
      raise(errc::constraint, "an entity becomes a component when it is registered as one");
    const bool is_trait = traits::is_trait(id);
    if (is_trait) traits_.check(e, id, true);
    store_.add(e, id, source);
    if (is_trait) traits_.apply(e, id, true);
    return;
  }

  const std::uint32_t relation = relation_of(id);
  const std::uint32_t flags = traits_.flags_of(id);
  const entity_t target = store_.entities().alive_at(target_of(id));
  const bool reparents = relation == index_of(ChildOf);
  if (reparents) check_parent_change(e, r, target);
  if (flags & acyclic && closes_cycle(store_, relation, e, target))
    raise(errc::constraint, "adding ", text_of_id(id), " to ", text(e),
          " would close a cycle, and ", text(store_.entities().alive_at(relation)), " is Acyclic");
  // Copied, because the exchange changes what pairs_of shows.
  const auto present = flags & exclusive ? store_.pairs_of(r, relation) : std::span<const id_t>();
  if (const id_t old = present.empty() ? 0 : present.front())
    store_.exchange(e, old, id, source);
  else
    store_.add(e, id, source);
  if (reparents && r.named) names_.move(e, index_of(target));
}

// Raises an error if an id the entity owns cannot be taken from it.
void engine_state::check_remove(entity_t e, const entity_record& r, id_t id) const {
  if (is_pair(id)) {
    if (relation_of(id) == index_of(ChildOf)) check_parent_change(e, r, 0);
    return;
  }
  if (id == Component)
    raise(errc::constraint, text(e), " is a component; delete it to unregister it");
  if (!traits::is_trait(id)) return;
  if (is_builtin(e)) raise(errc::constraint, text(e), " is built in and keeps its traits");
  traits_.check(e, id, false);
}

void engine_state::remove(entity_t e, id_t id) {
  entity_record& r = alive(e);
  std::vector<id_t> going;
  if (has_wildcard(id)) {
    going = store_.owned_ids(r);
    std::erase_if(going, [&](id_t each) { return !matches(each, id) || each == Component; });
  } else if (store_.owns(r, id)) {
    going.push_back(id);
  }
  for (id_t each : going) check_remove(e, r, each);
  std::ranges::reverse(going);  // a long list is shortest at its end
  for (id_t each : going) {
    store_.remove(e, each);
    if (traits::is_trait(each)) traits_.apply(e, each, false);
    if (r.named && is_pair(each) && relation_of(each) == index_of(ChildOf)) names_.move(e, 0);
  }
}

void engine_state::set(entity_t e, id_t id, const value_source& source) {
  const entity_record& r = alive(e);
  if (store_.find_value(r, id))
    store_.assign(r, id, source);
  else
    add(e, id, source);
}

void engine_state::set_name(entity_t e, std::string_view name) {
  entity_record& r = alive(e);
  if (is_builtin(e)) raise(errc::constraint, text(e), " is built in and keeps its name");
  if (name.empty()) {
    names_.erase(e);
    r.named = false;
    return;
  }
  const entity_t parent = parent_of(store_, r);
  const entity_t other = names_.find(index_of(parent), name);
  if (other == e) return;
  if (other) raise_taken(name, parent);
  names_.set(e, index_of(parent), name);
  r.named = true;
}

// Brings the name of an entity back under its parent; if it is taken there, the name is lost.
void engine_state::repair_name(entity_t e) {
  entity_record* r = store_.entities().find(e);
  if (!r || !r->named) return;
  const entity_t parent = parent_of(store_, *r);
  const entity_t other = names_.find(index_of(parent), names_.name_of(index_of(e)));
  if (!other || other == e) return names_.move(e, index_of(parent));
  names_.erase(e);
  r->named = false;
}

void engine_state::destroy(entity_t e) {
  alive(e);
  if (is_builtin(e)) raise(errc::constraint, text(e), " is built in and cannot be deleted");
  cleanup_.destroy(e, [this](entity_t going) {
    traits_.forget(going);
    auto found = registered.find(index_of(going));
    if (found == registered.end()) return;
    std::ranges::replace(components_by_slot, going, entity_t{0});
    components_by_name.erase(found->second);
    registered.erase(found);
  });
}

void engine_state::clear(entity_t e) {
  entity_record& r = alive(e);
  if (is_builtin(e)) raise(errc::constraint, text(e), " is built in and keeps its ids");
  std::vector<id_t> ids = store_.owned_ids(r);
  std::erase(ids, Component);
  check_parent_change(e, r, 0);
  for (id_t id : ids)
    if (traits::is_trait(id)) traits_.check(e, id, false);
  if (ids.size() == store_.owned_ids(r).size())
    store_.clear(e);
  else
    store_.remove_all(e, ids);
  for (id_t id : ids)
    if (traits::is_trait(id)) traits_.apply(e, id, false);
  if (r.named && names_.find(0, names_.name_of(index_of(e))) != e) names_.move(e, 0);
}

void engine_state::clone(entity_t from, entity_t to, bool with_values) {
  const entity_record& source = alive(from);
  const entity_record& copy = alive(to);
  if (!store_.owned_ids(copy).empty())
    raise(errc::constraint, "cannot copy to ", text(to), ": it has ids already");
  std::vector<id_t> ids = store_.owned_ids(source);
  std::erase(ids, Component);
  if (std::ranges::any_of(ids, [](id_t id) { return is_pair(id) && relation_of(id) == ChildOf; }))
    check_parent_change(to, copy, parent_of(store_, source));

  for (id_t id : ids) {
    if (traits::is_trait(id)) traits_.check(to, id, true);
    if (is_pair(id) && traits_.flags_of(id) & acyclic &&
        closes_cycle(store_, relation_of(id), to, store_.entities().alive_at(target_of(id))))
      raise(errc::constraint, "copying ", text_of_id(id), " to ", text(to), " would close a cycle");
  }

  // The values are looked up when they are copied: copying the first may move the others.
  struct original {
    const store* from;
    const entity_record* entity;
    id_t id;
  };
  std::vector<original> originals;
  originals.reserve(ids.size());
  std::vector<new_id> added;
  for (id_t id : ids) {
    new_id n{id};
    if (with_values) {
      n.source.context = &originals.emplace_back(original{&store_, &source, id});
      n.source.construct = [](void* slot, void* context) {
        const auto& o = *static_cast<original*>(context);
        const located_value value = o.from->find_value(*o.entity, o.id);
        construct_copy(*value.type, slot, value.slot);
      };
    }
    added.push_back(n);
  }
  store_.add_all(to, added);
  for (id_t id : ids) {
    if (store_.is_off(source, id)) store_.set_off(copy, id, true);
    if (traits::is_trait(id)) traits_.apply(to, id, true);
  }
  if (copy.named) names_.move(to, index_of(parent_of(store_, copy)));
}

void engine_state::set_enabled(entity_t e, id_t id, bool on) {
  const entity_record& r = alive(e);
  if (!store_.owns(r, id))
    raise(errc::constraint, text(e), " does not own ", text_of_id(id),
          ", so it cannot be switched");
  store_.set_off(r, id, !on);
}

bool engine_state::builtins_may_have(id_t id) {
  return is_pair(id) ? relation_of(id) < first_user_index && target_of(id) < first_user_index
                     : is_builtin(id);
}

std::vector<entity_t> engine_state::entities_with(id_t id) const {
  std::vector<entity_t> found;
  const auto collect = [&](const id_record& record) {
    store_.each(record, [&](entity_t e) { found.push_back(e); });
  };
  if (!has_wildcard(id)) {
    if (const id_record* record = store_.ids().find(id)) collect(*record);
    if (builtins_may_have(id)) std::erase_if(found, is_builtin);
    return found;
  }
  if (is_pair(id) && !is_wildcard(relation_of(id))) {
    for (const id_record* r = store_.ids().first_of_relation(relation_of(id)); r;
         r = r->next_of_relation)
      collect(*r);
  } else if (is_pair(id) && !is_wildcard(target_of(id))) {
    for (const id_record* r = store_.ids().first_of_target(target_of(id)); r; r = r->next_of_target)
      collect(*r);
  } else {
    store_.ids().each([&](const id_record& record) {
      if (matches(record.id, id)) collect(record);
    });
  }
  std::erase_if(found, is_builtin);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void engine_state::remove_from_all(id_t id) {
  const std::vector<entity_t> found = entities_with(id);
  // Entities that lose their parent meet at the root, where a name can be there only once.
  hash_map<std::string_view, bool, std::hash<std::string_view>> names_at_root;
  for (entity_t e : found) {
    const entity_record& r = alive(e);
    for (id_t each : store_.owned_ids(r)) {
      if (!matches(each, id)) continue;
      check_remove(e, r, each);
      if (!r.named || !is_pair(each) || relation_of(each) != index_of(ChildOf)) continue;
      const std::string_view name = names_.name_of(index_of(e));
      if (!names_at_root.try_emplace(name, true).second)
        raise(errc::constraint, "the name '", std::string(name), "' would be twice at the root");
    }
  }
  for (entity_t e : found) remove(e, id);
}

void engine_state::delete_with(id_t id) {
  const std::vector<entity_t> found = entities_with(id);
  for (entity_t e : found)
    if (store_.entities().is_alive(e)) destroy(e);
}

// --- deferred mode -------------------------------------------------------------------------------

void engine_state::carry_out(command& c, const command_queue& from) {
  switch (c.what) {
    case command::kind::add: {
      // An entity made by path has its name under its parent already; it must not stay there if the
      // parent is gone meanwhile.
      scope_exit undo([&] {
        if (is_pair(c.id) && relation_of(c.id) == index_of(ChildOf)) repair_name(c.entity);
      });
      add(c.entity, c.id, {});
      undo.dismiss();
      return;
    }
    case command::kind::remove:
      return remove(c.entity, c.id);
    case command::kind::set: {
      alive(c.entity);
      check_addable(c.id);
      check_has_value(c.id, c.type->component);
      // Whoever moves the value out of the queue clears `slot`.
      value_source source;
      source.context = &c;
      source.construct = [](void* slot, void* context) {
        auto& queued = *static_cast<command*>(context);
        relocate(*queued.type, slot, queued.slot, 1);
        queued.slot = nullptr;
      };
      source.assign = [](void* slot, void* context) {
        auto& queued = *static_cast<command*>(context);
        replace(*queued.type, slot, std::exchange(queued.slot, nullptr));
      };
      return set(c.entity, c.id, source);
    }
    case command::kind::enable:
      return set_enabled(c.entity, c.id, true);
    case command::kind::disable:
      return set_enabled(c.entity, c.id, false);
    case command::kind::clear:
      return clear(c.entity);
    case command::kind::destroy:
      return destroy(c.entity);
    case command::kind::clone:
      return clone(c.id, c.entity, c.with_values);
    case command::kind::set_name:
      return set_name(c.entity, from.text(c));
    case command::kind::remove_from_all:
      return remove_from_all(c.id);
    case command::kind::delete_with:
      return delete_with(c.id);
  }
}

std::exception_ptr engine_state::flush_into([[maybe_unused]] std::vector<error>& errors) {
  std::exception_ptr first;
  while (!queue.empty()) {
    command_queue batch;
    batch.swap(queue);
    for (std::size_t i = 0; i < batch.size(); ++i) {
#if defined(__cpp_exceptions)
      try {
        carry_out(batch[i], batch);
      } catch (const error& e) {
        if (!first) first = std::current_exception();
        errors.push_back(e);
      } catch (const std::exception& e) {
        if (!first) first = std::current_exception();
        errors.emplace_back(errc::constraint, e.what());
      } catch (...) {
        if (!first) first = std::current_exception();
        errors.emplace_back(errc::constraint, "a constructor threw something unknown");
      }
#else
      carry_out(batch[i], batch);
#endif
    }
  }
  return first;
}

void engine_state::flush() {
  std::vector<error> errors;
  if (std::exception_ptr first = flush_into(errors)) std::rethrow_exception(first);
}

}  // namespace kith::core
