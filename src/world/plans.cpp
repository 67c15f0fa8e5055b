// Which systems a pipeline runs, in which order, and cut into steps.
#include <algorithm>
#include <utility>

#include <kith/detail/error.hpp>
#include <kith/id.hpp>

#include "world/live_query.hpp"
#include "world/systems.hpp"

namespace kith::core {

std::string frames::name_of(entity_t e) const {
  if (is_builtin(e)) return std::string(s_.shell->name(e));
  return s_.text(e);
}

std::string frames::text_of(id_t id) const { return id == Wildcard ? "any id" : s_.text(id); }

// --- what plans depend on ------------------------------------------------------------------------

// A system that was made in a change that was taken back, or whose tag was removed, is none.
bool frames::is_system(entity_t e) const {
  const entity_record* r = s_.store().entities().find(e);
  return r && (s_.store().owns(*r, System) || s_.stages.queueing());
}

void frames::add_readers(entity_t component, std::vector<entity_t>& systems) const {
  for (const auto& [e, system] : systems_) {
    const std::vector<id_t>& groups = system->what.sees.groups;
    const auto is_of = [&](id_t group) {
      return group == component || (is_pair(group) && relation_of(group) == index_of(component));
    };
    if (is_system(e) && std::ranges::any_of(groups, is_of)) systems.push_back(e);
  }
}

void frames::forget_dead() {
  const entity_index& entities = s_.store().entities();
  for (auto at = systems_.begin(); at != systems_.end();)
    at = is_system(at->first) ? std::next(at) : systems_.erase(at);
  const auto sweep = [&](auto& map) {
    for (auto at = map.begin(); at != map.end();)
      at = entities.is_alive(at->first) ? std::next(at) : map.erase(at);
  };
  sweep(timers_);
  sweep(pipelines_);
  for (auto at = plans_.begin(); at != plans_.end();)
    at = !at->first || entities.is_alive(at->first) ? std::next(at) : plans_.erase(at);
}

void frames::notice_changes() {
  for (log_reader* log : {&with_system_, &phases_, &depends_, &follows_, &kinds_}) {
    if (!log->has_news()) continue;
    log->catch_up();
    ++changes_;
  }
  const std::uint64_t reactions = s_.reactions ? s_.reactions->comings_and_goings() : 0;
  if (std::exchange(reactions_, reactions) != reactions) ++changes_;
}

bool frames::is_current(const pipeline_plan& p, entity_t pipeline) const {
  if (p.made_for != changes_ || p.traits != s_.graph_.traits.version()) return false;
  return in_frame_ || !pipeline || p.version == s_.store().version();
}

std::shared_ptr<frames::pipeline_plan> frames::plan_of(entity_t pipeline) {
  notice_changes();
  if (const auto known = plans_.find(pipeline);
      known != plans_.end() && is_current(*known->second, pipeline))
    return known->second;
  std::shared_ptr<pipeline_plan> made = make_plan(pipeline);
  plans_[pipeline] = made;
  return made;
}

// --- phases --------------------------------------------------------------------------------------

// In their order.
std::vector<frames::planned_phase> frames::find_phases() const {
  std::vector<entity_t> all;
  for (std::uint32_t i = 1; i < first_user_index; ++i)
    if (s_.is_alive(i) && s_.sees(i, Phase)) all.push_back(i);
  for (entity_t e : entities_with(s_.graph_, Phase))
    if (s_.sees(e, Phase)) all.push_back(e);
  hash_map<entity_t, std::size_t> place;
  for (std::size_t n = 0; n < all.size(); ++n) place[all[n]] = n;
  std::vector<std::vector<std::size_t>> depends_on(all.size());
  for (std::size_t n = 0; n < all.size(); ++n)
    for (entity_t target : s_.shell->targets(all[n], DependsOn))
      if (const auto other = place.find(target); other != place.end())
        depends_on[n].push_back(other->second);
  const std::vector<std::size_t> order = order_phases(all, depends_on);
  std::vector<std::size_t> place_in_order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) place_in_order[order[i]] = i;
  std::vector<planned_phase> phases;
  for (std::size_t n : order) {
    planned_phase& phase = phases.emplace_back(planned_phase{all[n], {}});
    for (std::size_t other : depends_on[n]) phase.needs.push_back(place_in_order[other]);
  }
  return phases;
}

// --- plans ---------------------------------------------------------------------------------------

std::vector<entity_t> frames::chosen_by(entity_t pipeline) {
  std::vector<entity_t> chosen;
  if (!pipeline) {
    for (const auto& [e, system] : systems_) chosen.push_back(e);
    return chosen;
  }
  const auto known = pipelines_.find(pipeline);
  if (known == pipelines_.end()) raise(errc::constraint, s_.text(pipeline), " is no pipeline");
  query_run run(known->second, query_bindings(), query_use::batches);
  while (run.next())
    for (std::size_t row = 0; run.entities() && row < run.count(); ++row)
      if (systems_.contains(run.entities()[row])) chosen.push_back(run.entities()[row]);
  run.end();
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

std::shared_ptr<frames::pipeline_plan> frames::make_plan(entity_t pipeline) {
  forget_dead();
  auto made = std::make_shared<pipeline_plan>();
  made->made_for = changes_;
  made->traits = s_.graph_.traits.version();
  made->version = s_.store().version();
  made->phases = find_phases();
  hash_map<entity_t, std::size_t> place_of_phase;
  for (std::size_t n = 0; n < made->phases.size(); ++n)
    place_of_phase[made->phases[n].entity] = n + 1;
  std::vector<placed> all;
  for (entity_t e : chosen_by(pipeline)) {
    if (!is_system(e)) continue;
    const system_ptr& system = systems_.find(e)->second;
    // The last of its phases; 0: it has none.
    std::size_t place = 0;
    for (entity_t target : s_.shell->targets(e, DependsOn))
      if (const auto phase = place_of_phase.find(target); phase != place_of_phase.end())
        place = std::max(place, phase->second);
    if (!place && !pipeline) continue;
    all.push_back({system, place});
  }
  std::vector<placed_system> declared;
  for (const placed& p : all) {
    const std::string phase = p.phase ? name_of(made->phase_of(p)) : "";
    declared.push_back({p.system->entity, name_of(p.system->entity), p.phase, phase,
                        p.system->number, p.system->desc.before, p.system->desc.after});
  }
  const auto order = order_systems(declared);
  if (!order) raise(order.error());
  std::vector<planned_system> planned_order;
  for (std::size_t n : order.value()) {
    made->order.push_back(std::move(all[n]));
    made->phase_names.push_back(declared[n].phase_name);
    made->declared.push_back(std::move(declared[n]));
    planned_order.push_back(planned(*made->order.back().system, made->order.back().phase));
  }
  made->steps = plan_frame(planned_order);
  for (std::size_t n = 0; n < made->steps.steps.size(); ++n)
    made->step_of.resize(made->step_of.size() + made->steps.steps[n].count, n);
  return made;
}

// Ids, and those that follow from them by With.
std::vector<id_t> frames::with_followers(std::vector<id_t> ids) const {
  const auto add = [&](id_t id) {
    if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
  };
  for (std::size_t n = 0; n < ids.size(); ++n) {
    const entity_t of = is_pair(ids[n]) ? s_.shell->alive_at(relation_of(ids[n])) : ids[n];
    if (!of || is_wildcard(index_of(of)) || !s_.is_alive(of)) continue;
    for (entity_t follows : s_.shell->targets(of, With)) add(follows);
  }
  return ids;
}

// What it may do, as traits and kinds are now.
planned_system frames::planned(running_system& s, std::size_t phase) {
  const system_desc& desc = s.desc;
  meaning& says = s_.stages.main.meaning;
  says.refresh();
  prepared_query& prepared = s.query->prepared;
  prepared.refresh();
  access what =
      s.is_task ? access() : access_of(*prepared.checked(), says, desc.typed, desc.shows_all);
  const auto living = [&](const std::vector<declared_id>& declared) {
    std::vector<id_t> ids;
    for (const declared_id& d : declared)
      if (s_.is_alive(d.first) && s_.is_alive(d.second)) ids.push_back(d.id);
    return ids;
  };
  const std::vector<id_t> writes = living(s.writes);
  for (id_t id : living(s.reads)) {
    what.touch({.id = id, .of_others = true});
    what.sees.add_group(group_key(id));
  }
  for (id_t id : writes)
    if (has_wildcard(id) || s_.store().types().type_of(id)) what.touch({.id = id, .writes = true});
  what.sees_world = desc.sees_world;
  what.queued = with_followers(writes);
  const auto makes_all = [](id_t id) {
    const std::uint32_t predicate = is_pair(id) ? relation_of(id) : index_of(id);
    return is_wildcard(predicate) || predicate == index_of(IsA);
  };
  const bool narrowed = desc.queues_nothing || !desc.writes.empty() || !desc.sees_world;
  if (desc.immediate || !narrowed || std::ranges::any_of(what.queued, makes_all))
    what.queues = access::queue::anything;
  else
    what.queues = desc.writes.empty() ? access::queue::nothing : access::queue::listed;
  // What observers and hooks do about a change may be anything.
  const auto is_heard = [&](id_t id) { return s_.reactions->reads(id); };
  what.leads_on = what.queues == access::queue::listed && s_.has_observers() &&
                  (s_.reactions->reads_life() || std::ranges::any_of(what.queued, is_heard));
  s.gate = desc.immediate || !narrowed
               ? nullptr
               : std::make_shared<const command_gate>(s_.store(), s_.names_, name_of(s.entity),
                                                      writes, !desc.writes.empty());
  s.what = what;
  // What it waits for may be something else now.
  if (std::exchange(s.sleeps, false)) ++sleep_changes_;
  return {.what = std::move(what),
          .phase = phase,
          .immediate = desc.immediate,
          .sees_changes = desc.query.detect_changes,
          .is_ordered = desc.query.order.less || desc.query.order.sort,
          .ordered_by = desc.query.order.id.raw,
          .has_condition = static_cast<bool>(desc.run_if)};
}

}  // namespace kith::core
