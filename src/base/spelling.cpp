#include "base/spelling.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace kith::core {

namespace {

bool is_same_letter(char a, char b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return lower(a) == lower(b);
}

}  // namespace

std::size_t letters_apart(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= limit) return limit;
  std::vector<std::size_t> row(b.size() + 1), above(b.size() + 1), two_above;
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = is_same_letter(a[i - 1], b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + !same});
      if (i > 1 && j > 1 && is_same_letter(a[i - 1], b[j - 2]) &&
          is_same_letter(a[i - 2], b[j - 1]))
        row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
    two_above = above;
    std::swap(above, row);
  }
  return std::min(limit, above[b.size()]);
}

std::size_t too_far_from(std::string_view word) {
  return std::min<std::size_t>(3, word.size() / 2 + 1);
}

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> words) {
  std::size_t best = too_far_from(word);
  std::string_view found;
  for (std::string_view other : words)
    if (const std::size_t far = letters_apart(word, other, best); far < best) {
      best = far;
      found = other;
    }
  return found;
}

}  // namespace kith::core
