// Finds out which hooks a change calls, and calls them.
//
// Where no observer is concerned, hooks are called at the two points of the funnel. Else the change
// may be taken back for a while: then calls are noted, and what the whole change did to each id
// decides which of them remain.
#pragma once

#include <span>
#include <vector>

#include "reactive/hook_table.hpp"
#include "reactive/teller.hpp"
#include "relations/transaction.hpp"

namespace kith::core {

class hooked_changes {
 public:
  // `bit`: of the sink that gives its deltas to this.
  hooked_changes(graph& g, change_sinks::mask bit, teller& tell) : g_(g), bit_(bit), tell_(tell) {}

  // An error if the component has such a hook.
  void set(engine& world, entity_t component, hook_kind kind, hook h);
  // The component has ended.
  void forget(entity_t component) { table_.erase(component); }
  bool any() const { return table_.any(); }
  bool has_any(entity_t component) const { return table_.has_any(component); }
  bool has_any_for(id_t id) const { return table_.has_any(component_of(id)); }
  // Wants the deltas of all ids of types with hooks.
  void want_all();

  void begin();
  // --- the two points of the funnel, for each part of a change ---
  // Asks on_validate, which may refuse the change.
  void before(std::span<const delta> deltas);
  // The change goes on, and it is not noted: calls the hooks of the part.
  void tell_before();
  // `noted`: the calls are made later.
  void after(bool noted);
  void note_modified(entity_t e, id_t id);

  // --- when all parts are carried out, and calls were noted ---
  bool any_noted() const { return !noted_.empty(); }
  std::size_t count_noted() const { return noted_.size(); }
  // What was noted after the first `count` calls did not happen.
  void forget_noted(std::size_t count) {
    if (noted_.size() > count)
      noted_.erase(noted_.begin() + static_cast<std::ptrdiff_t>(count), noted_.end());
  }
  void find_after();
  void find_before();
  bool any_leaving() const { return !leaving_.empty(); }
  // Calls the hooks of what goes, while the change is taken back, and of what came.
  void tell_leaving(transaction* t);
  void tell_coming();
  // The world ends.
  void tell_end();

 private:
  // What a part, or the whole change, does to an id of an entity.
  struct touched {
    entity_t e;
    id_t id;
    bool lost = false, gained = false, written = false;
    void* value = nullptr;
    void* next = nullptr;
  };
  entity_t component_of(id_t id) const;
  const hook* find(id_t id, hook_kind kind) const { return table_.find(component_of(id), kind); }
  void list(std::span<const delta> deltas, std::vector<touched>& part) const;
  void validate(const delta& d) const;
  void call(hook_kind kind, entity_t e, id_t id, void* value, void* next = nullptr) const;
  void* value_of(entity_t e, id_t id) const;
  bool owns(entity_t e, id_t id) const;

  graph& g_;
  change_sinks::mask bit_;
  teller& tell_;
  engine* world_ = nullptr;
  hook_table table_;
  // Of the parts that are between their two points, the innermost last.
  std::vector<std::vector<touched>> parts_;
  std::vector<touched> noted_;
  std::vector<hook_call> leaving_, coming_;
};

}  // namespace kith::core
