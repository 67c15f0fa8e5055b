// Terms whose source is reached by walks: does one hold on some entity, and on which first?
#include <algorithm>
#include <utility>

#include "query/exec/meaning.hpp"

namespace kith::core {

std::optional<meaning::source_entity> meaning::found_by_walks(const checked_term& t,
                                                              const slot_values& values,
                                                              asked what) {
  const bool one_by_one = t.source.walks.empty() || !open_.reach ||
                          t.source.is == checked_ref::kind::any ||
                          (t.source.all != no_slot && values[t.source.all]);
  if (one_by_one) return std::nullopt;
  const entity_t start = value_of(t.source, values);
  if (!start) return source_entity{0, false};
  if (t.source.self)
    if (const source_entity self{start, t.source_sees}; holds_on(self, t, values)) return self;
  for (const checked_walk& w : t.source.walks) {
    if (!alive(w.relation)) continue;
    const bool sees = w.relation != IsA;
    const auto passes = [&](entity_t e) { return holds_on({e, sees}, t, values); };
    if (const entity_t e = first_reached(start, w, marks_of(t, values, w, sees), what, passes))
      return source_entity{e, sees};
  }
  return source_entity{0, false};
}

entity_t meaning::first_reached(entity_t start, const checked_walk& w, walk_marks* marks,
                                asked what, const entity_test& passes) {
  const bool can_tell = marks && (what == asked::whether || marks->can_find_first());
  const auto answer = [&](walk_marks::node n) {
    if (!marks->is_marked(n)) return entity_t{0};
    return what == asked::whether ? start : marks->first_from(n);
  };
  if (can_tell)
    if (const auto known = marks->find(start)) return answer(*known);
  entity_t found = 0;
  std::size_t looked = 0;
  walk_from(start, w, [&](entity_t e) {
    if (passes(e)) {
      found = e;
      return false;
    }
    if (!can_tell || ++looked <= short_walk()) return true;
    if (looked == short_walk() + 1) marks->add(start);
    return marks->grow([&](entity_t at) { return step(at, w); }, passes);
  });
  if (!found && can_tell)
    if (const auto known = marks->find(start)) return answer(*known);
  return found;
}

walk_marks* meaning::marks_of(const checked_term& t, const slot_values& values,
                              const checked_walk& w, bool sees) {
  // An id that names the source is another one for each source; names are no ids.
  if (t.shape.about_source || t.shape.looks_up || w.min > walk_marks::most_steps) return nullptr;
  const auto value = [&](slot_index slot) { return slot == no_slot ? 0 : values[slot]; };
  return marks_of({.first = t.first,
                   .second = t.second,
                   .values = {value(t.first.slot), value(t.second.slot), value(t.first.all),
                              value(t.second.all), value(t.star)},
                   .pair = t.pair,
                   .exact = t.exact,
                   .sees = sees,
                   .walk = {0, w.relation, w.min, w.max, w.direction},
                   .marks = {w.min, w.max, is_endless(w)}});
}

walk_marks* meaning::marks_of(marked_term&& about) {
  const auto is_same = [&](const std::unique_ptr<marked_term>& m) {
    return m->walk == about.walk && m->values == about.values && m->pair == about.pair &&
           m->exact == about.exact && m->sees == about.sees && m->first == about.first &&
           m->second == about.second;
  };
  auto known = std::ranges::find_if(marked_, is_same);
  if (known == marked_.end()) {
    if (marked_.size() < max_marked) marked_.emplace_back();
    known = marked_.end() - 1;
    *known = std::make_unique<marked_term>(std::move(about));
  }
  std::rotate(marked_.begin(), known, known + 1);
  return &marked_.front()->marks;
}

// Two ways lead to the first pair. From the target back to what the source has: answers are
// remembered by source. And all pairs of the source, compared by the order of what leads to the
// target, which is remembered by target.
std::optional<id_t> meaning::pair_that_leads(source_entity on, entity_t kind, entity_t relation,
                                             entity_t target) {
  // Where an id comes from a base, the nearest base counts before the order of walks.
  const entity_record& r = g_.alive(on.entity);
  if (!open_.reach || (on.sees && g_.inherit.has_bases(r))) return std::nullopt;
  const auto has_pair = [&](entity_t to) { return there(on, make_pair(kind, to)); };
  if (has_pair(target)) return make_pair(kind, target);
  if (g_.store.pairs_of(r, index_of(kind)).size() < 2) return std::nullopt;
  const auto same_target = [&](const auto& q) { return q.target == target; };
  auto known = std::ranges::find_if(asked_lately_, same_target);
  if (known != asked_lately_.end() && known->source != on.entity) return std::nullopt;
  if (known == asked_lately_.end()) {
    known = asked_lately_.end() - 1;
    *known = {target, on.entity};
  }
  std::rotate(asked_lately_.begin(), known, known + 1);
  const checked_walk down{walk::way::down, relation, 1, walk::no_limit};
  marked_term about{.first = {},
                    .second = {},
                    .values = {on.entity, kind},
                    .pair = true,
                    .exact = true,
                    .sees = on.sees,
                    .walk = {0, relation, 1, walk::no_limit, walk::way::down},
                    .marks = {1, walk::no_limit, true}};
  const entity_t first =
      first_reached(target, down, marks_of(std::move(about)), asked::where, has_pair);
  return first ? make_pair(kind, first) : 0;
}

}  // namespace kith::core
