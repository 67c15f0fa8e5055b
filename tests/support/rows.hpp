// The results of a query as one line of text, to compare them at a glance.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <kith/flecs.hpp>

namespace seeds {

inline std::string joined(std::vector<std::string> parts) {
  std::sort(parts.begin(), parts.end());
  std::string line;
  for (const std::string& part : parts) line += (line.empty() ? "" : " ") + part;
  return line;
}

// The names of $this, sorted, one per result: "alice bob bob".
template <class... Ts>
std::string found(const flecs::query_view<Ts...>& q) {
  std::vector<std::string> names;
  q.run([&](flecs::iter& it) {
    while (it.next())
      for (auto i : it) names.emplace_back(it.entity(i).name());
  });
  return joined(std::move(names));
}

// With the id that a field matched: "bob:(Likes, alice)".
template <class... Ts>
std::string matched(const flecs::query_view<Ts...>& q, std::size_t field = 0) {
  std::vector<std::string> rows;
  q.run([&](flecs::iter& it) {
    while (it.next())
      for (auto i : it) rows.push_back(std::string(it.entity(i).name()) + ":" + it.id(field).str());
  });
  return joined(std::move(rows));
}

// With the values of variables: "bob X=alice".
template <class... Ts>
std::string bound(const flecs::query_view<Ts...>& q) {
  std::vector<std::string> rows;
  q.run([&](flecs::iter& it) {
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

}  // namespace seeds
