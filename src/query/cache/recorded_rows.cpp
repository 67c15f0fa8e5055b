#include "query/cache/recorded_rows.hpp"

#include <algorithm>
#include <span>

#include "storage/value_finder.hpp"

namespace kith::core {

recorded_rows::recorded_rows(std::shared_ptr<const checked_query> q, const graph& g)
    : q_(std::move(q)),
      store_(g.store),
      slots_(q_->slots.size()),
      field_count_(q_->fields.size()),
      pointers_(field_count_) {}

void recorded_rows::add(std::span<const entity_t> entities, const slot_values& values,
                        std::span<const field> fields) {
  const std::size_t first = entities_.size();
  entities_.insert(entities_.end(), entities.begin(), entities.end());
  row_count_ += entities.size();
  if (!batches_.empty() && std::ranges::equal(fields, std::span(fields_).last(field_count_)) &&
      std::equal(values.begin() + 1, values.end(),
                 values_.end() - static_cast<std::ptrdiff_t>(slots_) + 1)) {
    batches_.back().count += entities.size();
    return;
  }
  context_.push_back(static_cast<std::uint32_t>(batches_.size()));
  batches_.push_back({first, entities.size()});
  values_.insert(values_.end(), values.begin(), values.end());
  fields_.insert(fields_.end(), fields.begin(), fields.end());
}

std::vector<std::uint32_t> recorded_rows::context_of_rows() const {
  std::vector<std::uint32_t> of_row(entities_.size());
  for (std::size_t b = 0; b < batches_.size(); ++b)
    std::fill_n(of_row.begin() + static_cast<std::ptrdiff_t>(batches_[b].first), batches_[b].count,
                context_[b]);
  return of_row;
}

void recorded_rows::reorder(std::span<const std::uint32_t> order,
                            std::span<const std::uint64_t> groups) {
  if (order.empty()) return;
  index_.at.reset();
  const std::vector<std::uint32_t> context_of_row = context_of_rows();
  std::vector<entity_t> entities;
  entities.reserve(entities_.size());
  batches_.clear();
  context_.clear();
  batch_groups_.clear();
  for (std::uint32_t row : order) {
    const std::uint32_t context = context_of_row[row];
    const bool other_group =
        !groups.empty() && (batches_.empty() || batch_groups_.back() != groups[row]);
    if (context_.empty() || context_.back() != context || other_group) {
      batches_.push_back({entities.size(), 0});
      context_.push_back(context);
      if (!groups.empty()) batch_groups_.push_back(groups[row]);
    }
    ++batches_.back().count;
    entities.push_back(entities_[row]);
  }
  entities_ = std::move(entities);
  groups_changed();
  if (!depths.empty()) {
    std::vector<std::uint32_t> moved;
    for (std::uint32_t row : order) moved.push_back(depths[row]);
    depths = std::move(moved);
  }
  if (!new_.empty()) {
    std::vector<std::uint8_t> moved;
    for (std::uint32_t row : order) moved.push_back(new_[row]);
    new_ = std::move(moved);
  }
  for (pointer_column& p : pointers_) p.version = 0;
}

bool recorded_rows::is_same(std::uint32_t context, std::uint32_t other) const {
  const auto part = [](const auto& list, std::size_t number, std::size_t size) {
    return std::span(list).subspan(number * size, size);
  };
  return std::ranges::equal(part(values_, context, slots_).subspan(1),
                            part(values_, other, slots_).subspan(1)) &&
         std::ranges::equal(part(fields_, context, field_count_),
                            part(fields_, other, field_count_));
}

std::uint64_t recorded_rows::hash_of_context(std::uint32_t context) const {
  std::uint64_t hash = hash_of(0, context);
  for (const field& f : std::span(fields_).subspan(context * field_count_, field_count_))
    hash = mix(hash + f.id + mix(f.source + (f.term ? 1 : 0)));
  return hash;
}

void recorded_rows::bring_together() {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  const auto contexts = static_cast<std::uint32_t>(batches_.size());
  if (contexts < 2) return;
  // Those that are the same are known by the number of the first of them, without gaps.
  hash_map<std::uint64_t, std::uint32_t> first;  // by hash: one that was kept
  std::vector<std::uint32_t> next, number(contexts);
  for (std::uint32_t c = 0; c < contexts; ++c) {
    const auto kept = static_cast<std::uint32_t>(next.size());
    const auto [at, is_first] = first.try_emplace(hash_of_context(c), kept);
    std::uint32_t same = is_first ? none : at->second;
    while (same != none && !is_same(same, c)) same = next[same];
    number[c] = same != none ? same : kept;
    if (same != none) continue;
    next.push_back(is_first ? none : std::exchange(at.value(), kept));
    const auto move = [&](auto& list, std::size_t size) {
      std::copy_n(list.begin() + static_cast<std::ptrdiff_t>(c * size), size,
                  list.begin() + static_cast<std::ptrdiff_t>(kept * size));
    };
    move(values_, slots_);
    move(fields_, field_count_);
  }
  if (next.size() == contexts) return;
  values_.resize(next.size() * slots_);
  fields_.resize(next.size() * field_count_);
  values_.shrink_to_fit();
  fields_.shrink_to_fit();
  for (std::uint32_t& context : context_) context = number[context];

  // How many rows come before those of each context; then where the next of them goes.
  std::vector<std::uint32_t> place(next.size() + 1), order(entities_.size());
  for (std::size_t b = 0; b < batches_.size(); ++b)
    place[context_[b] + 1] += static_cast<std::uint32_t>(batches_[b].count);
  for (std::size_t c = 1; c < place.size(); ++c) place[c] += place[c - 1];
  const std::vector<std::uint32_t> of_row = context_of_rows();
  for (std::uint32_t row = 0; row < order.size(); ++row) order[place[of_row[row]]++] = row;
  reorder(order, {});
}

// --- changing one row ----------------------------------------------------------------------------

bool recorded_rows::are_alike() const {
  return values_.size() == slots_ && fields_.size() == field_count_ && !batches_.empty();
}

bool recorded_rows::are_like(const slot_values& values, std::span<const field> fields) const {
  return std::ranges::equal(fields, fields_) &&
         std::equal(values.begin() + 1, values.end(), values_.begin() + 1);
}

std::size_t recorded_rows::find(entity_t e, std::size_t end) const {
  // Blocks are looked at as a whole, and by the indices alone: so several rows are compared at a
  // time.
  constexpr std::size_t block = 64;
  const entity_t* const all = entities_.data();
  for (std::size_t row = 0; row < end; row += block) {
    const std::size_t behind = std::min(row + block, end);
    if (behind == row + block) {
      std::uint32_t here = 0;
      for (std::size_t i = 0; i < block; ++i) here |= index_of(all[row + i]) == index_of(e) ? 1 : 0;
      if (!here) continue;
    }
    for (std::size_t i = row; i < behind; ++i)
      if (all[i] == e) return i;
  }
  return end;
}

std::size_t recorded_rows::batch_of(std::size_t row) const {
  const auto after = std::ranges::upper_bound(batches_, row, {}, &run::first);
  return static_cast<std::size_t>(after - batches_.begin()) - 1;
}

void recorded_rows::insert_row(std::size_t b, std::size_t row, entity_t e, bool is_new) {
  index_.at.reset();
  const auto place = static_cast<std::ptrdiff_t>(row);
  const bool some_are_new = is_new || !new_.empty();
  if (is_new && new_.empty()) new_.resize(entities_.size());
  entities_.insert(entities_.begin() + place, e);
  if (some_are_new) new_.insert(new_.begin() + place, is_new);
  ++batches_[b].count;
  ++row_count_;
  while (++b < batches_.size()) ++batches_[b].first;
  for (pointer_column& p : pointers_) p.version = 0;
}

void recorded_rows::erase_row(std::size_t row) {
  index_.at.reset();
  const auto place = static_cast<std::ptrdiff_t>(row);
  std::size_t b = batch_of(row);
  entities_.erase(entities_.begin() + place);
  if (!new_.empty()) new_.erase(new_.begin() + place);
  --batches_[b].count;
  --row_count_;
  for (std::size_t after = b + 1; after < batches_.size(); ++after) --batches_[after].first;
  for (pointer_column& p : pointers_) p.version = 0;
  if (batches_[b].count || batches_.size() == 1) return;
  const auto gone = static_cast<std::ptrdiff_t>(b);
  batches_.erase(batches_.begin() + gone);
  context_.erase(context_.begin() + gone);
  if (batch_groups_.empty()) return;
  batch_groups_.erase(batch_groups_.begin() + gone);
  groups_changed();
}

void recorded_rows::insert_batch(std::size_t b, std::uint64_t group) {
  index_.at.reset();
  const auto place = static_cast<std::ptrdiff_t>(b);
  const std::size_t first = b < batches_.size() ? batches_[b].first : entities_.size();
  batches_.insert(batches_.begin() + place, {first, 0});
  context_.insert(context_.begin() + place, 0);
  batch_groups_.insert(batch_groups_.begin() + place, group);
  groups_changed();
}

std::vector<id_t> recorded_rows::ids(bool read) const {
  std::vector<id_t> ids;
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    if (!batches_[b].count) continue;
    for (std::size_t n = 0; n < field_count_; ++n) {
      const id_t id = field_of(b, n).id;
      if (!id || (read && !reads_values(q_->fields[n]))) continue;
      if (!ids.empty() && ids.back() == id) continue;
      if (store_.types().type_of(id)) ids.push_back(id);
    }
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

void recorded_rows::move_row(std::size_t from, std::size_t to) {
  index_.at.reset();
  const auto move = [&](auto& list) {
    const auto at = list.begin();
    const auto here = static_cast<std::ptrdiff_t>(from), there = static_cast<std::ptrdiff_t>(to);
    if (here < there)
      std::rotate(at + here, at + here + 1, at + there + 1);
    else
      std::rotate(at + there, at + here, at + here + 1);
  };
  move(entities_);
  if (!new_.empty()) move(new_);
  for (pointer_column& p : pointers_)
    if (p.version == store_.version()) {
      move(p.at);
      p.side_by_side.assign(batches_.size(), false);
    }
}

recorded_rows::batch_range recorded_rows::group(std::uint64_t id) {
  // A question answered by halves takes about as long as to file a few groups in a map.
  constexpr std::size_t few = 4;
  const std::size_t count = batch_groups_.size();
  if (groups_.empty() && ++asked_for_groups_ * few > count) {
    hash_map<std::uint64_t, batch_range> all;
    for (std::size_t b = 0; b < count; ++b)
      all.try_emplace(batch_groups_[b], batch_range{b, b}).first.value().last = b + 1;
    groups_ = std::move(all);
  }
  if (groups_.empty()) {
    const auto begin = batch_groups_.begin();
    const auto [first, last] = std::equal_range(begin, batch_groups_.end(), id);
    return {static_cast<std::size_t>(first - begin), static_cast<std::size_t>(last - begin)};
  }
  const auto known = groups_.find(id);
  return known == groups_.end() ? batch_range{0, 0} : known->second;
}

std::size_t recorded_rows::place_of_group(std::uint64_t id) const {
  const auto begin = batch_groups_.begin();
  return static_cast<std::size_t>(std::lower_bound(begin, batch_groups_.end(), id) - begin);
}

void recorded_rows::groups_changed() {
  groups_ = {};
  asked_for_groups_ = 0;
}

void recorded_rows::note_writes(std::size_t n, std::size_t first, std::size_t last,
                                core::store& store) {
  pointers(n);
  for (const auto& [counter, id] : pointers_[n].counters) store.note_writes(*counter, id);
  for (std::size_t b = first; b < last; ++b) {
    const field& m = field_of(b, n);
    if (!m.id) continue;
    const auto rows = std::span(entities_).subspan(batches_[b].first, batches_[b].count);
    store.value_logs().mark(m.id, m.source ? std::span(&m.source, 1) : rows);
  }
}

std::uint64_t recorded_rows::hash_of(entity_t e, std::uint32_t context) const {
  std::uint64_t hash = mix(e);
  for (std::size_t slot = 1; slot < slots_; ++slot)
    hash = mix(hash + values_[context * slots_ + slot]);
  return hash;
}

void recorded_rows::find_new(const recorded_rows& before) {
  const std::vector<std::uint32_t> was = before.context_of_rows(), is = context_of_rows();
  hash_map<std::uint64_t, std::uint32_t> first;  // by hash: a row of before
  std::vector<std::uint32_t> next(before.rows());
  constexpr std::uint32_t none = ~std::uint32_t{0};
  for (std::uint32_t row = 0; row < before.rows(); ++row) {
    const auto [at, is_first] =
        first.try_emplace(before.hash_of(before.entities_[row], was[row]), row);
    next[row] = is_first ? none : std::exchange(at.value(), row);
  }
  const auto is_same = [&](std::uint32_t row, std::uint32_t old) {
    const auto part = [](const auto& list, std::size_t number, std::size_t size) {
      return std::span(list).subspan(number * size, size);
    };
    const auto fits = [](const field& a, const field& b) {
      return (a.term == nullptr) == (b.term == nullptr) && a.id == b.id && a.source == b.source;
    };
    return entities_[row] == before.entities_[old] &&
           std::ranges::equal(part(values_, is[row], slots_).subspan(1),
                              part(before.values_, was[old], slots_).subspan(1)) &&
           std::ranges::equal(part(fields_, is[row], field_count_),
                              part(before.fields_, was[old], field_count_), fits);
  };
  new_.assign(rows(), 1);
  for (std::uint32_t row = 0; row < rows(); ++row) {
    const auto known = first.find(hash_of(entities_[row], is[row]));
    std::uint32_t old = known == first.end() ? none : known->second;
    while (old != none && !is_same(row, old)) old = next[old];
    new_[row] = old == none || before.is_new(old);
  }
}

namespace {

// Where the entities of batches have the values of a field, and what counts the writes of those
// values.
class place_finder {
 public:
  place_finder(const core::store& store, std::vector<std::pair<std::uint64_t*, id_t>>& counters)
      : store_(store), counters_(counters), values_(store, 0) {}

  void begin(id_t id) {
    if (id == id_) return;
    id_ = id;
    values_ = value_finder(store_, id);
  }

  // The same place for each row: the value of one entity.
  void fill(entity_t source, std::span<void*> at) {
    std::ranges::fill(at, find(store_.entities().find(source)));
  }

  // The place of each row. Returns whether the values are side by side.
  bool find_each(std::span<const entity_t> rows, void** at) {
    // Neighbours mostly have theirs in the same table, and often side by side.
    table_id in{};
    std::size_t out_of_line = 0, size = 0;
    const std::byte *data = nullptr, *next = nullptr;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      // In an order of their own they are anywhere in memory.
      constexpr std::size_t soon = 16;
      if (i + soon < rows.size()) store_.entities().prefetch(rows[i + soon]);
      const entity_record* r = store_.entities().find(rows[i]);
      if (r && r->table == in && data) {
        at[i] = const_cast<std::byte*>(data) + r->row.value * size;
      } else {
        at[i] = find(r);
        in = r ? r->table : table_id{};
        const column* c = r && id_ ? store_.tables().at(in).find_column(id_) : nullptr;
        data = c && !c->type->boxed ? c->data : nullptr;
        size = last_ ? last_.type->size : 0;
      }
      out_of_line += at[i] != next;
      next = static_cast<std::byte*>(at[i]) + size;
    }
    // The first one has no neighbour before it.
    return size && out_of_line == 1;
  }

  bool has_gaps() const { return gaps_; }

 private:
  void* find(const entity_record* r) {
    // A tag that is there has no value, but is not nowhere.
    static char there;
    last_ = r && id_ ? values_.find(*r) : located_value();
    gaps_ = gaps_ || !r || !id_;
    if (!last_) return r && id_ ? &there : nullptr;
    const auto counter = std::pair(last_.writes, id_);
    // Mostly it is one of the last.
    constexpr std::size_t few = 16;
    const auto lately = std::span(counters_).last(std::min(few, counters_.size()));
    if (std::ranges::find(lately, counter) == lately.end()) counters_.push_back(counter);
    return last_.value();
  }

  const core::store& store_;
  std::vector<std::pair<std::uint64_t*, id_t>>& counters_;
  id_t id_ = 0;
  value_finder values_;
  located_value last_;
  bool gaps_ = false;  // some row has no value
};

}  // namespace

void* const* recorded_rows::pointers(std::size_t n) {
  pointer_column& p = pointers_[n];
  if (p.version == store_.version()) return p.at.data();
  p.version = store_.version();
  p.at.resize(entities_.size());
  p.side_by_side.assign(batches_.size(), false);
  p.counters.clear();
  place_finder places(store_, p.counters);
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    const field& f = field_of(b, n);
    const auto [first, count] = batches_[b];
    if (!count) continue;
    places.begin(f.id);
    if (f.source)
      places.fill(f.source, std::span(p.at).subspan(first, count));
    else
      p.side_by_side[b] =
          places.find_each(std::span(entities_).subspan(first, count), p.at.data() + first);
  }
  p.gaps = places.has_gaps();
  std::ranges::sort(p.counters);
  p.counters.erase(std::unique(p.counters.begin(), p.counters.end()), p.counters.end());
  return p.at.data();
}

}  // namespace kith::core
