#include "relations/cleanup.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include <kith/detail/error.hpp>

#include "base/scope_exit.hpp"

namespace kith::core {

namespace {

// Calls visit(record, deletes, panics) for each id made of `e`; the flags are those of its policy.
template <class Visit>
void each_use(const graph& g, entity_t e, Visit visit) {
  using namespace trait;
  const std::uint32_t index = index_of(e);
  const id_index& ids = g.store.ids();
  const std::uint32_t own = g.traits.of(index);
  if (const id_record* record = ids.find(e))
    visit(*record, own & on_delete_delete, own & on_delete_panic);
  ids.each_of_relation(
      index, [&](const id_record& r) { visit(r, own & on_delete_delete, own & on_delete_panic); });
  ids.each_of_target(index, [&](const id_record& r) {
    const std::uint32_t flags = g.traits.of(relation_of(r.id));
    visit(r, flags & on_target_delete, flags & on_target_panic);
  });
}

// The entities that must go, in the order in which they are found.
class doomed {
 public:
  doomed(const graph& g, std::vector<entity_t> first) : g_(g), list_(std::move(first)) {
    for (entity_t e : list_) seen_[e] = true;
    for (std::size_t i = 0; i < list_.size(); ++i) follow(list_[i]);
    for (entity_t e : list_) check(e);
  }
  const std::vector<entity_t>& list() const { return list_; }

 private:
  void follow(entity_t e) {
    if (!g_.store.entities().at_index(index_of(e)).referenced) return;
    each_use(g_, e, [&](const id_record& record, bool deletes, bool) {
      if (!deletes) return;
      g_.store.each(record, [&](entity_t user) {
        if (seen_.try_emplace(user, true).second) list_.push_back(user);
      });
    });
  }

  void check(entity_t e) const {
    if (is_builtin(e)) raise(errc::constraint, g_.text(e), " is built in and cannot be deleted");
    if (!g_.store.entities().at_index(index_of(e)).referenced) return;
    each_use(g_, e, [&](const id_record& record, bool, bool panics) {
      if (!panics) return;
      g_.store.each(record, [&](entity_t user) {
        if (!seen_.contains(user))
          raise(errc::constraint, g_.text(e), " cannot be deleted: ", g_.text(user), " has ",
                g_.text(record.id), ", which says Panic");
      });
    });
  }

  const graph& g_;
  std::vector<entity_t> list_;
  hash_map<entity_t, bool> seen_;
};

// The parent of the entity at `r`; 0 if it has none, or if no parent keeps an order.
entity_t ordering_parent(const graph& g, const entity_record& r) {
  return g.child_order.any() ? parent_of(g.store, r) : 0;
}

// Forgets what belongs to an entity besides its ids.
void forget(graph& g, entity_t e, const entity_record& r, entity_t parent,
            const std::function<void(entity_t)>& leaving) {
  if (r.named) g.names.erase(e);
  if (parent) g.child_order.erase(index_of(parent), e);
  leaving(e);
  if (!r.referenced) return;
  g.traits.forget(e);
  g.child_order.forget(index_of(e));
  g.forget_plain(e);
}

// Will a base lose an id because the ids of `uses` vanish? Then kinds of it see less.
bool any_base_loses(const graph& g, std::span<id_record* const> uses) {
  if (!g.inherit.any()) return false;
  bool found = false;
  for (const id_record* record : uses) {
    found |= is_pair(record->id) && relation_of(record->id) == IsA && g.store.is_used(*record);
    g.store.each(*record, [&](entity_t user) {
      found = found || (g.alive(user).referenced && g.inherit.is_base(user));
    });
  }
  return found;
}

// Traits are ids too: an entity that loses (With, x) because x ends behaves differently from then
// on.
void list_told(const graph& g, std::span<id_record* const> uses, std::vector<entity_t>& told) {
  for (const id_record* r : uses)
    if (traits::is_trait(r->id)) g.store.each(*r, [&](entity_t user) { told.push_back(user); });
}

// The traits of entities, and what is known of the ids that are made of them, while a transaction
// is open. `used` end in the change, `told` lose traits.
class steps_of_deletion {
 public:
  // Requires: a transaction is open. Makes room in the log for all steps of the change.
  steps_of_deletion(graph& g, std::span<const entity_t> doomed, std::span<const entity_t> parents,
                    std::span<const entity_t> used, std::span<const entity_t> told)
      : g_(g), told_(told.begin(), told.end()) {
    for (entity_t parent : parents)
      if (parent) g.child_order.reserve(index_of(parent), 0);
    for (entity_t e : used) {
      g.child_order.reserve(index_of(e), 0);
      aside_.push_back({e, std::make_unique<store::groups_of_one>()});
    }
    // This step is the oldest, so it goes back last: when the entities have their ids again.
    std::vector<entity_t> all(used.begin(), used.end());
    all.insert(all.end(), told.begin(), told.end());
    if (!all.empty())
      g.undo->push([&g, all = std::move(all)](undo_way way) {
        if (way == undo_way::again) return;
        for (entity_t e : all) g.traits.restore(e);
      });
    // Each entity has one step for its name; one that is used has three more, for its members, its
    // C++ type and its groups.
    std::size_t named = 0;
    for (entity_t e : doomed) named += g.alive(e).named;
    g.undo->hold(named + 3 * used.size() + 1);
  }

  // The ids are gone.
  void push() noexcept {
    for (auto& [e, groups] : aside_) {
      g_.store.put_groups_aside(e, *groups);
      g_.undo->push([&g = g_, e = e, groups = std::move(groups)](undo_way way) {
        if (way != undo_way::again) return g.store.put_groups_back(e, *groups);
        g.traits.forget(e);
        g.store.put_groups_aside(e, *groups);
      });
    }
    if (told_.empty()) return;
    g_.undo->push([&g = g_, told = std::move(told_)](undo_way way) {
      if (way != undo_way::again) return;
      for (entity_t e : told)
        if (g.store.entities().is_alive(e)) g.traits.update(e);
    });
  }

 private:
  struct used_entity {
    entity_t e;
    std::unique_ptr<store::groups_of_one> groups;
  };
  graph& g_;
  std::vector<entity_t> told_;
  std::vector<used_entity> aside_;
};

// Does it matter to the watch that the entities end, and that ids made of them go?
bool is_end_read(const graph& g, std::span<const entity_t> doomed,
                 std::span<id_record* const> uses) {
  const auto takes_back = [&](entity_t e, const auto& ids) {
    return std::ranges::any_of(ids, [&](id_t id) { return g.watch->takes_back(e, id); });
  };
  for (const id_record* r : uses) {
    bool found = false;
    g.store.each(*r, [&](entity_t e) { found = found || g.watch->takes_back(e, r->id); });
    if (found) return true;
  }
  return std::ranges::any_of(doomed, [&](entity_t e) {
    return g.watch->takes_back_end_of(e) || takes_back(e, g.store.owned_ids(g.alive(e)));
  });
}

// Deletes exactly `doomed`, the last one first. An entity stands before the entities that go
// because of it.
void delete_known(graph& g, std::span<const entity_t> doomed,
                  const std::function<void(entity_t)>& leaving) {
  std::vector<id_record*> uses;
  std::vector<entity_t> told, used;
  for (entity_t e : doomed) {
    if (!g.alive(e).referenced) continue;
    used.push_back(e);
    for (id_record* record : g.store.records_made_of(e)) uses.push_back(record);
  }
  // A pair of two entities that both end is listed for each of them.
  std::ranges::sort(uses, {}, &id_record::id);
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  list_told(g, uses, told);
  const bool bases_change = any_base_loses(g, uses);
  std::vector<entity_t> parents;
  if (g.child_order.any())
    for (entity_t e : doomed) parents.push_back(ordering_parent(g, g.alive(e)));
  if (g.watch && is_end_read(g, doomed, uses)) g.watch->expect_change();
  std::optional<steps_of_deletion> steps;
  if (g.undo) steps.emplace(g, doomed, parents, used, told);
  // A destructor may create an entity. It must not get an index whose groups are not forgotten yet.
  g.store.entities().hold_dead();
  scope_exit release([&] { g.store.entities().release_dead(); });
  g.store.delete_all(doomed, uses, [&] {
    // A destructor may ask what kinds of a base inherit.
    if (bases_change) g.inherit.touch_all();
    for (std::size_t i = doomed.size(); i-- > 0;)
      forget(g, doomed[i], g.store.entities().at_index(index_of(doomed[i])),
             parents.empty() ? 0 : parents[i], leaving);
  });
  if (steps)
    steps->push();
  else
    for (entity_t e : used) g.store.forget_groups_of(e);
  for (entity_t user : told)
    if (g.store.entities().is_alive(user)) g.traits.update(user);
  if (!told.empty()) g.forget_plain();
  if (bases_change || !told.empty()) g.inherit.touch_all();
}

// The commonest case: the entities that go with `e` share one id, and nothing goes because of them.
// Returns false, and deletes nothing, in all other cases.
bool delete_with_leaves(graph& g, entity_t e, const std::function<void(entity_t)>& leaving) {
  const id_record* shared = nullptr;
  bool simple = true;
  each_use(g, e, [&](const id_record& record, bool deletes, bool panics) {
    if (!(deletes || panics) || !g.store.count(record)) return;
    simple = simple && !panics && !shared;
    shared = &record;
  });
  if (!simple) return false;
  std::vector<entity_t> doomed{e};
  if (shared) {
    doomed.reserve(1 + g.store.count(*shared));
    g.store.each(*shared, [&](entity_t user) {
      simple = simple && user != e && !is_builtin(user) && !g.alive(user).referenced;
      doomed.push_back(user);
    });
  }
  if (!simple) return false;
  delete_known(g, doomed, leaving);
  return true;
}

}  // namespace

void delete_entity(graph& g, entity_t e, const std::function<void(entity_t)>& leaving) {
  if (const entity_record& r = g.alive(e); !is_builtin(e) && !r.referenced) {
    if (g.store.sees_end(r)) return delete_known(g, {&e, 1}, leaving);
    g.store.reserve_end(r);
    forget(g, e, r, ordering_parent(g, r), leaving);
    return g.store.destroy(e);
  }
  if (is_builtin(e) || !delete_with_leaves(g, e, leaving)) delete_entities(g, {e}, leaving);
}

void delete_entities(graph& g, std::vector<entity_t> entities,
                     const std::function<void(entity_t)>& leaving) {
  const doomed going(g, std::move(entities));
  delete_known(g, going.list(), leaving);
}

}  // namespace kith::core
