// Prints the results of a query as one line of text.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kith/kith.hpp>

namespace kith::test {

inline std::string joined(std::vector<std::string> parts) {
  std::sort(parts.begin(), parts.end());
  std::string line;
  for (const std::string& part : parts) line += (line.empty() ? "" : " ") + part;
  return line;
}

// Collects words in any order and prints them sorted: `seen += e.name();` ... `seen.str()`.
class words {
 public:
  words& operator+=(std::string_view word) {
    words_.emplace_back(word);
    return *this;
  }
  std::string str() const { return joined(words_); }

 private:
  std::vector<std::string> words_;
};

// The names of $this, sorted, one per result: "alice bob bob".
template <class... Ts>
std::string found(const kith::query_view<Ts...>& q) {
  std::vector<std::string> names;
  q.run([&](kith::iter& it) {
    while (it.next())
      for (auto i : it) names.emplace_back(it.entity(i).name());
  });
  return joined(std::move(names));
}

// With the id that a field matched: "bob:(Likes, alice)".
template <class... Ts>
std::string matched(const kith::query_view<Ts...>& q, std::size_t field = 0) {
  std::vector<std::string> rows;
  q.run([&](kith::iter& it) {
    while (it.next())
      for (auto i : it) rows.push_back(std::string(it.entity(i).name()) + ":" + it.id(field).str());
  });
  return joined(std::move(rows));
}

// With the values of variables: "bob X=alice".
template <class... Ts>
std::string bound(const kith::query_view<Ts...>& q) {
  std::vector<std::string> rows;
  q.run([&](kith::iter& it) {
    while (it.next())
      for (auto i : it) {
        std::string row(it.entity(i) ? it.entity(i).name() : "");
        for (const std::string& name : q.vars())
          row += (row.empty() ? "" : " ") + name + "=" + std::string(it.get_var(name).name());
        rows.push_back(row + ";");
      }
  });
  return joined(std::move(rows));
}

// The error code that a call raises; empty if it returns.
template <class Function>
std::optional<errc> code_of(Function call) {
  try {
    call();
  } catch (const error& e) {
    return e.code();
  }
  return std::nullopt;
}

}  // namespace kith::test
