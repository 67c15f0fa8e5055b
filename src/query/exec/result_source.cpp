#include "query/exec/result_source.hpp"

#include <string>

#include "storage/value_finder.hpp"

namespace kith::core {

const result_field& result_source::ask_field(std::size_t n) {
  if (n >= it_.fields.size())
    raise(errc::out_of_range, "the query has ", std::to_string(it_.fields.size()), " fields, not ",
          std::to_string(n + 1));
  iteration::field_answer& f = it_.fields[n];
  f.matched = it_.asked = true;
  const result_field* known = n < it_.now.fields.size() ? &it_.now.fields[n] : nullptr;
  f.match = known && (known->id || !known->term) ? *known : find_field(n);
  return f.match;
}

result_field result_source::find_field(std::size_t n) {
  const field_info& info = it_.query->fields[n];
  return info.terms.size() == 1 ? field_of(info, *info.terms[0]) : result_field();
}

result_field result_source::field_of(const field_info& info, const checked_term& t) const {
  const slot_values& values = it_.values;
  for (slot_index slot : t.slots)
    if (!values[slot]) return {};
  if ((info.optional || info.terms.size() > 1) && !it_.says->holds(t, values)) return {};
  // The value of a star is the id that was found. Where nothing is inherited, $this itself has it.
  const bool on_this = t.shape.on == term_shape::place::this_;
  if (t.star != no_slot && on_this && !has_wildcard(values[t.star]) && !it_.world.inherit.any())
    return {&t, values[t.star]};
  const matched found = it_.says->find_match(t, values);
  const bool own = t.source.is_slot(this_slot) && found.source == values[this_slot];
  return {&t, found.id, own ? 0 : found.source};
}

bool result_source::find_view(std::size_t n, field_view& out) {
  const auto [term, id, source, in] = field(n);
  if (!id) return true;
  if (in && !in->type->boxed) {
    out = {in->data + it_.now.first_row * in->slot_size, in->slot_size};
    return true;
  }
  const entity_t first = source ? source : it_.values[this_slot];
  const located_value value = it_.store.find_value(it_.world.alive(first), id);
  if (!value) return true;
  out.data = static_cast<std::byte*>(value.value());
  if (source) return true;
  out.stride = value.type->size;
  if (it_.now.count > 1 && (value.type->boxed || !side_by_side(id))) view_each(n, id, out);
  return true;
}

void result_source::view_each(std::size_t n, id_t id, field_view& out) {
  const entity_index& entities = it_.store.entities();
  const std::span<const entity_t> rows = it_.now.rows();
  if (rows.empty()) return;
  value_finder values(it_.store, id);
  const located_value first = values.find(entities.at_index(index_of(rows[0])));
  if (!first) return;
  out.data = static_cast<std::byte*>(first.value());
  out.stride = first.type->size;
  if (rows.size() == 1) return;
  std::vector<void*>& found = places(n);
  if (found.empty()) {
    found.reserve(rows.size());
    for (entity_t e : rows) found.push_back(values.find(entities.at_index(index_of(e))).value());
  }
  out.rows = found.data();
}

void result_source::note_writes(std::size_t n) {
  const auto [term, id, source, in] = field(n);
  if (!id) return;
  for (entity_t e : source ? std::span(&source, 1) : it_.now.rows())
    if (const located_value found = it_.store.find_value(it_.world.alive(e), id))
      it_.store.note_write(found, e, id);
}

}  // namespace kith::core
