// Facts in text become facts of a world.
#pragma once

#include <cstddef>
#include <string_view>

#include <kith/detail/error.hpp>

#include "world/engine_state.hpp"

namespace kith::core {

// Applies all statements of a text, or none. Returns how many there are. Requires: nothing is queued.
result<std::size_t> define(engine& world, engine_state& state, std::string_view text,
                           progress_listener listener);

}  // namespace kith::core
