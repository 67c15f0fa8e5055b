// One of each: the parts that make a world, and the two things that need several of them: checks of
// what the caller gives, and carrying out changes that waited.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <string>
#include <vector>

#include <kith/detail/engine.hpp>

#include "base/scope_exit.hpp"
#include "entity/describe.hpp"
#include "meta/members.hpp"
#include "query/cache/preparations.hpp"
#include "relations/graph.hpp"
#include "world/components.hpp"
#include "world/stages.hpp"

namespace kith::core {

struct engine_state {
  // --- checks ---
  // The record of an entity that must be alive; one that is promised has nothing yet.
  entity_record& alive(entity_t e) {
    if (entity_record* r = store().entities().find(e)) return *r;
    return promised_or_raise(e);
  }
  const entity_record& alive(entity_t e) const { return const_cast<engine_state*>(this)->alive(e); }
  bool is_alive(entity_t e) const {
    return store().entities().is_alive(e) || stages.is_promised(e);
  }
  // Does `e` own or inherit an id that fits, and is that id on?
  bool sees(entity_t e, id_t id) const {
    const entity_record& r = alive(e);
    return has_wildcard(id) ? graph_.inherit.any_visible(e, r, id)
                            : graph_.inherit.is_visible(e, r, id);
  }
  // A pair of entities that must be alive.
  id_t pair(entity_t relation, entity_t target) const {
    const entity_index& entities = store().entities();
    if (entities.is_alive(relation) && entities.is_alive(target))
      return make_pair(relation, target);
    return promised_pair(relation, target);
  }
  // As those of the graph, and parts of an id may be promised.
  void check_known(id_t id) const {
    if (!has_promised_part(id)) graph_.check_known(id);
  }
  void check_addable(id_t id) const {
    if (!has_promised_part(id)) graph_.check_addable(id);
  }
  void check_exact(id_t id) const {
    if (!has_promised_part(id)) graph_.check_exact(id);
  }
  // The type of the values of an id. Raises an error if it has none, or if `value_type` is another
  // type (0: any type).
  const type_info& check_has_value(id_t id, entity_t value_type) const;
  // Ids that a new entity can start with: each once.
  template <class New>
  void check_new_ids(std::span<const New> ids) const {
    std::vector<id_t> sorted;
    for (const New& n : ids) {
      check_addable(n.id);
      if (n.id == Component) raise_becomes_component();
      sorted.push_back(n.id);
    }
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end()) raise(errc::constraint, text(*twice), " is given twice");
  }
  [[noreturn]] static void raise_becomes_component();
  std::string text(id_t id) const { return describe_id(store(), names_, id); }

  // --- changes (deferred.cpp) ---
  // Makes a change, and then the changes that constructors and destructors of values asked for.
  template <class Change>
  void carry(Change change) {
    scope_exit quietly([&] { settle_quietly(); });
    change();
    quietly.dismiss();
    settle();
  }
  class coming_type;
  // Carries out what was queued, unless it has to wait further. What fails is skipped; the first
  // error is raised at the end.
  void settle() {
    if (!stages.main.queue.empty() && !stages.queueing()) flush();
  }
  // The same, but errors go to `deferred_errors`.
  void settle_quietly() noexcept {
    if (!stages.main.queue.empty() && !stages.queueing()) flush_into(deferred_errors);
  }
  void flush_all(std::vector<command_queue> queues);
  // A visit is over, and something is queued or the world has ended meanwhile.
  [[gnu::cold]] void finish_visit();
  [[gnu::cold]] void finish_visit_quietly() noexcept;
  // A value was written, or is about to be.
  void note_write(const located_value& value, entity_t e, id_t id) {
    if (!stages.is_reading()) return store().note_write(value, e, id);
    const std::lock_guard guard(stages.kept_by_queries);
    store().note_write(value, e, id);
  }
  void destroy(entity_t e);
  void delete_with(id_t id);

  // --- types (components.cpp) ---
  // Makes an entity stand for a type with data. An error if it is in use as a tag.
  void give_type(entity_t e, const type_desc& desc);
  // `e` is a struct that a text defined; now it stands for a C++ type too. An error if they differ.
  void adopt_struct(entity_t e, const type_desc& desc);

  // --- life (engine_life.cpp) ---
  // The engine that handles point to. Null in the state that stands for all ended worlds.
  engine* shell = nullptr;
  // The world itself has a share, and so has each query. The last one to go deletes the state.
  void share() { ++shares_; }
  void release() noexcept {
    if (--shares_ == 0) delete this;
  }
  // The owner of the world is gone.
  void end() noexcept;
  void bury() noexcept;

  // Values may ask for their component while they are destroyed, so `components` outlives the
  // graph.
  class components components;
  graph graph_;
  core::store& store() { return graph_.store; }
  const core::store& store() const { return graph_.store; }
  names& names_ = graph_.names;
  struct shortcuts shortcuts;  // all are open but in tests
  statistics samples{graph_};
  class stages stages {
    graph_, shortcuts, samples
  };
  preparations prepared;
  member_table members_;
  std::size_t builtin_count = 0;
  entity_t scope = 0;
  std::vector<error> deferred_errors;

 private:
  friend struct ended_worlds;

  entity_record& promised_or_raise(entity_t e);
  bool has_promised_part(id_t id) const {
    if (!stages.is_reading()) return false;
    return is_pair(id) ? stages.is_promised(relation_of(id)) || stages.is_promised(target_of(id))
                       : stages.is_promised(id);
  }
  // The same as `pair` if not both are alive: one may be promised. Else it is an error.
  [[gnu::cold]] id_t promised_pair(entity_t relation, entity_t target) const;

  void flush();
  // Collects the errors, and returns the first as it was thrown.
  std::exception_ptr flush_into(std::vector<error>& errors);
  // Has an entity that the command names died since it was queued?
  bool is_outdated(const command& c, const command_queue& from) const;
  void carry_out(command& c, const command_queue& from);
  void carry_out_alive(command& c, const command_queue& from);
  void forget_component(entity_t e);

  std::atomic<int> shares_ = 1;
  engine_state* next_ended_ = nullptr;  // in the list of worlds that ended while they were in use
  command_queue mark_of_end_ = queue_of_one();
  static command_queue queue_of_one();
};

// --- changes at once (at_once.cpp) ---

void set_name(graph& g, entity_t e, std::string_view name);
void set_child_order(graph& g, entity_t parent, std::span<const entity_t> children);
// Removes all ids but Component.
void clear(graph& g, entity_t e);
// Copies the ids of `from` to `to`, which must have none.
void copy_ids(graph& g, entity_t from, entity_t to, bool with_values);
void set_enabled(graph& g, entity_t e, id_t id, bool on);
// Gives an id a value, and adds it if it is not there.
void set_value(graph& g, entity_t e, id_t id, const value_source& source);
void remove_from_all(graph& g, id_t id);
// New entities with ids that mean more than themselves; all or none.
void create_each(graph& g, std::size_t count, std::span<const bulk_id> ids,
                 std::vector<entity_t>& created);
// The entities that have an id or match a pattern, each once, without those that are built in.
std::vector<entity_t> entities_with(const graph& g, id_t id);
// The entity that is reached from `start` (0: the root) by names, or 0.
entity_t find_below(const names& all, entity_t start, std::span<const std::string> path);

// --- what is built in (bootstrap.cpp) ---

// Fills the world with the built-in entities.
void bootstrap(engine_state& state);
// Has a built-in entity this id without having been given it?
bool is_born_with(entity_t e, id_t id);

}  // namespace kith::core
