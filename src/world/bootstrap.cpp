// The entities that every world begins with.
#include <algorithm>
#include <utility>

#include "world/engine_state.hpp"

namespace kith::core {

namespace {

// What built-in entities own from the start, besides their place in the scope.
constexpr struct {
  entity_t e;
  id_t id;
} builtin_facts[] = {
    {ChildOf, PairIsTag},
    {ChildOf, Exclusive},
    {ChildOf, Acyclic},
    {ChildOf, make_pair(OnDeleteTarget, Delete)},
    {ChildOf, make_pair(OnInstantiate, DontInherit)},
    {IsA, PairIsTag},
    {IsA, Transitive},
    {IsA, make_pair(OnInstantiate, DontInherit)},
    {Prefab, make_pair(OnInstantiate, DontInherit)},
    {Disabled, make_pair(OnInstantiate, DontInherit)},
    {SlotOf, PairIsTag},
    {SlotOf, make_pair(OnInstantiate, DontInherit)},
    {With, PairIsTag},
    {OneOf, PairIsTag},
    {OnInstantiate, PairIsTag},
    {OnInstantiate, Exclusive},
    {OnDelete, PairIsTag},
    {OnDelete, Exclusive},
    {OnDeleteTarget, PairIsTag},
    {OnDeleteTarget, Exclusive},
    {DependsOn, PairIsTag},
    {DependsOn, Acyclic},
    {DependsOn, make_pair(OnInstantiate, DontInherit)},
    {OnStart, Phase},
    {OnLoad, Phase},
    {PostLoad, Phase},
    {PreUpdate, Phase},
    {OnUpdate, Phase},
    {OnValidate, Phase},
    {PostUpdate, Phase},
    {PreStore, Phase},
    {OnStore, Phase},
};

constexpr struct {
  entity_t e;
  const char* name;
} builtins[] = {
    {BuiltinScope, "kith"},
    {Wildcard, "*"},
    {Any, "_"},
    {Component, "Component"},
    {ChildOf, "ChildOf"},
    {IsA, "IsA"},
    {Prefab, "Prefab"},
    {Disabled, "Disabled"},
    {SlotOf, "SlotOf"},
    {PairIsTag, "PairIsTag"},
    {Exclusive, "Exclusive"},
    {Acyclic, "Acyclic"},
    {Transitive, "Transitive"},
    {Reflexive, "Reflexive"},
    {Symmetric, "Symmetric"},
    {Traversable, "Traversable"},
    {Final, "Final"},
    {Inheritable, "Inheritable"},
    {OneOf, "OneOf"},
    {With, "With"},
    {Relationship, "Relationship"},
    {Target, "Target"},
    {Trait, "Trait"},
    {CanToggle, "CanToggle"},
    {Singleton, "Singleton"},
    {OrderedChildren, "OrderedChildren"},
    {Sparse, "Sparse"},
    {DontFragment, "DontFragment"},
    {Fragment, "Fragment"},
    {Union, "Union"},
    {OnInstantiate, "OnInstantiate"},
    {Inherit, "Inherit"},
    {Override, "Override"},
    {DontInherit, "DontInherit"},
    {OnDelete, "OnDelete"},
    {OnDeleteTarget, "OnDeleteTarget"},
    {Remove, "Remove"},
    {Delete, "Delete"},
    {Panic, "Panic"},
    {OnAdd, "OnAdd"},
    {OnSet, "OnSet"},
    {OnRemove, "OnRemove"},
    {Monitor, "Monitor"},
    {Observer, "Observer"},
    {System, "System"},
    {Phase, "Phase"},
    {DependsOn, "DependsOn"},
    {Module, "Module"},
    {Timer, "Timer"},
    {Pipeline, "Pipeline"},
    {OnStart, "OnStart"},
    {OnLoad, "OnLoad"},
    {PostLoad, "PostLoad"},
    {PreUpdate, "PreUpdate"},
    {OnUpdate, "OnUpdate"},
    {OnValidate, "OnValidate"},
    {PostUpdate, "PostUpdate"},
    {PreStore, "PreStore"},
    {OnStore, "OnStore"},
    {SchedulingScope, "scheduling"},
};

}  // namespace

entity_t scope_of_builtin(entity_t e) {
  if (e == BuiltinScope) return 0;
  return e >= System && e <= OnStore ? SchedulingScope : BuiltinScope;
}

bool is_born_with(entity_t e, id_t id) {
  if (id == make_pair(ChildOf, scope_of_builtin(e)) || id == Component) return true;
  return std::ranges::any_of(builtin_facts, [&](const auto& f) { return f.e == e && f.id == id; });
}

void bootstrap(engine_state& state) {
  graph& g = state.graph_;
  for (const auto& b : builtins) g.store.make_alive(b.e);
  state.builtin_count = std::size(builtins);

  // Instances do not get the built-in ids of their bases, and built-in relations take any target.
  for (const auto& b : builtins) g.traits.be_born_with(b.e, trait::about_ids | trait::dont_inherit);
  for (id_t id : {make_pair(ChildOf, 0), id_t{Phase}}) {
    id_group& group = g.store.ids().group_of(id);
    group.where = id_group::place::pools;
    group.pinned = true;
  }

  for (const auto& f : builtin_facts) {
    g.store.add(f.e, f.id);
    g.traits.keep(f.e, f.id);
  }
  for (const auto& b : builtins) {
    const entity_t scope_of_b = scope_of_builtin(b.e);
    if (scope_of_b) g.store.add(b.e, make_pair(ChildOf, scope_of_b));
    g.names.set(b.e, index_of(scope_of_b), b.name);
    g.store.entities().at_index(index_of(b.e)).named = true;
  }
  // The facts of an entity stand beside each other.
  entity_t last = 0;
  for (const auto& f : builtin_facts)
    if (f.e != std::exchange(last, f.e)) {
      g.traits.reserve(f.e, 0, 1);
      g.traits.update(f.e);
    }

  const type_desc info = describe_type<component_info>();
  const std::uint32_t slot = slot_of_type<component_info>();
  state.components.make_room(slot);
  state.components.by_slot()[slot] = Component;
  g.store.types().insert(Component, info);
  component_info own{sizeof(component_info), alignof(component_info)};
  g.store.add(Component, Component, {&own, [](void* place, void* context) {
                                       ::new (place)
                                           component_info(*static_cast<component_info*>(context));
                                     }});
}

}  // namespace kith::core
