#include "query/cache/lookup_source.hpp"

#include <algorithm>

#include "query/exec/term_now.hpp"

namespace kith::core {

bool lookup_source::begin(query_cache& cache, const query_bindings& bindings) {
  const checked_query& q = *it_.query;
  if (it_.bound.size() + 1 != q.slots.size()) return false;
  index_ = cache.arguments(it_.bound);
  if (!index_) return false;
  uniform_ = index_->is_uniform();
  asked_at_ = it_.store.version();
  any_value_ = q.distinct.empty() && std::ranges::all_of(it_.bound, [&](slot_index slot) {
                 return !q.slots[slot].is_source && q.slots[slot].same_as == no_slot;
               });
  by_parameters_ = any_value_ && uniform_ && it_.bound == q.parameters;
  numbers_.clear();
  for (const query_binding& b : bindings) numbers_.push_back(b.number);
  find_plain_ids();
  look_up();
  return true;
}

bool lookup_source::begin_again(const query_bindings& bindings) {
  if (!index_ || asked_at_ != it_.store.version() || !any_value_ || it_.store.busy()) return false;
  const auto is_same = [](const query_binding& b, int number) { return b.number == number; };
  if (!std::equal(bindings.begin(), bindings.end(), numbers_.begin(), numbers_.end(), is_same))
    return false;
  for (const query_binding& b : bindings) {
    it_.world.alive(b.value);
    it_.values[static_cast<std::size_t>(b.number)] = b.value;
  }
  look_up();
  return true;
}

void lookup_source::find_plain_ids() {
  plain_ids_.assign(it_.fields.size(), 0);
  for (std::size_t n = 0; uniform_ && n < plain_ids_.size(); ++n) {
    const auto& terms = it_.query->fields[n].terms;
    if (terms.size() != 1 || !terms[0]->shape.is_plain()) continue;
    const term_now now(*it_.says, *terms[0]);
    if (now.is_alive() && !now.has_kinds()) plain_ids_[n] = fixed_id(*terms[0]);
  }
}

void lookup_source::look_up() {
  at_ = 0;
  given_.clear();
  for (slot_index slot : it_.bound) given_.push_back(it_.values[slot]);
  answer_ = index_->find(given_);
  list_ = answer_.entities;
  if (answer_.more.empty()) return;
  tested_.assign(list_.begin(), list_.end());
  for (entity_t e : answer_.more)
    if (index_->is_result(e, it_.values)) tested_.push_back(e);
  list_ = tested_;
  answer_ = {};
}

bool lookup_source::next(batch& b) {
  if (at_ == list_.size()) return false;
  b.entities = list_.data() + at_;
  b.count = uniform_ ? list_.size() : 1;
  at_ += b.count;
  it_.values[this_slot] = *b.entities;
  return true;
}

result_field lookup_source::find_field(std::size_t n) {
  if (!plain_ids_[n]) return result_source::find_field(n);
  return {it_.query->fields[n].terms[0], plain_ids_[n]};
}

bool lookup_source::find_view(std::size_t n, field_view& out) {
  if (!plain_ids_[n]) return result_source::find_view(n, out);
  view_each(n, plain_ids_[n], out);
  return false;
}

// The index remembers where the values of a list are until something moves.
std::vector<void*>& lookup_source::places(std::size_t n) {
  if (answer_.entities.empty()) return result_source::places(n);
  argument_index::located& known = index_->values_of(answer_);
  if (known.version != it_.store.version()) known.pointers.assign(it_.fields.size(), {});
  known.version = it_.store.version();
  return known.pointers[n];
}

}  // namespace kith::core
