#include "row_writer.hpp"

namespace kith::cli {

std::optional<format> find_format(std::string_view name) {
  if (name == "table") return format::table;
  if (name == "tsv") return format::tsv;
  if (name == "json") return format::json;
  return std::nullopt;
}

std::unique_ptr<row_writer> make_writer(format f, output& out) {
  switch (f) {
    case format::tsv:
      return make_tsv_writer(out);
    case format::json:
      return make_json_writer(out);
    case format::table:
      break;
  }
  return make_table_writer(out);
}

}  // namespace kith::cli
