// A naive implementation of a world as the specification describes it: maps and sets of facts.
//
// It is slow and shares only constants and error codes with the library. Every operation returns
// the errors that it may raise. If there are none, the operation has been carried out, or is queued
// while the world is deferred; if there are some, nothing has changed.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <kith/builtins.hpp>
#include <kith/error.hpp>

#include "model/kinds.hpp"

namespace kith_model {

// An entity of the model. Built-in ones have the number of their constant, others get a number that
// is never used again. 0 is no entity.
using number = kith::entity_t;
inline constexpr number first_number = 1000;
inline constexpr std::uint32_t unknown_place = ~0u;

// A plain id, or a pair if there is a `second`.
struct naive_id {
  number first = 0;
  number second = 0;
  bool is_pair() const { return second != 0; }
  friend auto operator<=>(const naive_id&, const naive_id&) = default;
};

// The state of an id that an entity owns.
struct holding {
  std::optional<int> value = std::nullopt;  // empty for a tag
  bool off = false;
  friend bool operator==(const holding&, const holding&) = default;
};

struct naive_entity {
  std::map<naive_id, holding> owned;
  std::string name;
  // The parent under which the name is unique. It differs from the parent only for an entity made
  // by its path while adding the parent is queued.
  number named_under = 0;
  // Entities in "ascending order" are ordered by this.
  std::uint32_t place = unknown_place;
  // The children of a parent that owns OrderedChildren.
  std::vector<number> order = {};
  // Several children came at once in an unspecified order; the twin copies the order of the
  // library.
  bool order_is_open = false;
  friend bool operator==(const naive_entity&, const naive_entity&) = default;
};

// The errors that a call may raise. If several things are wrong, the library may raise any of them.
using faults = std::set<kith::errc>;
inline faults operator|(faults a, const faults& b) {
  a.insert(b.begin(), b.end());
  return a;
}
inline faults constraint_if(bool broken) {
  return broken ? faults{kith::errc::constraint} : faults{};
}

using path = std::vector<std::string>;

bool is_wildcard(number n);
bool is_pattern(const naive_id& id);
bool matches(const naive_id& id, const naive_id& pattern);
bool is_builtin(number n);
bool is_trait(const naive_id& id);

class naive_world {
 public:
  // --- looking ---
  bool is_alive(number e) const { return entities_.contains(e); }
  const naive_entity& at(number e) const { return entities_.at(e); }
  const std::map<number, naive_entity>& entities() const { return entities_; }
  bool owns(number e, const naive_id& id) const;
  // The owned ids that match the pattern.
  std::set<naive_id> matching(number e, const naive_id& pattern) const;
  // The owned pairs of exactly this relation, on or off.
  std::set<naive_id> pairs_of(number e, number relation) const;
  // The entities that own a matching id, without built-in ones.
  std::set<number> holders(const naive_id& pattern) const;
  // The parent, on or off.
  number parent(number e) const;
  // On or off; in their order if there is one.
  std::vector<number> children(number e) const;
  bool is_on(number e, const naive_id& id) const;

  // --- what holds (naive_visible.cpp) ---
  // The entity whose `id` is visible on `e`, or 0.
  number owner(number e, const naive_id& id) const;
  bool has(number e, const naive_id& pattern) const;
  std::set<naive_id> visible(number e, const naive_id& pattern) const;
  // Ascending, like all lists of entities here.
  std::vector<number> targets(number e, number relation) const;
  // The entities one step along the relation, or a kind of it, from `e`; and those from which one
  // step leads to `e`.
  std::vector<number> steps(number e, number relation) const;
  std::vector<number> steps_to(number e, number relation) const;
  // The entities one or more steps away, nearest first.
  std::vector<number> reached(number e, number relation) const;
  std::vector<number> reached_by(number e, number relation) const;
  bool related(number e, number relation, number target) const;
  bool related(number e, number predicate) const;
  // The first entity, from `e` along the relation depth first, on which `id` is visible; or 0.
  number target_for(number e, number relation, const naive_id& id) const;
  // The entities that IsA `e`, directly or through others.
  std::set<number> kinds(number e) const;
  // The value of `id` after it was added to `e` without one.
  int first_value(number e, const naive_id& id) const;

  number child_named(number parent, const std::string& name) const;
  number below(number start, const path& names) const;
  // Searches in the scope and its ancestors, at the root, then among the built-in entities.
  number lookup(const path& names) const;
  // The names down to `e`; the first is empty if the outermost ancestor `from` has no name.
  struct route {
    number from;
    path names;
  };
  route route_to(number e) const;

  // The entity whose values an id has, or 0.
  number type_of(const naive_id& id) const;
  std::optional<kind> kind_of(const naive_id& id) const;
  // The entity of a C++ type, or 0.
  number registered(kind k) const;
  const std::map<number, kind>& types() const { return types_; }
  long values_of(kind k) const;
  number scope() const { return scope_; }
  bool is_deferred() const { return depth_ != 0; }
  int depth() const { return depth_; }
  // The number of entities after the queued changes.
  std::size_t size_when_done() const;
  bool anything_waits() const { return !queue_.empty(); }
  // Whether a value was written while changes of it were queued; it is unknown until they are made.
  bool is_unsettled(number e, const naive_id& id) const { return unsettled_.contains({e, id}); }

  // --- entities ---
  // A built-in entity, as a new world has it.
  void begin_with(number e, const std::string& name, const std::set<naive_id>& ids);
  // The policy for ids without (OnInstantiate, ...): Inherit, Override or DontInherit.
  void instantiate_by_default(number policy) { instantiate_ = policy; }
  void put_at(number e, std::uint32_t place) { entities_.at(e).place = place; }
  void close_order(number e, const std::vector<number>& order);
  // `made` gets the new entities, outermost first.
  faults create(std::vector<number>& made);
  // A new entity outside any scope.
  number create_id();
  faults create_named(const path& names, bool from_root, number& found, std::vector<number>& made);
  struct initial {
    kind what;
    int value;
  };
  faults create_with(const std::vector<initial>& values, std::vector<number>& made);
  faults create_many(const std::vector<std::vector<initial>>& values, std::vector<number>& made);
  faults destroy(number e);
  faults clear(number e);
  // If `into` is 0, a new entity, which is added to `made`.
  faults clone(number e, number into, bool with_values, std::vector<number>& made);

  // --- ids and values ---
  faults add(number e, naive_id id);
  faults remove(number e, naive_id id);
  faults enable(number e, naive_id id, bool on);
  // `type` is the entity of the type of the value; 0 means the type that the id has.
  faults set(number e, naive_id id, number type, int value);
  // Adds the id if it is not there, and adds `more` to its value.
  faults ensure(number e, naive_id id, number type, int more);
  // Writes to a value at once. Requires: owned, with a value.
  void write(number e, naive_id id, int value);
  faults remove_all(naive_id id);
  faults delete_with(naive_id id);
  faults set_child_order(number e, const std::vector<number>& children);
  // Whether `ensure` has the same result before and after the queued changes. It has not if one of
  // them fails or copies the value.
  bool ensure_is_certain(number e, naive_id id, number type) const;

  // --- names and scopes ---
  faults set_name(number e, const std::string& name);
  faults set_scope(number e);
  // The same without checking that `e` is alive.
  void restore_scope(number e) { scope_ = e; }

  // --- types ---
  faults register_type(kind k, std::vector<number>& made);
  // A runtime component; an empty name makes a nameless one.
  faults runtime_component(kind k, const std::string& name, number& found,
                           std::vector<number>& made);
  // False if an entity that is used otherwise would become a type while changes of it may be
  // queued.
  bool registering_is_certain(number start, const path& names) const;

  // --- deferred changes ---
  void defer_begin() { ++depth_; }
  // The errors of each command that failed, in order. Requires: is_deferred().
  std::vector<faults> defer_end();

 private:
  using action = std::function<faults(naive_world&)>;
  struct command {
    std::vector<number> names;  // one of these dies before its turn: it is dropped
    action act;
  };
  // Carries out the action, or queues it if the world is deferred.
  faults perform(const std::vector<number>& names, const action& act);

  friend class naive_change;

  faults dead(number e) const;
  faults dead(const naive_id& id) const;
  faults unaddable(const naive_id& id) const;
  faults wrong_type(const naive_id& id, number type) const;
  faults untypable(number e) const;

  // --- traits (naive_traits.cpp) ---
  bool has_trait(number e, number trait) const;
  bool is_exclusive(number relation) const;
  // The targets of a trait that is a relation: (With, X), (OneOf, P).
  std::set<number> told(number e, number trait) const;
  // How an instance gets the ids of a predicate: Inherit, Override or DontInherit.
  number on_instantiate(number predicate) const;
  // The errors if the traits of the parts of `id` forbid its use on `e`.
  faults misuse(number e, const naive_id& id) const;
  // The errors if `e` has the trait and the existing facts contradict it.
  faults contradiction(number e, const naive_id& trait) const;
  // Whether a way of any length, from 0 on, along owned pairs of the relation leads from one entity
  // to the other.
  bool leads(number from, number to, number relation) const;

  // The bases of an entity that are not switched off.
  std::vector<number> bases(number e) const;
  // The entity, its bases and theirs, depth first.
  std::vector<number> lineage(number e) const;
  void sort(std::vector<number>& list) const;

  number make();
  void leave_lost_parent(number e);
  void give_type(number e, kind k);
  number make_path(number start, const path& names, std::vector<number>& made);

  faults add_now(number e, naive_id id, std::optional<int> value);
  faults remove_now(number e, naive_id id);
  faults set_now(number e, naive_id id, number type, int value);
  faults ensure_now(number e, naive_id id, number type, int more);
  faults enable_now(number e, naive_id id, bool on);
  faults clear_now(number e);
  faults clone_now(number from, number to, bool with_values);
  faults destroy_now(number e);
  faults set_name_now(number e, const std::string& name);
  faults remove_all_now(naive_id id);
  faults set_child_order_now(number e, const std::vector<number>& children);
  faults delete_with_now(naive_id id);
  faults delete_now(std::set<number> going);

  std::map<number, naive_entity> entities_;
  std::map<number, std::set<naive_id>> born_with_;  // ids that built-in entities cannot lose
  std::map<number, kind> types_;                    // the entities of types with data
  std::map<kind, number> registered_;               // the entities of C++ types, also of tags
  number instantiate_ = kith::Inherit;
  number scope_ = 0;
  number next_ = first_number;
  int depth_ = 0;
  std::vector<command> queue_;
  std::set<std::pair<number, naive_id>> unsettled_;
};

}  // namespace kith_model
