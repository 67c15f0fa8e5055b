#include "world/read_value.hpp"

#include "entity/path.hpp"
#include "meta/value.hpp"
#include "query/model/words.hpp"

namespace kith::core {

bool value_reader::refuse(const text_range& at, std::string message) {
  why_ = {at, std::move(message)};
  return false;
}

bool value_reader::read(const struct_members& members, const value_text& list, void* value) {
  const std::vector<member>& all = members.list();
  std::vector<bool> given(all.size());
  // A member without a name is the one after the member that was written last.
  std::size_t next = 0;
  for (const value_text::member& m : list.members) {
    if (!m.name.empty()) {
      const member* named = members.find(m.name);
      if (!named) return refuse(m.at, concat("there is no member '", m.name, "'"));
      next = static_cast<std::size_t>(named - all.data());
    } else if (next >= all.size()) {
      return refuse(m.at, concat("too many values: there are ", std::to_string(all.size()),
                                 all.size() == 1 ? " member" : " members"));
    }
    const member& to = all[next];
    if (given[next]) return refuse(m.at, concat("the member '", to.name, "' is given twice"));
    given[next] = true;
    ++next;
    if (!read_member(to, m.value, static_cast<std::byte*>(value) + to.offset)) return false;
  }
  return true;
}

bool value_reader::read_member(const member& m, const value_text& from, void* place) {
  using kind = value_text::kind;
  const auto expected = [&](std::string_view what) {
    return refuse(from.at, concat("the member '", m.name, "' is ", what));
  };
  switch (m.kind) {
    case member_kind::structure:
      if (from.is != kind::list) return expected("a struct: expected '{'");
      return read(*m.members, from, place);
    case member_kind::boolean:
      return read_boolean(from, place) || expected("a bool: expected true or false");
    case member_kind::text:
      if (from.is != kind::text) return expected("a text: expected it in quotes");
      *static_cast<std::string*>(place) = from.text;
      return true;
    case member_kind::entity:
      if (from.is == kind::list) return expected("an entity: expected a name, or 0 for none");
      return read_entity_name(m, from, place);
    default:
      break;
  }
  const bool is_named_number =
      from.is == kind::name && is_floating(m.kind) && (from.text == "inf" || from.text == "nan");
  if (from.is != kind::number && !is_named_number)
    return expected(concat("of type ", word_of(m.kind), ": expected a number"));
  std::string why = read_number(m.kind, from.text, place);
  return why.empty() || refuse(from.at, std::move(why));
}

bool value_reader::read_boolean(const value_text& from, void* place) {
  const bool is_true = is_keyword(from.text, "true");
  if (from.is != value_text::kind::name || (!is_true && !is_keyword(from.text, "false")))
    return false;
  *static_cast<bool*>(place) = is_true;
  return true;
}

bool value_reader::read_entity_name(const member& m, const value_text& from, void* place) {
  entity_t e = 0;
  if (from.is != value_text::kind::number || from.text != "0") {
    entity_name name;
    // A single name in quotes is a text; digits are a number, but may be a name.
    name.path = from.is == value_text::kind::name ? from.text : path_part(from.text);
    name.at = from.at;
    if (name.path.empty() || from.text.empty()) return refuse(from.at, "a name is never empty");
    if (!find_(name, e)) return false;
  }
  write_entity(m, place, world_, e);
  return true;
}

}  // namespace kith::core
