#include "query/model/words.hpp"

#include <algorithm>
#include <array>

#include "base/spelling.hpp"
#include "base/utf8.hpp"
#include "entity/path.hpp"

namespace kith::core {

namespace {

constexpr std::array<std::string_view, 11> flag_words = {
    "self", "all", "desc", "parent", "cascade", "super", "superset", "up", "sub", "subset", "down"};

struct code_range {
  char32_t first;
  char32_t last;
};

// The blanks beyond ASCII, and the marks that are invisible or change the direction of a text.
constexpr std::array<code_range, 8> invisible = {{{0xa0, 0xa0},
                                                  {0xad, 0xad},
                                                  {0x1680, 0x1680},
                                                  {0x2000, 0x200f},
                                                  {0x2028, 0x202f},
                                                  {0x205f, 0x206f},
                                                  {0x3000, 0x3000},
                                                  {0xfeff, 0xfeff}}};

constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// Words that do not name an entity: `_`, `This`, flags, and the operators of lists as in `AND | E`.
bool is_reserved(std::string_view word) {
  return word == "_" || word == "This" || is_flag_word(word) || is_keyword(word, "and") ||
         is_keyword(word, "or") || is_keyword(word, "not");
}

}  // namespace

bool is_control_character(char32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

bool is_word_character(char32_t c) {
  if (c < 0x80)
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  return !is_control_character(c) &&
         std::none_of(invisible.begin(), invisible.end(),
                      [c](code_range r) { return c >= r.first && c <= r.last; });
}

bool is_word(std::string_view name) {
  for (std::size_t at = 0; at < name.size();) {
    const utf8_character c = decode_utf8(name, at);
    if (c.length == 0 || !is_word_character(c.code)) return false;
    at += c.length;
  }
  return !name.empty();
}

bool is_keyword(std::string_view word, std::string_view lower) {
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return to_lower(a) == b; });
}

bool is_flag_word(std::string_view word) {
  return std::any_of(flag_words.begin(), flag_words.end(),
                     [word](std::string_view flag) { return is_keyword(word, flag); });
}

std::string_view nearest_flag_word(std::string_view word) { return nearest_word(word, flag_words); }

std::string quoted_text(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const utf8_character c = decode_utf8(text, at);
    const char byte = text[at];
    if (c.length == 0 || is_control_character(c.code)) {
      if (byte == '\n' || byte == '\r' || byte == '\t') {
        out += byte == '\n' ? "\\n" : byte == '\r' ? "\\r" : "\\t";
        ++at;
        continue;
      }
      // A control character may have two bytes; each is written as an escape.
      for (std::size_t end = at + std::max<std::size_t>(c.length, 1); at < end; ++at) {
        const auto value = static_cast<unsigned char>(text[at]);
        out += "\\x";
        out += digits[value >> 4];
        out += digits[value & 15];
      }
      continue;
    }
    if (byte == '"' || byte == '\\') out += '\\';
    out.append(text, at, c.length);
    at += c.length;
  }
  return out + '"';
}

std::string written_name(std::string_view name) {
  return is_word(name) && !is_reserved(name) ? std::string(name) : quoted_text(name);
}

std::string written_path(std::string_view path) {
  const auto parsed = parse_path(path);
  if (!parsed) return written_name(path);
  const parsed_path& p = parsed.value();
  std::string out = p.from_root ? "::" : "";
  if (p.number) out += concat("#", std::to_string(p.number));
  for (std::size_t i = 0; i < p.names.size(); ++i) {
    if (i > 0 || p.number) out += '.';
    // Reserved words need quotes only at the beginning of a path.
    const bool is_start = i == 0 && !p.from_root && !p.number;
    out += is_start              ? written_name(p.names[i])
           : is_word(p.names[i]) ? p.names[i]
                                 : quoted_text(p.names[i]);
  }
  return out;
}

std::string written_path_beside_texts(std::string_view path) {
  const auto parsed = parse_path(path);
  const bool is_one_name = !parsed || (parsed.value().names.size() == 1 &&
                                       !parsed.value().from_root && parsed.value().number == 0);
  if (!is_one_name) return written_path(path);
  const std::string_view name = parsed ? parsed.value().names.front() : path;
  if (is_word(name) && name != "_" && name != "This") return std::string(name);
  return concat("::", is_word(name) ? std::string(name) : quoted_text(name));
}

}  // namespace kith::core
