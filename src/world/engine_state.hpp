// One of each: the parts that make a world.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include <kith/detail/engine.hpp>

#include "base/hash_map.hpp"
#include "base/scope_exit.hpp"
#include "entity/commands.hpp"
#include "meta/members.hpp"
#include "query/exec/meaning.hpp"
#include "relations/graph.hpp"
#include "relations/reach.hpp"

namespace kith::core {

struct engine_state {
  explicit engine_state(std::vector<entity_t>& components) : components_by_slot(components) {}

  // Fills the world with the built-in entities.
  void bootstrap();
  // Is it a fact about a built-in entity that was never told?
  static bool is_born_with(entity_t e, id_t id);

  // --- checks ---
  entity_record& alive(entity_t e) { return graph_.alive(e); }
  const entity_record& alive(entity_t e) const { return graph_.alive(e); }
  void check_known(id_t id) const { graph_.check_known(id); }
  void check_addable(id_t id) const { graph_.check_addable(id); }
  void check_exact(id_t id) const { graph_.check_exact(id); }
  void check_has_value(id_t id, entity_t value_type) const;
  // Ids that a new entity can start with: each once.
  void check_new_ids(std::span<const id_t> ids) const;
  std::string text(entity_t e) const { return describe_id(store_, names_, e); }
  std::string text_of_id(id_t id) const { return describe_id(store_, names_, id); }

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
  bool queueing() const { return defer_depth != 0 || store_.busy() || ending; }
  // Carries out what was queued, unless the world is still deferred.
  void settle() {
    if (!queue.empty() && !queueing()) flush();
  }
  void settle_quietly() noexcept {
    if (!queue.empty() && !queueing()) flush_into(deferred_errors);
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

  graph graph_;
  store& store_ = graph_.facts;
  names& names_ = graph_.known_names;
  reach reach_{graph_};
  meaning meaning_{graph_, reach_};
  member_table members_;

  std::size_t builtin_count = 0;
  entity_t scope = 0;
  int defer_depth = 0;
  int begun = 0;        // of defer_depth, how many levels defer_begin began
  bool ending = false;  // the world is being destroyed: changes are ignored
  command_queue queue;
  std::vector<error> deferred_errors;

  std::vector<entity_t>& components_by_slot;
  // Registered C++ types by their qualified name, and those names by entity index.
  hash_map<std::string, entity_t, std::hash<std::string>> components_by_name;
  hash_map<std::uint32_t, std::string> registered;

 private:
  void carry_out(command& c, const command_queue& from);
  void repair_name(entity_t e);
  void forget_component(entity_t e);
};

}  // namespace kith::core
