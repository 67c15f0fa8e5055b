// How long a random test runs: as the environment says, for runs that are longer than those of ./check.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace kith_oracle {

inline std::size_t wanted(const char* name, std::size_t otherwise) {
  const char* text = std::getenv(name);
  return text ? static_cast<std::size_t>(std::atoll(text)) : otherwise;
}

}  // namespace kith_oracle
