// What the two libraries can do. Each knows the types below by its own declaration:
//
//   game::Position   the same in both
//   game::Marker     the same in both, without members
//   game::Thing      one int in the left library, two in the right one
#pragma once

#include <kith/kith.hpp>

#define KITH_TEST_EXPORT __attribute__((visibility("default")))

namespace left {
KITH_TEST_EXPORT kith::entity_t position_in(kith::world& w);
KITH_TEST_EXPORT kith::entity_t marker_in(kith::world& w);
KITH_TEST_EXPORT kith::entity_t thing_in(kith::world& w);
KITH_TEST_EXPORT void set_position(kith::entity e, int x, int y);
// Makes a mistake and catches the error.
KITH_TEST_EXPORT bool catches_own_mistake(kith::world& w);
// The address of a variable that only this library has.
KITH_TEST_EXPORT const void* own_description();
}  // namespace left

namespace right {
KITH_TEST_EXPORT kith::entity_t position_in(kith::world& w);
KITH_TEST_EXPORT kith::entity_t marker_in(kith::world& w);
KITH_TEST_EXPORT kith::entity_t thing_in(kith::world& w);
KITH_TEST_EXPORT int x_of_position(kith::entity e);
KITH_TEST_EXPORT void remove_position(kith::entity e);
KITH_TEST_EXPORT const void* own_description();
}  // namespace right
