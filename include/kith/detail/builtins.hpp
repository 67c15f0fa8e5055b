// The entities every world is born with. Their ids are the same in all worlds, so they are
// constants.
#pragma once

#include <kith/detail/id.hpp>

namespace kith {

// --- patterns ---

// Matches any one entity in a pattern: `(Likes, Wildcard)`. Never added to an entity.
inline constexpr entity_t Wildcard = 1;
// Like Wildcard, but asks only whether there is one.
inline constexpr entity_t Any = 2;

// --- what entities are and how they belong together ---

// Marks the entities that are component types; an entity without it is a tag when added. Its value
// is a component_info.
inline constexpr entity_t Component = 3;
struct component_info {
  std::uint32_t size = 0;
  std::uint32_t alignment = 0;
};
// The hierarchy: (ChildOf, parent). An entity has at most one parent, is deleted with it, and is
// named within it.
inline constexpr entity_t ChildOf = 4;
// Being a kind of something: (IsA, base). What the base has is visible on the entity.
inline constexpr entity_t IsA = 5;
// A model to make entities of, hidden from queries. Its children are made with each instance.
inline constexpr entity_t Prefab = 6;
// Entities that are switched off as a whole.
inline constexpr entity_t Disabled = 7;
// (SlotOf, prefab) on a child of a prefab: an instance finds its own copy as target(child).
inline constexpr entity_t SlotOf = 8;

// In a query: the entity that is being matched, `$this`. Never added to an entity.
inline constexpr entity_t This = 9;

// --- traits: what a relation or component can be told to do ---

// Pairs of this relation never carry a value.
inline constexpr entity_t PairIsTag = 16;
inline constexpr entity_t Tag = PairIsTag;
// An entity has at most one target of this relation; a new one replaces the old one.
inline constexpr entity_t Exclusive = 17;
// No chain of this relation leads back to where it began.
inline constexpr entity_t Acyclic = 18;
// R(a, b) and R(b, c) mean R(a, c).
inline constexpr entity_t Transitive = 19;
// R(a, a) holds for every a.
inline constexpr entity_t Reflexive = 20;
// R(a, b) comes and goes with R(b, a).
inline constexpr entity_t Symmetric = 21;
// Accepted for programs that are used to it; every relation can be followed.
inline constexpr entity_t Traversable = 22;
// Nothing can be a kind of it. Component types are Final when they are registered.
inline constexpr entity_t Final = 23;
// Takes Final back.
inline constexpr entity_t Inheritable = 24;
// (OneOf, P): targets of the relation are children of P; as a tag: children of the relation.
inline constexpr entity_t OneOf = 25;
// (With, X) on A: adding A adds X; adding (A, t) adds (X, t).
inline constexpr entity_t With = 26;
// Can be used as a relation only. Written bare in a query it means (R, _).
inline constexpr entity_t Relationship = 27;
// Can be used as a target only.
inline constexpr entity_t Target = 28;
// A relation about ids, whose target may be a Relationship.
inline constexpr entity_t Trait = 29;
// Accepted for programs that are used to it; every id can be switched off and on.
inline constexpr entity_t CanToggle = 30;
// A component that is only ever on its own entity.
inline constexpr entity_t Singleton = 31;
// A parent that keeps its children in the order they came.
inline constexpr entity_t OrderedChildren = 32;

// Where ids are kept. It changes speed and nothing else; without a pin the store chooses.
inline constexpr entity_t Sparse = 33;
inline constexpr entity_t DontFragment = 34;
inline constexpr entity_t Fragment = 35;
// Exclusive and DontFragment in one.
inline constexpr entity_t Union = 36;

// (OnInstantiate, Inherit | Override | DontInherit): what an instance gets of an id of its base.
inline constexpr entity_t OnInstantiate = 40;
inline constexpr entity_t Inherit = 41;      // sees it
inline constexpr entity_t Override = 42;     // gets a copy of its own
inline constexpr entity_t DontInherit = 43;  // nothing

// (OnDelete, ...): what happens to the entities that have an id when the id itself is deleted.
// (OnDeleteTarget, ...): what happens to the entities that have a pair when its target is deleted.
inline constexpr entity_t OnDelete = 44;
inline constexpr entity_t OnDeleteTarget = 45;
inline constexpr entity_t Remove = 46;  // they lose it
inline constexpr entity_t Delete = 47;  // they are deleted too
inline constexpr entity_t Panic = 48;   // it is an error, and nothing is deleted

// --- events (observer.hpp) ---

// A row came; a value that a row shows was written; a row went; $this began or ceased to have rows.
inline constexpr entity_t OnAdd = 50;
inline constexpr entity_t OnSet = 51;
inline constexpr entity_t OnRemove = 52;
inline constexpr entity_t Monitor = 53;
// Marks the entities that are observers.
inline constexpr entity_t Observer = 54;

// --- systems (system.hpp) ---

// Marks the entities that are systems, and those that are phases of a frame.
inline constexpr entity_t System = 55;
inline constexpr entity_t Phase = 56;
// (DependsOn, P): a phase comes after phase P; a system runs in phase P.
inline constexpr entity_t DependsOn = 57;
// Marks modules, timers and pipelines.
inline constexpr entity_t Module = 58;
inline constexpr entity_t Timer = 59;
inline constexpr entity_t Pipeline = 60;
// The phases of a frame, in their order; OnStart is part of the first frame alone.
inline constexpr entity_t OnStart = 61;
inline constexpr entity_t OnLoad = 62;
inline constexpr entity_t PostLoad = 63;
inline constexpr entity_t PreUpdate = 64;
inline constexpr entity_t OnUpdate = 65;
inline constexpr entity_t OnValidate = 66;
inline constexpr entity_t PostUpdate = 67;
inline constexpr entity_t PreStore = 68;
inline constexpr entity_t OnStore = 69;

// The scope in which the built-in entities live.
inline constexpr entity_t BuiltinScope = 49;
// In it, the scope of what systems need: programs have relations of their own that are called
// DependsOn or System.
inline constexpr entity_t SchedulingScope = 70;

namespace core {
// Built-in entities have an index below this; entities of the user start here.
inline constexpr std::uint32_t first_user_index = 256;
constexpr bool is_builtin(entity_t e) { return index_of(e) < first_user_index; }
constexpr bool is_wildcard(std::uint32_t index) { return index == Wildcard || index == Any; }
constexpr bool has_wildcard(id_t id) {
  return is_pair(id) ? is_wildcard(relation_of(id)) || is_wildcard(target_of(id))
                     : is_wildcard(index_of(id));
}
// Does an id fit a pattern, in which any part may be a wildcard?
constexpr bool matches(id_t id, id_t pattern) {
  if (is_pair(id) != is_pair(pattern)) return false;
  if (!is_pair(id)) return id == pattern || is_wildcard(index_of(pattern));
  return (relation_of(id) == relation_of(pattern) || is_wildcard(relation_of(pattern))) &&
         (target_of(id) == target_of(pattern) || is_wildcard(target_of(pattern)));
}
}  // namespace core
}  // namespace kith
