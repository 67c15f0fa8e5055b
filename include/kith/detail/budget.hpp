// How much a text of facts or a query may do. What goes on beyond that ends in an error with the
// code `budget`, and has changed nothing.
//
//     world.define(text, {.entities = 100'000, .seconds = 2});
//     world.limit_queries({.rows = 1'000'000, .seconds = 2});
#pragma once

#include <cstddef>

namespace kith {

// 0: no limit.
struct budget {
  std::size_t entities = 0;  // that a text creates, copies of the children of prefabs included
  std::size_t rows = 0;      // results that an iteration of a query has
  double seconds = 0;        // that a text, or an iteration, takes; checked every now and then
};

}  // namespace kith
