// The one access to storage gives the same answers wherever ids are kept.
#include "storage/runs.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "storage/gathered_rows.hpp"

namespace {

using namespace kith::core;
using kith::entity_t;
using kith::id_t;
using place = id_group::place;

class runs_test : public ::testing::TestWithParam<place> {
 protected:
  runs_test() {
    s.types().insert(number, describe_type<int>());
    for (id_t id : {id_t{number}, make_pair(likes, a)}) {
      id_group& group = s.ids().group_of(id);
      group.pinned = true;
      s.place(group, GetParam());
    }
    for (int i = 0; i < 10; ++i) {
      const entity_t e = made.emplace_back(s.create());
      if (i % 2) s.add(e, tag);
      s.add(e, make_pair(likes, i % 3 ? a : b));
      s.add(e, number);
    }
  }
  std::vector<entity_t> owners(id_t id) const {
    std::vector<entity_t> found;
    const id_record* record = s.ids().find(id);
    if (!record) return found;
    runs all(*record);
    for (run r; all.next(r);) found.insert(found.end(), r.entities.begin(), r.entities.end());
    std::ranges::sort(found);
    return found;
  }

  store s;
  const entity_t number = s.create(), tag = s.create(), likes = s.create(), a = s.create(),
                 b = s.create();
  std::vector<entity_t> made;
};

INSTANTIATE_TEST_SUITE_P(places, runs_test, ::testing::Values(place::tables, place::pools),
                         [](const auto& p) {
                           return p.param == place::tables ? "tables" : "pools";
                         });

TEST_P(runs_test, runs_of_an_id_name_each_entity_that_has_it_once) {
  EXPECT_EQ(owners(number), made);
  EXPECT_EQ(owners(make_pair(likes, b)), (std::vector{made[0], made[3], made[6], made[9]}));
  EXPECT_EQ(owners(b), std::vector<entity_t>());
}

TEST_P(runs_test, runs_of_the_store_name_every_entity_once) {
  std::vector<entity_t> found;
  runs all(s);
  for (run r; all.next(r);) found.insert(found.end(), r.entities.begin(), r.entities.end());
  EXPECT_EQ(found.size(), s.entities().size());
}

TEST_P(runs_test, a_run_of_a_table_says_where_its_rows_are) {
  runs all(*s.ids().find(tag));
  for (run r; all.next(r);)
    for (std::size_t i = 0; i < r.entities.size(); ++i) {
      ASSERT_TRUE(r.in);
      EXPECT_EQ(r.in->entities()[r.first.value + i], r.entities[i]);
    }
}

TEST_P(runs_test, values_of_a_run_are_side_by_side) {
  runs all(*s.ids().find(number));
  std::size_t rows = 0;
  for (run r; all.next(r);) {
    if (r.entities.empty()) continue;
    const located_value first = values_of(s, r, number);
    ASSERT_TRUE(first);
    for (std::size_t i = 0; i < r.entities.size(); ++i, ++rows)
      EXPECT_EQ(static_cast<int*>(first.slot) + i,
                s.find_value(*s.entities().find(r.entities[i]), number).slot);
  }
  EXPECT_EQ(rows, made.size());
}

TEST_P(runs_test, values_with_fixed_addresses_are_not_side_by_side) {
  if (GetParam() == place::tables) return;
  s.fix_addresses(s.ids().group_of(number));
  runs all(*s.ids().find(number));
  for (run r; all.next(r);) EXPECT_FALSE(values_of(s, r, number));
}

TEST_P(runs_test, presence_is_none_all_or_some_and_never_wrong) {
  for (id_t id : {id_t{number}, id_t{tag}, make_pair(likes, a), make_pair(likes, b)}) {
    const id_record& record = *s.ids().find(id);
    s.tables().each([&](const table& t) {
      std::size_t with = 0;
      for (entity_t e : t.entities()) with += s.owns(*s.entities().find(e), id);
      const presence found = presence_in(t, record);
      EXPECT_TRUE(found != presence::none || with == 0);
      EXPECT_TRUE(found != presence::all || with == t.size());
    });
  }
}

TEST_P(runs_test, an_id_that_is_off_somewhere_is_present_on_some_rows) {
  s.set_off(*s.entities().find(made[1]), number, true);
  const table& t = s.tables().at(s.entities().find(made[1])->table);
  EXPECT_EQ(presence_in(t, *s.ids().find(number)), presence::some);
}

TEST_P(runs_test, first_owner_has_the_id) {
  EXPECT_TRUE(s.owns(*s.entities().find(first_owner(*s.ids().find(number))), number));
  for (entity_t e : made) s.remove(e, number);
  EXPECT_EQ(first_owner(*s.ids().find(number)), 0u);
}

TEST_P(runs_test, few_rows_are_counted_exactly) {
  EXPECT_EQ(count_roughly(s, number), 10);
  EXPECT_EQ(count_roughly(s, make_pair(likes, b)), 4);
  EXPECT_EQ(count_roughly(s, make_pair(likes, kith::Wildcard)), 10);
}

}  // namespace
