#include "text.hpp"

#include <algorithm>
#include <cstdio>
#include <cwchar>

#include <wchar.h>

namespace kith::cli {

namespace {

bool is_plain(char c) { return c >= 0x20 && c < 0x7f; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Appends `\t`, `\n` or `\r`, or the number of another control character.
void add_control(std::string& text, char c, const char* pattern) {
  char code[8];
  std::snprintf(code, sizeof code, pattern, static_cast<unsigned>(c));
  text += c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\r' ? "\\r" : code;
}

std::string format(const char* pattern, double number) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, number);
  return text;
}

}  // namespace

std::string text_of(entity e) { return e.path("."); }

std::string text_of(id i) {
  if (!i) return "-";
  if (!i.is_pair()) return text_of(i.entity());
  return "(" + text_of(i.first()) + ", " + text_of(i.second()) + ")";
}

std::string on_one_line(std::string text) {
  if (std::none_of(text.begin(), text.end(), is_control)) return text;
  std::string shown;
  for (char c : text) is_control(c) ? add_control(shown, c, "\\x%02x") : shown.push_back(c);
  return shown;
}

std::string escaped(std::string text) {
  const auto is_special = [](char c) { return is_control(c) || c == '\\'; };
  if (std::none_of(text.begin(), text.end(), is_special)) return text;
  std::string doubled;
  for (char c : text) doubled.append(c == '\\' ? 2 : 1, c);
  return on_one_line(std::move(doubled));
}

std::string quoted(std::string_view text) {
  std::string shown = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') shown += '\\';
    is_control(c) ? add_control(shown, c, "\\u%04x") : shown.push_back(c);
  }
  return shown + '"';
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.size(), lines.back().size() + 1));
  }
  return lines;
}

std::string count_text(std::size_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string count_text(std::size_t n, std::string_view thing, std::string_view things) {
  const std::string many = things.empty() ? std::string(thing) + "s" : std::string(things);
  return count_text(n) + " " + (n == 1 ? std::string(thing) : many);
}

std::string duration_text(std::chrono::duration<double> time) {
  const double seconds = time.count();
  return seconds < 1 ? format("%.2f ms", seconds * 1000) : format("%.1f s", seconds);
}

std::string size_text(std::size_t bytes) {
  const double megabytes = static_cast<double>(bytes) / 1e6;
  return megabytes < 1000 ? format("%.0f MB", megabytes) : format("%.1f GB", megabytes / 1000);
}

std::size_t width_of(std::string_view text) {
  // Asking the locale about each character of ten million rows takes longer than the query, and
  // most texts are plain.
  if (std::all_of(text.begin(), text.end(), is_plain)) return text.size();
  std::size_t width = 0;
  std::mbstate_t state{};
  for (std::size_t at = 0; at < text.size();) {
    wchar_t c = 0;
    const std::size_t length = std::mbrtowc(&c, text.data() + at, text.size() - at, &state);
    // The byte is no character of the locale.
    if (length == 0 || length > text.size() - at) {
      state = {};
      ++at, ++width;
      continue;
    }
    const int columns = ::wcwidth(c);
    width += columns > 0 ? static_cast<std::size_t>(columns) : 0;
    at += length;
  }
  return width;
}

}  // namespace kith::cli
