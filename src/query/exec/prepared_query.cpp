#include "query/exec/prepared_query.hpp"

#include <algorithm>

namespace kith::core {

void prepared_query::refresh() {
  if (checked_ && traits_version_ == g_.traits.version()) return;
  auto fresh = std::make_shared<const checked_query>(check(written_, g_.traits));
  plans_.clear();
  checked_ = std::move(fresh);
  traits_version_ = g_.traits.version();
}

std::shared_ptr<plan> prepared_query::plan_for(const slot_list& bound) {
  const auto known = std::ranges::find(plans_, bound, &made_plan::bound);
  const auto rows_now = [&](const plan_step& first, const bit_set& with) {
    double rows = -1;
    for (const checked_term* t : first.from) {
      const double now = counts_.values(*t, first.slot, {with});
      if (now >= 0 && (rows < 0 || now < rows)) rows = now;
    }
    return rows;
  };
  if (known != plans_.end()) {
    // A plan is as good as the counts it was made from.
    const double now = rows_now(*known->steps->first(), known->with);
    if (now <= 2 * known->rows + 16 && known->rows <= 2 * now + 16) return known->steps;
    plans_.erase(known);
  }
  made_plan made{bound, set_of(bound), nullptr, 0};
  made.steps = make_plan(bound);
  made.rows = rows_now(*made.steps->first(), made.with);
  plans_.push_back(made);
  return made.steps;
}

}  // namespace kith::core
