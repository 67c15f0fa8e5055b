// The entities every world is born with: Wildcard, ChildOf, Disabled, the traits.
#pragma once

#include <kith/detail/builtins.hpp>
