#include "oracle/rows_text.hpp"

#include <algorithm>

namespace kith_oracle {

std::string to_text(const snapshot& world, const answer& a, const row& r, bool with_fields) {
  std::string text;
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
  if (r.values[0]) add(world.text_of(r.values[0]));
  for (std::size_t i = 0; i < a.columns.size(); ++i)
    add(a.columns[i] + "=" + world.text_of(r.values[i + 1]));
  if (!with_fields) return text;
  text += " |";
  const char* separator = " ";
  for (const field& f : r.fields) {
    text += separator;
    separator = "; ";
    if (!f.id)
      text += "-";
    else
      text += world.text_of(f.id) + "@" + world.text_of(f.source);
  }
  return text;
}

std::vector<std::string> rows_text(const snapshot& world, const answer& a, bool with_fields) {
  std::vector<std::pair<int, std::string>> lines;
  for (const row& r : a.rows) lines.emplace_back(r.rank, to_text(world, a, r, with_fields));
  std::sort(lines.begin(), lines.end());
  std::vector<std::string> result;
  for (auto& [rank, line] : lines) result.push_back(std::move(line));
  return result;
}

std::string to_text(const snapshot& world, const answer& a) {
  if (!a.error.empty()) return "error: " + a.error + "\n";
  if (a.is_yes_no) return a.is_true ? "yes\n" : "no\n";
  std::string text;
  for (const std::string& line : rows_text(world, a, true)) text += line + "\n";
  return text;
}

}  // namespace kith_oracle
