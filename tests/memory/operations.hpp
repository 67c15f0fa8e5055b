// What is done to a stage while memory ends.
#pragma once

#include <span>

#include "memory/stage.hpp"

namespace kith::test {

struct operation {
  const char* name;
  // Does those of its parts whose bits are in `parts`. A part is one call of the library, which
  // happens completely or not at all.
  void (*run)(stage& s, unsigned parts);
  // More than 1: commands that wait and are carried out one after the other.
  unsigned parts = 1;
  // Done before, while memory does not fail.
  void (*prepare)(stage& s) = nullptr;
};

std::span<const operation> operations();

}  // namespace kith::test
