#include "query/cache/argument_index.hpp"

#include <utility>

#include <kith/detail/builtins.hpp>

#include "query/exec/candidates.hpp"
#include "query/exec/term_now.hpp"

namespace kith::core {

argument_index::argument_index(std::shared_ptr<const checked_query> q, slot_list given, meaning& m)
    : q_(std::move(q)),
      given_(std::move(given)),
      m_(m),
      counts_(m.world(), m.shortcuts()),
      test_(*q_, q_->root, set_of(all_slots()), {}, counts_, m.samples()) {
  // $this is what is asked for, all others are given.
  possible_ = !given_.empty() && !contains(given_, this_slot) &&
              given_.size() + 1 == q_->slots.size() && q_->is_local;
  // Which of several alternatives a field shows is for the plan to say.
  for (const field_info& f : q_->fields) possible_ = possible_ && f.terms.size() < 2;
  for (slot_index slot : given_) {
    if (!possible_) return;
    anchors_.push_back(find_anchor(slot));
    possible_ = anchors_.back() != nullptr;
  }
  if (possible_) find_alike();
}

// --- which queries -------------------------------------------------------------------------------

// A term that must hold and has the slot as its target: it says which values there can be.
const checked_term* argument_index::find_anchor(slot_index slot) const {
  for (const item& i : q_->root.items)
    if (i.is == item::kind::term && i.term.shape.is == term_shape::kind::variable &&
        i.term.second.is_slot(slot))
      return &i.term;
  return nullptr;
}

// Parameters are alike if each occurs once, as a target of the same relation.
void argument_index::find_alike() {
  std::vector<std::uint32_t> uses(q_->slots.size());
  each_item(q_->root, [&](const item& i) {
    if (i.is == item::kind::term)
      for (slot_index slot : i.term.slots) ++uses[slot];
    return true;
  });
  std::vector<bool> done(anchors_.size());
  for (std::uint32_t a = 0; a < anchors_.size(); ++a) {
    std::vector<std::uint32_t> same;
    for (std::uint32_t b = a; b < anchors_.size(); ++b)
      if (!done[b] && q_->slots[given_[b]].parameter && uses[given_[b]] == 1 &&
          anchors_[b]->first == anchors_[a]->first)
        same.push_back(b);
    if (same.size() < 2 || same.front() != a) continue;
    for (std::uint32_t b : same) done[b] = true;
    alike_.push_back(std::move(same));
  }
}

slot_list argument_index::all_slots() const {
  slot_list all = given_;
  insert(all, this_slot);
  return all;
}

bool argument_index::has_kinds() const {
  return !each_item(q_->root, [&](const item& i) {
    return i.is != item::kind::term || !i.term.shape.names_first ||
           !term_now(m_, i.term).has_kinds();
  });
}

bool argument_index::is_uniform() const {
  if (m_.world().inherit.any()) return false;
  return std::ranges::none_of(q_->fields, [&](const field_info& f) {
    return !f.terms.empty() && (f.optional || f.terms[0]->exact);
  });
}

// --- keeping it up to date -----------------------------------------------------------------------

void argument_index::rebuild() {
  // Assigned, not cleared: the memory goes too.
  by_key_ = decltype(by_key_)(0, key_hash{this}, key_equal{this});
  buckets_ = {};
  long_keys_ = {};
  located_ = {};
  tested_ = 0;
  free_ = {};
  filed_ = {};
  watch_.emplace(reads_of(*q_, m_), m_);
  had_kinds_ = has_kinds();
  bases_ = m_.world().inherit.version();
  std::vector<id_t> all;
  candidates(m_).find(*anchors_[0], this_slot, slot_values(q_->slots.size()), all);
  for (entity_t e : all) file(e);
}

void argument_index::refresh() {
  if (!watch_) return rebuild();
  auto news = watch_->changes(~std::size_t{0});
  if (!news || (news->kinds && (had_kinds_ || has_kinds()))) return rebuild();
  if (std::exchange(bases_, m_.world().inherit.version()) != m_.world().inherit.version())
    add_heirs(news->entities);
  if (news->entities.empty()) return;
  watch_->mark();
  for (entity_t e : news->entities) {
    unfile(e);
    file(e);
  }
  // Most buckets are empty: there is more memory than facts.
  constexpr std::size_t few = 1024;
  if (buckets_.size() > few && free_.size() > buckets_.size() / 8 * 7) rebuild();
}

// What changes on a base changes what its kinds show.
void argument_index::add_heirs(std::vector<entity_t>& changed) const {
  const std::size_t direct = changed.size();
  for (std::size_t i = 0; i < direct; ++i)
    if (m_.alive(changed[i]))
      for (entity_t heir : m_.reach().kinds_of(changed[i])) changed.push_back(heir);
  std::ranges::sort(changed);
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
}

void argument_index::list_values(entity_t e, const checked_term& anchor,
                                 std::vector<entity_t>& out) const {
  const graph& g = m_.world();
  const entity_record& r = g.alive(e);
  const auto add = [&](std::span<const id_t> pairs) {
    for (id_t pair : pairs) out.push_back(g.store.entities().alive_at(target_of(pair)));
  };
  for (entity_t relation : m_.with_kinds(anchor.first.entity)) {
    if (g.inherit.any() || g.store.was_toggled(index_of(relation)))
      add(g.inherit.visible_ids(e, r, make_pair(relation, Wildcard)));
    else
      add(g.store.pairs_of(r, index_of(relation)));
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

void argument_index::file(entity_t e) {
  find_places(e);
  if (const auto filed = filed_.find(e); filed != filed_.end())
    std::ranges::sort(filed.value(), {}, &place::bucket);
}

void argument_index::find_places(entity_t e) {
  if (!m_.alive(e) || !is_allowed(*q_, m_.world(), this_slot, e)) return;
  std::vector<std::vector<entity_t>> choices(anchors_.size());
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < anchors_.size(); ++i) {
    list_values(e, *anchors_[i], choices[i]);
    combinations = std::min(combinations * choices[i].size(), max_combinations + 1);
  }
  if (anchors_.size() > 1 && combinations > max_combinations) {
    for (entity_t value : choices[0]) put(e, {&value, 1});
    return;
  }
  slot_values values(q_->slots.size());
  std::vector<std::size_t> chosen(anchors_.size());
  std::vector<entity_t> key(anchors_.size());
  const auto advance = [&] {
    for (std::size_t i = chosen.size(); i-- > 0;) {
      if (++chosen[i] < choices[i].size()) return true;
      chosen[i] = 0;
    }
    return false;
  };
  if (!combinations) return;
  do {
    values[this_slot] = e;
    for (std::size_t i = 0; i < chosen.size(); ++i)
      key[i] = values[given_[i]] = choices[i][chosen[i]];
    // The same combination in another order is filed once.
    std::vector<entity_t> sorted = key;
    if (!sort_alike(sorted) || sorted != key || !is_result(e, values)) continue;
    put(e, key);
  } while (advance());
}

// The last one takes its place.
void argument_index::bucket::erase(std::size_t position) {
  if (several.empty()) {
    one = 0;
    return;
  }
  several[position] = several.back();
  several.pop_back();
  if (several.empty()) one = 0;
}

void argument_index::put(entity_t e, std::span<const entity_t> values) {
  const asked_key<> key = key_of(values);
  std::uint32_t to = find_bucket(key);
  if (to == none) {
    if (free_.empty()) {
      to = static_cast<std::uint32_t>(buckets_.size());
      buckets_.emplace_back();
      long_keys_.resize(buckets_.size() * rest_of_key());
    } else {
      to = free_.back();
      free_.pop_back();
    }
    set_key(to, key);
    tested_ += values.size() < given_.size();
    by_key_.insert(to);
  }
  bucket& b = buckets_[to];
  filed_[e].push_back({to, static_cast<std::uint32_t>(b.entities().size())});
  b.push_back(e);
  if (to < located_.size()) located_[to].version = 0;
}

void argument_index::unfile(entity_t e) {
  const auto known = filed_.find(e);
  if (known == filed_.end()) return;
  const std::vector<place> places = std::move(known.value());
  filed_.erase(known);
  for (const place& p : places) {
    bucket& b = buckets_[p.bucket];
    if (p.bucket < located_.size()) located_[p.bucket].version = 0;
    const entity_t last = b.entities().back();
    b.erase(p.position);
    if (last != e) {
      std::vector<place>& others = filed_.find(last).value();
      std::ranges::lower_bound(others, p.bucket, {}, &place::bucket)->position = p.position;
      continue;
    }
    if (!b.entities().empty()) continue;
    tested_ -= b.key_length < given_.size();
    by_key_.erase(p.bucket);
    b = bucket();
    if (p.bucket < located_.size()) located_[p.bucket] = {};
    free_.push_back(p.bucket);
  }
}

// --- asking --------------------------------------------------------------------------------------

bool argument_index::is_result(entity_t e, slot_values& values) {
  values[this_slot] = e;
  return plan_run(*q_, test_, m_, values).next();
}

bool argument_index::sort_alike(std::vector<entity_t>& key) const {
  std::vector<entity_t> sorted;
  for (const std::vector<std::uint32_t>& same : alike_) {
    sorted.clear();
    for (std::uint32_t i : same) sorted.push_back(key[i]);
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end()) return false;
    for (std::size_t i = 0; i < same.size(); ++i) key[same[i]] = sorted[i];
  }
  return true;
}

void argument_index::set_key(std::uint32_t number, const asked_key<>& key) {
  bucket& b = buckets_[number];
  b.hash = key.hash;
  b.key_length = static_cast<std::uint32_t>(key.values.size());
  const std::size_t here = std::min(key.values.size(), bucket::key_start);
  std::ranges::copy(key.values.first(here), b.key.begin());
  std::ranges::copy(key.values.subspan(here),
                    long_keys_.begin() + static_cast<std::ptrdiff_t>(number * rest_of_key()));
}

argument_index::answer argument_index::find_sorted(std::span<const entity_t> values) {
  asked_.assign(values.begin(), values.end());
  return sort_alike(asked_) ? look_up(asked_) : answer();
}

argument_index::located& argument_index::values_of(const answer& a) {
  if (a.bucket >= located_.size()) located_.resize(buckets_.size());
  return located_[a.bucket];
}

}  // namespace kith::core
