// For those who come from flecs: its namespace and, later, its older spellings. Opt-in.
#pragma once

#include <kith/kith.hpp>

namespace flecs = kith;
