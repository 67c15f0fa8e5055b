#include "reactive/access.hpp"

#include <algorithm>

#include <kith/detail/builtins.hpp>

namespace kith::core {

namespace {

// Calls `visit` with the ids and patterns of which a term can show values.
template <class Visit>
void each_pattern(const checked_term& t, meaning& m, Visit visit) {
  const auto part_of = [&](const checked_ref& r) {
    return r.is == checked_ref::kind::fixed && !r.flagged ? r.entity : Wildcard;
  };
  const entity_t first = part_of(t.first);
  const entity_t second = t.shape.is == term_shape::kind::id ? part_of(t.second) : Wildcard;
  const auto visit_one = [&](entity_t predicate) {
    const id_t id = t.pair ? make_pair(predicate, second) : predicate;
    if (!has_wildcard(id) && !m.world().store.types().type_of(id)) return;
    if (t.pair && m.traits_of(predicate) & trait::pair_is_tag) return;
    visit(id);
  };
  if (is_wildcard(index_of(first))) return visit(t.pair ? make_pair(first, second) : first);
  // Kinds of a predicate count as the predicate.
  if (m.traits_of(first) & trait::final) return visit_one(first);
  for (entity_t kind : m.with_kinds(first)) visit_one(kind);
}

}  // namespace

void access::touch(const touched& t) {
  for (touched& known : values) {
    if (known.id != t.id) continue;
    known.writes |= t.writes;
    known.writes_rows |= t.writes_rows;
    known.of_others |= t.of_others;
    return;
  }
  values.push_back(t);
}

access access_of(const checked_query& q, meaning& m, std::size_t typed, bool shows_all) {
  access found;
  found.sees = reads_of(q, m);
  struct shown {
    std::size_t field;
    id_t id;
    bool writes;
  };
  std::vector<shown> all;
  for (std::size_t n = 0; n < (shows_all ? q.fields.size() : typed); ++n) {
    const field_info& f = q.fields[n];
    using way = term::access;
    if (f.negated || f.access == way::none || f.access == way::filter) continue;
    for (const checked_term* t : f.terms) {
      if (t->is != checked_term::kind::predicate) continue;
      const bool is_own = t->shape.on == term_shape::place::this_;
      const bool writes = f.access == way::normal ? n < typed || is_own
                                                  : f.access == way::inout || f.access == way::out;
      each_pattern(*t, m, [&](id_t id) {
        found.touch({id, writes, writes, !is_own});
        all.push_back({n, id, writes});
      });
    }
  }
  for (const shown& x : all) {
    const auto meets = [&](const shown& y) {
      return y.writes && (y.field == x.field || overlap(y.id, x.id));
    };
    if (std::ranges::any_of(all, meets) &&
        (found.exposed_fields.empty() || found.exposed_fields.back() != x.field))
      found.exposed_fields.push_back(x.field);
  }
  return found;
}

bool overlap(id_t a, id_t b) {
  if (is_pair(a) != is_pair(b)) return false;
  const auto fit = [](std::uint32_t x, std::uint32_t y) {
    return x == y || is_wildcard(x) || is_wildcard(y);
  };
  if (!is_pair(a)) return a == b || is_wildcard(index_of(a)) || is_wildcard(index_of(b));
  return fit(relation_of(a), relation_of(b)) && fit(target_of(a), target_of(b));
}

bool touches(id_t listed, id_t id) {
  if (overlap(listed, id)) return true;
  return !is_pair(listed) && is_pair(id) && relation_of(id) == index_of(listed);
}

std::optional<id_t> shared_value(const access& a, const access& b) {
  for (const access::touched& x : a.values)
    for (const access::touched& y : b.values)
      if ((x.writes || y.writes) && overlap(x.id, y.id)) return has_wildcard(x.id) ? y.id : x.id;
  return std::nullopt;
}

std::optional<id_t> value_of_several_rows(const access& a) {
  for (const access::touched& x : a.values)
    for (const access::touched& y : a.values)
      if (x.writes_rows && y.of_others && overlap(x.id, y.id))
        return has_wildcard(x.id) ? y.id : x.id;
  return std::nullopt;
}

std::optional<id_t> written(const access& a, id_t id) {
  const auto writes_it = [&](const access::touched& t) { return t.writes && overlap(t.id, id); };
  return std::ranges::any_of(a.values, writes_it) ? std::optional(id) : std::nullopt;
}

std::optional<seen_change> seen_by(const access& earlier, const access& later) {
  if (earlier.queues == access::queue::nothing) return std::nullopt;
  const bool sees_nothing = !later.sees_world && later.values.empty() &&
                            later.sees.groups.empty() && !later.sees.all_ids && !later.sees.names &&
                            !later.sees.life && later.sees.named.empty() &&
                            later.queues == access::queue::nothing;
  if (sees_nothing) return std::nullopt;
  if (earlier.queues == access::queue::anything || earlier.leads_on) return seen_change{};
  if (later.queues == access::queue::anything || later.sees.all_ids) return seen_change{};
  // It may get hold of entities that the earlier system makes.
  if (later.sees.life || (later.sees_world && shared_value(earlier, later))) return seen_change{};
  for (id_t id : earlier.queued) {
    const auto fits_group = [&](id_t group) {
      return group_key(id) == group || (is_pair(group) && relation_of(group) == index_of(id));
    };
    if (std::ranges::any_of(later.sees.groups, fits_group)) return seen_change{id};
    const auto fits_value = [&](const access::touched& t) { return touches(id, t.id); };
    if (std::ranges::any_of(later.values, fits_value)) return seen_change{id};
  }
  return std::nullopt;
}

}  // namespace kith::core
