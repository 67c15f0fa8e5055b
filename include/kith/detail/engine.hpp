// The runtime-typed core of a world: everything the typed skin calls, in terms of plain ids.
//
// Each call checks the entities and ids that it is given; if one is wrong, it raises `kith::error`
// and changes nothing. While the world is deferred, and inside constructors and destructors of
// values, changes are queued. They are carried out in order later.
//
// Handles point to an engine. Engines are never freed: after the end of the world each call raises
// a `not_alive` error.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kith/detail/budget.hpp>
#include <kith/detail/builtins.hpp>
#include <kith/detail/change_hooks.hpp>
#include <kith/detail/error.hpp>
#include <kith/detail/event_desc.hpp>
#include <kith/detail/id.hpp>
#include <kith/detail/member.hpp>
#include <kith/detail/type_info.hpp>

namespace kith {

// How far a text of facts has been read.
struct define_progress {
  std::size_t statements = 0;  // that are applied
  std::size_t line = 0;        // of the last one, from 1
};

}  // namespace kith

namespace kith::core {

struct engine_state;

// `hear` is called every few thousand statements. Changes that it asks for are constraint errors.
struct progress_listener {
  void (*hear)(const define_progress& p, void* context) = nullptr;
  void* context = nullptr;
};

class engine {
 public:
  // Begins a world. `instantiate`: what instances get of ids that have no (OnInstantiate, ...).
  // `max_reactions`: how often reactions may follow from reactions.
  static engine& begin(entity_t instantiate, unsigned max_reactions);
  // Ends the world: destroys all values. If the world is being visited, that happens when the last
  // visit ends, which raises an error.
  void end() noexcept;
  // The handles that own the world. The last one ends it.
  void add_owner() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }
  void drop_owner() noexcept {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) end();
  }
  // The engine of no world, for handles that have lost theirs.
  static engine& ended();
  bool has_ended() const;
  // How many engines there are. None is freed, so that handles may outlive their worlds.
  static std::size_t made_so_far();

  engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  // --- entities ---
  // A new entity, child of the current scope.
  entity_t create();
  // A new entity without a parent, in any scope.
  entity_t create_id();
  // The entity with this path below the current scope; made, with its parents, if it is not there.
  entity_t create_named(std::string_view path);
  // A new entity with all of `ids` at once.
  entity_t create_with(std::span<const new_id> ids);
  std::vector<entity_t> create_many(std::size_t count, std::span<const bulk_id> ids);
  void make_alive(entity_t e);
  bool is_alive(entity_t e) const;
  // The entity that lives at the index of `e` now, or 0.
  entity_t alive_at(std::uint32_t index) const;
  void destroy(entity_t e);
  void clear(entity_t e);
  // Copies the ids of `e` to `into`, or to a new entity if that is 0; returns it.
  entity_t clone(entity_t e, entity_t into, bool with_values);
  // Living entities that are not built in.
  std::size_t entity_count() const;

  // --- ids ---
  // (relation, target). Each may be a wildcard.
  id_t pair(entity_t relation, entity_t target) const;
  // Both halves of a pair as entities.
  entity_t first(id_t pair) const;
  entity_t second(id_t pair) const;

  void add(entity_t e, id_t id);
  void remove(entity_t e, id_t id);
  // Visible: owned and switched on. `id` may have wildcards.
  bool has(entity_t e, id_t id) const;
  // Of a pair; its parts must be alive, and may be wildcards.
  bool has(entity_t e, entity_t relation, entity_t target) const;
  bool owns(entity_t e, id_t id) const;
  void set_enabled(entity_t e, id_t id, bool on);
  bool is_enabled(entity_t e, id_t id) const;
  // All ids `e` owns, ascending; with a pattern those that match it.
  std::vector<id_t> owned_ids(entity_t e) const;
  std::vector<id_t> matching_ids(entity_t e, id_t pattern) const;
  // The pairs of a relation `e` owns, ascending. Valid until the next change.
  std::span<const id_t> pairs_of(entity_t e, entity_t relation) const;

  // --- values ---
  // The value of a visible id, or null. `value_type` is the component it must be made of.
  const void* get(entity_t e, id_t id, entity_t value_type) const;
  // The value of an owned id, or null.
  void* get_mut(entity_t e, id_t id, entity_t value_type);
  // The value of an owned id, which is added with a default value if it is not there.
  void* ensure(entity_t e, id_t id, entity_t value_type);
  // The value of an owned id was written through a pointer that was got earlier.
  void modified(entity_t e, id_t id);
  void set(entity_t e, id_t id, entity_t value_type, const value_source& source);
  // A copy of `value`, which must be of the type of the id. `size`: what the caller takes for the
  // size of it, if it says so.
  void set_copy(entity_t e, id_t id, const void* value, std::optional<std::size_t> size = {});
  // The component whose values an id has, or 0.
  entity_t type_of(id_t id) const;
  // How many bytes a value of a component has; 0 of what is no component.
  std::size_t size_of(entity_t component) const;

  // --- types ---
  // The component that stands for a C++ type; registered on first use.
  template <class T>
  entity_t component() {
    const std::uint32_t slot = known_slot<T>.load(std::memory_order_relaxed);
    if (slot < components_.size() && components_[slot]) return components_[slot];
    return register_component(slot_of_type<T>(), describe_type<T>(), {});
  }
  template <class T>
  bool knows_type() const {
    const std::uint32_t slot = known_slot<T>.load(std::memory_order_relaxed);
    return slot < components_.size() && components_[slot];
  }
  // `slot` = type_slot(desc). `parent`: in which the name begins; 0: at the root.
  entity_t register_component(std::uint32_t slot, const type_desc& desc, std::string_view name,
                              entity_t parent = 0);
  // The child of an enum that stands for a constant of this name. An error if there is none.
  entity_t constant(entity_t enumeration, std::string_view name) const;
  // A type that no C++ type stands for.
  entity_t runtime_component(std::string_view name, const type_desc& desc);

  // A hook of the type that the component stands for. An error if it has one of this kind.
  void set_hook(entity_t component, hook_kind kind, hook h);

  // Describes a member of a component. An error if another of that name is described.
  void add_member(entity_t component, const member_desc& desc);
  // The members that are described, in their order.
  std::vector<member_info> members(entity_t component) const;

  // --- events (events.cpp) ---
  // Tells the observers of an event now. Afterwards the first exception of one of them is raised.
  void emit(const event_call& call);
  // The same when the changes before it are carried out. `type`: of the payload; 0: there is none.
  void enqueue(const event_call& call, entity_t type, const value_source& payload);
  // Calls `visit` when the event is sent to the entity.
  void observe(entity_t e, entity_t event, event_visit visit);
  // All that `body` does is one change, or nothing if it throws.
  void change_whole(const std::function<void()>& body);

  // --- facts ---
  // Makes true what a text says, all of it or nothing. Returns how many statements it has. An error
  // while the world is deferred.
  result<std::size_t> try_define(std::string_view text, const budget& most = {},
                                 progress_listener listener = {});
  std::size_t define(std::string_view text, const budget& most = {});
  // The world as such a text, in pieces.
  void facts(void (*write)(std::string_view piece, void* context), void* context) const;

  // --- the graph ---
  // The n-th visible target in ascending order, or 0.
  entity_t target(entity_t e, entity_t relation, std::size_t n) const;
  std::size_t target_count(entity_t e, entity_t relation) const;
  // The visible pairs of the relation, ascending, if one entity owns them all and has none switched
  // off. Valid until the next change.
  std::optional<std::span<const id_t>> shown_pairs(entity_t e, entity_t relation) const;
  // All visible targets, ascending.
  std::vector<entity_t> targets(entity_t e, entity_t relation) const;
  entity_t parent(entity_t e) const;
  // Valid until the next change.
  std::span<const entity_t> children_of(entity_t parent) const;
  void set_child_order(entity_t parent, std::span<const entity_t> children);
  // Does R(e, target) hold, with Transitive, Reflexive and kinds of the relation?
  bool related(entity_t e, entity_t relation, entity_t target) const;
  // Does `e` have `id`, or something that is a kind of it?
  bool related(entity_t e, id_t id) const;
  // Does a way along the relation lead from `e` to `target`? All that it leads to, or from.
  bool leads(entity_t e, entity_t relation, entity_t target) const;
  std::vector<entity_t> reached_from(entity_t e, entity_t relation) const;
  std::vector<entity_t> reached_to(entity_t e, entity_t relation) const;
  // The first of `e`, its target, the target's target, ... that has `id`; 0 if none has.
  entity_t target_for(entity_t e, entity_t relation, id_t id) const;
  // Calls `visit` with each entity that owns an id. A pattern with wildcards gives each entity
  // once. Requires: the world is deferred.
  void each_with(id_t id, void (*visit)(entity_t e, void* context), void* context) const;
  std::size_t count(id_t id) const;
  // Takes an id from, or deletes, all entities that have it.
  void remove_from_all(id_t id);
  void delete_with(id_t id);

  // --- names ---
  void set_name(entity_t e, std::string_view name);
  std::string_view name(entity_t e) const;
  std::string path(entity_t e, std::string_view separator) const;
  // Below `parent` alone if there is one; else from the current scope outwards. 0 if nothing is
  // there.
  entity_t lookup(std::string_view path, entity_t parent) const;
  entity_t scope() const;
  entity_t set_scope(entity_t scope);
  // The same without looking whether it is alive.
  void restore_scope(entity_t scope) noexcept;
  // From here on new entities get this id, until it is taken off again.
  void push_with(id_t id);
  void pop_with() noexcept;
  std::string text_of(id_t id) const;

  // --- deferred mode ---
  void defer_begin();
  // Ends one level. The last one carries the queued changes out; those that fail are skipped, and
  // the first error is raised at the end.
  void defer_end();
  bool is_deferred() const;
  // From here on changes happen at once, until `defer_resume`. An error while a visit lasts.
  void defer_suspend();
  void defer_resume();
  // From here on several threads may read; what they change waits, for each of them.
  void readonly_begin();
  void readonly_end();
  void stop_queries_when(const std::atomic<bool>* stop);
  void watch_queries(std::function<void()> tell, std::chrono::milliseconds every);
  void limit_queries(const budget& most);
  std::vector<error> take_deferred_errors();

  // --- storage ---
  std::size_t reclaim();
  std::size_t table_count() const;
  // The ids kept in the table of `e`; the rest is kept apart. For inspection.
  std::vector<id_t> table_ids(entity_t e) const;
  std::uint32_t table_number(entity_t e) const;
  std::uint32_t table_row(entity_t e) const;
  // Valid until the next change.
  std::span<const entity_t> table_entities(std::uint32_t table) const;
  // The values of an id that the table keeps, side by side; null if it keeps none, or boxes.
  void* table_values(std::uint32_t table, id_t id) const;

  // The parts of the world. An error if it has ended.
  engine_state& state() const;

 private:
  friend struct engine_state;
  void refer_to(engine_state& s);
  [[gnu::noinline]] entity_t create_in_scope();
  entity_t create_path(entity_t at, std::span<const std::string> path);
  std::span<const entity_t> components_;  // by type slot
  engine_state* state_;                   // never null
  engine* earlier_ = nullptr;             // the engine that was made before this one
  std::atomic<std::uint32_t> owners_ = 1;
};

// While a visit lasts, changes wait. The end of the outermost one carries them out, and raises the
// first error of them; a quiet end keeps the errors for `take_deferred_errors`. A visit keeps the
// state, even if the world ends meanwhile; then its end raises an error.
void visit_begin(engine_state& s);
void visit_end(engine_state& s);
void visit_end_quietly(engine_state& s) noexcept;

}  // namespace kith::core
