// Reads from the environment how long a random test runs.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace kith_oracle {

inline std::size_t wanted(const char* name, std::size_t otherwise) {
  const char* text = std::getenv(name);
  return text ? static_cast<std::size_t>(std::atoll(text)) : otherwise;
}

}  // namespace kith_oracle
