// Traits as part of a C++ type, and pins that come and go.
#include "storage_never_shows/fixture.hpp"

namespace {

struct Married {};
struct Weighs {
  int n = 1;
};
struct Locked {
  int n = 0;
};
struct Copied {
  int n = 0;
};
struct Guarded {};
struct Spread {
  int n = 0;
};

}  // namespace

template <>
struct kith::traits<Married> : kith::trait_list<kith::Symmetric, kith::Exclusive> {};
template <>
struct kith::traits<Weighs> : kith::trait_list<kith::Union> {};
template <>
struct kith::traits<Locked> : kith::trait_list<kith::Singleton, kith::DontFragment> {};
template <>
struct kith::traits<Copied>
    : kith::trait_list<kith::pair_id(kith::OnInstantiate, kith::Override), kith::Inheritable> {};
template <>
struct kith::traits<Guarded>
    : kith::trait_list<kith::Acyclic, kith::pair_id(kith::OnDeleteTarget, kith::Panic)> {};
template <>
struct kith::traits<Spread> : kith::trait_list<kith::Sparse, kith::PairIsTag> {};

namespace {

using namespace storage_tests;

class typed_traits_in_any_storage : public any_storage {
 protected:
  const thing ann = entity("ann"), bob = entity("bob"), cyd = entity("cyd");
};
INSTANTIATE_TEST_SUITE_P(, typed_traits_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

TEST_P(typed_traits_in_any_storage, hold_from_the_first_use) {
  ann->add<Married>(bob);
  EXPECT_TRUE(bob->has<Married>(ann));
  cyd->add<Married>(ann);
  EXPECT_FALSE(bob->has<Married>(kith::Wildcard));
  const thing married = component<Married>();
  EXPECT_TRUE(married->has(kith::Symmetric));
  EXPECT_TRUE(ann->has<Married>(cyd));
}

// R109 M4 U14
TEST_P(typed_traits_in_any_storage, union_holds_for_pairs_with_values) {
  ann->set<Weighs>(bob, {5});
  ann->set<Weighs>(cyd, {6});
  EXPECT_EQ(line_of(ann), "ann: (Weighs, cyd)=6");
  EXPECT_EQ(names(ann->targets<Weighs>()), "cyd");
}

TEST_P(typed_traits_in_any_storage, singleton_holds_for_values) {
  world->set(Locked{3});
  expect_refused(kith::errc::constraint, {"Locked"}, [&] { ann->set(Locked{4}); });
  EXPECT_EQ(world->get<Locked>()->n, 3);
}

TEST_P(typed_traits_in_any_storage, pairs_can_be_traits) {
  ann->set(Copied{3});
  bob->is_a(ann);
  EXPECT_TRUE(bob->owns<Copied>());
  EXPECT_FALSE(as_thing(world->component<Copied>())->has(kith::Final));
  cyd->is_a<Copied>();
  ann->add<Guarded>(cyd);
  expect_refused(kith::errc::constraint, {"cyd", "ann"}, [&] { cyd->destruct(); });
  expect_refused(kith::errc::constraint, {"cyd", "ann"}, [&] { cyd->add<Guarded>(ann); });
}

TEST_P(typed_traits_in_any_storage, pair_is_tag_holds_for_a_type_with_members) {
  ann->set(Spread{2});
  ann->add<Spread>(bob);
  EXPECT_EQ(line_of(ann), "ann: Spread=2, (Spread, bob)");
  EXPECT_EQ(ann->get(world->component<Spread>(), bob), nullptr);
}

TEST_P(typed_traits_in_any_storage, hold_in_every_world) {
  kith::world second;
  const kith::entity eve = second.entity("eve"), tom = second.entity("tom");
  eve.add<Married>(tom);
  EXPECT_TRUE(tom.has<Married>(eve));
  ann->add<Married>(bob);
  EXPECT_TRUE(bob->has<Married>(ann));
}

TEST_P(typed_traits_in_any_storage, hold_for_a_type_first_used_while_deferred) {
  world->defer_begin();
  ann->add<Married>(bob);
  ann->add<Married>(cyd);
  ann->set<Weighs>(bob, {5});
  ann->set<Weighs>(cyd, {6});
  world->defer_end();
  EXPECT_TRUE(cyd->has<Married>(ann));
  EXPECT_FALSE(bob->has<Married>(ann));
  EXPECT_EQ(line_of(ann), "ann: (Married, cyd), (Weighs, cyd)=6");
}

TEST_P(typed_traits_in_any_storage, can_be_taken_like_others) {
  component<Married>()->remove(kith::Symmetric);
  ann->add<Married>(bob);
  EXPECT_FALSE(bob->has<Married>(ann));
}

// --- pins ----------------------------------------------------------------------------------------

// M17 U14
TEST_P(typed_traits_in_any_storage, pins_come_and_go_and_the_data_stays) {
  const thing number = as_thing(world->component<Number>()), likes = entity("Likes"),
              npc = entity("Npc");
  std::vector<thing> crowd;
  for (int i = 0; i < 40; ++i) {
    crowd.push_back(entity());
    crowd.back()->set(Number{i}).set<Number>(i % 2 ? ann : bob, {-i});
    if (i % 3) crowd.back()->add(npc);
    for (const thing& whom : {ann, bob, cyd})
      if (i % 5) crowd.back()->add(likes, whom);
  }
  const auto data = [&] {
    std::string text;
    for (const thing& each : crowd) text += line_of(each) + "\n";
    return text + std::to_string(world->count(likes, ann)) + names(crowd[1]->targets(likes));
  };
  const std::string before = data();
  for (kith::entity_t pin :
       {kith::Fragment, kith::DontFragment, kith::Sparse, kith::Fragment, kith::Sparse}) {
    for (const thing& id : {number, likes, npc}) {
      id->add(pin);
      EXPECT_EQ(data(), before);
      EXPECT_TRUE(id->has(pin));
    }
    for (const thing& id : {likes, npc, number}) id->remove(pin);
    EXPECT_EQ(data(), before);
  }
}

TEST_P(typed_traits_in_any_storage, pin_leaves_what_is_shown_of_the_table_alone) {
  const thing likes = entity("Likes");
  ann->add(likes, bob);
  likes->add(kith::DontFragment);
  EXPECT_EQ(ann->table().type().count(), 0u);
  EXPECT_EQ(ann->type().count(), 1u);
  likes->remove(kith::DontFragment);
  likes->add(kith::Fragment);
  EXPECT_EQ(ann->table().type().str(), "(Likes, bob)");
  EXPECT_EQ(ann->type().str(), "(Likes, bob)");
}

}  // namespace
