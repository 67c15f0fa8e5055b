// The names of constants, as compilers write them.
#include <kith/detail/constants.hpp>

namespace kith::core {

// gcc writes "[with auto ...Values = {Color::Red, (Color)1}; ...]", clang "[Values = <...>]".
std::vector<constant_desc> constants_in(std::string_view written, std::size_t size,
                                        bool is_signed) {
  std::vector<constant_desc> found;
  const std::size_t begin = written.find_first_of("{<", written.find("Values = "));
  if (begin == written.npos) return found;
  written.remove_prefix(begin + 1);
  int depth = 0;
  std::size_t from = 0, n = 0;
  for (std::size_t i = 0; i < written.size() && n < tried_values; ++i) {
    const char c = written[i];
    const bool ends = depth == 0 && (c == ',' || c == '}' || c == '>' || c == ']');
    if (c == '(' || c == '<' || c == '{') ++depth;
    if (!ends) {
      if (c == ')' || c == '>' || c == '}') --depth;
      continue;
    }
    std::string_view one = written.substr(from, i - from);
    while (one.starts_with(' ')) one.remove_prefix(1);
    std::int64_t value = tried_value<int>(n++);
    from = i + 1;
    const bool is_cast = one.starts_with('(') && one.find(')') + 1 < one.size() &&
                         one.substr(one.find(')')).find("::") == one.npos;
    const std::size_t colons = one.rfind("::");
    const std::string_view name = colons == one.npos ? one : one.substr(colons + 2);
    const bool is_name = !is_cast && !name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
                         name[0] != '-' && name.find_first_of("() ") == name.npos;
    if (!is_name) continue;
    // A small type meets some values twice.
    if (size < sizeof value) {
      const auto bits = static_cast<unsigned>(size * 8);
      const std::int64_t range = std::int64_t{1} << bits;
      value &= range - 1;
      if (is_signed && value >= range / 2) value -= range;
    }
    bool known = false;
    for (const constant_desc& other : found) known |= other.name == name;
    if (!known) found.push_back({name, value});
  }
  return found;
}

}  // namespace kith::core
