#include "query/cache/reads.hpp"

#include <algorithm>

#include <kith/detail/builtins.hpp>

namespace kith::core {

reads::reads(const checked_query& q, meaning& m) : m_(m) {
  add(q.root);
  add_walks(q.ordered_by);
  if (q.order_relation) add_entity(q.order_relation, true);
  add_group(make_pair(IsA, 0));
  if (q.uses_this) {
    add_group(Prefab);
    add_group(Disabled);
  }
  mark();
}

void reads::add(const block& b) {
  each_item(b, [&](const item& i) {
    if (i.is == item::kind::term) add(i.term);
    return true;
  });
}

void reads::add(const checked_term& t) {
  for (const checked_ref* r : {&t.first, &t.source, &t.second}) add_walks(*r);
  if (t.is == checked_term::kind::text) names_ = true;
  if (t.is == checked_term::kind::text || t.is == checked_term::kind::equality) return;
  // What a list says are the ids of its entity.
  if (t.is == checked_term::kind::list || t.first.is != checked_ref::kind::fixed ||
      !t.first.lookup.empty()) {
    all_ids_ = true;
    return;
  }
  if (!t.first.flagged) return add_entity(t.first.entity, t.pair);
  checked_ref any_of_them = t.first;
  any_of_them.all = no_slot;
  std::vector<entity_t> predicates;
  m_.stand_for(any_of_them, {}, predicates);
  add_entity(t.first.entity, t.pair);
  for (entity_t p : predicates) add_entity(p, t.pair);
}

void reads::add_walks(const checked_ref& r) {
  if (r.is == checked_ref::kind::fixed) named_.emplace_back(r.entity, false);
  if (!r.lookup.empty()) names_ = true;
  for (const checked_walk& w : r.walks) add_entity(w.relation, true);
}

// An entity as a component or a relation, with its kinds.
void reads::add_entity(entity_t e, bool as_relation) {
  named_.emplace_back(e, false);
  for (entity_t kind : m_.with_kinds(e)) add_group(as_relation ? make_pair(kind, 0) : kind);
}

void reads::add_group(id_t group) {
  if (std::ranges::find(groups_, group, &watched::group) != groups_.end()) return;
  groups_.push_back({group, log_reader(m_.world().store.logs().watch(group))});
}

void reads::read_life() {
  add_group(0);
  mark();
}

void reads::read_id(id_t id) {
  add_group(group_key(id));
  mark();
}

void reads::read_relation(entity_t relation) {
  add_group(make_pair(relation, 0));
  mark();
}

void reads::read_values(id_t id) {
  groups_.push_back({no_group, log_reader(m_.world().store.value_logs().watch(id))});
}

void reads::mark() {
  for (watched& w : groups_) w.log.catch_up();
  for (auto& [e, alive] : named_) alive = m_.alive(e);
  store_version_ = m_.world().store.version();
  names_version_ = m_.world().names.version();
}

bool reads::others_unchanged() const {
  const graph& g = m_.world();
  if (store_version_ != g.store.version()) {
    if (all_ids_) return false;
    for (const auto& [e, alive] : named_)
      if (alive != m_.alive(e)) return false;
  }
  return !names_ || names_version_ == g.names.version();
}

bool reads::unchanged() const {
  return others_unchanged() &&
         std::ranges::none_of(groups_, [](const watched& w) { return w.log.has_news(); });
}

std::optional<std::vector<entity_t>> reads::changed_entities() const {
  constexpr std::size_t many = 128;
  if (!others_unchanged()) return std::nullopt;
  std::vector<entity_t> changed;
  for (const watched& w : groups_) {
    if (!w.log.has_news()) continue;
    if (!w.log.is_complete() || changed.size() + w.log.news().size() > many) return std::nullopt;
    changed.insert(changed.end(), w.log.news().begin(), w.log.news().end());
    // Others may be another kind of something, or have another base.
    if (w.group == make_pair(IsA, 0)) return std::nullopt;
  }
  std::ranges::sort(changed);
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  for (entity_t e : changed)
    if (m_.world().inherit.is_base(e)) return std::nullopt;
  return changed;
}

}  // namespace kith::core
