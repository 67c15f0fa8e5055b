#include "entity/describe.hpp"

#include <vector>

#include <kith/detail/builtins.hpp>
#include <kith/detail/error.hpp>

#include "entity/path.hpp"

namespace kith::core {

entity_t parent_of(const store& s, const entity_record& r) {
  const auto pairs = s.pairs_of(r, index_of(ChildOf));
  return pairs.empty() ? 0 : s.entities().alive_at(target_of(pairs.front()));
}

std::string path_of(const store& s, const names& n, entity_t e, std::string_view separator) {
  if (is_builtin(e) && n.parent_of(index_of(e)) == index_of(BuiltinScope)) {
    const std::string_view name = n.name_of(index_of(e));
    if (!n.find(0, name)) return path_part(name);
  }
  std::vector<std::string> parts;
  while (e) {
    const std::string_view name = n.name_of(index_of(e));
    if (name.empty()) {
      parts.push_back(concat("#", std::to_string(e)));
      break;
    }
    parts.push_back(path_part(name));
    e = s.entities().alive_at(n.parent_of(index_of(e)));
  }
  std::string text = parts.back();
  for (std::size_t i = parts.size() - 1; i-- > 0;) text.append(separator).append(parts[i]);
  return text;
}

std::string describe(const store& s, const names& n, entity_t e) {
  if (!e) return "nothing";
  return s.entities().is_alive(e) ? path_of(s, n, e) : concat("#", std::to_string(e));
}

std::string describe_id(const store& s, const names& n, id_t id) {
  if (!is_pair(id)) return describe(s, n, id);
  const auto half = [&](std::uint32_t index) {
    const entity_t e = s.entities().alive_at(index);
    return describe(s, n, e ? e : index);
  };
  return concat("(", half(relation_of(id)), ", ", half(target_of(id)), ")");
}

}  // namespace kith::core
