#include "support/storage_text.hpp"

#include <string_view>

#include <kith/detail/error.hpp>

namespace kith::test {

using namespace core;

namespace {

std::string entity_text(entity_t e) { return concat("e", std::to_string(index_of(e))); }

// Adds `part` to a list whose parts are separated.
void append(std::string& list, std::string_view separator, const std::string& part) {
  if (!list.empty()) list += separator;
  list += part;
}

}  // namespace

std::string id_text(id_t id) {
  if (!is_pair(id)) return std::to_string(index_of(id));
  return concat("(", std::to_string(relation_of(id)), ", ", std::to_string(target_of(id)), ")");
}

std::string ids_text(std::span<const id_t> ids) {
  std::string text;
  for (id_t id : ids) append(text, " ", id_text(id));
  return text;
}

std::string value_text(const type_info& type, const void* value) {
  if (type.name == type_name<int>()) return std::to_string(*static_cast<const int*>(value));
  if (type.name == type_name<boxed_int>())
    return std::to_string(static_cast<const boxed_int*>(value)->value);
  if (type.name == type_name<std::string>()) return *static_cast<const std::string*>(value);
  return "?";
}

std::string to_text(const core::table& t) {
  std::string rows;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const row_index row{i};
    std::string text = entity_text(t.entities()[i]);
    for (const column& c : t.columns())
      text += concat(" ", id_text(c.id), "=", value_text(*c.type, c.type->value(c.slot(row))));
    for (id_t id : t.ids())
      if (t.is_off(id, row)) text += concat(" -", id_text(id));
    append(rows, "; ", text);
  }
  return rows;
}

std::string to_text(const pool& p) {
  std::string rows;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const row_index row{i};
    std::string text = entity_text(p.entities()[i]);
    if (p.type()) text += concat("=", value_text(*p.type(), p.type()->value(p.slot(row))));
    if (p.is_off(row)) text += " off";
    append(rows, "; ", text);
  }
  return rows;
}

std::string to_text(const store& s, entity_t e) {
  const entity_record& r = *s.entities().find(e);
  std::string text = concat(entity_text(e), ":");
  for (id_t id : s.owned_ids(r)) {
    text += s.is_off(r, id) ? " -" : " ";
    text += id_text(id);
    if (const located_value v = s.find_value(r, id))
      text += concat("=", value_text(*v.type, v.value()));
  }
  return text;
}

std::string to_text(const store& s) {
  std::string text;
  for (std::uint32_t i = 0; i < s.entities().limit(); ++i)
    if (const entity_t e = s.entities().alive_at(i)) append(text, "; ", to_text(s, e));
  return text;
}

}  // namespace kith::test
