#include "query/cache/row_finder.hpp"

#include <algorithm>
#include <utility>

namespace kith::core {

result_list row_finder::find(meaning& m, const std::optional<std::vector<partial_result>>& parts) {
  m.refresh();
  prepared_.refresh();
  const checked_query& q = *prepared_.checked();
  it_.query = prepared_.checked();
  it_.says = &m;
  it_.begun_at = it_.store.version();
  it_.now = {};
  it_.fields.assign(q.fields.size(), {});
  it_.bound.clear();
  it_.values.assign(q.slots.size(), 0);
  it_.is_question = !q.uses_this && std::ranges::none_of(q.variables, [&](slot_index slot) {
    return contains(q.root.positive, slot);
  });

  result_list found{it_.query, {}};
  plan_source from(it_, prepared_);
  if (!parts || it_.is_question) {
    from.begin({});
    find_all(from, found);
  } else {
    slot_list bound;
    bool begun = false;
    for (const partial_result& part : *parts) {
      slot_list slots;
      for (const slot_value& v : part) slots.push_back(v.slot);
      it_.values.assign(q.slots.size(), 0);
      if (!begun || slots != bound) {
        from.begin(slots);
        bound = std::move(slots);
        begun = true;
      }
      if (!bind(part)) continue;
      from.begin_again();
      find_all(from, found);
    }
  }
  from.end();

  std::ranges::sort(found.rows, {}, &recorded_rows::result::values);
  const auto same = [](const recorded_rows::result& a, const recorded_rows::result& b) {
    return a.values == b.values;
  };
  found.rows.erase(std::unique(found.rows.begin(), found.rows.end(), same), found.rows.end());
  return found;
}

void row_finder::find_all(plan_source& from, result_list& found) {
  while (from.next(it_.now)) {
    for (std::size_t row = 0; row < it_.now.count; ++row) {
      recorded_rows::result& r = found.rows.emplace_back();
      r.values = it_.values;
      if (it_.now.entities) r.values[this_slot] = it_.now.entities[row];
      for (std::size_t n = 0; n < it_.fields.size(); ++n) r.fields.push_back(from.find_field(n));
      if (it_.query->ordered) r.depth = it_.says->place_in_order(*it_.query, r.values);
      if (it_.is_question) std::ranges::fill(r.values, 0);
    }
  }
}

// Gives the slots of a partial result their values. False: no result can have them.
bool row_finder::bind(const partial_result& part) {
  return std::ranges::all_of(part, [&](const slot_value& v) {
    it_.values[v.slot] = it_.store.entities().alive_at(v.index);
    return it_.values[v.slot] && is_allowed(*it_.query, it_.world, v.slot, it_.values[v.slot]);
  });
}

}  // namespace kith::core
