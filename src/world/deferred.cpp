// What waits, until when, and what becomes of it when its turn has come
// (docs/adr/0008-deferral.md).
#include "base/scope_exit.hpp"
#include "entity/path.hpp"
#include "relations/change.hpp"
#include "relations/cleanup.hpp"
#include "world/engine_state.hpp"

namespace kith::core {

namespace {

// Brings the name of an entity back under its parent; if it is taken there, the name is lost.
void repair_name(graph& g, entity_t e) {
  entity_record* r = g.store.entities().find(e);
  if (!r || !r->named) return;
  const entity_t parent = parent_of(g.store, *r);
  const entity_t other = g.names.find(index_of(parent), g.names.name_of(index_of(e)));
  if (!other || other == e) return g.names.move(e, index_of(parent));
  g.names.erase(e);
  r->named = false;
}

}  // namespace

inline void engine_state::forget_component(entity_t e) {
  members_.erase(e, graph_.undo);
  components.erase(e, graph_.undo);
}

void engine_state::forget_parts_of(entity_t e) {
  if (store().entities().at_index(index_of(e)).referenced) forget_component(e);
  if (reactions && reactions->ends_with(e)) dying_observers_.push_back(e);
}

void engine_state::destroy(entity_t e) {
  if (!modules.empty()) check_modules_unused(e);
  delete_entity(graph_, e, [this](entity_t going) { forget_parts_of(going); });
}

void engine_state::delete_with(id_t id) {
  graph_.check_known(id);
  delete_entities(graph_, entities_with(graph_, id),
                  [this](entity_t going) { forget_parts_of(going); });
}

bool engine_state::is_outdated(const command& c, const command_queue& from) const {
  const entity_index& entities = store().entities();
  const auto is_dead = [&](entity_t e) { return !entities.is_alive(e); };
  if (c.entity && is_dead(c.entity)) return true;
  if (c.what == command::kind::order_children) return std::ranges::any_of(from.list(c), is_dead);
  if (!is_pair(c.id)) return c.id && is_dead(c.id);
  // No index is used again before the queue is empty, so an index with a living entity is the one
  // that was meant.
  return !entities.alive_at(relation_of(c.id)) || !entities.alive_at(target_of(c.id));
}

void engine_state::carry_out_each(command_queue& queue,
                                  const std::function<void(std::exception_ptr)>& fail) {
  for (std::size_t i = 0; i < queue.size() && !stages.has_ended(); ++i) {
    std::size_t last = i;
    while (queue[last].joined && last + 1 < queue.size()) ++last;
    const auto change = [&] {
      for (std::size_t part = i; part <= last; ++part) carry_out(queue[part], queue);
    };
    attempt(
        [&] {
          if (last != i && (has_observers() || needs_way_back(queue, i, last)))
            change_whole(change);
          else if (!has_observers())
            change();
          else if (!react_plainly(queue[i], change))
            react_to(change);
        },
        fail);
    i = last;
  }
}

// Can a command fail, but for missing memory?
bool engine_state::may_fail(const command& c) {
  if (c.what == command::kind::none) return false;
  if (c.what != command::kind::add && c.what != command::kind::set) return true;
  if (store().entities().any_died() || !graph_.is_plain(c.id)) return true;
  const type_info* const type = store().types().type_of(c.id);
  return c.what == command::kind::add ? type != nullptr : type != c.type;
}

// Where only the first part of a change can fail, nothing has to be taken back.
bool engine_state::needs_way_back(command_queue& queue, std::size_t first, std::size_t last) {
  for (std::size_t part = first + 1; part <= last; ++part)
    if (may_fail(queue[part])) return true;
  return false;
}

bool engine_state::react_plainly(const command& c, function_ref<void()> change) {
  const bool is_plain_kind = c.what == command::kind::add || c.what == command::kind::remove ||
                             c.what == command::kind::set;
  if (!is_plain_kind || store().entities().any_died()) return false;
  const one_change what = c.what == command::kind::remove                 ? one_change::remove
                          : c.what == command::kind::set && !c.is_default ? one_change::set
                                                                          : one_change::add;
  return react_plainly(c.entity, c.id, what, change);
}

void engine_state::carry_out(command& c, const command_queue& from) {
  // An entity made by path has its name under its parent already. The name must not stay there if
  // the entity does not become a child of it.
  scope_exit undo([&] {
    if (c.what == command::kind::add && is_pair(c.id) && relation_of(c.id) == index_of(ChildOf))
      repair_name(graph_, c.entity);
  });
  if (store().entities().any_died() && is_outdated(c, from)) return;
  carry_out_alive(c, from);
  undo.dismiss();
}

void engine_state::carry_out_alive(command& c, const command_queue& from) {
  switch (c.what) {
    case command::kind::add:
      return add_id(graph_, c.entity, c.id);
    case command::kind::remove:
      return remove_id(graph_, c.entity, c.id);
    case command::kind::set: {
      check_has_value(c.id, c.type->component);
      // The function that moves the value out of the queue clears `slot`.
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
      source.is_default = c.is_default;
      if (c.is_default)
        if (const located_value known = store().find_value(alive(c.entity), c.id))
          return store().write(known, c.entity, c.id, source);
      return set_value(graph_, c.entity, c.id, source);
    }
    case command::kind::enable:
      return set_enabled(graph_, c.entity, c.id, true);
    case command::kind::disable:
      return set_enabled(graph_, c.entity, c.id, false);
    case command::kind::clear:
      return clear(graph_, c.entity);
    case command::kind::destroy:
      return destroy(c.entity);
    case command::kind::clone:
      return copy_ids(graph_, c.id, c.entity, c.with_values);
    case command::kind::set_name:
      return set_name(graph_, c.entity, from.text(c));
    case command::kind::order_children:
      return set_child_order(graph_, c.entity, from.list(c));
    case command::kind::remove_from_all:
      return remove_from_all(graph_, c.id);
    case command::kind::delete_with:
      return delete_with(c.id);
    case command::kind::emit: {
      const std::span<const id_t> list = from.list(c);
      return emit({.event = list[0],
                   .entity = c.entity,
                   .ids = list.subspan(1),
                   .payload = c.slot ? c.type->value(c.slot) : nullptr,
                   .payload_type = c.type ? c.type->component : 0});
    }
    case command::kind::modified:
      return note_modified(c.entity, c.id);
    case command::kind::none:
      return;
  }
}

void note_error([[maybe_unused]] const std::exception_ptr& thrown,
                [[maybe_unused]] std::vector<error>& errors) noexcept {
#if defined(__cpp_exceptions)
  try {
    try {
      std::rethrow_exception(thrown);
    } catch (const error& e) {
      errors.push_back(e);
    } catch (const std::exception& e) {
      errors.emplace_back(errc::constraint, e.what());
    } catch (...) {
      errors.emplace_back(errc::constraint, "code of the user threw something unknown");
    }
  } catch (const std::bad_alloc&) {
  }
#endif
}

std::exception_ptr engine_state::flush_into([[maybe_unused]] std::vector<error>& errors) {
  std::exception_ptr first;
  const stage::use carrying_out(stages.main);
  // What reactions ask for is carried out between two commands, and it may be all that waits then.
  store().entities().hold_dead();
  scope_exit release([&] {
    store().entities().release_dead();
    stages.release_dead();
  });
  while (!stages.main.queue.empty() && !stages.has_ended()) {
    command_queue batch;
    batch.swap(stages.main.queue);
    const auto fail = [&](const std::exception_ptr& thrown) {
      if (!first) first = thrown;
      note_error(thrown, errors);
    };
    attempt([&] { tell_births(std::exchange(born_, core::reactions::births())); }, fail);
    carry_out_each(batch, fail);
  }
  return first;
}

void engine_state::flush() {
  std::vector<error> errors;
  if (std::exception_ptr first = flush_into(errors)) std::rethrow_exception(first);
}

// The first error is one of `errors`; the others wait in `deferred_errors`.
std::exception_ptr engine_state::keep_others(std::exception_ptr first, std::vector<error> errors) {
  if (errors.size() > 1)
    attempt(
        [&] {
          deferred_errors.insert(deferred_errors.end(), std::make_move_iterator(errors.begin() + 1),
                                 std::make_move_iterator(errors.end()));
        },
        [](const std::exception_ptr&) {});
  return first;
}

std::exception_ptr engine_state::settle_all() {
  std::vector<error> errors;
  std::exception_ptr first = flush_into(errors);
  return keep_others(std::move(first), std::move(errors));
}

std::exception_ptr engine_state::end_reading(std::span<work_unit* const> units) {
  std::exception_ptr first;
  std::vector<error> errors;
  core::reactions::births born{{}, true};
  const auto fail = [&](std::exception_ptr thrown) {
    note_error(thrown, errors);
    if (!first) first = std::move(thrown);
  };
  std::vector<command_queue> others = stages.end_reading(born.entities);
  // Where memory ends, entities do not begin, and what is said of them is an error.
  attempt(
      [&] {
        for (const work_unit* u : units)
          for (entity_t e : u->promised.all()) {
            born.entities.push_back(e);
            store().make_alive(e);
          }
      },
      fail);
  // What one thread deletes, another may name in a pair. No index is used again before all are
  // done.
  store().entities().hold_dead();
  scope_exit release([&] { store().entities().release_dead(); });
  attempt([&] { tell_births(born); }, fail);
  const auto carry_out_queue = [&](command_queue& queue) {
    if (queue.empty()) return;
    stages.main.queue.swap(queue);
    const std::exception_ptr problem = flush_into(errors);
    if (!first) first = problem;
  };
  for (work_unit* u : units) carry_out_queue(u->queue);
  for (command_queue& queue : others) carry_out_queue(queue);
  return keep_others(std::move(first), std::move(errors));
}

void engine_state::finish_visit() {
  if (stages.has_ended()) {
    finish_visit_quietly();
    stages::raise_ended();
  }
  settle();
}

void engine_state::finish_visit_quietly() noexcept {
  if (!stages.has_ended()) return settle_quietly();
  if (!stages.in_use()) bury();
}

// --- deferred mode -------------------------------------------------------------------------------

void engine::defer_begin() {
  stage& here = state_->stages.here();
  ++here.begun;
  ++here.defer_depth;
}

void engine::defer_suspend() {
  stage& here = state_->stages.here();
  if (here.visits() != 0)
    raise(errc::constraint, "changes wait until the visit ends that this is called in");
  here.suspended += here.begun;
  here.begun = here.defer_depth = 0;
}
void engine::defer_resume() {
  stage& here = state_->stages.here();
  if (here.begun != 0) raise(errc::constraint, "defer_resume inside of defer_begin");
  here.begun = here.defer_depth = std::exchange(here.suspended, 0);
}
void engine::defer_end() {
  stage& here = state_->stages.here();
  if (here.begun == 0) raise(errc::constraint, "defer_end without defer_begin");
  --here.begun;
  visit_end(*state_);
}

void visit_begin(engine_state& s) { ++s.stages.here().defer_depth; }

void visit_end(engine_state& s) {
  --s.stages.here().defer_depth;
  if (!s.stages.main.queue.empty()) s.finish_visit();
}

void visit_end_quietly(engine_state& s) noexcept {
  --s.stages.here().defer_depth;
  if (!s.stages.main.queue.empty()) s.finish_visit_quietly();
}

bool engine::is_deferred() const {
  return state().stages.is_reading() || state_->stages.here().defer_depth != 0;
}

void engine::stop_queries_when(const std::atomic<bool>* stop) {
  state_->stages.stop_queries_when(stop);
}

void engine::watch_queries(std::function<void()> tell, std::chrono::milliseconds every) {
  state_->stages.watch_queries(std::move(tell), every);
}

void engine::limit_queries(const budget& most) { state_->stages.limit_queries(most); }

void engine::readonly_begin() { state_->stages.begin_reading(); }

void engine::readonly_end() {
  if (std::exception_ptr first = state_->end_reading({})) std::rethrow_exception(first);
}

std::vector<error> engine::take_deferred_errors() {
  return std::exchange(state().deferred_errors, {});
}

}  // namespace kith::core
