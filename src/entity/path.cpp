#include "entity/path.hpp"

#include <charconv>

#include "base/escape.hpp"

namespace kith::core {

namespace {

bool is_separator(std::string_view rest) { return rest.starts_with('.') || rest.starts_with("::"); }

std::size_t separator_length(std::string_view rest) { return rest.starts_with('.') ? 1 : 2; }

error no_path(std::string_view text, std::size_t offset, std::string_view why) {
  // Columns count characters, so continuation bytes of UTF-8 do not count.
  std::uint32_t column = 1;
  for (std::size_t i = 0; i < offset; ++i)
    column += (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
  return error(errc::parse, concat("'", text, "' is not a path: ", why), {1, column});
}

}  // namespace

result<parsed_path> parse_path(std::string_view text) {
  parsed_path p;
  std::size_t at = 0;
  if (text.starts_with("::")) {
    p.from_root = true;
    at = 2;
  }
  if (!p.from_root && text.starts_with('#')) {
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data() + 1, end, p.number);
    at = static_cast<std::size_t>(stop - text.data());
    if (code != std::errc{} || p.number == 0)
      return no_path(text, 1, "expected the number of an entity after '#'");
    if (at == text.size()) return p;
    if (!is_separator(text.substr(at)))
      return no_path(text, at, "expected '::' or '.' after the number");
    at += separator_length(text.substr(at));
  }
  for (;;) {
    std::string name;
    if (at < text.size() && text[at] == '"') {
      const std::size_t open = at++;
      while (at < text.size() && text[at] != '"') {
        if (text[at] != '\\') {
          name += text[at++];
          continue;
        }
        const escape found = read_escape(text.substr(at));
        if (!found.length) return no_path(text, at, found.why);
        name += found.value;
        at += found.length;
      }
      if (at >= text.size()) return no_path(text, open, "the quote does not end");
      ++at;
      if (at < text.size() && !is_separator(text.substr(at)))
        return no_path(text, at, "expected '::' or '.' after the quote");
    } else {
      while (at < text.size() && !is_separator(text.substr(at)) && text[at] != '"')
        name += text[at++];
      if (at < text.size() && text[at] == '"')
        return no_path(text, at, "a quote may only stand around a whole name");
      if (name.starts_with('#'))
        return no_path(text, at - name.size(), "a name that starts with '#' needs quotes");
    }
    if (name.empty()) return no_path(text, at, "expected a name");
    p.names.push_back(std::move(name));
    if (at == text.size()) return p;
    at += separator_length(text.substr(at));
  }
}

std::string path_part(std::string_view name) {
  bool plain = !name.starts_with('#');
  for (std::size_t i = 0; i < name.size() && plain; ++i)
    plain = name[i] != '"' && !is_separator(name.substr(i));
  // A colon at the beginning or end would become part of a separator `::` beside it.
  plain = plain && !name.starts_with(':') && !name.ends_with(':');
  if (plain) return std::string(name);
  std::string quoted = "\"";
  for (char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace kith::core
