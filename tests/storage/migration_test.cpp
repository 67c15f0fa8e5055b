// Moving ids between tables and pools changes no answer.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "storage/store.hpp"
#include "support/lifecycle.hpp"
#include "support/storage_text.hpp"

namespace {

using namespace kith::core;
using namespace kith::test;
using kith::entity_t;
using kith::id_t;
using place = id_group::place;

template <class T>
T number_as(int n) {
  if constexpr (std::is_same_v<T, std::string>)
    return "a text too long for a short string: " + std::to_string(n);
  else
    return T(n);
}

// Forty entities with pairs (R, t) to some of three targets with values of type T, a plain T, a
// text and a tag, in many combinations; every third one has something switched off.
template <class T>
class migration : public ::testing::Test {
 protected:
  migration() {
    s.types().insert(relation, describe_type<T>());
    s.types().insert(word, describe_type<std::string>());
    for (int i = 0; i < 40; ++i) {
      const entity_t e = s.create();
      if (i % 2) add(e, word, std::string("neighbour, also rather long ") + std::to_string(i));
      for (std::size_t t = 0; t < 3; ++t)
        if (i % static_cast<int>(t + 2) == 0)
          add(e, make_pair(relation, targets[t]), number_as<T>(i * 10 + static_cast<int>(t)));
      if (i % 5 == 0) add(e, relation, number_as<T>(i));
      if (i % 7 == 0) s.add(e, tag);
      const auto owned = s.owned_ids(*s.entities().find(e));
      if (i % 3 == 0 && !owned.empty()) s.set_off(*s.entities().find(e), owned.back(), true);
    }
  }
  template <class V>
  void add(entity_t e, id_t id, const V& value) {
    value_of source{value};
    s.add(e, id, source);
  }
  id_group& pairs() { return s.ids().group_of(make_pair(relation, 0)); }
  id_group& plain() { return s.ids().group_of(relation); }

  store s;
  entity_t relation = s.create(), word = s.create(), tag = s.create();
  std::vector<entity_t> targets{s.create(), s.create(), s.create()};
};

using value_types = ::testing::Types<int, std::string, boxed_int>;
TYPED_TEST_SUITE(migration, value_types);

TYPED_TEST(migration, to_pools_keeps_values_and_toggles) {
  const std::string before = to_text(this->s);
  this->s.place(this->pairs(), place::pools);
  EXPECT_EQ(to_text(this->s), before);
}

TYPED_TEST(migration, back_to_tables_keeps_values_and_toggles) {
  const std::string before = to_text(this->s);
  this->s.place(this->pairs(), place::pools);
  this->s.place(this->pairs(), place::tables);
  EXPECT_EQ(to_text(this->s), before);
}

TYPED_TEST(migration, of_a_plain_id_keeps_values_and_toggles) {
  const std::string before = to_text(this->s);
  this->s.place(this->plain(), place::pools);
  EXPECT_EQ(to_text(this->s), before);
  this->s.place(this->plain(), place::tables);
  EXPECT_EQ(to_text(this->s), before);
}

TYPED_TEST(migration, of_all_groups_in_any_order_keeps_values_and_toggles) {
  const std::string before = to_text(this->s);
  id_group* groups[] = {&this->pairs(), &this->plain(), &this->s.ids().group_of(this->word),
                        &this->s.ids().group_of(this->tag)};
  for (unsigned step = 1; step < 64; ++step) {
    id_group& g = *groups[step % 4];
    this->s.place(g, g.where == place::tables ? place::pools : place::tables);
    if (step % 3) this->s.place(*groups[step * 7 % 4], place::tables);
    ASSERT_EQ(to_text(this->s), before) << "step " << step;
  }
}

TYPED_TEST(migration, leaves_nothing_in_the_place_it_left) {
  this->s.place(this->pairs(), place::pools);
  for (auto* r = this->s.ids().first_of_relation(index_of(this->relation)); r;
       r = r->next_of_relation)
    EXPECT_TRUE(r->tables.empty());
  this->s.place(this->pairs(), place::tables);
  for (auto* r = this->s.ids().first_of_relation(index_of(this->relation)); r;
       r = r->next_of_relation)
    EXPECT_EQ(r->pool.size(), 0u);
  EXPECT_EQ(this->pairs().pool_rows, 0u);
}

TYPED_TEST(migration, group_counts_its_rows_in_pools) {
  this->s.place(this->pairs(), place::pools);
  std::uint32_t rows = 0;
  for (auto* r = this->s.ids().first_of_relation(index_of(this->relation)); r;
       r = r->next_of_relation)
    rows += r->pool.size();
  EXPECT_EQ(this->pairs().pool_rows, rows);
  EXPECT_EQ(this->pairs().table_uses, 0u);
}

TYPED_TEST(migration, changes_work_as_before_afterwards) {
  this->s.place(this->pairs(), place::pools);
  const entity_t e = this->s.create();
  this->add(e, make_pair(this->relation, this->targets[0]), number_as<TypeParam>(1));
  this->s.place(this->pairs(), place::tables);
  this->add(e, make_pair(this->relation, this->targets[1]), number_as<TypeParam>(2));
  this->s.remove(e, make_pair(this->relation, this->targets[0]));
  EXPECT_EQ(ids_text(this->s.owned_ids(*this->s.entities().find(e))),
            id_text(make_pair(this->relation, this->targets[1])));
}

TYPED_TEST(migration, to_the_place_it_is_in_does_nothing) {
  const std::string before = to_text(this->s);
  const std::size_t tables = this->s.tables().size();
  this->s.place(this->pairs(), place::tables);
  EXPECT_EQ(to_text(this->s), before);
  EXPECT_EQ(this->s.tables().size(), tables);
}

// --- moves that happen in the middle of a change -------------------------------------------------

// A relation in pools whose next rows make the store move it to tables.
struct about_to_move {
  store s;
  entity_t relation = s.create();
  entity_t apples = s.create(), pears = s.create();

  about_to_move() {
    s.types().insert(relation, describe_type<tracked>());
    s.place(group(), place::pools);
    while (group().version < group().check_at_version)
      s.add(s.create(), make_pair(relation, apples));
  }
  id_group& group() { return s.ids().group_of(make_pair(relation, 0)); }
  int value(entity_t e, entity_t target) {
    const located_value v = s.find_value(*s.entities().find(e), make_pair(relation, target));
    return v ? static_cast<tracked*>(v.value())->value() : -3;
  }
};

class migration_within : public ::testing::Test {
 protected:
  migration_within() { ledger::clear(); }
  ~migration_within() override {
    EXPECT_EQ(ledger::living(), 0u);
    EXPECT_EQ(ledger::mistakes(), "");
  }
};

TEST_F(migration_within, add_gives_the_slot_in_the_new_place) {
  about_to_move m;
  const entity_t e = m.s.create();
  value_of seven{tracked(7)};
  const void* slot = m.s.add(e, make_pair(m.relation, m.pears), seven);
  EXPECT_EQ(m.group().where, place::tables);
  EXPECT_EQ(slot, m.s.find_value(*m.s.entities().find(e), make_pair(m.relation, m.pears)).slot);
  EXPECT_EQ(m.value(e, m.pears), 7);
}

TEST_F(migration_within, add_all_of_two_pairs_keeps_both_values) {
  about_to_move m;
  const entity_t e = m.s.create();
  value_of seven{tracked(7)}, eight{tracked(8)};
  const new_id ids[] = {{make_pair(m.relation, m.apples), seven},
                        {make_pair(m.relation, m.pears), eight}};
  m.s.add_all(e, ids);
  EXPECT_EQ(m.value(e, m.apples), 7);
  EXPECT_EQ(m.value(e, m.pears), 8);
}

TEST_F(migration_within, create_many_with_two_pairs_keeps_all_values) {
  about_to_move m;
  const bulk_id ids[] = {{make_pair(m.relation, m.apples)}, {make_pair(m.relation, m.pears)}};
  std::vector<entity_t> made;
  m.s.create_many(10, ids, made);
  for (entity_t e : made) {
    EXPECT_EQ(m.value(e, m.apples), 0);
    EXPECT_EQ(m.value(e, m.pears), 0);
  }
}

TEST_F(migration_within, exchange_keeps_only_the_new_value) {
  about_to_move m;
  const entity_t e = m.s.create();
  m.s.remove(m.s.ids().find(make_pair(m.relation, m.apples))->pool.entities()[0],
             make_pair(m.relation, m.apples));
  m.s.add(e, make_pair(m.relation, m.apples));
  value_of seven{tracked(7)};
  m.s.exchange(e, make_pair(m.relation, m.apples), make_pair(m.relation, m.pears), seven);
  EXPECT_EQ(m.value(e, m.pears), 7);
  EXPECT_EQ(m.value(e, m.apples), -3);
}

}  // namespace
