#include "storage/type_info.hpp"

#include <string>

#include <gtest/gtest.h>

#include <kith/detail/values.hpp>
#include <kith/error.hpp>

#include "support/lifecycle.hpp"

namespace game {
struct Tank {
  int armour;
};
template <class T>
struct box {
  T content;
};
struct Marker {};
}  // namespace game

namespace {

using namespace kith::core;
using namespace kith::test;

template <class T>
type_info info_of() {
  return type_info(describe_type<T>(), 300);
}

// Slots of a type outside any column.
class slots {
 public:
  slots(const type_info& type, std::size_t count)
      : type_(type),
        memory_(::operator new (count* type.slot_size(), std::align_val_t{type.slot_alignment()})) {
  }
  slots(const slots&) = delete;
  slots& operator=(const slots&) = delete;
  ~slots() { ::operator delete (memory_, std::align_val_t{type_.slot_alignment()}); }
  void* at(std::size_t i) const { return static_cast<char*>(memory_) + i * type_.slot_size(); }

 private:
  const type_info& type_;
  void* memory_;
};

// --- names ---------------------------------------------------------------------------------------

TEST(type_name, is_the_qualified_name) { EXPECT_EQ(type_name<game::Tank>(), "game::Tank"); }

TEST(type_name, of_a_template_has_its_arguments) {
  EXPECT_EQ(type_name<game::box<game::Tank>>(), "game::box<game::Tank>");
}

TEST(type_name, of_a_fundamental_type_is_as_written) { EXPECT_EQ(type_name<int>(), "int"); }

// --- what a type is ------------------------------------------------------------------------------

TEST(type_desc, of_a_type_without_members_has_no_size) {
  EXPECT_EQ(describe_type<game::Marker>().size, 0u);
}

TEST(type_desc, boxes_exactly_the_types_that_cannot_move_without_throwing) {
  EXPECT_FALSE(describe_type<trivial>().boxed);
  EXPECT_FALSE(describe_type<movable>().boxed);
  EXPECT_FALSE(describe_type<move_only>().boxed);
  EXPECT_FALSE(describe_type<aligned<64>>().boxed);
  EXPECT_FALSE(describe_type<const_member>().boxed);
  EXPECT_TRUE(describe_type<immovable>().boxed);
  EXPECT_TRUE(describe_type<risky_move>().boxed);
}

TEST(type_desc, has_no_default_hook_for_a_type_without_default_constructor) {
  EXPECT_FALSE(describe_type<no_default>().hooks.construct);
  EXPECT_TRUE(describe_type<movable>().hooks.construct);
}

TEST(type_desc, has_no_copy_hook_for_a_move_only_type) {
  EXPECT_FALSE(describe_type<move_only>().hooks.copy);
}

TEST(type_desc, trivial_type_runs_no_user_code_when_it_moves_or_dies) {
  EXPECT_FALSE(info_of<trivial>().runs_user_code());
  EXPECT_TRUE(info_of<movable>().runs_user_code());
  EXPECT_TRUE(info_of<immovable>().runs_user_code());
}

TEST(type_info, slot_of_a_boxed_type_is_a_pointer) {
  const type_info type = info_of<immovable>();
  EXPECT_EQ(type.slot_size(), sizeof(void*));
  EXPECT_EQ(type.slot_alignment(), alignof(void*));
}

// --- type slots ----------------------------------------------------------------------------------

TEST(type_slot, is_the_same_for_the_same_name_size_and_alignment) {
  type_desc one{.name = "some::Type", .size = 8, .alignment = 4, .hooks = {}};
  const std::string other_copy_of_the_name = "some::Type";
  type_desc two{.name = other_copy_of_the_name, .size = 8, .alignment = 4, .hooks = {}};
  EXPECT_EQ(type_slot(one), type_slot(two));
}

TEST(type_slot, differs_with_the_size_and_with_the_alignment) {
  const type_desc one{.name = "some::Type", .size = 8, .alignment = 4, .hooks = {}};
  const type_desc larger{.name = "some::Type", .size = 16, .alignment = 4, .hooks = {}};
  const type_desc wider{.name = "some::Type", .size = 8, .alignment = 8, .hooks = {}};
  EXPECT_NE(type_slot(one), type_slot(larger));
  EXPECT_NE(type_slot(one), type_slot(wider));
}

// --- values in slots -----------------------------------------------------------------------------

template <class T>
class value_in_slot : public ::testing::Test {
 protected:
  value_in_slot() { ledger::clear(); }
  ~value_in_slot() override {
    EXPECT_EQ(ledger::living(), 0u);
    EXPECT_EQ(ledger::mistakes(), "");
  }
  int value_at(void* slot) const { return static_cast<T*>(type.value(slot))->value(); }
  void fill(void* slot, int number) { kith::core::construct_in_slot<T>(slot, T{number}); }
  const type_info type = info_of<T>();
};

using copyable_types = ::testing::Types<trivial, movable, no_default, risky_move, aligned<64>,
                                        aligned<256>, self_pointing, aggregate, const_member>;
TYPED_TEST_SUITE(value_in_slot, copyable_types);

TYPED_TEST(value_in_slot, is_copied_with_its_value) {
  const slots s(this->type, 2);
  this->fill(s.at(0), 5);
  construct_copy(this->type, s.at(1), s.at(0));
  EXPECT_EQ(this->value_at(s.at(1)), 5);
  destroy(this->type, s.at(0), 2);
}

TYPED_TEST(value_in_slot, keeps_its_value_when_relocated_and_leaves_nothing_behind) {
  const slots from(this->type, 3), to(this->type, 3);
  for (int i = 0; i < 3; ++i) this->fill(from.at(static_cast<std::size_t>(i)), i + 1);
  const std::size_t living = ledger::living();
  relocate(this->type, to.at(0), from.at(0), 3);
  EXPECT_EQ(ledger::living(), living);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(this->value_at(to.at(static_cast<std::size_t>(i))), i + 1);
  destroy(this->type, to.at(0), 3);
}

TYPED_TEST(value_in_slot, takes_the_place_of_another) {
  const slots s(this->type, 2);
  this->fill(s.at(0), 1);
  this->fill(s.at(1), 2);
  replace(this->type, s.at(0), s.at(1));
  EXPECT_EQ(this->value_at(s.at(0)), 2);
  destroy(this->type, s.at(0), 1);
}

TYPED_TEST(value_in_slot, does_not_exist_when_its_copy_throws) {
  const slots s(this->type, 2);
  this->fill(s.at(0), 1);
  const std::size_t living = ledger::living();
  ledger::throw_at(1);
  try {
    construct_copy(this->type, s.at(1), s.at(0));
    destroy(this->type, s.at(1), 1);
  } catch (const planned_throw&) {
  }
  ledger::throw_at(0);
  EXPECT_EQ(ledger::living(), living);
  destroy(this->type, s.at(0), 1);
}

TEST(type_info, relocating_no_values_touches_no_memory) {
  relocate(info_of<trivial>(), nullptr, nullptr, 0);
  destroy(info_of<immovable>(), nullptr, 0);
}

TEST(type_info, default_of_a_type_without_one_is_a_type_error) {
  const type_info type = info_of<no_default>();
  slot_buffer memory(type);
  try {
    construct_default(type, memory.get());
    FAIL() << "no error";
  } catch (const kith::error& e) {
    EXPECT_EQ(e.code(), kith::errc::type);
  }
}

TEST(type_info, copy_of_a_move_only_type_is_a_type_error) {
  const type_info type = info_of<move_only>();
  slot_buffer memory(type);
  move_only original(1);
  try {
    construct_copy_of(type, memory.get(), &original);
    FAIL() << "no error";
  } catch (const kith::error& e) {
    EXPECT_EQ(e.code(), kith::errc::type);
  }
}

TEST(type_info, type_without_hooks_starts_as_zeros_and_is_copied_as_bytes) {
  type_desc desc{.name = "bytes", .size = 8, .alignment = 8, .hooks = {}};
  desc.zero_default = true;
  const type_info type(desc, 300);
  const slots s(type, 2);
  construct_default(type, s.at(0));
  EXPECT_EQ(*static_cast<std::uint64_t*>(s.at(0)), 0u);
  *static_cast<std::uint64_t*>(s.at(0)) = 77;
  construct_copy(type, s.at(1), s.at(0));
  EXPECT_EQ(*static_cast<std::uint64_t*>(s.at(1)), 77u);
}

TEST(slot_buffer, is_aligned_for_its_type) {
  const type_info type = info_of<aligned<256>>();
  slot_buffer memory(type);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.get()) % 256, 0u);
}

}  // namespace
