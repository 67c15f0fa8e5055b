// Events of the user, and changes that are made as one.
#include <utility>

#include "base/scope_exit.hpp"
#include "relations/transaction.hpp"
#include "world/engine_state.hpp"

namespace kith::core {

// --- events --------------------------------------------------------------------------------------

void engine::emit(const event_call& call) {
  engine_state& s = *state_;
  s.stages.check_open("an event cannot be sent");
  s.check_event(call);
  s.emit(call);
}

void engine::enqueue(const event_call& call, entity_t type, const value_source& payload) {
  engine_state& s = *state_;
  s.check_event(call);
  if (!s.stages.queueing()) return s.emit(call);
  s.stages.queue().push_event(call.entity, call.event, call.ids,
                              type ? &s.check_has_value(type, type) : nullptr, payload);
}

void engine::observe(entity_t e, entity_t event, event_visit visit) {
  engine_state& s = *state_;
  s.stages.check_open("an entity cannot be observed");
  s.alive(e);
  s.alive(event);
  if (s.listeners_.size() >= s.sweep_at_) {
    for (auto at = s.listeners_.begin(); at != s.listeners_.end();)
      at = s.is_alive(at->first) ? std::next(at) : s.listeners_.erase(at);
    s.sweep_at_ = 2 * s.listeners_.size() + 16;
  }
  s.listeners_[e].push_back({event, std::make_shared<const event_visit>(std::move(visit))});
}

void engine_state::check_event(const event_call& call) const {
  alive(call.event);
  alive(call.entity);
  if (is_builtin(call.event))
    raise(errc::constraint, text(call.event), " is no event that can be sent");
}

// The functions that observe the entity are called first, then observers in their order.
void engine_state::emit(const event_call& call) {
  std::vector<std::shared_ptr<const event_visit>> visits;
  if (const auto known = listeners_.find(call.entity); known != listeners_.end())
    for (const listener& l : known->second)
      if (l.event == call.event) visits.push_back(l.visit);
  std::vector<reaction> heard;
  if (reactions) heard = reactions->hearing(call);
  if (visits.empty() && heard.empty()) return;

  const auto visit_all = [&] {
    for (const auto& visit : visits)
      attempt([&] { (*visit)(*shell, call); },
              [&](std::exception_ptr thrown) { note_reaction_error(std::move(thrown)); });
  };
  if (!stages.queueing()) {
    const stage::use using_this(stages.main);
    report(visit_all);
    report_all(heard);
    if (!reacting_) carry_out_reactions();
    return;
  }
  // What is changed waits beside other changes.
  std::exception_ptr outer = std::exchange(reaction_error_, nullptr);
  {
    const stage::use using_this(stages.main);
    ++stages.main.defer_depth;
    visit_all();
    for (const reaction& r : heard) tell(r);
    --stages.main.defer_depth;
  }
  if (const std::exception_ptr thrown = std::exchange(reaction_error_, std::move(outer)))
    std::rethrow_exception(thrown);
}

// --- one change ----------------------------------------------------------------------------------

void engine::change_whole(const std::function<void()>& body) {
  engine_state& s = *state_;
  s.stages.check_not_ended();
  if (s.stages.queueing()) {
    // What is queued is carried out as one change.
    const std::size_t queued = s.stages.here().queue.size();
    scope_exit undo([&] { s.stages.truncate_queue(queued); });
    body();
    s.stages.here().queue.join(queued);
    return undo.dismiss();
  }
  s.change_whole([&] { body(); });
  s.settle();
}

// All that `change` does happens, or nothing.
void engine_state::change_whole(function_ref<void()> change) {
  if (graph_.undo) {
    part_of_change part(*this);
    change();
    return part.keep();
  }
  if (has_observers()) return react_to(change, true);
  transaction all(graph_);
  change();
  all.keep();
}

}  // namespace kith::core
