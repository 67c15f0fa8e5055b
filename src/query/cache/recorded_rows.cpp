#include "query/cache/recorded_rows.hpp"

#include <algorithm>
#include <span>

namespace kith::core {

recorded_rows::recorded_rows(std::shared_ptr<const checked_query> q, const graph& g)
    : q_(std::move(q)),
      facts_(g.facts),
      slots_(q_->slots.size()),
      field_count_(q_->fields.size()),
      pointers_(field_count_) {}

void recorded_rows::add(std::span<const entity_t> entities, const slot_values& values,
                        std::span<const field> fields) {
  const std::size_t first = entities_.size();
  entities_.insert(entities_.end(), entities.begin(), entities.end());
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

void recorded_rows::reorder(std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> context_of_row(entities_.size());
  for (std::size_t b = 0; b < batches_.size(); ++b)
    std::fill_n(context_of_row.begin() + static_cast<std::ptrdiff_t>(batches_[b].first),
                batches_[b].count, context_[b]);
  std::vector<entity_t> entities;
  entities.reserve(entities_.size());
  batches_.clear();
  context_.clear();
  for (std::uint32_t row : order) {
    const std::uint32_t context = context_of_row[row];
    if (context_.empty() || context_.back() != context) {
      batches_.push_back({entities.size(), 0});
      context_.push_back(context);
    }
    ++batches_.back().count;
    entities.push_back(entities_[row]);
  }
  entities_ = std::move(entities);
  for (pointer_column& p : pointers_) p.version = 0;
}

void* const* recorded_rows::pointers(std::size_t n) {
  pointer_column& p = pointers_[n];
  if (p.version == facts_.version()) return p.at.data();
  p.version = facts_.version();
  p.at.assign(entities_.size(), nullptr);
  p.gaps = false;
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    const field& f = field_of(b, n);
    void** at = p.at.data() + batches_[b].first;
    const auto find = [&](entity_t e) {
      const entity_record* r = f.match.id ? facts_.entities().find(e) : nullptr;
      return r ? facts_.find_value(*r, f.match.id).value() : nullptr;
    };
    if (f.match.source) {
      std::fill_n(at, batches_[b].count, find(f.match.source));
    } else {
      for (std::size_t i = 0; i < batches_[b].count; ++i)
        at[i] = find(entities_[batches_[b].first + i]);
    }
    p.gaps = p.gaps || std::find(at, at + batches_[b].count, nullptr) != at + batches_[b].count;
  }
  return p.at.data();
}

}  // namespace kith::core
