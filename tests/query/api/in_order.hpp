// The results of a query in the order in which they come.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace kith::test {

// The names of $this: "carl alice bob". However it is iterated, the order is the same.
template <class... Ts>
std::string in_order(const kith::query_view<Ts...>& q) {
  std::string names, again, batches;
  const auto add = [](std::string& line, const kith::entity& e) {
    line += (line.empty() ? "" : " ") + (e ? std::string(e.name()) : "-");
  };
  q.each([&](kith::iter& it, std::size_t row) { add(names, it.entity(row)); });
  q.each([&](kith::entity e) { add(again, e); });
  for (kith::iter& it : q)
    for (auto row : it) add(batches, it.entity(row));
  EXPECT_EQ(again, names);
  EXPECT_EQ(batches, names);
  return names;
}

}  // namespace kith::test
