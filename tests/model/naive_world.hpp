// A world as the documents describe it, in the plainest way there is: maps and sets of facts.
//
// Nothing here is fast, and nothing is shared with the library but its constants and error codes. Every
// operation returns the errors it may raise; if there are none it has happened (or waits, while the
// world is deferred), and if there are some nothing has changed.
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

// An entity of the model. Built-in ones have the number of their constant, others get a number that is
// never used again. 0 is no entity.
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

// What an entity has of an id.
struct holding {
  std::optional<int> value = std::nullopt;  // empty: a tag
  bool off = false;
  friend bool operator==(const holding&, const holding&) = default;
};

struct naive_entity {
  std::map<naive_id, holding> owned;
  std::string name;
  // Where the name counts. The parent, but for an entity made by its path whose parent still waits.
  number named_under = 0;
  // "Ascending" order of entities: the order of these.
  std::uint32_t place = unknown_place;
  // The children of a parent that owns OrderedChildren.
  std::vector<number> order = {};
  // Several came at once, in an order that nothing says: it is taken as it is, and stays.
  bool order_is_open = false;
  friend bool operator==(const naive_entity&, const naive_entity&) = default;
};

// What may be raised. Several: more than one thing is wrong, and any of them may be told.
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
  // Owned ids that match.
  std::set<naive_id> matching(number e, const naive_id& pattern) const;
  // All of exactly this relation that it owns, on or off.
  std::set<naive_id> pairs_of(number e, number relation) const;
  // Who owns one that matches. Not the built-in entities.
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
  // Where one step along the relation, or a kind of it, leads to; and from where it leads here.
  std::vector<number> steps(number e, number relation) const;
  std::vector<number> steps_to(number e, number relation) const;
  // Where one or more steps lead, nearest first.
  std::vector<number> reached(number e, number relation) const;
  std::vector<number> reached_by(number e, number relation) const;
  bool related(number e, number relation, number target) const;
  bool related(number e, number predicate) const;
  // The first of `e`, where its steps lead and theirs, depth first, on which `id` is visible; or 0.
  number target_for(number e, number relation, const naive_id& id) const;
  // All that IsA `e`, directly or through others.
  std::set<number> kinds(number e) const;
  // The value that `id` begins with when it is added to `e` without one.
  int first_value(number e, const naive_id& id) const;

  number child_named(number parent, const std::string& name) const;
  number below(number start, const path& names) const;
  // As the world looks: from the scope outwards, at the root, among the built-in entities.
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
  // How many entities there will be when what waits is done.
  std::size_t size_when_done() const;
  bool anything_waits() const { return !queue_.empty(); }
  // The value was written to while changes of it waited: it is not known before they are done.
  bool is_unsettled(number e, const naive_id& id) const { return unsettled_.contains({e, id}); }

  // --- entities ---
  // A built-in entity, as a new world has it.
  void begin_with(number e, const std::string& name, const std::set<naive_id>& ids);
  // What instances get of ids that say nothing of it: Inherit, Override or DontInherit.
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
  // `into` 0: a new entity, which `made` gets.
  faults clone(number e, number into, bool with_values, std::vector<number>& made);

  // --- ids and values ---
  faults add(number e, naive_id id);
  faults remove(number e, naive_id id);
  faults enable(number e, naive_id id, bool on);
  // `type`: the entity that stands for the type of the value; 0: whatever the id has.
  faults set(number e, naive_id id, number type, int value);
  // Adds the id if it is not there, and adds `more` to its value.
  faults ensure(number e, naive_id id, number type, int more);
  // Writes to a value at once. Requires: owned, with a value.
  void write(number e, naive_id id, int value);
  faults remove_all(naive_id id);
  faults delete_with(naive_id id);
  faults set_child_order(number e, const std::vector<number>& children);
  // Does `ensure` come to the same whether it is done before or after what waits? It does not if
  // something fails then, or if what waits copies the value.
  bool ensure_is_certain(number e, naive_id id, number type) const;

  // --- names and scopes ---
  faults set_name(number e, const std::string& name);
  faults set_scope(number e);
  // The same without looking whether it is alive.
  void restore_scope(number e) { scope_ = e; }

  // --- types ---
  faults register_type(kind k, std::vector<number>& made);
  // A runtime component; an empty name makes a nameless one.
  faults runtime_component(kind k, const std::string& name, number& found,
                           std::vector<number>& made);
  // False: an entity in use as something else would become a type while changes of it may wait.
  bool registering_is_certain(number start, const path& names) const;

  // --- deferred changes ---
  void defer_begin() { ++depth_; }
  // What went wrong with each command that failed, in order. Requires: is_deferred().
  std::vector<faults> defer_end();

 private:
  using action = std::function<faults(naive_world&)>;
  struct command {
    std::vector<number> names;  // one of these dies before its turn: it is dropped
    action act;
  };
  // Does it now, or later if the world is deferred.
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
  // Whom a relation with this trait leads to: (With, X), (OneOf, P).
  std::set<number> told(number e, number trait) const;
  // What an instance gets of the ids of a predicate: Inherit, Override or DontInherit.
  number on_instantiate(number predicate) const;
  // Using the id on `e` is against the traits of its parts.
  faults misuse(number e, const naive_id& id) const;
  // `e` has the trait, and what is there speaks against it.
  faults contradiction(number e, const naive_id& trait) const;
  // Some way along owned pairs of the relation, of any length from 0.
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
  std::map<number, std::set<naive_id>> born_with_;  // built-in entities keep these
  std::map<number, kind> types_;                    // entities that stand for a type with data
  std::map<kind, number> registered_;               // those of C++ types, tags too
  number instantiate_ = kith::Inherit;
  number scope_ = 0;
  number next_ = first_number;
  int depth_ = 0;
  std::vector<command> queue_;
  std::set<std::pair<number, naive_id>> unsettled_;
};

}  // namespace kith_model
