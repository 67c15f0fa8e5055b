// One of each: the parts that make a world.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <kith/detail/engine.hpp>

#include "base/hash_map.hpp"
#include "base/scope_exit.hpp"
#include "entity/commands.hpp"
#include "meta/members.hpp"
#include "query/cache/preparations.hpp"
#include "query/exec/meaning.hpp"
#include "relations/graph.hpp"
#include "relations/reach.hpp"

namespace kith::core {

struct engine_state {
  // Fills the world with the built-in entities.
  void bootstrap();
  // Is it a fact about a built-in entity that was never told?
  static bool is_born_with(entity_t e, id_t id);

  // --- checks ---
  // The record of an entity that must be alive; one that is promised has nothing yet.
  entity_record& alive(entity_t e) {
    if (entity_record* r = store().entities().find(e)) return *r;
    return promised_or_raise(e);
  }
  const entity_record& alive(entity_t e) const { return const_cast<engine_state*>(this)->alive(e); }
  // Is there what fits an id, that `e` owns or inherits, and is it on?
  bool sees(entity_t e, id_t id) const {
    const entity_record& r = alive(e);
    return has_wildcard(id) ? graph_.inherit.any_visible(e, r, id)
                            : graph_.inherit.is_visible(e, r, id);
  }
  // The same for a pair of entities that must be alive.
  [[gnu::cold]] bool sees_pair(entity_t e, entity_t relation, entity_t target) const;
  // A pair of entities that must be alive.
  id_t pair(entity_t relation, entity_t target) const {
    const entity_index& entities = store().entities();
    if (entities.is_alive(relation) && entities.is_alive(target))
      return make_pair(relation, target);
    return promised_pair(relation, target);
  }
  void check_known(id_t id) const {
    if (!has_promised_part(id)) graph_.check_known(id);
  }
  void check_addable(id_t id) const {
    if (!has_promised_part(id)) graph_.check_addable(id);
  }
  void check_exact(id_t id) const {
    if (!has_promised_part(id)) graph_.check_exact(id);
  }
  // The type of the values of an id; an error if it has none, or not of the type that is meant (0: any).
  const type_info& check_has_value(id_t id, entity_t value_type) const;
  // Ids that a new entity can start with: each once.
  template <class New>
  void check_new_ids(std::span<const New> ids) const {
    for (const New& n : ids) check_new_id(n.id);
    constexpr std::size_t few = 8;
    if (ids.size() > few) return check_each_once(ids);
    for (std::size_t i = 1; i < ids.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (ids[i].id == ids[k].id) raise_twice(ids[i].id);
  }
  std::string text(entity_t e) const { return describe_id(store(), names_, e); }
  std::string text_of_id(id_t id) const { return describe_id(store(), names_, id); }

  // --- changes, carried out at once ---
  void add(entity_t e, id_t id, const value_source& source);
  void remove(entity_t e, id_t id);
  void set(entity_t e, id_t id, const value_source& source);
  void set_name(entity_t e, std::string_view name);
  void set_child_order(entity_t parent, std::span<const entity_t> children);
  void destroy(entity_t e);
  void clear(entity_t e);
  void clone(entity_t from, entity_t to, bool with_values);
  void set_enabled(entity_t e, id_t id, bool on);
  void remove_from_all(id_t id);
  void delete_with(id_t id);
  // New entities with ids that mean more than themselves; all or none.
  void create_each(std::size_t count, std::span<const bulk_id> ids, std::vector<entity_t>& created);
  // Makes an entity stand for a type with data. An error if it is in use as a tag.
  void give_type(entity_t e, const type_desc& desc);
  // The entity stands for a struct already; now also for a C++ type. An error if they differ.
  void adopt_struct(entity_t e, const type_desc& desc);
  // The entity stands for the C++ type of that slot and name.
  void remember_component(std::uint32_t slot, entity_t e, const std::string& symbol);

  // The entities that have an id or match a pattern, each once, but for the built-in ones.
  std::vector<entity_t> entities_with(id_t id) const;
  // The entity that is reached from `start` (0: the root) by names, or 0.
  entity_t find_below(entity_t start, std::span<const std::string> path) const;

  // --- deferred mode ---
  bool queueing() const { return reading || main.defer_depth != 0 || store().busy() || ending; }
  [[gnu::noinline]] void queue_add(entity_t e, id_t id);
  [[gnu::noinline]] void queue_remove(entity_t e, id_t id);
  [[gnu::noinline]] void queue_set(entity_t e, id_t id, entity_t value_type,
                                   const value_source& source);
  // Carries out what was queued, unless the world is still deferred.
  void settle() {
    if (!main.queue.empty() && !queueing()) flush();
  }
  void settle_quietly() noexcept {
    if (!main.queue.empty() && !queueing()) flush_into(deferred_errors);
  }
  // Makes a change and then those that its constructors and destructors asked for.
  template <class Change>
  void carry(Change change) {
    scope_exit quietly([&] { settle_quietly(); });
    change();
    quietly.dismiss();
    settle();
  }
  // Carries out what was queued; what fails is skipped, and the first error is raised at the end.
  void flush();
  // The same, but collects the errors and returns the first as it was thrown.
  std::exception_ptr flush_into(std::vector<error>& errors);

  // --- many readers ---
  // What belongs to one thread: changes that wait, and what it has found out for itself.
  struct stage {
    stage(const graph& g, const core::shortcuts& open) : reach(g), meaning(g, reach, open) {}
    command_queue queue;
    int defer_depth = 0;
    int begun = 0;                   // of defer_depth, how many levels defer_begin began
    std::vector<entity_t> promised;  // entities made while others read; they begin when that ends
    class reach reach;
    class meaning meaning;
  };
  // The stage of this thread; unless several threads read, there is one.
  stage& here() { return reading ? stage_of_thread() : main; }
  const stage& here() const { return const_cast<engine_state*>(this)->here(); }
  void begin_reading();
  // What the threads asked for is done, thread after thread as they began. What fails is skipped, and
  // the first error is raised at the end.
  void end_reading();
  // An id that no entity has, for one that begins when the reading ends.
  entity_t promise();
  bool is_promised(entity_t e) const;
  bool has_promised_part(id_t id) const {
    if (!reading) return false;
    return is_pair(id) ? is_promised(relation_of(id)) || is_promised(target_of(id))
                       : is_promised(id);
  }
  // A new entity, or a promised one; and the way back, unless something refers to it by now.
  entity_t make_entity() { return reading ? promise() : store().create(); }
  void unmake_entity(entity_t e) {
    if (reading) {
      std::erase(here().promised, e);
      return;
    }
    const entity_record* r = store().entities().find(e);
    if (r && !r->referenced) store().destroy(e);
  }
  // An error if several threads read: what is to be done must be done at once.
  void check_not_reading(const char* what) const {
    if (reading) raise(errc::constraint, what, " while several threads read the world");
  }
  // A value was written, or is about to be.
  void note_write(const located_value& value, entity_t e, id_t id) {
    if (!reading) return store().note_write(value, e, id);
    const std::lock_guard guard(kept_by_queries);
    store().note_write(value, e, id);
  }

  // The components of C++ types. They outlive the values, whose destructors may ask for them.
  std::vector<entity_t> components_by_slot;
  graph graph_;
  core::store& store() { return graph_.store; }
  const core::store& store() const { return graph_.store; }
  names& names_ = graph_.names;
  struct shortcuts shortcuts;  // all are open but in tests
  stage main{graph_, shortcuts};
  std::atomic<bool> reading = false;  // several threads may read, and nothing changes
  std::mutex kept_by_queries;         // guards what queries keep, while several threads read
  std::unique_lock<std::mutex> lock_kept() {
    return reading ? std::unique_lock(kept_by_queries) : std::unique_lock<std::mutex>();
  }
  preparations prepared;
  member_table members_;

  std::size_t builtin_count = 0;
  entity_t scope = 0;
  bool ending = false;  // the world is being destroyed: changes are ignored
  std::vector<error> deferred_errors;

  // Registered C++ types by their qualified name, and those names by entity index.
  hash_map<std::string, entity_t, std::hash<std::string>> components_by_name;
  hash_map<std::uint32_t, std::string> registered;

 private:
  void check_new_id(id_t id) const {
    check_addable(id);
    if (id == Component)
      raise(errc::constraint, "an entity becomes a component when it is registered as one");
  }
  template <class New>
  void check_each_once(std::span<const New> ids) const {
    std::vector<id_t> sorted;
    for (const New& n : ids) sorted.push_back(n.id);
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end()) raise_twice(*twice);
  }
  [[noreturn]] void raise_twice(id_t id) const {
    raise(errc::constraint, text_of_id(id), " is given twice");
  }
  entity_record& promised_or_raise(entity_t e);
  // The same if not both are alive: one may be promised. Else it is an error.
  [[gnu::cold]] id_t promised_pair(entity_t relation, entity_t target) const;
  stage& stage_of_thread();
  // The stages of the threads that have asked something since the reading began, in that order.
  struct thread_stage {
    std::thread::id thread;
    std::unique_ptr<stage> own;
  };
  std::vector<thread_stage> stages_;
  std::mutex stages_guard_;
  std::uint64_t session_ = 0;  // no two times of reading have the same, in any world
  std::uint32_t next_promised_ = 0;
  entity_record promised_record_{};

  [[gnu::noinline]] void set_anywhere(entity_t e, id_t id, const value_source& source);
  void carry_out(command& c, const command_queue& from);
  void repair_name(entity_t e);
  void forget_component(entity_t e);
};

}  // namespace kith::core
