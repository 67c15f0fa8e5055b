#include "storage/store.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/lifecycle.hpp"
#include "support/storage_text.hpp"
#include "support/store_calls.hpp"

namespace {

using namespace kith::core;
using namespace kith::test;
using kith::entity_t;
using kith::id_t;

// A store with a few types and relations. Every test runs twice: with all ids in tables, and with
// all in pools. No answer may differ.
class store_test : public ::testing::TestWithParam<id_group::place> {
 protected:
  store s;
  entity_t number = type<int>();
  entity_t word = type<std::string>();
  entity_t box = type<boxed_int>();
  entity_t tag = keep(s.create());
  entity_t likes = keep(s.create());
  entity_t apples = s.create(), pears = s.create();

  template <class T>
  entity_t type() {
    const entity_t e = s.create();
    s.types().insert(e, describe_type<T>());
    return keep(e);
  }
  entity_t keep(entity_t e) {
    for (id_t key : {e, make_pair(e, 0)}) {
      id_group& group = s.ids().group_of(key);
      group.where = GetParam();
      group.pinned = true;
    }
    return e;
  }
  template <class T>
  void add(entity_t e, id_t id, const T& value) {
    value_of source{value};
    s.add(e, id, source);
  }
  const entity_record& record(entity_t e) { return *s.entities().find(e); }
  std::string text(entity_t e) { return to_text(s, e); }
  static std::string id(id_t i) { return id_text(i); }
};

INSTANTIATE_TEST_SUITE_P(places, store_test,
                         ::testing::Values(id_group::place::tables, id_group::place::pools),
                         [](const auto& where) {
                           return where.param == id_group::place::tables ? "tables" : "pools";
                         });

TEST_P(store_test, new_entity_has_no_ids) {
  const entity_t e = s.create();
  EXPECT_TRUE(s.entities().is_alive(e));
  EXPECT_TRUE(s.owned_ids(record(e)).empty());
}

TEST_P(store_test, added_ids_are_owned_with_their_values) {
  const entity_t e = s.create();
  add(e, number, 5);
  add(e, word, std::string("hello"));
  add(e, box, boxed_int(7));
  s.add(e, tag);
  EXPECT_EQ(text(e), "e" + id(e) + ": " + id(number) + "=5 " + id(word) + "=hello " + id(box) +
                         "=7 " + id(tag));
}

TEST_P(store_test, add_without_a_source_gives_the_default_value) {
  const entity_t e = s.create();
  s.add(e, number);
  EXPECT_EQ(text(e), "e" + id(e) + ": " + id(number) + "=0");
}

TEST_P(store_test, add_gives_the_slot_of_the_value_and_null_for_a_tag) {
  const entity_t e = s.create();
  void* slot = s.add(e, number);
  EXPECT_EQ(slot, s.find_value(record(e), number).slot);
  EXPECT_EQ(s.add(e, tag), nullptr);
}

TEST_P(store_test, owned_ids_are_ascending_whatever_the_order_of_adding) {
  const entity_t e = s.create();
  s.add(e, make_pair(likes, pears));
  s.add(e, tag);
  s.add(e, make_pair(likes, apples));
  s.add(e, number);
  EXPECT_EQ(
      ids_text(s.owned_ids(record(e))),
      ids_text(std::vector<id_t>{number, tag, make_pair(likes, apples), make_pair(likes, pears)}));
}

TEST_P(store_test, removed_id_is_gone_and_the_others_stay) {
  const entity_t e = s.create();
  add(e, number, 5);
  add(e, word, std::string("hello"));
  s.remove(e, number);
  EXPECT_EQ(text(e), "e" + id(e) + ": " + id(word) + "=hello");
}

TEST_P(store_test, removing_from_one_entity_leaves_its_neighbours_alone) {
  std::vector<entity_t> all;
  for (int i = 0; i < 5; ++i) {
    all.push_back(s.create());
    add(all.back(), number, i);
  }
  s.remove(all[1], number);
  s.destroy(all[3]);
  for (std::size_t i : {0, 2, 4})
    EXPECT_EQ(*static_cast<int*>(s.find_value(record(all[i]), number).value()),
              static_cast<int>(i));
}

TEST_P(store_test, value_of_what_is_not_owned_is_null) {
  const entity_t e = s.create();
  s.add(e, tag);
  EXPECT_FALSE(s.find_value(record(e), number));
  EXPECT_FALSE(s.find_value(record(e), tag));
}

TEST_P(store_test, assign_changes_the_value_in_place) {
  const entity_t e = s.create();
  add(e, word, std::string("old"));
  value_of fresh{std::string("new")};
  s.assign(s.find_value(record(e), word), e, word, fresh);
  EXPECT_EQ(text(e), "e" + id(e) + ": " + id(word) + "=new");
}

TEST_P(store_test, pairs_of_a_relation_are_found_and_ascending) {
  const entity_t e = s.create();
  s.add(e, make_pair(likes, pears));
  s.add(e, make_pair(likes, apples));
  s.add(e, make_pair(number, apples));
  EXPECT_EQ(ids_text(s.pairs_of(record(e), index_of(likes))),
            ids_text(std::vector<id_t>{make_pair(likes, apples), make_pair(likes, pears)}));
  EXPECT_TRUE(s.pairs_of(record(e), index_of(tag)).empty());
}

TEST_P(store_test, exchange_puts_one_pair_in_the_place_of_another) {
  const entity_t e = s.create();
  add(e, word, std::string("hello"));
  add(e, make_pair(number, apples), 1);
  value_of two{2};
  s.exchange(e, make_pair(number, apples), make_pair(number, pears), two);
  EXPECT_EQ(text(e),
            "e" + id(e) + ": " + id(word) + "=hello " + id(make_pair(number, pears)) + "=2");
}

TEST_P(store_test, clear_takes_all_ids) {
  const entity_t e = s.create();
  add(e, word, std::string("hello"));
  s.add(e, make_pair(likes, pears));
  lose_all(s, e);
  EXPECT_EQ(text(e), "e" + id(e) + ":");
}

TEST_P(store_test, add_all_adds_each_with_its_value) {
  const entity_t e = s.create();
  add(e, word, std::string("before"));
  value_of five{5};
  value_of seven{boxed_int(7)};
  const new_id ids[] = {{make_pair(likes, pears)}, {box, seven}, {number, five}};
  s.add_all(e, ids);
  EXPECT_EQ(text(e), "e" + id(e) + ": " + id(number) + "=5 " + id(word) + "=before " + id(box) +
                         "=7 " + id(make_pair(likes, pears)));
}

TEST_P(store_test, remove_all_takes_only_what_is_named) {
  const entity_t e = s.create();
  add(e, number, 5);
  add(e, word, std::string("stays"));
  s.add(e, make_pair(likes, pears));
  lose(s, e, std::vector<id_t>{number, make_pair(likes, pears)});
  EXPECT_EQ(text(e), "e" + id(e) + ": " + id(word) + "=stays");
}

TEST_P(store_test, create_many_makes_entities_with_all_ids) {
  const bulk_id ids[] = {{number}, {tag}, {make_pair(likes, pears)}};
  std::vector<entity_t> made;
  s.create_many(5, ids, made);
  ASSERT_EQ(made.size(), 5u);
  for (entity_t e : made)
    EXPECT_EQ(text(e), "e" + id(e) + ": " + id(number) + "=0 " + id(tag) + " " +
                           id(make_pair(likes, pears)));
}

TEST_P(store_test, create_many_of_none_makes_none) {
  std::vector<entity_t> made;
  const bulk_id ids[] = {{number}};
  s.create_many(0, ids, made);
  EXPECT_TRUE(made.empty());
  EXPECT_EQ(s.count(*s.ids().find(number)), 0u);
}

TEST_P(store_test, count_and_each_agree_on_who_has_an_id) {
  std::vector<entity_t> all;
  for (int i = 0; i < 7; ++i) {
    all.push_back(s.create());
    add(all.back(), number, i);
    if (i % 2) s.add(all.back(), tag);
  }
  std::size_t seen = 0;
  s.each(*s.ids().find(number), [&](entity_t) { ++seen; });
  EXPECT_EQ(seen, 7u);
  EXPECT_EQ(s.count(*s.ids().find(number)), 7u);
  EXPECT_EQ(s.count(*s.ids().find(tag)), 3u);
}

TEST_P(store_test, deletion_takes_an_id_from_all_and_forgets_it) {
  std::vector<entity_t> all;
  for (int i = 0; i < 7; ++i) {
    all.push_back(s.create());
    add(all.back(), number, i);
    if (i % 2) add(all.back(), word, std::string("stays"));
  }
  id_record* const records[] = {s.ids().find(number)};
  s.delete_all({}, records);
  EXPECT_EQ(s.ids().find(number), nullptr);
  EXPECT_EQ(text(all[0]), "e" + id(all[0]) + ":");
  EXPECT_EQ(text(all[1]), "e" + id(all[1]) + ": " + id(word) + "=stays");
}

TEST_P(store_test, id_that_is_off_stays_off_while_its_entity_changes) {
  const entity_t e = s.create();
  add(e, number, 5);
  s.set_off(record(e), number, true);
  s.add(e, tag);
  add(e, word, std::string("x"));
  s.remove(e, tag);
  EXPECT_EQ(text(e), "e" + id(e) + ": -" + id(number) + "=5 " + id(word) + "=x");
}

TEST_P(store_test, id_that_was_off_is_on_when_added_again) {
  const entity_t e = s.create();
  s.add(e, tag);
  s.set_off(record(e), tag, true);
  s.remove(e, tag);
  s.add(e, tag);
  EXPECT_EQ(text(e), "e" + id(e) + ": " + id(tag));
}

TEST_P(store_test, ids_of_one_entity_off_do_not_switch_off_its_neighbours) {
  const entity_t a = s.create(), b = s.create(), c = s.create();
  for (entity_t e : {a, b, c}) add(e, number, 1);
  s.set_off(record(a), number, true);
  s.set_off(record(c), number, true);
  s.destroy(a);  // c takes the place of a
  EXPECT_EQ(text(b), "e" + id(b) + ": " + id(number) + "=1");
  EXPECT_EQ(text(c), "e" + id(c) + ": -" + id(number) + "=1");
}

TEST_P(store_test, destroyed_entity_leaves_nothing_in_any_id) {
  const entity_t e = s.create();
  add(e, number, 5);
  s.add(e, make_pair(likes, pears));
  s.destroy(e);
  EXPECT_FALSE(s.entities().is_alive(e));
  EXPECT_EQ(s.count(*s.ids().find(number)), 0u);
  EXPECT_EQ(s.count(*s.ids().find(make_pair(likes, pears))), 0u);
}

TEST_P(store_test, reclaim_forgets_tables_and_ids_nobody_has) {
  const entity_t e = s.create();
  add(e, number, 5);
  s.add(e, tag);
  lose_all(s, e);
  s.reclaim();
  EXPECT_EQ(s.tables().size(), 1u);
  EXPECT_EQ(s.ids().find(number), nullptr);
  add(e, number, 6);
  EXPECT_EQ(text(e), "e" + id(e) + ": " + id(number) + "=6");
}

TEST_P(store_test, reclaim_leaves_what_is_in_use) {
  const entity_t e = s.create();
  add(e, number, 5);
  s.add(e, make_pair(likes, pears));
  const std::string before = to_text(s);
  s.reclaim();
  EXPECT_EQ(to_text(s), before);
}

TEST_P(store_test, is_busy_exactly_while_a_constructor_runs) {
  const entity_t e = s.create();
  struct probe {
    store& s;
    bool busy;
  } p{s, false};
  value_source source;
  source.context = &p;
  source.construct = [](void* slot, void* context) {
    auto& probed = *static_cast<probe*>(context);
    probed.busy = probed.s.busy();
    ::new (slot) int(1);
  };
  s.add(e, number, source);
  EXPECT_TRUE(p.busy);
  EXPECT_FALSE(s.busy());
}

TEST_P(store_test, is_not_busy_any_more_when_a_constructor_threw) {
  const entity_t e = s.create();
  value_source source;
  source.construct = [](void*, void*) { throw planned_throw(); };
  EXPECT_THROW(s.add(e, number, source), planned_throw);
  EXPECT_FALSE(s.busy());
  EXPECT_EQ(text(e), "e" + id(e) + ":");
}

// --- a type of entities: what is where -----------------------------------------------------------

// R120, R121: the ids of a table are ordered so that the pairs of one relation are adjacent.
TEST(store, table_of_an_entity_has_plain_ids_first_and_pairs_by_relation) {
  store s;
  const entity_t npc = s.create(), likes = s.create(), eats = s.create();
  const entity_t apples = s.create(), pears = s.create(), bananas = s.create();
  const entity_t bob = s.create();
  s.add(bob, make_pair(eats, pears));
  s.add(bob, make_pair(likes, bananas));
  s.add(bob, make_pair(likes, apples));
  s.add(bob, npc);
  s.add(bob, make_pair(eats, apples));
  s.add(bob, make_pair(likes, pears));
  const table& t = s.tables().at(s.entities().find(bob)->table);
  EXPECT_EQ(ids_text(t.ids()),
            ids_text(std::vector<id_t>{npc, make_pair(likes, apples), make_pair(likes, pears),
                                       make_pair(likes, bananas), make_pair(eats, apples),
                                       make_pair(eats, pears)}));
  const id_range likes_any = t.pairs_of(index_of(likes));
  EXPECT_EQ(likes_any.first, 1u);
  EXPECT_EQ(likes_any.count, 3u);
}

TEST(store, entities_with_the_same_ids_share_a_table) {
  store s;
  const entity_t a = s.create(), b = s.create(), x = s.create(), y = s.create();
  s.add(a, x);
  s.add(a, y);
  s.add(b, y);
  s.add(b, x);
  EXPECT_EQ(s.entities().find(a)->table, s.entities().find(b)->table);
}

TEST(store, empty_tables_go_by_themselves_when_most_are_empty) {
  store s;
  std::vector<entity_t> tags;
  for (int i = 0; i < 5000; ++i) tags.push_back(s.create());
  const entity_t e = s.create();
  for (entity_t t : tags) {
    s.add(e, t);
    s.remove(e, t);
  }
  EXPECT_LT(s.tables().size(), 2500u);
}

}  // namespace
