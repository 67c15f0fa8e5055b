#include "query/plan/statistics.hpp"

#include <algorithm>

#include "storage/runs.hpp"

namespace kith::core {

namespace {

// Calls `visit` with the middle of each of `parts` equal parts of [0, count).
template <class Visit>
void spread(double count, std::size_t parts, Visit visit) {
  if (count < static_cast<double>(parts)) parts = static_cast<std::size_t>(count);
  for (std::size_t i = 0; i < parts; ++i)
    visit(static_cast<std::size_t>((static_cast<double>(i) + 0.5) * count /
                                   static_cast<double>(parts)));
}

// Some entities that have an id, spread over all its runs. Of many runs only some are looked at.
struct owners {
  explicit owners(const id_record& record) {
    constexpr std::size_t many = 64;
    const std::size_t tables = record.tables.size(), looked_at = std::min(tables, many);
    for (std::size_t i = 0; i < looked_at; ++i)
      add(record.tables[i * tables / looked_at]->entities());
    if (looked_at < tables) scale = static_cast<double>(tables) / static_cast<double>(looked_at);
    in_tables = seen;
    add(record.pool.entities());
  }
  void add(std::span<const entity_t> run) {
    if (run.empty()) return;
    runs.push_back(run);
    seen += run.size();
  }
  double rows() const {
    return static_cast<double>(in_tables) * scale + static_cast<double>(seen - in_tables);
  }
  entity_t at(std::size_t n) const {
    for (std::span<const entity_t> run : runs) {
      if (n < run.size()) return run[n];
      n -= run.size();
    }
    return 0;
  }

  std::vector<std::span<const entity_t>> runs;
  std::size_t seen = 0;
  std::size_t in_tables = 0;
  double scale = 1;
};

id_sample sample_of_id(const graph& g, id_t id) {
  id_sample s;
  const id_record* record = g.store.ids().find(id);
  if (!record) return s;
  const owners all(*record);
  s.rows = s.sources = all.rows();
  s.targets = s.rows > 0;
  const entity_t target = is_pair(id) ? g.store.entities().alive_at(target_of(id)) : 0;
  spread(static_cast<double>(all.seen), statistics::rows_wanted, [&](std::size_t n) {
    s.picked.push_back({all.at(n), target});
  });
  return s;
}

double targets_of(const graph& g, entity_t source, std::uint32_t relation) {
  const entity_record* r = g.store.entities().find(source);
  return r ? static_cast<double>(g.store.pairs_of(*r, relation).size()) : 0;
}

// Of a relation with many pairs: asks entities that are spread over all of them. False: too few of
// them have such a pair.
bool sample_by_entities(const graph& g, std::uint32_t relation, id_sample& s) {
  constexpr std::size_t asked = 512, enough = 24;
  const entity_index& all = g.store.entities();
  struct hit {
    entity_t source;
    std::span<const id_t> pairs;
  };
  std::vector<hit> hits;
  std::size_t pairs = 0;
  spread(all.limit(), asked, [&](std::size_t i) {
    const entity_t e = all.alive_at(static_cast<std::uint32_t>(i));
    if (!e) return;
    const auto of_this = g.store.pairs_of(all.at_index(index_of(e)), relation);
    if (of_this.empty()) return;
    hits.push_back({e, of_this});
    pairs += of_this.size();
  });
  if (hits.size() < enough) return false;
  const double scale = static_cast<double>(all.limit()) / std::min<double>(asked, all.limit());
  s.rows = static_cast<double>(pairs) * scale;
  s.sources = static_cast<double>(hits.size()) * scale;
  std::size_t at = 0, before = 0;
  spread(static_cast<double>(pairs), statistics::rows_wanted, [&](std::size_t n) {
    while (n - before >= hits[at].pairs.size()) before += hits[at++].pairs.size();
    const entity_t target = all.alive_at(target_of(hits[at].pairs[n - before]));
    s.picked.push_back({hits[at].source, target});
  });
  return true;
}

id_sample sample_of_relation(const graph& g, std::uint32_t relation) {
  constexpr std::size_t looked_at = 1024;
  id_sample s;
  const id_group* group = g.store.ids().find_group(make_pair_of(relation, 0));
  if (!group) return s;
  const bool many = group->ids > looked_at;
  const bool by_entities = many && sample_by_entities(g, relation, s);
  struct pair_rows {
    const id_record* pair;
    double rows;
  };
  std::vector<pair_rows> pairs;
  double rows = 0;
  std::size_t seen = 0;
  for (const id_record* pair = g.store.ids().first_of_relation(relation); pair && seen < looked_at;
       pair = pair->next_of_relation, ++seen) {
    const double of_this = count_roughly(g.store, pair->id);
    if (of_this <= 0) continue;
    pairs.push_back({pair, of_this});
    rows += of_this;
  }
  if (!seen) return s;
  const double scale = static_cast<double>(group->ids) / static_cast<double>(seen);
  s.targets = static_cast<double>(pairs.size()) * (many ? scale : 1);
  if (by_entities) return s;
  s.rows = differs_within_tables(*group) ? group->pool_rows : rows * (many ? scale : 1);
  std::size_t at = 0;
  double before = 0;
  spread(rows, statistics::rows_wanted, [&](std::size_t n) {
    const auto wanted = static_cast<double>(n);
    while (at + 1 < pairs.size() && wanted >= before + pairs[at].rows) before += pairs[at++].rows;
    const owners all(*pairs[at].pair);
    if (!all.seen) return;
    // The last of them, where the count was only roughly right.
    const auto row = std::min(static_cast<std::size_t>(wanted - before), all.seen - 1);
    s.picked.push_back({all.at(row), g.store.entities().alive_at(target_of(pairs[at].pair->id))});
  });
  // A source with many targets is picked more often.
  double share = 0;
  for (const id_sample::row& r : s.picked)
    if (const double of_this = targets_of(g, r.source, relation); of_this > 0) share += 1 / of_this;
  s.sources = s.picked.empty() ? 0 : s.rows * share / static_cast<double>(s.picked.size());
  return s;
}

}  // namespace

std::shared_ptr<const id_sample> statistics::of(id_t pattern) {
  const double now = count_roughly(g_.store, pattern);
  const std::scoped_lock lock(mutex_);
  const auto known = known_.find(pattern);
  if (known != known_.end()) {
    const double then = known->second->counted;
    if (now <= 2 * then + 16 && then <= 2 * now + 16) return known->second;
  }
  const bool all_pairs = is_pair(pattern) && is_wildcard(target_of(pattern));
  auto fresh = std::make_shared<id_sample>(all_pairs ? sample_of_relation(g_, relation_of(pattern))
                                                     : sample_of_id(g_, pattern));
  fresh->counted = now;
  constexpr std::size_t many = 128;
  if (known_.size() >= many) known_.clear();
  known_[pattern] = fresh;
  return fresh;
}

}  // namespace kith::core
