#include "reactive/hooked_changes.hpp"

#include <algorithm>
#include <utility>

#include <kith/detail/error.hpp>

namespace kith::core {

void hooked_changes::set(engine& world, entity_t component, hook_kind kind, hook h) {
  constexpr const char* names[hook_kinds] = {"on_validate", "on_remove", "on_replace", "on_add",
                                             "on_set"};
  if (table_.find(component, kind))
    raise(errc::constraint, g_.text(component), " has an ", names[static_cast<std::size_t>(kind)],
          " hook already");
  world_ = &world;
  table_.set(component, kind, std::move(h));
  want_all();
}

void hooked_changes::want_all() {
  change_sinks& sinks = g_.store.sinks();
  table_.each([&](entity_t component) {
    if (const type_info* const type = g_.store.types().find(index_of(component)))
      return g_.store.want_type(bit_, *type);
    // A tag, and the pairs of it that have no values.
    sinks.want(bit_, component);
    sinks.want(bit_, make_pair(component, 0));
  });
}

// The component whose hooks an id calls: the type of its values. Without values it is the id, or
// the relation.
entity_t hooked_changes::component_of(id_t id) const {
  if (const type_info* const type = g_.store.types().type_of(id)) return type->component;
  return g_.store.entities().alive_at(is_pair(id) ? relation_of(id) : index_of(id));
}

void hooked_changes::begin() {
  parts_.clear();
  noted_.clear();
  leaving_.clear();
  coming_.clear();
}

void hooked_changes::validate(const delta& d) const {
  if (!d.next) return;
  const hook* const allows = find(d.id, hook_kind::validate);
  if (!allows) return;
  const hook_call call{world_, hook_kind::validate, d.entity, d.id,
                       d.next->type()->value(d.next->get())};
  if (!(*allows)(call))
    raise(errc::constraint, "on_validate of ", g_.text(component_of(d.id)),
          " refuses the new value of ", g_.text(d.entity));
}

// An id that is lost and gained in one part has another value.
void hooked_changes::list(std::span<const delta> deltas, std::vector<touched>& part) const {
  for (const delta& d : deltas) {
    if (!d.id || d.what == delta::kind::switched || !table_.has_any(component_of(d.id))) continue;
    touched t{d.entity, d.id};
    t.lost = d.what == delta::kind::lost;
    t.gained = d.what == delta::kind::gained;
    t.written = d.what == delta::kind::written || d.given;
    if (!t.gained) t.value = d.value.value();
    if (d.next) t.next = d.next->type()->value(d.next->get());
    // What an entity loses stands before what it gains.
    auto lost = part.end();
    for (auto at = part.end(); t.gained && at != part.begin() && (--at)->e == t.e;)
      if (at->lost && at->id == t.id) lost = at;
    if (lost == part.end()) {
      part.push_back(t);
    } else {
      lost->lost = false;
      lost->written = true;
      lost->next = t.next;
    }
  }
}

void hooked_changes::before(std::span<const delta> deltas) {
  for (const delta& d : deltas) validate(d);
  list(deltas, parts_.emplace_back());
}

void hooked_changes::tell_before() {
  const std::vector<touched> part = parts_.back();
  for (const touched& t : part)
    if (t.lost) call(hook_kind::remove, t.e, t.id, t.value);
  for (const touched& t : part)
    if (t.written && !t.gained) call(hook_kind::replace, t.e, t.id, t.value, t.next);
}

void hooked_changes::after(bool noted) {
  // The part may have begun before the first hook was set.
  if (parts_.empty()) return;
  const std::vector<touched> part = std::move(parts_.back());
  parts_.pop_back();
  if (noted) {
    noted_.insert(noted_.end(), part.begin(), part.end());
    return;
  }
  for (const touched& t : part)
    if (t.gained) call(hook_kind::add, t.e, t.id, value_of(t.e, t.id));
  for (const touched& t : part)
    if (t.written) call(hook_kind::set, t.e, t.id, value_of(t.e, t.id));
}

void hooked_changes::note_modified(entity_t e, id_t id) {
  touched t{e, id};
  t.written = true;
  if (find(id, hook_kind::set)) noted_.push_back(t);
}

// --- when all parts are carried out --------------------------------------------------------------

// One entry for each id of each entity, in the order in which the change came to them.
void hooked_changes::find_after() {
  hash_map<entity_t, std::vector<std::size_t>> of_entity;
  std::vector<touched> merged;
  for (const touched& t : noted_) {
    std::vector<std::size_t>& known = of_entity[t.e];
    const auto same =
        std::ranges::find_if(known, [&](std::size_t i) { return merged[i].id == t.id; });
    if (same != known.end()) {
      merged[*same].written |= t.written;
      continue;
    }
    known.push_back(merged.size());
    merged.push_back(t);
  }
  noted_ = std::move(merged);
  for (touched& t : noted_) t.gained = owns(t.e, t.id);
}

void hooked_changes::find_before() {
  std::vector<hook_call> replaced, set;
  for (const touched& t : noted_) {
    const bool had = owns(t.e, t.id);
    const auto add = [&](std::vector<hook_call>& calls, hook_kind kind) {
      if (find(t.id, kind)) calls.push_back({world_, kind, t.e, t.id});
    };
    if (had && !t.gained) add(leaving_, hook_kind::remove);
    if (had && t.gained && t.written) add(replaced, hook_kind::replace);
    if (!had && t.gained) add(coming_, hook_kind::add);
    if (t.gained && t.written) add(set, hook_kind::set);
  }
  leaving_.insert(leaving_.end(), replaced.begin(), replaced.end());
  coming_.insert(coming_.end(), set.begin(), set.end());
  noted_.clear();
}

void hooked_changes::tell_leaving(transaction* t) {
  for (const hook_call& c : std::exchange(leaving_, {}))
    call(c.what, c.entity, c.id, value_of(c.entity, c.id),
         c.what == hook_kind::replace && t ? t->coming_value(c.entity, c.id) : nullptr);
}

void hooked_changes::tell_coming() {
  for (const hook_call& c : std::exchange(coming_, {}))
    call(c.what, c.entity, c.id, value_of(c.entity, c.id));
}

void hooked_changes::tell_end() {
  std::vector<std::pair<entity_t, id_t>> all;
  g_.store.ids().each([&](const id_record& record) {
    if (find(record.id, hook_kind::remove))
      g_.store.each(record, [&](entity_t e) { all.emplace_back(e, record.id); });
  });
  for (const auto& [e, id] : all) call(hook_kind::remove, e, id, value_of(e, id));
}

// --- calls ---------------------------------------------------------------------------------------

bool hooked_changes::owns(entity_t e, id_t id) const {
  const entity_record* const r = g_.store.entities().find(e);
  return r && g_.store.owns(*r, id);
}

void* hooked_changes::value_of(entity_t e, id_t id) const {
  const entity_record* const r = g_.store.entities().find(e);
  return r ? g_.store.find_value(*r, id).value() : nullptr;
}

void hooked_changes::call(hook_kind kind, entity_t e, id_t id, void* value, void* next) const {
  const hook* const h = find(id, kind);
  if (!h || (kind == hook_kind::replace && !next)) return;
  const hook_call c{world_, kind, e, id, value, next};
  tell_.call([&] { (*h)(c); });
}

}  // namespace kith::core
