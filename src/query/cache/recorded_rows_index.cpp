// Rows that come and go one by one.
#include <algorithm>
#include <functional>
#include <utility>

#include "query/cache/recorded_rows.hpp"

namespace kith::core {

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

}  // namespace

class recorded_rows::row_index {
 public:
  // Lists of numbers by key. Each number is in one list, and leaves it in O(1).
  class lists {
   public:
    template <class Visit>
    void each(std::uint64_t key, Visit visit) const {
      const auto found = first_.find(key);
      for (std::uint32_t n = found == first_.end() ? none : found->second; n != none;
           n = links_[n].next)
        visit(n);
    }
    // The number that was added last; `none` if the list is empty.
    std::uint32_t last(std::uint64_t key) const {
      const auto found = first_.find(key);
      return found == first_.end() ? none : found->second;
    }
    void add(std::uint64_t key, std::uint32_t number) {
      if (links_.size() <= number) links_.resize(number + 1);
      const auto [at, is_new] = first_.try_emplace(key, number);
      links_[number] = {none, is_new ? none : std::exchange(at.value(), number)};
      if (links_[number].next != none) links_[links_[number].next].before = number;
    }
    void remove(std::uint64_t key, std::uint32_t number) {
      const link here = links_[number];
      if (here.next != none) links_[here.next].before = here.before;
      if (here.before != none) {
        links_[here.before].next = here.next;
      } else if (here.next != none) {
        first_.find(key).value() = here.next;
      } else {
        first_.erase(key);
      }
    }

   private:
    struct link {
      std::uint32_t before = none, next = none;
    };
    hash_map<std::uint64_t, std::uint32_t> first_;
    std::vector<link> links_;
  };

  lists rows;               // by the index of $this
  lists batches;            // by context
  lists contexts;           // by the hash of their values and fields
  std::vector<lists> with;  // by slot: contexts by the index of their value
};

recorded_rows::row_index& recorded_rows::index() {
  if (index_.at) return *index_.at;
  auto made = std::make_shared<row_index>();
  made->with.resize(slots_);
  for (std::uint32_t b = 0; b < batches_.size(); ++b) {
    made->batches.add(context_[b], b);
    for (std::size_t row = batches_[b].first; row < batches_[b].first + batches_[b].count; ++row)
      made->rows.add(index_of(entities_[row]), static_cast<std::uint32_t>(row));
  }
  const auto contexts = static_cast<std::uint32_t>(values_.size() / slots_);
  for (std::uint32_t c = 0; c < contexts; ++c) {
    made->contexts.add(hash_of_context(c), c);
    for (std::size_t slot = 1; slot < slots_; ++slot)
      made->with[slot].add(index_of(values_[c * slots_ + slot]), c);
  }
  index_.at = std::move(made);
  return *index_.at;
}

std::vector<std::uint32_t> recorded_rows::find_all(const partial_result& part,
                                                   std::size_t& looked_at) {
  const row_index& known = index();
  std::vector<std::uint32_t> found;
  const auto has = [&](std::uint32_t context) {
    return std::ranges::all_of(part, [&](const slot_value& v) {
      return v.slot == this_slot || index_of(values_[context * slots_ + v.slot]) == v.index;
    });
  };
  // By the last of the values, unless many rows have it and the first is that of $this.
  constexpr std::size_t many = 64;
  const slot_value& last = part.back();
  std::size_t rows = 0;
  if (last.slot != this_slot)
    known.with[last.slot].each(last.index, [&](std::uint32_t context) {
      if (rows <= many)
        known.batches.each(context, [&](std::uint32_t b) { rows += batches_[b].count + 1; });
    });
  looked_at += rows;
  if (last.slot == this_slot || (rows > many && part[0].slot == this_slot)) {
    known.rows.each(part[0].index, [&](std::uint32_t row) {
      ++looked_at;
      if (part.size() == 1 || has(context_[batch_of(row)])) found.push_back(row);
    });
  } else {
    known.with[last.slot].each(last.index, [&](std::uint32_t context) {
      if (!has(context)) return;
      known.batches.each(context, [&](std::uint32_t b) {
        for (std::size_t i = 0; i < batches_[b].count; ++i, ++looked_at)
          if (part[0].slot != this_slot ||
              index_of(entities_[batches_[b].first + i]) == part[0].index)
            found.push_back(static_cast<std::uint32_t>(batches_[b].first + i));
      });
    });
  }
  std::ranges::sort(found, std::greater<>());
  return found;
}

recorded_rows::result recorded_rows::result_at(std::uint32_t row) const {
  const std::uint32_t context = context_[batch_of(row)];
  const auto values = std::span(values_).subspan(context * slots_, slots_);
  const auto fields = std::span(fields_).subspan(context * field_count_, field_count_);
  result r{{values.begin(), values.end()}, {fields.begin(), fields.end()}};
  r.values[this_slot] = q_->uses_this ? entities_[row] : 0;
  return r;
}

bool recorded_rows::is_result(std::uint32_t row, const result& r) const {
  return (!q_->uses_this || entities_[row] == r.values[this_slot]) &&
         has_context(context_[batch_of(row)], r);
}

bool recorded_rows::has_context(std::uint32_t context, const result& r) const {
  return std::equal(r.values.begin() + 1, r.values.end(),
                    values_.begin() + static_cast<std::ptrdiff_t>(context * slots_ + 1)) &&
         std::ranges::equal(r.fields,
                            std::span(fields_).subspan(context * field_count_, field_count_));
}

// The number of the values and fields of a result; they get one if they have none.
std::uint32_t recorded_rows::context_of(const result& r) {
  row_index& known = index();
  const auto fresh = static_cast<std::uint32_t>(values_.size() / slots_);
  values_.insert(values_.end(), r.values.begin(), r.values.end());
  fields_.insert(fields_.end(), r.fields.begin(), r.fields.end());
  const std::uint64_t hash = hash_of_context(fresh);
  std::uint32_t same = none;
  known.contexts.each(hash, [&](std::uint32_t c) {
    if (same == none && has_context(c, r)) same = c;
  });
  if (same != none) {
    values_.resize(values_.size() - slots_);
    fields_.resize(fields_.size() - field_count_);
    return same;
  }
  known.contexts.add(hash, fresh);
  for (std::size_t slot = 1; slot < slots_; ++slot)
    known.with[slot].add(index_of(r.values[slot]), fresh);
  return fresh;
}

// How many rows a batch has room for.
std::size_t recorded_rows::room_of(std::size_t b) const {
  return (b + 1 < batches_.size() ? batches_[b + 1].first : entities_.size()) - batches_[b].first;
}

void recorded_rows::set_gap(std::size_t b) {
  const auto number = static_cast<std::uint32_t>(b);
  const auto at = std::ranges::lower_bound(gaps_, number);
  const bool is_listed = at != gaps_.end() && *at == number;
  const bool has_gap = batches_[b].count < room_of(b);
  if (has_gap && !is_listed)
    gaps_.insert(at, number);
  else if (!has_gap && is_listed)
    gaps_.erase(at);
}

void recorded_rows::add_row(const result& r) {
  row_index& known = index();
  const std::uint32_t context = context_of(r);
  // The batch that was opened last has room, or is the last of all, or the next one gets more room.
  std::uint32_t place = known.batches.last(context);
  const bool has_room = place != none && (batches_[place].count < room_of(place) ||
                                          std::size_t{place} + 1 == batches_.size());
  if (!has_room) {
    constexpr std::size_t most_room = 1024;
    const std::size_t room = place == none ? 1 : std::min(2 * room_of(place), most_room);
    place = static_cast<std::uint32_t>(batches_.size());
    batches_.push_back({entities_.size(), 0});
    context_.push_back(context);
    known.batches.add(context, place);
    entities_.resize(entities_.size() + room);
  }
  run& batch = batches_[place];
  const std::size_t row = batch.first + batch.count;
  if (row == entities_.size()) entities_.emplace_back();
  entities_[row] = r.values[this_slot];
  ++batch.count;
  ++row_count_;
  set_gap(place);
  known.rows.add(index_of(entities_[row]), static_cast<std::uint32_t>(row));
  for (pointer_column& p : pointers_) p.version = 0;
}

void recorded_rows::remove_row(std::uint32_t row) {
  row_index& known = index();
  const std::size_t b = batch_of(row);
  const auto last = static_cast<std::uint32_t>(batches_[b].first + batches_[b].count - 1);
  known.rows.remove(index_of(entities_[row]), row);
  if (row != last) {
    known.rows.remove(index_of(entities_[last]), last);
    entities_[row] = entities_[last];
    known.rows.add(index_of(entities_[row]), row);
  }
  --batches_[b].count;
  --row_count_;
  set_gap(b);
  for (pointer_column& p : pointers_) p.version = 0;
}

bool recorded_rows::is_worn() const {
  constexpr std::size_t few = 64;
  return entities_.size() > 2 * row_count_ + few ||
         values_.size() / slots_ > 2 * batches_.size() + few ||
         batches_.size() > 2 * row_count_ + few;
}

std::size_t recorded_rows::next_gap(std::size_t b, std::size_t last) const {
  const auto at = std::ranges::lower_bound(gaps_, static_cast<std::uint32_t>(b));
  return at == gaps_.end() || *at >= last ? last : *at;
}

}  // namespace kith::core
