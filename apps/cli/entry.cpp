#include "entry.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace kith::cli {

namespace {

// Splits a text into words, quoted texts and single signs, without comments and blanks. A line
// break outside brackets becomes `;`, as in facts. This is only exact enough to tell facts from
// queries; the library parses the text.
std::vector<std::string> words_of(std::string_view text) {
  const auto is_letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == ':' ||
           c == '#' || static_cast<unsigned char>(c) >= 0x80;
  };
  std::vector<std::string> words;
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const char c = text[at++];
    if (text.substr(start).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"') {
      while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
      // A quote without an end goes to the end of the text.
      at = std::min(at + 1, text.size());
      words.emplace_back(text.substr(start, at - start));
    } else if (is_letter(c) || c == '$' || c == '@') {
      while (at < text.size() && is_letter(text[at])) ++at;
      words.emplace_back(text.substr(start, at - start));
    } else if (c == '\n' && depth == 0) {
      words.emplace_back(";");
    } else if (!std::isspace(static_cast<unsigned char>(c))) {
      depth += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
      words.emplace_back(1, c);
    }
  }
  return words;
}

std::string lower(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

template <std::size_t N>
bool is_one_of(const std::string& word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Whether only a query can contain the word: a variable, a wildcard or an operator.
bool is_open(const std::string& word) {
  static constexpr std::array<std::string_view, 9> signs = {"*", "_", "?", "|",   "[",
                                                            "=", "~", "@", "this"};
  return is_one_of(lower(word), signs) || (word.size() > 1 && (word[0] == '$' || word[0] == '@'));
}

// In the place of a source these words are flags and not names.
bool is_flag(const std::string& word) {
  static constexpr std::array<std::string_view, 11> flags = {
      "self", "all",  "desc", "parent",   "cascade", "super",
      "sub",  "down", "up",   "superset", "subset"};
  return is_one_of(lower(word), flags);
}

using word_iterator = std::vector<std::string>::const_iterator;

// The word after the bracket that closes the one at `at`; `end` if none does.
word_iterator past_brackets(word_iterator at, word_iterator end) {
  int depth = 0;
  for (; at != end; ++at) {
    if (*at == "(" || *at == "{") ++depth;
    if (*at == ")" || *at == "}") --depth;
    if (depth == 0) return at + 1;
  }
  return end;
}

// Whether a statement begins at `at`: a struct, or `Name(…)`, perhaps with `!` before it and a
// value after it. Moves `at` to the word after the statement.
bool is_statement(word_iterator& at, word_iterator end) {
  if (lower(*at) == "struct") {
    while (at != end && *at != "{" && *at != ";") ++at;
    if (at == end || *at == ";") return false;
    at = past_brackets(at, end);
    return true;
  }
  if (*at == "!") ++at;
  if (at == end || *at == "(" || *at == "{") return false;
  ++at;
  if (at == end || *at != "(" || at + 1 == end || is_flag(at[1])) return false;
  at = past_brackets(at, end);
  if (at != end && *at == "{") at = past_brackets(at, end);
  return true;
}

bool are_facts(const std::vector<std::string>& words) {
  if (std::any_of(words.begin(), words.end(), is_open)) return false;
  for (auto at = words.begin(); at != words.end();) {
    if (*at == "," || *at == ";")
      ++at;
    else if (!is_statement(at, words.end()))
      return false;
  }
  return true;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

}  // namespace

std::string without_question_mark(std::string_view query) {
  const std::vector<std::string> words = words_of(query);
  if (words.empty() || words.back() != "?") return std::string(query);
  // Finds the mark that is the last word: after it comes at most a comment.
  std::size_t mark = query.find('?');
  while (words_of(query.substr(0, mark + 1)) != words) mark = query.find('?', mark + 1);
  return std::string(trimmed(query.substr(0, mark)));
}

entry read_entry(std::string_view typed) {
  const std::string_view text = trimmed(typed);
  if (text.starts_with(':')) return {entry::kind::command, std::string(trimmed(text.substr(1)))};
  const std::vector<std::string> words = words_of(text);
  if (std::all_of(words.begin(), words.end(), [](const std::string& w) { return w == ";"; }))
    return {};
  if (are_facts(words)) return {entry::kind::facts, std::string(text)};
  return {entry::kind::query, without_question_mark(text)};
}

bool is_unfinished(std::string_view typed) {
  if (trimmed(typed).starts_with(':')) return false;
  std::vector<std::string> words = words_of(typed);
  int depth = 0;
  for (const std::string& word : words) {
    if (word == "(" || word == "{" || word == "[") ++depth;
    if (word == ")" || word == "}" || word == "]") --depth;
  }
  if (depth > 0) return true;
  while (!words.empty() && words.back() == ";" && !typed.ends_with(';')) words.pop_back();
  if (words.empty()) return false;
  return words.back() == "," || words.back() == ";" || words.back() == "|";
}

}  // namespace kith::cli
