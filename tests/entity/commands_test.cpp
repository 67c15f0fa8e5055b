#include "entity/commands.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "support/lifecycle.hpp"
#include "support/storage_text.hpp"
#include "support/timing.hpp"

namespace {

using namespace kith::core;
using namespace kith::test;
using kith::entity_t;
using kith::id_t;

using kind = command::kind;
constexpr entity_t ann = 300, bob = 301;
constexpr id_t number = 310;
constexpr id_t likes_ann = make_pair_of(320, 300), likes_bob = make_pair_of(320, 301);

struct alignas(256) wide {
  char bytes[256];
};
struct huge {
  char bytes[100'000];
};

class commands : public ::testing::Test {
 protected:
  commands() { ledger::clear(); }
  ~commands() override {
    queue.clear();
    EXPECT_EQ(ledger::living(), 0u);
    EXPECT_EQ(ledger::mistakes(), "");
  }
  void set(entity_t e, id_t id, int value) {
    value_of<tracked> source{tracked(value)};
    queue.push_value(e, id, type, source);
  }
  void push(kind what, entity_t e, id_t id = 0) {
    queue.push({.what = what, .entity = e, .id = id});
  }
  // What will become of an id: its value, `removed`, or `as it is`.
  std::string outlook(entity_t e, id_t id, bool exclusive = false) {
    const command_queue::outlook ahead = queue.outlook_for(e, id, exclusive);
    if (ahead.value) return std::to_string(static_cast<tracked*>(ahead.value.value())->value());
    return ahead.removed ? "removed" : "as it is";
  }

  const type_info type{describe_type<tracked>(), number};
  const type_info byte_type{describe_type<char>(), 5};
  const type_info wide_type{describe_type<wide>(), 6};
  const type_info huge_type{describe_type<huge>(), 7};
  command_queue queue;
};

TEST_F(commands, are_kept_in_order) {
  push(kind::add, ann, number);
  push(kind::destroy, bob);
  set(ann, number, 1);
  ASSERT_EQ(queue.size(), 3u);
  EXPECT_EQ(queue[0].what, kind::add);
  EXPECT_EQ(queue[1].what, kind::destroy);
  EXPECT_EQ(queue[2].what, kind::set);
}

TEST_F(commands, keep_the_text_of_a_name) {
  std::string name = "a name that does not fit into a short string";
  queue.push_name(ann, name);
  name.assign(name.size(), 'x');
  EXPECT_EQ(queue.text(queue[0]), "a name that does not fit into a short string");
}

TEST_F(commands, value_that_nobody_took_is_destroyed_with_the_queue) {
  {
    command_queue other;
    value_of<tracked> source{tracked(5)};
    other.push_value(ann, number, type, source);
    EXPECT_EQ(ledger::living(), 2u);
  }
  EXPECT_EQ(ledger::living(), 0u);
}

TEST_F(commands, value_that_someone_took_is_left_to_them) {
  set(ann, number, 5);
  destroy(type, queue[0].slot, 1);
  queue[0].slot = nullptr;
  queue.clear();
  EXPECT_EQ(ledger::mistakes(), "");
}

TEST_F(commands, value_whose_constructor_throws_is_not_queued) {
  value_of<tracked> source{tracked(5)};
  ledger::throw_at(1);
  EXPECT_THROW(queue.push_value(ann, number, type, source), planned_throw);
  ledger::throw_at(0);
  EXPECT_TRUE(queue.empty());
}

TEST_F(commands, values_stay_where_they_are_while_more_come) {
  set(ann, number, 7);
  const void* slot = queue[0].slot;
  for (int i = 0; i < 5000; ++i) set(bob, number, i);
  EXPECT_EQ(queue[0].slot, slot);
  EXPECT_EQ(outlook(ann, number), "7");
}

TEST_F(commands, over_aligned_values_are_aligned) {
  for (int i = 0; i < 200; ++i) {
    queue.push_value(ann, 5, byte_type, {});
    const void* slot = queue.push_value(ann, 6, wide_type, {});
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(slot) % 256, 0u);
  }
}

TEST_F(commands, value_larger_than_a_chunk_has_room) {
  set(ann, number, 3);
  auto* first = static_cast<huge*>(queue.push_value(ann, 7, huge_type, {}));
  auto* second = static_cast<huge*>(queue.push_value(ann, 7, huge_type, {}));
  first->bytes[99'999] = 1;
  second->bytes[0] = 2;
  EXPECT_EQ(first->bytes[99'999], 1);
  EXPECT_EQ(outlook(ann, number), "3");
}

TEST_F(commands, truncate_takes_back_the_last_ones_with_their_values) {
  set(ann, number, 1);
  set(ann, number, 2);
  push(kind::add, bob, number);
  queue.truncate(1);
  EXPECT_EQ(queue.size(), 1u);
  EXPECT_EQ(ledger::living(), 1u);
  EXPECT_EQ(outlook(ann, number), "1");
}

TEST_F(commands, swap_exchanges_everything) {
  set(ann, number, 1);
  command_queue other;
  other.swap(queue);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(other.size(), 1u);
}

TEST_F(commands, many_values_are_queued_in_linear_time) {
  const double few = seconds_of([&] {
    for (int i = 0; i < 20'000; ++i) set(ann, number, i);
  });
  queue.clear();
  const double many_more = seconds_of([&] {
    for (int i = 0; i < 160'000; ++i) set(ann, number, i);
  });
  EXPECT_LT(many_more, few * 8 * 4 + 0.5);
}

// --- what will be there --------------------------------------------------------------------------

TEST_F(commands, untouched_id_stays_as_it_is) {
  set(bob, number, 1);
  EXPECT_EQ(outlook(ann, number), "as it is");
}

TEST_F(commands, last_value_set_is_the_one_that_will_be_there) {
  set(ann, number, 1);
  set(ann, number, 2);
  EXPECT_EQ(outlook(ann, number), "2");
}

TEST_F(commands, value_set_and_removed_will_not_be_there) {
  set(ann, number, 1);
  push(kind::remove, ann, number);
  EXPECT_EQ(outlook(ann, number), "removed");
}

TEST_F(commands, value_set_after_a_removal_will_be_there) {
  push(kind::remove, ann, number);
  set(ann, number, 3);
  EXPECT_EQ(outlook(ann, number), "3");
}

TEST_F(commands, clear_and_destroy_take_all_ids_of_their_entity_alone) {
  for (kind emptying : {kind::clear, kind::destroy}) {
    set(ann, number, 1);
    set(bob, number, 2);
    push(emptying, ann);
    EXPECT_EQ(outlook(ann, number), "removed");
    EXPECT_EQ(outlook(ann, likes_bob), "removed");
    EXPECT_EQ(outlook(bob, number), "2");
    queue.clear();
  }
}

TEST_F(commands, removal_from_all_takes_the_id_of_everyone) {
  set(ann, number, 1);
  push(kind::remove_from_all, 0, number);
  EXPECT_EQ(outlook(ann, number), "removed");
  EXPECT_EQ(outlook(bob, number), "removed");
  EXPECT_EQ(outlook(bob, likes_bob), "as it is");
}

TEST_F(commands, removal_by_a_pattern_takes_what_matches) {
  set(ann, likes_bob, 1);
  set(ann, number, 2);
  push(kind::remove, ann, make_pair_of(320, kith::Wildcard));
  EXPECT_EQ(outlook(ann, likes_bob), "removed");
  EXPECT_EQ(outlook(ann, number), "2");
}

TEST_F(commands, another_target_takes_the_place_of_an_exclusive_one) {
  set(ann, likes_ann, 1);
  push(kind::add, ann, likes_bob);
  EXPECT_EQ(outlook(ann, likes_ann, true), "removed");
  EXPECT_EQ(outlook(ann, likes_ann, false), "1");
}

TEST_F(commands, outlook_follows_commands_that_come_after_it_was_asked) {
  set(ann, number, 1);
  EXPECT_EQ(outlook(ann, number), "1");
  push(kind::clear, ann);
  EXPECT_EQ(outlook(ann, number), "removed");
  set(ann, number, 2);
  EXPECT_EQ(outlook(ann, number), "2");
}

TEST_F(commands, outlook_is_empty_again_when_the_queue_is) {
  set(ann, number, 1);
  EXPECT_EQ(outlook(ann, number), "1");
  queue.clear();
  EXPECT_EQ(outlook(ann, number), "as it is");
}

}  // namespace
