// A change of the graph, planned as a whole: what is asked for, what follows from it, what stands
// against it. It is carried out completely or not at all.
//
// Adding (Married, bob) to alice, with Married Symmetric and Exclusive, plans:
//
//   add     alice (Married, bob)      asked for
//   remove  alice (Married, tom)      Exclusive
//   remove  tom (Married, alice)      Symmetric
//   add     bob (Married, alice)      Symmetric
//
// First everything is examined, which may raise an error; then the store and the parts around it make
// room for all that comes, which may run out of memory; then the deltas go through the funnel of the
// store (storage/change.hpp), and names, orders and traits follow, which cannot fail.
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

  // `e` shall own `id`, with a value from `source`; without one, a copy of the value it inherits, or
  // the default one. Nothing is planned if it owns it already.
  void add(entity_t e, id_t id, const value_source& source = {});
  // The same with a copy of the value that `from` owns. Prefabs are not instantiated again.
  void add_copy(entity_t e, id_t id, entity_t from);
  // `e` shall not own `id`.
  void remove(entity_t e, id_t id);
  // `id`, which `e` is about to get, starts switched off.
  void switch_off(entity_t e, id_t id) { off_.push_back({e, id}); }
  // A new entity, which ends if the change fails.
  entity_t create() {
    make_room(created_);
    return created_.emplace_back(g_.store.create());
  }

  void commit();

 private:
  struct addition {
    entity_t e;
    id_t id;
    value_source source{};
    entity_t copy_of = 0;  // the value is a copy of what this entity owns
    // Of (IsA, base): copy what is overridden, and make the children of a prefab.
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
  // The traits of an entity, with those it is about to get.
  std::uint32_t flags_of(std::uint32_t index) const;

  void examine(std::size_t i);
  void examine_plain(entity_t e, id_t id);
  void examine_pair(const addition& a, const entity_record& r);
  void mirror_all_pairs(entity_t relation);
  // Prefabs (prefab.cpp).
  void become_kind_of(const addition& a, const entity_record& r, entity_t base);
  void instantiate_children(entity_t e, entity_t prefab);
  void fill_slots(entity_t instance, entity_t prefab, entity_t child, entity_t copy);

  // The plan as a whole (change_checks.cpp).
  void check_cycles() const;
  void check_cycles_of(std::uint32_t relation, const std::vector<const addition*>& coming) const;
  void check_names() const;
  void check_prefabs() const;
  void check_targets_belong() const;
  void check_targets_stay() const;
  [[noreturn]] void raise_cycle(entity_t e, id_t id) const;
  [[noreturn]] void raise_taken(std::string_view name, entity_t parent) const;

  // An entity that is given a trait or loses one.
  struct told_entity {
    entity_t e;
    bool pair_values = false;  // PairIsTag comes or goes
  };
  std::vector<told_entity> told() const;
  std::uint32_t flags_after(entity_t e) const;
  void reserve_effects();
  void reserve_children();
  void apply();
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
  // The one pair of an Exclusive relation that an entity gets, by (entity, (R, 0)).
  hash_map<std::pair<entity_t, id_t>, id_t, place_hash> only_;
  // The flags of traits that come, by the index of the entity that gets them.
  hash_map<std::uint32_t, std::uint32_t> given_;
};

// The short way for ids that mean no more than themselves; else a change of its own.
void add_id(graph& g, entity_t e, id_t id, const value_source& source = {});
void remove_id(graph& g, entity_t e, id_t id);
// Makes `e` a kind of `base`, with all that follows, if that is simple (instantiate.cpp); else false, and
// nothing has changed.
bool instantiate_in_short(graph& g, entity_t e, const entity_record& r, entity_t base);

}  // namespace kith::core
