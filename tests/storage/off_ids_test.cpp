#include "storage/off_ids.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "storage/store.hpp"
#include "support/store_calls.hpp"

namespace {

using namespace kith::core;
using kith::entity_t;
using kith::id_t;
using ids = std::vector<id_t>;

ids list(std::span<const id_t> span) { return {span.begin(), span.end()}; }

TEST(off_ids, are_listed_by_entity_in_ascending_order) {
  off_ids off;
  for (id_t id : {30u, 10u, 20u}) off.set(7, id, true);
  off.set(8, 40, true);
  EXPECT_EQ(list(off.of(7)), (ids{10, 20, 30}));
  off.set(7, 20, false);
  EXPECT_EQ(list(off.of(7)), (ids{10, 30}));
  off.forget(7);
  EXPECT_TRUE(off.of(7).empty());
  EXPECT_EQ(list(off.of(8)), (ids{40}));
}

TEST(off_ids, pairs_of_one_relation_are_found_among_others) {
  off_ids off;
  for (id_t id : {id_t{5}, make_pair_of(1, 9), make_pair_of(2, 3), make_pair_of(2, 4)})
    off.set(7, id, true);
  EXPECT_EQ(list(off.pairs_of(7, 2)), (ids{make_pair_of(2, 3), make_pair_of(2, 4)}));
  EXPECT_TRUE(off.pairs_of(7, 3).empty());
}

// However an id goes, it is not off any more.
class lost_off_id : public ::testing::TestWithParam<id_group::place> {
 protected:
  lost_off_id() {
    s.ids().group_of(id).pinned = true;
    s.place(s.ids().group_of(id), GetParam());
    s.add(e, id);
    s.set_off(*s.entities().find(e), id, true);
  }
  ids off() { return list(s.off_ids_of(*s.entities().find(e))); }

  store s;
  const entity_t relation = s.create(), target = s.create(), e = s.create();
  const id_t id = make_pair(relation, target);
};

INSTANTIATE_TEST_SUITE_P(, lost_off_id,
                         ::testing::Values(id_group::place::tables, id_group::place::pools));

TEST_P(lost_off_id, is_off_before) { EXPECT_EQ(off(), ids{id}); }

TEST_P(lost_off_id, is_removed) {
  s.remove(e, id);
  EXPECT_EQ(off(), ids{});
}

TEST_P(lost_off_id, is_removed_with_others) {
  kith::test::lose(s, e, ids{id});
  EXPECT_EQ(off(), ids{});
}

TEST_P(lost_off_id, is_cleared) {
  kith::test::lose_all(s, e);
  EXPECT_EQ(off(), ids{});
}

TEST_P(lost_off_id, is_exchanged) {
  s.exchange(e, id, make_pair(relation, e));
  EXPECT_EQ(off(), ids{});
}

TEST_P(lost_off_id, is_purged) {
  kith::test::forget_ids_of(s, target);
  EXPECT_EQ(off(), ids{});
}

TEST_P(lost_off_id, ends_with_its_entity) {
  s.destroy(e);
  const entity_t next = s.create();
  ASSERT_EQ(index_of(next), index_of(e));
  EXPECT_TRUE(s.off_ids_of(*s.entities().find(next)).empty());
}

TEST_P(lost_off_id, stays_when_it_moves) {
  const auto elsewhere =
      GetParam() == id_group::place::tables ? id_group::place::pools : id_group::place::tables;
  s.place(s.ids().group_of(id), elsewhere);
  EXPECT_EQ(off(), ids{id});
  s.add(e, target);
  EXPECT_EQ(off(), ids{id});
}

}  // namespace
