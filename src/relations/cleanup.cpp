#include "relations/cleanup.hpp"

#include <kith/detail/error.hpp>

namespace kith::core {

namespace {

// Visits the records of all ids made of `e`, as (record, flags of its policy as: delete, panic).
template <class Visit>
void each_use(const graph& g, entity_t e, Visit visit) {
  using namespace trait;
  const std::uint32_t index = index_of(e);
  const id_index& ids = g.store.ids();
  const std::uint32_t own = g.traits.of(index);
  if (const id_record* record = ids.find(e))
    visit(*record, own & on_delete_delete, own & on_delete_panic);
  for (const id_record* r = ids.first_of_relation(index); r; r = r->next_of_relation)
    visit(*r, own & on_delete_delete, own & on_delete_panic);
  for (const id_record* r = ids.first_of_target(index); r; r = r->next_of_target) {
    const std::uint32_t flags = g.traits.of(relation_of(r->id));
    visit(*r, flags & on_target_delete, flags & on_target_panic);
  }
}

// All that must go, in the order it was found.
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

void forget_ids_of(graph& g, entity_t e) {
  g.store.forget_ids_of(e);
  g.traits.forget(e);
  g.child_order.forget(index_of(e));
  g.forget_plain();
  g.inherit.touch_all();
}

// Traits are pairs too: who loses (With, x) because x goes, behaves differently from now on.
std::vector<entity_t> told_by(const graph& g, entity_t e) {
  std::vector<entity_t> told;
  for (const id_record* r = g.store.ids().first_of_target(index_of(e)); r; r = r->next_of_target)
    if (traits::is_trait(r->id))
      g.store.each(*r, [&](entity_t user) {
        if (user != e) told.push_back(user);
      });
  return told;
}

void delete_one(graph& g, entity_t e, const std::function<void(entity_t)>& leaving) {
  leaving(e);
  const entity_record& r = g.alive(e);
  if (r.named) g.names.erase(e);
  if (const entity_t parent = g.child_order.any() ? parent_of(g.store, r) : 0)
    g.child_order.erase(index_of(parent), e);
  if (r.referenced) {
    const std::vector<entity_t> told = told_by(g, e);
    forget_ids_of(g, e);
    for (entity_t user : told) g.traits.update(user);
  }
  g.store.destroy(e);
}

// The commonest family: those that go with an entity have one id in common, and nothing goes with them.
bool delete_with_leaves(graph& g, entity_t e, const std::function<void(entity_t)>& leaving) {
  const id_record* shared = nullptr;
  bool simple = true;
  each_use(g, e, [&](const id_record& record, bool deletes, bool panics) {
    if (!(deletes || panics) || !g.store.count(record)) return;
    simple = simple && !panics && !shared;
    shared = &record;
  });
  if (!simple) return false;
  std::vector<entity_t> leaves;
  if (shared) {
    leaves.reserve(g.store.count(*shared));
    g.store.each(*shared, [&](entity_t user) {
      simple = simple && user != e && !is_builtin(user) && !g.alive(user).referenced;
      leaves.push_back(user);
    });
  }
  if (!simple) return false;
  for (std::size_t i = leaves.size(); i-- > 0;) delete_one(g, leaves[i], leaving);
  delete_one(g, e, leaving);
  return true;
}

}  // namespace

void delete_entity(graph& g, entity_t e, const std::function<void(entity_t)>& leaving) {
  if (!is_builtin(e) && !g.alive(e).referenced) return delete_one(g, e, leaving);
  if (is_builtin(e) || !delete_with_leaves(g, e, leaving)) delete_entities(g, {e}, leaving);
}

void delete_entities(graph& g, std::vector<entity_t> entities,
                     const std::function<void(entity_t)>& leaving) {
  const doomed going(g, std::move(entities));
  for (std::size_t i = going.list().size(); i-- > 0;) delete_one(g, going.list()[i], leaving);
}

}  // namespace kith::core
