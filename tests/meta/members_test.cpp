#include "meta/members.hpp"

#include <cstddef>

#include <gtest/gtest.h>

namespace kith::core {
namespace {

struct_layout layout_of(const std::vector<member_plan>& plan) { return lay_out(plan).value(); }

TEST(members, are_placed_as_in_cpp) {
  struct in_cpp {
    bool a;
    std::uint16_t b;
    double c;
    std::uint8_t d;
  };
  const struct_layout l = layout_of({{"a", member_kind::boolean},
                                     {"b", member_kind::u16},
                                     {"c", member_kind::f64},
                                     {"d", member_kind::u8}});
  EXPECT_EQ(l.type.size, sizeof(in_cpp));
  EXPECT_EQ(l.type.alignment, alignof(in_cpp));
  EXPECT_EQ(l.members->list()[1].offset, offsetof(in_cpp, b));
  EXPECT_EQ(l.members->list()[2].offset, offsetof(in_cpp, c));
  EXPECT_EQ(l.members->list()[3].offset, offsetof(in_cpp, d));
}

TEST(members, of_numbers_alone_are_bytes) {
  const struct_layout l = layout_of({{"a", member_kind::f32}, {"b", member_kind::entity}});
  EXPECT_FALSE(l.type.operations);
  EXPECT_TRUE(l.type.zero_default);
}

TEST(members, texts_live_and_die_with_their_values) {
  const struct_layout l = layout_of({{"a", member_kind::u8}, {"t", member_kind::text}});
  const type_info type(l.type, 1);
  const std::size_t at = l.members->find("t")->offset;
  const auto text_in = [&](slot_buffer& b) -> std::string& {
    return *reinterpret_cast<std::string*>(static_cast<std::byte*>(b.get()) + at);
  };
  slot_buffer one(type), two(type);
  one.fill({});
  EXPECT_EQ(text_in(one), "");
  text_in(one) = "long enough that it needs memory of its own";
  two.fill({&one, [](void* slot, void* context) {
              construct_copy(*static_cast<slot_buffer*>(context)->type(), slot,
                             static_cast<slot_buffer*>(context)->get());
            }});
  text_in(one) = "short";
  EXPECT_EQ(text_in(two), "long enough that it needs memory of its own");
  slot_buffer three(type);
  three.take(one.get());
  EXPECT_EQ(text_in(three), "short");
  one.fill({});
}

TEST(members, are_the_same_if_names_and_types_are) {
  const auto make = [](std::vector<member> list) { return struct_members(std::move(list)); };
  const member x{"x", member_kind::f32, 0}, moved{"x", member_kind::f32, 8};
  const member y{"y", member_kind::f32, 4}, wide{"x", member_kind::f64, 0};
  EXPECT_TRUE(same_members(make({x, y}), make({x, y})));
  EXPECT_TRUE(same_members(make({x}), make({moved})));
  EXPECT_FALSE(same_members(make({x}), make({wide})));
  EXPECT_FALSE(same_members(make({x, y}), make({y, x})));
  EXPECT_FALSE(same_members(make({x}), make({x, y})));
}

TEST(members, of_a_type_that_cannot_be_copied_are_no_part_of_a_struct) {
  type_desc moves_only = describe_type<std::unique_ptr<int>>();
  const type_info type(moves_only, 1);
  member_plan plan{"p", member_kind::structure, &type, std::make_shared<struct_members>()};
  EXPECT_EQ(lay_out({plan}).error().code(), errc::type);
}

TEST(member_table, brings_back_what_was_there) {
  member_table table;
  undo_log log;
  const auto first =
      std::make_shared<const struct_members>(std::vector<member>{{"x", member_kind::f32}});
  table.set(1, first, nullptr);
  table.set(1, std::make_shared<const struct_members>(), &log);
  table.set(2, first, &log);
  log.roll_back();
  EXPECT_EQ(table.find(1), first.get());
  EXPECT_EQ(table.find(2), nullptr);
}

}  // namespace
}  // namespace kith::core
