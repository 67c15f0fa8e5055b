// Checks of a planned change as a whole: these conditions depend on several parts of the plan.
#include <map>
#include <set>

#include <kith/detail/error.hpp>

#include "relations/change.hpp"

namespace kith::core {

// --- cycles --------------------------------------------------------------------------------------

void change::check_cycles() const {
  std::map<std::uint32_t, std::vector<const addition*>> coming;
  for (const addition& a : additions_)
    if (is_pair(a.id) && flags_of(relation_of(a.id)) & trait::acyclic)
      coming[relation_of(a.id)].push_back(&a);
  for (const auto& [relation, pairs] : coming) check_cycles_of(relation, pairs);
}

// The pairs that entities have now form no cycle, so each cycle contains a pair of `coming`.
void change::check_cycles_of(std::uint32_t relation,
                             const std::vector<const addition*>& coming) const {
  const core::store& store = g_.store;
  // Of the pairs of `coming`: the targets of each source, and how many lead to each target.
  hash_map<std::uint32_t, std::vector<std::uint32_t>> targets;
  hash_map<std::uint32_t, std::size_t> arrivals;
  for (const addition* a : coming) {
    targets[index_of(a->e)].push_back(target_of(a->id));
    ++arrivals[target_of(a->id)];
  }

  // An entity that no pair leads to is on no cycle. This loop takes such entities out until none is
  // left. For most changes (new entities; copies of a prefab's children, one after the other) that
  // takes out all of `targets`, and no walk is needed.
  std::vector<std::uint32_t> free;
  const auto note_if_free = [&](std::uint32_t index) {
    if (auto n = arrivals.find(index); n != arrivals.end() && n->second) return;
    const id_record* to_it = store.ids().find(make_pair_of(relation, index));
    if (!to_it || store.count(*to_it) == 0) free.push_back(index);
  };
  for (const auto& [source, list] : targets) note_if_free(source);
  while (!free.empty()) {
    const auto going = targets.find(free.back());
    free.pop_back();
    const std::vector<std::uint32_t> list = going->second;
    targets.erase(going);
    for (std::uint32_t target : list)
      if (--arrivals[target] == 0 && targets.contains(target)) note_if_free(target);
  }

  // Walks depth first, with an explicit stack, through the pairs that stay and the pairs that come.
  enum class state : std::uint8_t { open = 1, done };
  struct step {
    std::uint32_t entity;
    std::size_t next = 0;
  };
  hash_map<std::uint32_t, state> seen;
  std::vector<step> way;
  const auto enter = [&](std::uint32_t index) {
    seen[index] = state::open;
    way.push_back({index});
  };
  // Returns the next target of an entity, or 0. `next` counts the pairs it has first, then those
  // that come.
  const auto advance = [&](step& here) -> std::uint32_t {
    const entity_t e = store.entities().alive_at(here.entity);
    const auto pairs = store.pairs_of(store.entities().at_index(here.entity), relation);
    while (here.next < pairs.size()) {
      const id_t pair = pairs[here.next++];
      if (!removing_.contains({e, pair})) return target_of(pair);
    }
    const auto more = targets.find(here.entity);
    const std::size_t n = here.next - pairs.size();
    if (more == targets.end() || n == more->second.size()) return 0;
    ++here.next;
    return more->second[n];
  };
  for (const addition* a : coming) {
    if (!targets.contains(index_of(a->e)) || seen.contains(index_of(a->e))) continue;
    enter(index_of(a->e));
    while (!way.empty()) {
      const std::uint32_t to = advance(way.back());
      if (!to) {
        seen[way.back().entity] = state::done;
        way.pop_back();
      } else if (const auto known = seen.find(to); known == seen.end()) {
        enter(to);
      } else if (known->second == state::open) {
        // The cycle is the part of `way` from `to` to the end. The error names a pair of it that
        // comes.
        std::uint32_t target = to;
        for (std::size_t i = way.size(); i-- > 0; target = way[i].entity) {
          const entity_t e = store.entities().alive_at(way[i].entity);
          const id_t id = make_pair_of(relation, target);
          if (adding_.contains({e, id}) || way[i].entity == to) raise_cycle(e, id);
        }
      }
    }
  }
}

void change::raise_cycle(entity_t e, id_t id) const {
  raise(errc::constraint, "adding ", g_.text(id), " to ", g_.text(e), " would close a cycle, and ",
        g_.text(g_.store.entities().alive_at(relation_of(id))), " is Acyclic");
}

// --- names and prefabs ---------------------------------------------------------------------------

void change::raise_taken(std::string_view name, entity_t parent) const {
  raise(errc::constraint, "the name '", name, "' is taken ",
        parent ? concat("in ", g_.text(parent)) : "at the root");
}

// An entity that gets another parent, or none, keeps its name, which must be free in the new scope.
void change::check_names() const {
  std::set<std::pair<entity_t, std::string_view>> coming;
  const auto free = [&](entity_t e, entity_t parent) {
    const std::string_view name = g_.names.name_of(index_of(e));
    if (name.empty()) return;
    const entity_t other = g_.names.find(index_of(parent), name);
    if (other && other != e) raise_taken(name, parent);
    if (!coming.emplace(parent, name).second) raise_taken(name, parent);
  };
  hash_map<entity_t, bool> adopted;
  for (const addition& a : additions_) {
    if (!is_pair(a.id) || relation_of(a.id) != ChildOf) continue;
    free(a.e, g_.store.entities().alive_at(target_of(a.id)));
    adopted[a.e] = true;
  }
  for (const removal& r : removals_)
    if (is_pair(r.id) && relation_of(r.id) == ChildOf && !adopted.contains(r.e)) free(r.e, 0);
  for (const naming& n : namings_)
    if (g_.names.find(index_of(n.parent), n.name) || !coming.emplace(n.parent, n.name).second)
      raise_taken(n.name, n.parent);
}

// A child of a Prefab is a Prefab.
void change::check_prefabs() const {
  for (const removal& r : removals_) {
    if (r.id != Prefab) continue;
    const entity_t parent = parent_of(g_.store, g_.alive(r.e));
    if (parent && will_own(parent, Prefab) &&
        !removing_.contains({r.e, make_pair(ChildOf, parent)}))
      raise(errc::constraint, g_.text(r.e), " is a child of the Prefab ", g_.text(parent),
            " and stays one");
  }
}

// A target that is added for a OneOf relation must be a child of the scope of the relation, or
// become one in the same change.
void change::check_targets_belong() const {
  if (!g_.traits.any_one_of()) return;
  for (const addition& a : additions_) {
    if (!is_pair(a.id) || !(g_.traits.of_id(a.id) & trait::one_of)) continue;
    const entity_t relation = g_.store.entities().alive_at(relation_of(a.id));
    const entity_t target = g_.store.entities().alive_at(target_of(a.id));
    const auto check_child_of = [&](entity_t parent) {
      if (!will_own(target, make_pair(ChildOf, parent)))
        raise(errc::constraint, g_.text(a.id), ": the target must be a child of ", g_.text(parent));
    };
    const entity_record& r = g_.alive(relation);
    for (id_t pair : g_.store.pairs_of(r, index_of(OneOf)))
      check_child_of(g_.store.entities().alive_at(target_of(pair)));
    if (g_.store.owns(r, OneOf)) check_child_of(relation);
  }
}

// A target of a OneOf relation may not leave the parent that the relation demands.
void change::check_targets_stay() const {
  if (!g_.traits.any_one_of()) return;
  for (const removal& r : removals_) {
    if (!is_pair(r.id) || relation_of(r.id) != ChildOf || !g_.alive(r.e).referenced) continue;
    const entity_t parent = g_.store.entities().alive_at(target_of(r.id));
    const id_record* record = g_.store.ids().first_of_target(index_of(r.e));
    for (; record; record = record->next_of_target) {
      const entity_t relation = g_.store.entities().alive_at(relation_of(record->id));
      if (!(g_.traits.of(index_of(relation)) & trait::one_of)) continue;
      if (!will_own(relation, make_pair(OneOf, parent)) &&
          !(relation == parent && will_own(relation, OneOf)))
        continue;
      g_.store.each(*record, [&](entity_t source) {
        if (!removing_.contains({source, record->id}))
          raise(errc::constraint, g_.text(r.e), " stays a child of ", g_.text(parent), ": ",
                g_.text(source), " has ", g_.text(record->id), ", and ", g_.text(relation),
                " is OneOf");
      });
    }
  }
}

}  // namespace kith::core
