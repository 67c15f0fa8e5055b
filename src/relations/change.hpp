// A change of the graph, planned as a whole: the additions and removals that a caller asks for, and
// the ones that follow from traits. commit() carries the plan out completely or not at all.
//
// Adding (Married, bob) to alice, with Married Symmetric and Exclusive, plans:
//
//   add     alice (Married, bob)      asked for
//   remove  alice (Married, tom)      Exclusive
//   remove  tom (Married, alice)      Symmetric
//   add     bob (Married, alice)      Symmetric
//
// commit() works in three steps:
//   1. It examines every addition and checks the plan as a whole. This may raise an error.
//   2. The store and the parts around it make room. This may run out of memory.
//   3. The deltas go through the funnel of the store (storage/change.hpp); names, orders of
//      children and traits follow. This cannot fail.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/make_room.hpp"
#include "relations/graph.hpp"
#include "storage/type_info.hpp"

namespace kith::core {

class change {
 public:
  explicit change(graph& g) : g_(g) {}
  change(const change&) = delete;
  change& operator=(const change&) = delete;
  ~change();

  // Plans that `e` owns `id`, with a value from `source`. Without a source the value is a copy of
  // the one that `e` inherits, or else the default one. Plans nothing if `e` owns `id` already.
  void add(entity_t e, id_t id, const value_source& source = {});
  // The same with a copy of the value that `from` owns. Does not instantiate prefabs again.
  void add_copy(entity_t e, id_t id, entity_t from);
  void remove(entity_t e, id_t id);
  // `id`, which this change adds to `e`, starts switched off.
  void switch_off(entity_t e, id_t id) { off_.push_back({e, id}); }
  // Creates an entity. It ends if the change fails.
  entity_t create() {
    if (g_.allowed) g_.allowed->spend(1);
    make_room(created_);
    return created_.emplace_back(g_.store.create());
  }

  void commit();

 private:
  struct addition {
    entity_t e;
    id_t id;
    value_source source{};
    entity_t copy_of = 0;  // the value is a copy of the one that this entity owns
    // For (IsA, base): copy the ids that are overridden, and copy the children of a prefab.
    bool override_ids = true;
    bool instantiate = true;
  };
  struct removal {
    entity_t e;
    id_t id;
  };
  struct naming {
    entity_t e;
    entity_t parent;
    std::string name;
    bool given = false;
  };

  void plan(const addition& a);
  bool will_own(entity_t e, id_t id) const;
  // The flags of the entity at `index`, and the flags of the traits that this change adds.
  std::uint32_t flags_of(std::uint32_t index) const;

  void examine(std::size_t i);
  void examine_plain(entity_t e, id_t id);
  void examine_pair(const addition& a, const entity_record& r);
  void mirror_all_pairs(entity_t relation);
  // Prefabs (prefab.cpp).
  void become_kind_of(const addition& a, const entity_record& r, entity_t base);
  void instantiate_children(entity_t e, entity_t prefab);
  void fill_slots(entity_t instance, entity_t prefab, entity_t child, entity_t copy);

  // Checks of the plan as a whole (change_checks.cpp).
  void check_cycles() const;
  void check_cycles_of(std::uint32_t relation, const std::vector<const addition*>& coming) const;
  void check_names() const;
  void check_prefabs() const;
  void check_targets_belong() const;
  void check_targets_stay() const;
  [[noreturn]] void raise_cycle(entity_t e, id_t id) const;
  [[noreturn]] void raise_taken(std::string_view name, entity_t parent) const;

  // An entity that gains or loses a trait.
  struct told_entity {
    entity_t e;
    bool pair_values = false;  // PairIsTag is added or removed
  };
  std::vector<told_entity> told() const;
  std::uint32_t flags_after(entity_t e) const;
  void reserve_effects();
  void push_told(undo_way after);
  void reserve_children();
  void apply();
  bool is_seen() const;
  bool is_read() const;
  bool apply_in_short();
  void finish() noexcept;

  graph& g_;
  std::vector<addition> additions_;
  std::vector<removal> removals_;
  std::vector<naming> namings_;
  std::vector<removal> off_;
  std::vector<entity_t> created_;
  std::vector<told_entity> told_;
  bool done_ = false;

  struct place_hash {
    std::size_t operator()(const std::pair<entity_t, id_t>& p) const {
      return mix(mix(p.first) + p.second);
    }
  };
  using place_set = hash_map<std::pair<entity_t, id_t>, bool, place_hash>;
  place_set adding_, removing_;
  // By (entity, (R, 0)) for Exclusive relations: the one pair of R that the entity gets.
  hash_map<std::pair<entity_t, id_t>, id_t, place_hash> only_;
  // The flags of the traits that this change adds, by the index of the entity that gets them.
  hash_map<std::uint32_t, std::uint32_t> given_;
};

// Adds or removes one id. If no rule is about the id, the store does it at once; else these plan a
// change.
void add_id(graph& g, entity_t e, id_t id, const value_source& source = {});
void remove_id(graph& g, entity_t e, id_t id);
// Adds (IsA, base) to `e`, with the copies that follow from it, if that is simple
// (instantiate.cpp). Returns false and changes nothing if it is not.
bool instantiate_in_short(graph& g, entity_t e, const entity_record& r, entity_t base);

}  // namespace kith::core
