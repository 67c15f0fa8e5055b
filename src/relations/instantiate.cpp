// The short way to add (IsA, base), without a planned change. It is taken where no check can fail
// and nothing follows but copies: of ids that are overridden, and of the children of a prefab. The
// result is the same as that of a planned change. Where code of the user could see a difference on
// the way, instantiate_in_short() returns false and the caller plans a change.
#include <algorithm>
#include <array>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

#include "base/scope_exit.hpp"
#include "relations/change.hpp"

namespace kith::core {

namespace {

// An entity that becomes a kind of `original`: the caller's entity, or a copy of a child of its
// base.
struct instance {
  entity_t original;
  entity_t e;
  std::size_t parent;  // the position of its parent in the list
};
// A value that an instance gets a copy of.
struct overridden {
  std::size_t of;  // the position of the instance
  id_t id;
  entity_t owner;
};

bool is_simple_relation(const graph& g, entity_t relation, std::uint32_t allowed) {
  return !(g.traits.of(index_of(relation)) & trait::guards & ~allowed);
}

bool is_simple(const graph& g, entity_t e, const entity_record& r, entity_t base) {
  const bool fresh =
      !r.referenced && !is_builtin(e) && !g.traits.of(index_of(e)) && !g.inherit.has_bases(r);
  const bool fit =
      !is_builtin(base) && !(g.traits.of(index_of(base)) & (trait::final | trait::relation_only));
  return fresh && fit && e != base && !g.undo && g.instantiate != Override &&
         is_simple_relation(g, IsA, 0);
}

// Appends the children, of all depths, of the prefab that the first element of the list is about.
// Returns false if names, slots or orders of children are concerned.
bool list_children(const graph& g, std::pmr::vector<instance>& list) {
  const core::store& store = g.store;
  if (!store.owns(g.alive(list[0].original), Prefab)) return true;
  for (std::size_t i = 0; i < list.size(); ++i)
    for (entity_t child : g.children(list[i].original)) {
      if (g.alive(child).named || g.traits.of(index_of(child)) & trait::final) return false;
      list.push_back({child, 0, i});
    }
  if (list.size() == 1) return true;
  return !store.owns(g.alive(list[0].e), Prefab) && !g.child_order.any() &&
         !g.traits.any_one_of() && !store.ids().first_of_relation(index_of(SlotOf)) &&
         is_simple_relation(g, ChildOf, trait::exclusive | trait::acyclic);
}

// Finds the ids that each instance gets a copy of. Returns false if one of them is not simple.
bool list_overridden(graph& g, const std::pmr::vector<instance>& list,
                     std::pmr::vector<overridden>& found) {
  for (std::uint32_t index : g.traits.overriding()) {
    const entity_t id = g.store.entities().alive_at(index);
    if (g.store.ids().first_of_relation(index)) return false;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const entity_t base = list[i].original;
      const entity_t owner = g.inherit.owner(base, g.alive(base), id);
      if (!owner || (i == 0 && g.store.owns(g.alive(list[0].e), id))) continue;
      // A copy constructor of the user must not see instances that are half done.
      const type_info* type = g.store.types().type_of(id);
      const bool runs_code = type && !(type->bytes_to_move && type->ends_silently);
      if (!g.is_plain(id) || (runs_code && list.size() > 1)) return false;
      found.push_back({i, id, owner});
    }
  }
  // Sorted by instance, then by id.
  std::ranges::sort(found, {}, [](const overridden& o) { return std::pair(o.of, o.id); });
  return true;
}

// --- many kinds of one base ----------------------------------------------------------------------

// Up to this many copies are remembered, and made without memory from the heap.
constexpr std::size_t few_copies = 15;

// Takes the memory that remember() needs, before anything changes.
void begin_remembering(graph& g) {
  g.last_kinds.base = 0;
  g.last_kinds.copied.clear();
  g.last_kinds.copied.reserve(few_copies);
}

// Remembers for the next call what a kind of `base`, which has no children, gets copies of.
// Requires: an entity is a kind of `base`, so that `inherit` notices changes of it;
// begin_remembering() was called.
void remember(graph& g, entity_t base, const std::pmr::vector<overridden>& copied) {
  graph::kinds_of_one& known = g.last_kinds;
  if (copied.size() > few_copies) return;
  for (const overridden& o : copied) known.copied.push_back({o.id, o.owner});
  known.version = g.inherit.version();
  known.base = base;
}

// Makes `e`, which has no ids yet, a kind of the base that was instantiated last.
bool instantiate_again(graph& g, entity_t e, const entity_record& r, entity_t base) {
  const graph::kinds_of_one& known = g.last_kinds;
  core::store& store = g.store;
  const bool same = known.base == base && known.version == g.inherit.version();
  const bool fresh =
      r.table == store.tables().root().id() && !r.loose && !r.referenced && !is_builtin(e);
  if (!same || !fresh || g.undo || !g.inherit.is_base(base) || !g.children(base).empty())
    return false;
  std::array<new_id, few_copies + 1> ids;
  std::array<located_value, few_copies> originals;
  ids[0] = {make_pair(IsA, base)};
  for (std::size_t i = 0; i < known.copied.size(); ++i) {
    const auto& [id, owner] = known.copied[i];
    originals[i] = store.find_value(g.alive(owner), id);
    ids[i + 1] = {id};
    if (originals[i]) ids[i + 1].source = originals[i].copy();
  }
  store.add_all(e, std::span(ids).first(known.copied.size() + 1));
  return true;
}

}  // namespace

bool instantiate_in_short(graph& g, entity_t e, const entity_record& r, entity_t base) {
  // This takes several changes of the store, and a sink must see one.
  if (!g.undo && g.store.sinks().seeing(make_pair(IsA, base))) return false;
  if (instantiate_again(g, e, r, base)) return true;
  if (!is_simple(g, e, r, base)) return false;
  // Most lists are short, and then take no memory from the heap.
  std::byte room[2048];
  std::pmr::monotonic_buffer_resource memory(room, sizeof room);
  std::pmr::vector<instance> list({{base, e, 0}}, &memory);
  std::pmr::vector<overridden> copied(&memory);
  if (!list_children(g, list) || !list_overridden(g, list, copied)) return false;

  core::store& store = g.store;
  // An entity that has ids already may get fewer copies, so only a fresh one is remembered.
  const bool fresh = r.table == store.tables().root().id() && !r.loose;
  if (list.size() == 1 && fresh) begin_remembering(g);
  std::size_t made = 1;
  scope_exit undo([&] {
    while (made-- > 1) store.destroy(list[made].e);
  });
  std::pmr::vector<new_id> ids(&memory);
  std::pmr::vector<located_value> originals(&memory);
  ids.reserve(copied.size() + 1);
  originals.reserve(copied.size());
  const auto become = [&](std::size_t i) {
    ids.assign(1, {make_pair(IsA, list[i].original)});
    originals.clear();
    auto o = std::ranges::lower_bound(copied, i, {}, &overridden::of);
    for (; o != copied.end() && o->of == i; ++o) {
      const located_value value = store.find_value(g.alive(o->owner), o->id);
      new_id& n = ids.emplace_back(new_id{o->id});
      if (value) n.source = originals.emplace_back(value).copy();
    }
    const bool first_kind = !g.inherit.is_base(list[i].original);
    store.add_all(list[i].e, ids);
    // Remembered answers are about tables and about bases. This instance is no base, and the
    // answers of its new table still hold, unless its base changed while it had no kinds: `inherit`
    // did not count that change.
    if (first_kind) g.inherit.touch_all();
  };
  while (made < list.size()) {
    instance& one = list[made];
    one.e = store.create();
    ++made;
    store.add(one.e, make_pair(ChildOf, list[one.parent].e));
  }
  for (std::size_t i = list.size(); i-- > 0;) become(i);
  undo.dismiss();
  if (list.size() == 1 && fresh) remember(g, base, copied);
  return true;
}

}  // namespace kith::core
