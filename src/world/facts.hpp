// A world as text that `define` reads back to an equal world.
#pragma once

#include <string_view>

#include "world/engine_state.hpp"

namespace kith::core {

// Calls `write` with pieces of the text, in order.
void print_facts(const engine_state& state, void (*write)(std::string_view piece, void* context),
                 void* context);

}  // namespace kith::core
