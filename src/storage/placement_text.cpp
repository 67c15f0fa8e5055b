#include "storage/placement_text.hpp"

#include <kith/detail/error.hpp>

namespace kith::core {

namespace {

std::string_view text_of(id_group::reason why) {
  switch (why) {
    case id_group::reason::start:
    case id_group::reason::pinned:
      return "";
    case id_group::reason::thin_tables:
      return "tables held fewer than 16 rows each";
    case id_group::reason::wide_tables:
      return "tables of 64 ids and more cost more than the rows make up for";
    case id_group::reason::full_tables:
      return "tables hold at least 256 rows each";
  }
  return "";
}

}  // namespace

std::string placement_text(const store& s, const id_group& group) {
  std::string text = group.where == id_group::place::pools ? "pools" : "tables";
  if (group.pinned) text += ", pinned";
  if (group.fixed) text += ", fixed addresses";
  const std::size_t rows = s.rows_of(group);
  text += concat("; ", std::to_string(rows), rows == 1 ? " row" : " rows");
  if (is_pair(group.key)) text += concat(" of ", std::to_string(group.ids), " pairs");
  if (!group.moves || text_of(group.why).empty()) return text;
  return text + concat("; moved ",
                       group.moves == 1 ? "once" : std::to_string(group.moves) + " times", ": ",
                       text_of(group.why), " (", std::to_string(group.rows_then), " rows, ",
                       std::to_string(group.tables_then), " places)");
}

}  // namespace kith::core
