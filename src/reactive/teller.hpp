// How reactions call functions of the user.
#pragma once

#include <span>

#include "base/function_ref.hpp"
#include "reactive/watcher.hpp"

namespace kith::core {

// What the functions ask for waits. What they throw is kept for the caller of the change.
class teller {
 public:
  virtual void call(function_ref<void()> function) noexcept = 0;
  // Tells an observer with plain terms of these entities, each of which is a row.
  virtual void tell_rows(watcher& w, const event_info& what,
                         std::span<const entity_t> rows) noexcept = 0;

 protected:
  ~teller() = default;
};

}  // namespace kith::core
