#include "world/engine_state.hpp"

#include <algorithm>

#include "base/scope_exit.hpp"
#include "entity/describe.hpp"
#include "relations/change.hpp"
#include "relations/cleanup.hpp"

namespace kith::core {

namespace {

// What built-in entities own from the start, besides their place in the scope.
constexpr struct {
  entity_t e;
  id_t id;
} builtin_facts[] = {
    {ChildOf, PairIsTag},
    {ChildOf, Exclusive},
    {ChildOf, Acyclic},
    {ChildOf, make_pair(OnDeleteTarget, Delete)},
    {ChildOf, make_pair(OnInstantiate, DontInherit)},
    {IsA, PairIsTag},
    {IsA, Transitive},
    {IsA, make_pair(OnInstantiate, DontInherit)},
    {Prefab, make_pair(OnInstantiate, DontInherit)},
    {Disabled, make_pair(OnInstantiate, DontInherit)},
    {SlotOf, PairIsTag},
    {SlotOf, make_pair(OnInstantiate, DontInherit)},
    {With, PairIsTag},
    {OneOf, PairIsTag},
    {OnInstantiate, PairIsTag},
    {OnInstantiate, Exclusive},
    {OnDelete, PairIsTag},
    {OnDelete, Exclusive},
    {OnDeleteTarget, PairIsTag},
    {OnDeleteTarget, Exclusive},
};

}  // namespace

bool engine_state::is_born_with(entity_t e, id_t id) {
  if (id == make_pair(ChildOf, BuiltinScope) || id == Component) return true;
  return std::ranges::any_of(builtin_facts, [&](const auto& f) { return f.e == e && f.id == id; });
}

void engine_state::bootstrap() {
  constexpr struct {
    entity_t e;
    const char* name;
  } builtins[] = {
      {BuiltinScope, "kith"},
      {Wildcard, "*"},
      {Any, "_"},
      {Component, "Component"},
      {ChildOf, "ChildOf"},
      {IsA, "IsA"},
      {Prefab, "Prefab"},
      {Disabled, "Disabled"},
      {SlotOf, "SlotOf"},
      {PairIsTag, "PairIsTag"},
      {Exclusive, "Exclusive"},
      {Acyclic, "Acyclic"},
      {Transitive, "Transitive"},
      {Reflexive, "Reflexive"},
      {Symmetric, "Symmetric"},
      {Traversable, "Traversable"},
      {Final, "Final"},
      {Inheritable, "Inheritable"},
      {OneOf, "OneOf"},
      {With, "With"},
      {Relationship, "Relationship"},
      {Target, "Target"},
      {Trait, "Trait"},
      {CanToggle, "CanToggle"},
      {Singleton, "Singleton"},
      {OrderedChildren, "OrderedChildren"},
      {Sparse, "Sparse"},
      {DontFragment, "DontFragment"},
      {Fragment, "Fragment"},
      {Union, "Union"},
      {OnInstantiate, "OnInstantiate"},
      {Inherit, "Inherit"},
      {Override, "Override"},
      {DontInherit, "DontInherit"},
      {OnDelete, "OnDelete"},
      {OnDeleteTarget, "OnDeleteTarget"},
      {Remove, "Remove"},
      {Delete, "Delete"},
      {Panic, "Panic"},
  };
  for (const auto& b : builtins) store().make_alive(b.e);
  builtin_count = std::size(builtins);

  // What is about an entity itself is not handed on, and built-in relations may be about anything.
  for (const auto& b : builtins)
    graph_.traits.be_born_with(b.e, trait::about_ids | trait::dont_inherit);
  id_group& children = store().ids().group_of(make_pair(ChildOf, 0));
  children.where = id_group::place::pools;
  children.pinned = true;

  for (const auto& f : builtin_facts) {
    store().add(f.e, f.id);
    graph_.traits.keep(f.e, f.id);
  }
  for (const auto& b : builtins) {
    const entity_t scope_of_b = b.e == BuiltinScope ? 0 : BuiltinScope;
    if (scope_of_b) store().add(b.e, make_pair(ChildOf, scope_of_b));
    names_.set(b.e, index_of(scope_of_b), b.name);
    store().entities().at_index(index_of(b.e)).named = true;
  }
  for (const auto& f : builtin_facts) graph_.traits.update(f.e);
}

// --- checks --------------------------------------------------------------------------------------

entity_record& engine_state::promised_or_raise(entity_t e) {
  return reading && is_promised(e) ? promised_record_ : graph_.alive(e);
}

id_t engine_state::promised_pair(entity_t relation, entity_t target) const {
  if (is_pair(relation) || is_pair(target))
    raise(errc::constraint, "a pair cannot be the relation or the target of a pair: ",
          text_of_id(is_pair(relation) ? relation : target));
  alive(relation);
  alive(target);
  return make_pair(relation, target);
}

const type_info& engine_state::check_has_value(id_t id, entity_t value_type) const {
  const type_info* type = store().types().type_of(id);
  if (!type) raise(errc::type, text_of_id(id), " is a tag and has no value");
  if (value_type && type->component != value_type)
    raise(errc::type, text_of_id(id), " has values of type ", text(type->component), ", not ",
          text(value_type));
  return *type;
}

entity_t engine_state::find_below(entity_t start, std::span<const std::string> path) const {
  entity_t at = start;
  for (const std::string& name : path)
    if (at = names_.find(index_of(at), name); !at) return 0;
  return at;
}

// --- changes -------------------------------------------------------------------------------------

bool engine_state::sees_pair(entity_t e, entity_t relation, entity_t target) const {
  return sees(e, pair(relation, target));
}

void engine_state::add(entity_t e, id_t id, const value_source& source) {
  add_id(graph_, e, id, source);
}

void engine_state::remove(entity_t e, id_t id) { remove_id(graph_, e, id); }

// Mostly a look at the table tells whether the value is there.
void engine_state::set(entity_t e, id_t id, const value_source& source) {
  if (const entity_record* r = store().entities().find(e)) {
    const table& t = store().tables().at(r->table);
    if (t.has_few_columns()) {
      if (const column* c = t.find_column(id)) return store().assign(*c, r->row, e, source);
      if (!r->loose) return add_id(graph_, e, id, source);
    }
  }
  set_anywhere(e, id, source);
}

void engine_state::set_anywhere(entity_t e, id_t id, const value_source& source) {
  if (const located_value now = store().find_value(alive(e), id))
    store().assign(now, e, id, source);
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
  const entity_t parent = parent_of(store(), r);
  const entity_t other = names_.find(index_of(parent), name);
  if (other == e) return;
  if (other)
    raise(errc::constraint, "the name '", name, "' is taken ",
          parent ? concat("in ", text(parent)) : "at the root");
  names_.set(e, index_of(parent), name);
  r.named = true;
}

void engine_state::set_child_order(entity_t parent, std::span<const entity_t> children) {
  if (!store().owns(alive(parent), OrderedChildren))
    raise(errc::constraint, text(parent), " does not have OrderedChildren");
  std::vector<entity_t> given(children.begin(), children.end());
  const auto now = graph_.children(parent);
  std::vector<entity_t> there(now.begin(), now.end());
  std::ranges::sort(given);
  std::ranges::sort(there);
  if (given != there)
    raise(errc::constraint, "the order must name each child of ", text(parent), " once");
  graph_.child_order.set(index_of(parent), children);
}

// Brings the name of an entity back under its parent; if it is taken there, the name is lost.
void engine_state::repair_name(entity_t e) {
  entity_record* r = store().entities().find(e);
  if (!r || !r->named) return;
  const entity_t parent = parent_of(store(), *r);
  const entity_t other = names_.find(index_of(parent), names_.name_of(index_of(e)));
  if (!other || other == e) return names_.move(e, index_of(parent));
  names_.erase(e);
  r->named = false;
}

void engine_state::forget_component(entity_t e) {
  if (!store().entities().at_index(index_of(e)).referenced) return;
  members_.erase(e);
  auto found = registered.find(index_of(e));
  if (found == registered.end()) return;
  std::ranges::replace(components_by_slot, e, entity_t{0});
  components_by_name.erase(found->second);
  registered.erase(found);
}

void engine_state::destroy(entity_t e) {
  alive(e);
  delete_entity(graph_, e, [this](entity_t going) { forget_component(going); });
}

void engine_state::clear(entity_t e) {
  const entity_record& r = alive(e);
  if (is_builtin(e)) raise(errc::constraint, text(e), " is built in and keeps its ids");
  change c(graph_);
  for (id_t id : store().owned_ids(r))
    if (id != Component) c.remove(e, id);
  c.commit();
}

void engine_state::clone(entity_t from, entity_t to, bool with_values) {
  const entity_record& source = alive(from);
  const entity_record& copy = alive(to);
  if (!store().owned_ids(copy).empty())
    raise(errc::constraint, "cannot copy to ", text(to), ": it has ids already");
  change c(graph_);
  std::vector<id_t> off;
  for (id_t id : store().owned_ids(source)) {
    if (id == Component) continue;
    c.add_copy(to, id, with_values ? from : 0);
    if (store().is_off(source, id)) off.push_back(id);
  }
  // The original may lose what the copy gets.
  c.commit();
  for (id_t id : off) store().set_off(copy, id, true);
}

void engine_state::create_each(std::size_t count, std::span<const bulk_id> ids,
                               std::vector<entity_t>& created) {
  scope_exit undo([&] {
    for (entity_t e : created) destroy(e);
    created.clear();
  });
  for (std::size_t i = 0; i < count; ++i) {
    const entity_t e = created.emplace_back(store().create());
    struct nth {
      const bulk_id* bulk;
      std::size_t i;
    };
    std::vector<nth> contexts;
    contexts.reserve(ids.size());
    change c(graph_);
    for (const bulk_id& b : ids) {
      value_source source;
      if (b.construct)
        source = {&contexts.emplace_back(nth{&b, i}), [](void* slot, void* context) {
                    const auto& n = *static_cast<nth*>(context);
                    std::size_t done = 0;
                    n.bulk->construct(slot, n.i, 1, done, n.bulk->context);
                  }};
      c.add(e, b.id, source);
    }
    c.commit();
  }
  undo.dismiss();
}

void engine_state::set_enabled(entity_t e, id_t id, bool on) {
  const entity_record& r = alive(e);
  check_known(id);
  if (!store().owns(r, id))
    raise(errc::constraint, text(e), " does not own ", text_of_id(id),
          ", so it cannot be switched");
  store().set_off(r, id, !on);
  graph_.inherit.touch_all();
}

std::vector<entity_t> engine_state::entities_with(id_t id) const {
  std::vector<entity_t> found;
  const auto collect = [&](const id_record& record) {
    store().each(record, [&](entity_t e) { found.push_back(e); });
  };
  if (!has_wildcard(id)) {
    if (const id_record* record = store().ids().find(id)) collect(*record);
    std::erase_if(found, is_builtin);
    return found;
  }
  if (is_pair(id) && !is_wildcard(relation_of(id))) {
    for (const id_record* r = store().ids().first_of_relation(relation_of(id)); r;
         r = r->next_of_relation)
      collect(*r);
  } else if (is_pair(id) && !is_wildcard(target_of(id))) {
    for (const id_record* r = store().ids().first_of_target(target_of(id)); r;
         r = r->next_of_target)
      collect(*r);
  } else {
    store().ids().each([&](const id_record& record) {
      if (matches(record.id, id)) collect(record);
    });
  }
  std::erase_if(found, is_builtin);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void engine_state::remove_from_all(id_t id) {
  check_known(id);
  change c(graph_);
  for (entity_t e : entities_with(id))
    for (id_t each : store().owned_ids(alive(e)))
      if (matches(each, id) && each != Component) c.remove(e, each);
  c.commit();
}

void engine_state::delete_with(id_t id) {
  check_known(id);
  delete_entities(graph_, entities_with(id), [this](entity_t going) { forget_component(going); });
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
    case command::kind::order_children:
      return set_child_order(c.entity, from.list(c));
    case command::kind::remove_from_all:
      return remove_from_all(c.id);
    case command::kind::delete_with:
      return delete_with(c.id);
  }
}

std::exception_ptr engine_state::flush_into([[maybe_unused]] std::vector<error>& errors) {
  std::exception_ptr first;
  store().entities().hold_dead();
  scope_exit release([&] { store().entities().release_dead(); });
  while (!main.queue.empty()) {
    command_queue batch;
    batch.swap(main.queue);
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

// --- many readers ----------------------------------------------------------------------------------

namespace {
// Counts the times of reading of all worlds.
std::atomic<std::uint64_t> last_session = 0;
}  // namespace

void engine_state::begin_reading() {
  if (reading) raise(errc::constraint, "the world is read by several threads already");
  if (queueing()) raise(errc::constraint, "the world is deferred; it cannot be shared now");
  session_ = ++last_session;
  next_promised_ = store().entities().limit();
  promised_record_.table = store().tables().root().id();
  graph_.inherit.freeze(true);
  // What queries keep was found out by this one.
  main.meaning.refresh();
  // What is sorted when it is asked for must not be sorted by several.
  store().loose().settle();
  reading = true;
}

void engine_state::end_reading() {
  if (!reading) raise(errc::constraint, "readonly_end without readonly_begin");
  reading = false;
  graph_.inherit.freeze(false);
  std::vector<thread_stage> stages = std::move(stages_);
  stages_.clear();
  std::exception_ptr first;
  std::vector<error> errors;
  for (thread_stage& t : stages) {
    for (entity_t e : t.own->promised) store().make_alive(e);
    main.queue.swap(t.own->queue);
    std::exception_ptr problem = flush_into(errors);
    if (!first) first = problem;
  }
  if (first) std::rethrow_exception(first);
}

engine_state::stage& engine_state::stage_of_thread() {
  thread_local struct {
    std::uint64_t session = 0;
    stage* own = nullptr;
  } last;
  if (last.session == session_) return *last.own;
  const std::lock_guard guard(stages_guard_);
  const std::thread::id me = std::this_thread::get_id();
  auto known = std::ranges::find(stages_, me, &thread_stage::thread);
  if (known == stages_.end()) {
    stages_.push_back({me, std::make_unique<stage>(graph_, shortcuts)});
    known = stages_.end() - 1;
  }
  last = {session_, known->own.get()};
  return *last.own;
}

entity_t engine_state::promise() {
  entity_t e = 0;
  {
    const std::lock_guard guard(stages_guard_);
    e = next_promised_++;
  }
  here().promised.push_back(e);
  return e;
}

bool engine_state::is_promised(entity_t e) const {
  // Each is greater than those before it.
  return std::ranges::binary_search(here().promised, e);
}

void engine_state::queue_add(entity_t e, id_t id) {
  alive(e);
  check_addable(id);
  here().queue.push({.what = command::kind::add, .entity = e, .id = id});
}

void engine_state::queue_remove(entity_t e, id_t id) {
  alive(e);
  check_known(id);
  here().queue.push({.what = command::kind::remove, .entity = e, .id = id});
}

void engine_state::queue_set(entity_t e, id_t id, entity_t value_type, const value_source& source) {
  alive(e);
  check_addable(id);
  here().queue.push_value(e, id, check_has_value(id, value_type), source);
}

void engine_state::flush() {
  std::vector<error> errors;
  if (std::exception_ptr first = flush_into(errors)) std::rethrow_exception(first);
}

}  // namespace kith::core
