// Tests of what happens to values, run with every kind of type.
//
//     TEST_P(adding, add_gives_the_default_value_or_nothing) {
//       at_every_throw([](stage& s) { s.add(s.ann); },
//                      [](stage& s) { EXPECT_EQ(s.value_of(s.ann), 0); });
//     }
//
// The change is made on fresh worlds: first undisturbed, then with a throw at the first chance, at
// the second, and so on until it goes through. After each throw the world must be as it was before,
// no object may be lost or left over, and the change made again must lead where it leads
// undisturbed. All this is done with values in tables and in pools, and beside none or several
// other values, so that the storage grows in the middle of the change or does not.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "lifecycle/stage.hpp"

namespace kith::test {

// A type as a parameter of a test.
struct kind {
  const char* name;
  bool has_default, copies, moves, assigns, throws, boxed;
  std::unique_ptr<stage> (*make_stage)(core::id_group::place where, int crowd);

  friend std::ostream& operator<<(std::ostream& out, const kind& k) { return out << k.name; }
};

template <class T>
kind kind_of(const char* name) {
  return {name,
          std::is_default_constructible_v<T>,
          std::is_copy_constructible_v<T>,
          std::is_move_constructible_v<T>,
          std::is_move_assignable_v<T>,
          !std::is_trivially_copyable_v<T>,
          core::is_boxed_type<T>,
          [](core::id_group::place where, int crowd) -> std::unique_ptr<stage> {
            return std::make_unique<stage_of<T>>(where, crowd);
          }};
}

std::vector<kind> every_kind();
// Those that can do something, or cannot. A single test that a kind cannot take returns at once.
std::vector<kind> kinds_that(bool kind::*can, bool yes = true);
std::string kind_name(const ::testing::TestParamInfo<kind>& tested);

class lifecycle : public ::testing::TestWithParam<kind> {
 protected:
  using step = std::function<void(stage&)>;

  lifecycle() { ledger::clear(); }
  ~lifecycle() override { expect_nothing_left(); }

  // On every stage once, without a throw; nothing may be left when it is gone.
  static void on_every_stage(const step& play);
  // `check` looks at the world after the change. Returns how often the change was made to throw.
  static std::size_t at_every_throw(const step& change, const step& check);
  // For a change that cannot throw.
  static void without_a_throw(const step& change, const step& check) {
    EXPECT_EQ(at_every_throw(change, check), 0u);
  }

 private:
  static void expect_nothing_left();
  // Calls `visit(place, crowd)` with each way to set the stage.
  static void each_stage(const std::function<void(core::id_group::place, int)>& visit);
};

}  // namespace kith::test
