#include "query/plan/piece.hpp"

#include <algorithm>

#include "query/plan/slot_sets.hpp"
#include "storage/runs.hpp"

namespace kith::core {

namespace {

// Instances that inherit an id are not counted anywhere; this is a guess of how many there are for
// each owner.
constexpr double heirs = 4;
// A walk that is followed to learn how far it leads stops after so many entities.
constexpr std::size_t followed = 64;
// From so many entities of a sample walks are followed.
constexpr std::size_t starts = 8;
// That none of a few rows fits does not mean that no other does.
constexpr double at_least = 0.25;

// The share of some of the rows for which `leads` is true; negative if it knows of none.
template <class Leads>
double share_that_leads(const std::vector<id_sample::row>& rows, Leads leads) {
  const std::size_t wanted = std::min(rows.size(), starts);
  double asked = 0, some = 0;
  for (std::size_t n = 0; n < wanted; ++n)
    if (const std::optional<bool> found = leads(rows[n * rows.size() / wanted])) {
      ++asked;
      some += *found;
    }
  return asked > 0 ? std::max(some, at_least) / asked : -1;
}

}  // namespace

piece::piece(const checked_query& q, const checked_term& t, const bit_set& bound,
             const estimates& counts, statistics& samples)
    : g_(samples.world()), counts_(counts), term_(&t) {
  for (slot_index slot : without(t.slots, bound))
    if (q.slots[slot].is != slot_info::kind::all && open_.size() < max_places)
      open_.push_back(slot);
  count_relation(samples);
  if (!sample_) count_walk(samples);
  count_lists(bound);
  constexpr double contain_it = 0.1;
  if (t.is == checked_term::kind::text && t.compare == term::comparison::contains)
    share_ = contain_it;
  // Nothing differs from itself.
  if (t.is == checked_term::kind::equality && open_.size() == 1 && t.first.is_slot(open_[0]) &&
      t.second.is_slot(open_[0]) && t.compare == term::comparison::different)
    share_ = 1 / std::max(1.0, counts.everything());
  // A variable that is both source and target is listed as one of them, and few values fit both.
  if (sample_ && open_.size() == 1 && t.source.is_slot(open_[0]) && t.second.is_slot(open_[0])) {
    share_ = share_of_own_targets();
  }
}

piece::piece(const checked_query& q, const item& chain, const bit_set& bound,
             const estimates& counts, statistics& samples)
    : g_(samples.world()), counts_(counts) {
  for (slot_index slot : without(chain.positive, bound))
    if (open_.size() < max_places) open_.push_back(slot);
  for (auto& list : lists_) list.fill(cannot_list);
  // What an alternative gives for a set of variables: that of the term that gives the fewest, or of
  // several that share the variables.
  for (const block& body : chain.bodies) {
    std::vector<piece> parts;
    for (const item& i : body.items)
      if (i.is == item::kind::term) parts.emplace_back(q, i.term, bound, counts, samples);
    for (unsigned set = 1; set < 1u << open_.size(); ++set) {
      double fewest = -1;
      double of_each = 1;
      for (const piece& part : parts) {
        unsigned mine = 0, common = 0;
        for (std::size_t n = 0; n < open_.size(); ++n)
          if (const std::size_t at = part.place_of(open_[n]);
              at < part.open_.size() && set & 1u << n) {
            mine |= 1u << at;
            common |= 1u << n;
          }
        if (!mine) continue;
        const double of_part = part.combinations(mine) * part.share();
        of_each *= of_part;
        if (common == set && (fewest < 0 || of_part < fewest)) fewest = of_part;
      }
      combinations_[set] += fewest < 0 ? of_each : fewest;
    }
    bodies_.push_back(std::move(parts));
  }
  combinations_[0] = 1;
}

std::size_t piece::place_of(slot_index slot) const {
  return static_cast<std::size_t>(std::ranges::find(open_, slot) - open_.begin());
}

// --- how many rows there are ---------------------------------------------------------------------

void piece::count_relation(statistics& samples) {
  const checked_term& t = *term_;
  if (t.is != checked_term::kind::predicate || t.first.is != checked_ref::kind::fixed ||
      t.first.flagged || t.source.flagged || t.second.flagged || !t.first.lookup.empty() ||
      !t.source.lookup.empty() || !t.second.lookup.empty())
    return;
  const bool one_target = t.second.is == checked_ref::kind::fixed;
  predicates_ = counts_.with_kinds(t.first.entity);
  for (entity_t p : predicates_) {
    const auto of_kind = samples.of(!t.pair      ? p
                                    : one_target ? make_pair(p, t.second.entity)
                                                 : make_pair(p, Wildcard));
    if (!sample_) sample_ = of_kind;
    rows_.insert(rows_.end(), of_kind->picked.begin(), of_kind->picked.end());
    all_ += of_kind->rows;
    sources_ += of_kind->sources;
    targets_ += of_kind->targets;
  }
  sources_ = std::min(sources_, counts_.everything());
  closes_ = t.pair && !t.exact && g_.traits.of(index_of(t.first.entity)) & trait::transitive;
  if (t.source.is == checked_ref::kind::fixed && t.pair) {
    const entity_record* r = g_.store.entities().find(t.source.entity);
    rows_.clear();
    all_ = 0;
    for (entity_t p : predicates_) {
      const auto pairs = r ? g_.store.pairs_of(*r, index_of(p)) : std::span<const id_t>();
      const std::size_t taken = std::min(pairs.size(), samples.rows_wanted);
      for (std::size_t i = 0; i < taken; ++i)
        rows_.push_back({t.source.entity,
                         g_.store.entities().alive_at(target_of(pairs[i * pairs.size() / taken]))});
      all_ += static_cast<double>(pairs.size());
    }
    if (closes_) all_ = reached_from(t.source.entity, predicates_, true);
    targets_ = all_;
    sources_ = 1;
  } else if (closes_ && one_target) {
    all_ = sources_ = reached_from(t.second.entity, predicates_, false);
  } else if (closes_ && !rows_.empty()) {
    double sum = 0;
    std::size_t n = 0;
    for (; n < rows_.size() && n < starts; ++n)
      sum += reached_from(rows_[n * rows_.size() / std::min(rows_.size(), starts)].source,
                          predicates_, true);
    all_ = std::max(all_, sources_ * sum / static_cast<double>(n));
  }
  if (g_.inherit.hands_on(t.pair ? make_pair(t.first.entity, Wildcard) : t.first.entity)) {
    all_ *= heirs;
    sources_ = std::min(sources_ * heirs, counts_.everything());
  }
}

// An id that is looked for along a relation: as many as its owners reach the other way round.
void piece::count_walk(statistics& samples) {
  const checked_term& t = *term_;
  if (t.is != checked_term::kind::predicate || t.first.is != checked_ref::kind::fixed ||
      t.first.flagged || t.source.walks.size() != 1 || !t.source.lookup.empty() ||
      t.source.is != checked_ref::kind::slot ||
      (t.pair && (t.second.is != checked_ref::kind::fixed || t.second.flagged)))
    return;
  const checked_walk& w = t.source.walks[0];
  sample_ = samples.of(t.pair ? make_pair(t.first.entity, t.second.entity) : t.first.entity);
  double sum = 0;
  const std::size_t owners = sample_->picked.size(), asked = std::min(owners, starts);
  for (std::size_t n = 0; n < asked; ++n)
    sum += t.source.self + reached_from(sample_->picked[n * owners / asked].source,
                                        counts_.with_kinds(w.relation),
                                        w.direction == walk::way::down);
  if (asked) all_ = sources_ = sample_->rows * sum / static_cast<double>(asked);
}

// The entities that a walk along a relation reaches, as far as it is followed.
piece::short_walk piece::follow(entity_t start, const std::vector<entity_t>& relations,
                                bool upwards) const {
  short_walk w{{start}, true};
  hash_map<entity_t, bool> seen;
  const auto add = [&](entity_t e) {
    if (w.reached.size() > followed)
      w.ended = false;
    else if (seen.try_emplace(e, true).second)
      w.reached.push_back(e);
  };
  const auto add_sources = [&](id_t id) {
    const id_record* pair = g_.store.ids().find(id);
    runs below = pair ? runs(*pair) : runs();
    for (run owners; w.ended && below.next(owners);)
      for (std::size_t i = 0; i < owners.entities.size() && w.ended; ++i) add(owners.entities[i]);
  };
  for (std::size_t at = 0; at < w.reached.size() && w.ended; ++at) {
    const entity_t here = w.reached[at];
    const entity_record* r = g_.store.entities().find(here);
    for (entity_t relation : relations) {
      if (!r) break;
      if (!upwards) {
        add_sources(make_pair(relation, here));
        continue;
      }
      for (id_t pair : g_.store.pairs_of(*r, index_of(relation)))
        add(g_.store.entities().alive_at(target_of(pair)));
    }
  }
  w.reached.erase(w.reached.begin());
  return w;
}

// How many entities a walk reaches. One that does not end soon may reach a good part of all.
double piece::reached_from(entity_t start, const std::vector<entity_t>& relations,
                           bool upwards) const {
  const short_walk w = follow(start, relations, upwards);
  const auto found = static_cast<double>(w.reached.size());
  double all = 0;
  for (entity_t relation : relations) all += count_roughly(g_.store, make_pair(relation, Wildcard));
  return w.ended ? found : std::max(found, all / 4);
}

// Does the relation lead from one entity to the other? Nothing: that is too far to see.
std::optional<bool> piece::leads(entity_t source, entity_t target) const {
  const short_walk w = follow(source, predicates_, true);
  if (std::ranges::find(w.reached, target) != w.reached.end()) return true;
  return w.ended ? std::optional(false) : std::nullopt;
}

// Of the values that are listed for a variable that is source and target, which share is both?
double piece::share_of_own_targets() const {
  if (closes_) {
    const double share =
        share_that_leads(rows_, [&](const id_sample::row& r) { return leads(r.source, r.source); });
    return share < 0 ? 1 : share;
  }
  const auto is_same = [](const id_sample::row& r) { return r.source == r.target; };
  const auto same = static_cast<double>(std::ranges::count_if(rows_, is_same));
  const double by_chance = all_ / std::max({1.0, sources_, targets_});
  const double expected =
      same > 0 ? all_ * same / static_cast<double>(rows_.size()) : std::min(by_chance, all_);
  return std::min(1.0, expected / std::max(1.0, lists_[0][0]));
}

// --- lists ---------------------------------------------------------------------------------------

double piece::counted(std::size_t place, unsigned known, const bit_set& bound) const {
  const checked_term& t = *term_;
  const slot_index slot = open_[place];
  const known_slots with{bound, open_, known};
  // A star of a known source shows whole ids, so it comes when all else is known.
  const unsigned others = ((1u << open_.size()) - 1) & ~(1u << place);
  if (slot == t.star && (known & others) != others && is_known(t.source, with)) return cannot_list;
  const double roughly = counts_.values(t, slot, with);
  if (roughly < 0 || !sample_) return roughly;
  if (t.source.is_slot(slot)) {
    if (!t.pair || t.second.is == checked_ref::kind::fixed) return all_;
    // One that is its own target is looked for among the targets.
    if (t.second.is_slot(slot)) return targets_;
    const bool star_known = t.star != no_slot && contains(with, t.star);
    return star_known || is_known(t.second, with) ? all_ / std::max(1.0, targets_) : sources_;
  }
  if (t.second.is_slot(slot) || slot == t.star)
    return is_known(t.source, with) ? all_ / std::max(1.0, sources_) : targets_;
  return roughly;
}

void piece::count_lists(const bit_set& bound) {
  const std::size_t places = open_.size();
  for (std::size_t p = 0; p < places; ++p)
    for (unsigned known = 0; known < 1u << places; ++known)
      lists_[p][known] = known & 1u << p ? cannot_list : counted(p, known, bound);
  combinations_[0] = 1;
  for (unsigned set = 1; set < 1u << places; ++set) {
    double fewest = -1;
    for (std::size_t last = 0; last < places; ++last) {
      const unsigned before = set & ~(1u << last);
      if (before == set) continue;
      double of_last = lists_[last][before];
      if (of_last < 0) of_last = counts_.everything();
      const double all = combinations_[before] * of_last;
      if (fewest < 0 || all < fewest) fewest = all;
    }
    combinations_[set] = fewest;
  }
}

bool piece::is_decided_by_tables(slot_index slot) const {
  if (!sample_ || closes_ || !term_->source.is_slot(slot) || term_->shape.about_source ||
      !(term_->shape.is_present_ids() || term_->shape.is == term_shape::kind::star))
    return false;
  return std::ranges::all_of(predicates_, [&](entity_t p) {
    const id_t any = term_->pair ? make_pair(p, Wildcard) : p;
    const id_group* group = g_.store.ids().find_group(any);
    return !group || (core::is_decided_by_tables(*group) && !g_.inherit.hands_on(any));
  });
}

// --- how two terms fit together ------------------------------------------------------------------

double piece::rows_at(entity_t value, bool as_source) const {
  const checked_term& t = *term_;
  const entity_record* r = g_.store.entities().find(value);
  if (!r) return 0;
  double rows = 0;
  for (entity_t p : predicates_) {
    if (as_source && !t.pair)
      rows += g_.inherit.is_visible(value, *r, p);
    else if (as_source && t.second.is == checked_ref::kind::fixed)
      rows += g_.inherit.is_visible(value, *r, make_pair(p, t.second.entity));
    else if (as_source)
      rows += static_cast<double>(g_.store.pairs_of(*r, index_of(p)).size());
    else if (t.source.is != checked_ref::kind::fixed)
      rows += count_roughly(g_.store, make_pair(p, value));
    else if (const entity_record* source = g_.store.entities().find(t.source.entity))
      rows += g_.inherit.is_visible(t.source.entity, *source, make_pair(p, value));
  }
  return t.second.is == checked_ref::kind::any ? std::min(1.0, rows) : rows;
}

piece::meeting piece::meet(const piece& other, slot_index slot) const {
  if (!other.term_) return {};
  if (!term_) {
    // A value fits a chain if it fits all terms of an alternative.
    meeting any{0, -1};
    for (const std::vector<piece>& parts : bodies_) {
      double share = 1;
      for (const piece& part : parts)
        if (const meeting m = part.meet(other, slot); m.share >= 0)
          share = std::min(share, m.share);
      any.share += share;
    }
    any.share = std::min(any.share, 1.0);
    return any;
  }
  const checked_term& t = *term_;
  const bool as_source = t.source.is_slot(slot), as_target = t.pair && t.second.is_slot(slot);
  const bool from_source = other.term_->source.is_slot(slot);
  if (as_source == as_target || !sample_ || rows_.empty() || other.rows_.empty()) return {};
  if (!from_source && !other.term_->second.is_slot(slot)) return {};
  if (closes_ && open_.size() < 2) {
    const double share = share_that_leads(other.rows_, [&](const id_sample::row& r) {
      const entity_t value = from_source ? r.source : r.target;
      return as_source ? leads(value, t.second.entity) : leads(t.source.entity, value);
    });
    return {share, -1};
  }
  double some = 0, rows = 0;
  for (const id_sample::row& row : other.rows_) {
    const double here = rows_at(from_source ? row.source : row.target, as_source);
    some += here > 0;
    rows += here;
  }
  const auto asked = static_cast<double>(other.rows_.size());
  return {std::max(some, at_least) / asked, closes_ ? -1 : std::max(rows, at_least) / asked};
}

}  // namespace kith::core
