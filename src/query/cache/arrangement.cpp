#include "query/cache/arrangement.hpp"

#include <algorithm>
#include <numeric>

namespace kith::core {

// Its value is null if the order is by entity, or the entity has none.
sort_row arrangement::row_of(entity_t e, std::size_t row, value_finder& values) const {
  sort_row found{nullptr, e, static_cast<std::uint32_t>(row)};
  // Another component may have the index of one that is gone.
  if (!order_.id.raw || (!is_pair(order_.id.raw) && !g_.store.entities().is_alive(order_.id.raw)))
    return found;
  const entity_record& r = g_.alive(e);
  // Where nothing is inherited or off, an entity shows the value that it owns.
  const bool plain = !g_.inherit.any() && !g_.store.toggles_used();
  const entity_t owner = plain ? e : g_.inherit.owner(e, r, order_.id.raw);
  const located_value value =
      owner ? values.find(owner == e ? r : g_.alive(owner)) : located_value();
  if (value) found.value = value.value();
  return found;
}

std::vector<std::uint32_t> arrangement::sorted(const recorded_rows& rows) const {
  std::vector<sort_row> all, without;
  all.reserve(rows.rows());
  value_finder values(g_.store, order_.id.raw);
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const sort_row found = row_of(rows.entities()[row], row, values);
    (found.value || !order_.id.raw ? all : without).push_back(found);
  }
  order_.sort(all.data(), all.data() + all.size());
  std::ranges::stable_sort(without, {}, &sort_row::entity);
  all.insert(all.end(), without.begin(), without.end());
  std::vector<std::uint32_t> order;
  order.reserve(all.size());
  for (const sort_row& row : all) order.push_back(row.row);
  return order;
}

std::uint64_t arrangement::group_of(entity_t e) const {
  if (group_.group_of) return group_.group_of(e);
  if (!g_.store.entities().is_alive(group_.relation.raw)) return 0;
  const entity_record& r = g_.alive(e);
  const id_t pair = g_.inherit.nth_visible(e, r, index_of(group_.relation.raw), 0);
  return pair ? g_.store.entities().alive_at(target_of(pair)) : 0;
}

void arrangement::arrange(recorded_rows& rows) const {
  std::vector<std::uint32_t> order;
  if (sorts()) {
    order = sorted(rows);
  } else {
    order.resize(rows.rows());
    std::iota(order.begin(), order.end(), 0);
  }
  if (!rows.depths.empty())
    std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return rows.depths[row]; });
  std::vector<std::uint64_t> group_of_row;
  if (groups()) {
    for (std::size_t row = 0; row < rows.rows(); ++row)
      group_of_row.push_back(group_of(rows.entities()[row]));
    std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return group_of_row[row]; });
  }
  rows.reorder(order, group_of_row);
}

bool arrangement::repair(recorded_rows& rows, std::vector<entity_t> written) const {
  constexpr std::size_t few = 64;
  std::ranges::sort(written);
  written.erase(std::unique(written.begin(), written.end()), written.end());
  if (written.size() > few || (rows.batches().size() != 1 && !rows.are_alike())) return false;
  // Any rows may show the value of a base.
  for (entity_t e : written)
    if (g_.inherit.is_base(e)) return false;
  value_finder values(g_.store, order_.id.raw);
  // One alone goes from its place to where it belongs, and moves only what is between.
  if (written.size() == 1 && rows.are_alike() && rows.batches().size() == 1) {
    const std::size_t row = rows.find(written[0], rows.rows());
    if (row == rows.rows()) return true;
    const sort_row moving = row_of(written[0], row, values);
    const std::size_t next = row + 1, last = rows.rows();
    const bool later = next < last && place_of(rows, moving, next, next + 1) != next;
    rows.move_row(
        row, later ? place_of(rows, moving, next + 1, last) - 1 : place_of(rows, moving, 0, row));
    return true;
  }
  if (rows.batches().size() != 1) {
    std::vector<std::pair<entity_t, bool>> moving;
    for (entity_t e : written)
      if (const std::size_t row = rows.find(e, rows.rows()); row != rows.rows()) {
        moving.emplace_back(e, rows.is_new(row));
        rows.erase_row(row);
      }
    for (const auto& [e, is_new] : moving) insert(rows, e, is_new);
    return true;
  }
  // Those that moved wait at the end; what stays before them is in order.
  std::size_t kept = rows.rows();
  for (entity_t e : written) {
    const std::size_t row = rows.find(e, kept);
    if (row == kept) continue;
    rows.move_row(row, rows.rows() - 1);
    --kept;
    // An entity with several results.
    if (!rows.are_alike() && rows.find(e, kept) != kept) return false;
  }
  for (; kept < rows.rows(); ++kept)
    rows.move_row(kept, place_of(rows, row_of(rows.entities()[kept], kept, values), 0, kept));
  return true;
}

std::size_t arrangement::place_of(const recorded_rows& rows, const sort_row& moving,
                                  std::size_t first, std::size_t last) const {
  value_finder values(g_.store, order_.id.raw);
  const auto comes_before = [&](const sort_row& there) {
    if (moving.value && there.value) return order_.less(moving, there);
    if (order_.id.raw)
      return moving.value || there.value ? !there.value : moving.entity < there.entity;
    return order_.less(moving, there);
  };
  while (first < last) {
    const std::size_t half = first + (last - first) / 2;
    if (comes_before(row_of(rows.entities()[half], half, values)))
      last = half;
    else
      first = half + 1;
  }
  return first;
}

void arrangement::insert(recorded_rows& rows, entity_t e, bool is_new) const {
  std::size_t batch = 0;
  if (groups()) {
    const std::uint64_t group = group_of(e);
    batch = rows.place_of_group(group);
    if (batch == rows.batches().size() || rows.group_of(batch) != group)
      rows.insert_batch(batch, group);
  }
  const auto [first, count] = rows.batches()[batch];
  value_finder values(g_.store, order_.id.raw);
  const std::size_t row =
      sorts() ? place_of(rows, row_of(e, first, values), first, first + count) : first + count;
  rows.insert_row(batch, row, e, is_new);
}

}  // namespace kith::core
