// related(): what holds by Transitive, Reflexive and kinds, in the sense of queries.
#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class holds_in_any_storage : public any_storage {
 protected:
  void locate() {
    mission->add(in, city);
    city->add(in, region);
    region->add(in, country);
  }

  const thing in = relation("In");
  const thing mission = entity("mission"), city = entity("city"), region = entity("region"),
              country = entity("country");
};
INSTANTIATE_TEST_SUITE_P(, holds_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

TEST_P(holds_in_any_storage, without_traits_only_pairs_that_are_there_hold) {
  locate();
  EXPECT_TRUE(mission->related(in, city));
  EXPECT_FALSE(mission->related(in, region));
  EXPECT_FALSE(city->related(in, mission));
  EXPECT_FALSE(city->related(in, city));
}

// M3 Q139 C46
TEST_P(holds_in_any_storage, transitive_holds_along_the_way) {
  in->add(kith::Transitive);
  locate();
  EXPECT_TRUE(mission->related(in, country));
  EXPECT_TRUE(mission->related(in, region));
  EXPECT_TRUE(mission->related(in, city));
  EXPECT_FALSE(country->related(in, mission));
  EXPECT_FALSE(mission->related(in, mission));
  EXPECT_FALSE(mission->has(in, country));
  EXPECT_EQ(names(mission->targets(in)), "city");
}

// C45
TEST_P(holds_in_any_storage, late_transitive_counts_at_once_and_not_after_it_is_taken) {
  locate();
  in->add(kith::Transitive);
  EXPECT_TRUE(mission->related(in, country));
  in->remove(kith::Transitive);
  EXPECT_FALSE(mission->related(in, country));
}

TEST_P(holds_in_any_storage, way_that_is_cut_leads_no_further) {
  in->add(kith::Transitive);
  locate();
  EXPECT_TRUE(mission->related(in, country));
  city->remove(in, region);
  EXPECT_FALSE(mission->related(in, country));
  mission->add(in, region);
  EXPECT_TRUE(mission->related(in, country));
  region->destruct();
  EXPECT_FALSE(mission->related(in, country));
}

// U11 C44
TEST_P(holds_in_any_storage, node_on_a_cycle_is_related_to_itself) {
  in->add(kith::Transitive);
  locate();
  country->add(in, city);
  EXPECT_TRUE(city->related(in, city));
  EXPECT_TRUE(country->related(in, region));
  EXPECT_FALSE(mission->related(in, mission));
  EXPECT_TRUE(mission->related(in, country));
}

TEST_P(holds_in_any_storage, reflexive_holds_for_every_entity) {
  EXPECT_FALSE(city->related(in, city));
  in->add(kith::Reflexive);
  EXPECT_TRUE(city->related(in, city));
  EXPECT_TRUE(in->related(in, in));
  EXPECT_FALSE(city->related(in, country));
  EXPECT_FALSE(city->has(in, city));
  EXPECT_FALSE(city->reaches(in, city));
  in->remove(kith::Reflexive);
  EXPECT_FALSE(city->related(in, city));
}

// C38 C46
TEST_P(holds_in_any_storage, isa_is_transitive_and_not_reflexive) {
  const thing fruit = entity("Fruit"), apple = entity("Apple"), granny = entity("Granny");
  apple->is_a(fruit);
  granny->is_a(apple);
  EXPECT_TRUE(granny->related(kith::IsA, fruit));
  EXPECT_FALSE(granny->has(kith::IsA, fruit));
  EXPECT_FALSE(fruit->related(kith::IsA, apple));
  EXPECT_FALSE(fruit->related(kith::IsA, fruit));
  EXPECT_EQ(names(granny->targets(kith::IsA)), "Apple");
}

// C38
TEST_P(holds_in_any_storage, isa_can_be_made_reflexive) {
  const thing fruit = entity("Fruit");
  world->entity(kith::IsA).add(kith::Reflexive);
  EXPECT_TRUE(fruit->related(kith::IsA, fruit));
}

// --- kinds ---------------------------------------------------------------------------------------

// Q148
TEST_P(holds_in_any_storage, predicate_stands_for_its_kinds) {
  const thing art = tag("Artwork"), painting = tag("Painting"), portrait = tag("Portrait");
  painting->is_a(art);
  portrait->is_a(painting);
  const thing mona = entity("MonaLisa"), david = entity("David");
  mona->add(portrait);
  david->add(art);
  EXPECT_TRUE(mona->related(portrait));
  EXPECT_TRUE(mona->related(painting));
  EXPECT_TRUE(mona->related(art));
  EXPECT_TRUE(david->related(art));
  EXPECT_FALSE(david->related(painting));
  EXPECT_FALSE(mona->has(art));
  EXPECT_FALSE(portrait->related(art));
  painting->remove(kith::IsA, art);
  EXPECT_FALSE(mona->related(art));
}

TEST_P(holds_in_any_storage, relation_stands_for_its_kinds) {
  const thing within = relation("Within");
  within->is_a(in);
  mission->add(within, city);
  EXPECT_TRUE(mission->related(in, city));
  EXPECT_FALSE(mission->has(in, city));
  city->add(in, country);
  EXPECT_FALSE(mission->related(in, country));
  in->add(kith::Transitive);
  EXPECT_TRUE(mission->related(in, country));
  EXPECT_FALSE(mission->related(within, country));
  EXPECT_TRUE(mission->related(within, city));
}

TEST_P(holds_in_any_storage, traits_of_a_kind_do_not_count_for_its_base) {
  const thing within = relation("Within");
  within->is_a(in);
  within->add(kith::Transitive);
  within->add(kith::Reflexive);
  mission->add(within, city);
  city->add(within, country);
  EXPECT_TRUE(mission->related(within, country));
  EXPECT_FALSE(mission->related(in, country));
  EXPECT_FALSE(mission->related(in, mission));
}

TEST_P(holds_in_any_storage, traits_are_not_handed_on_to_kinds) {
  const thing within = relation("Within");
  in->add(kith::Transitive);
  in->add(kith::Exclusive);
  within->is_a(in);
  mission->add(within, city);
  mission->add(within, region);
  city->add(within, country);
  EXPECT_EQ(names(mission->targets(within)), "city, region");
  EXPECT_FALSE(mission->related(within, country));
  EXPECT_FALSE(within->has(kith::Transitive));
}

// C63
TEST_P(holds_in_any_storage, target_is_not_substituted) {
  const thing likes = relation("Likes"), fruit = entity("Fruit"), apple = entity("Apple");
  apple->is_a(fruit);
  mission->add(likes, apple);
  EXPECT_FALSE(mission->related(likes, fruit));
  EXPECT_TRUE(mission->related(likes, apple));
}

TEST_P(holds_in_any_storage, what_is_inherited_holds) {
  const thing base = entity("base"), kind = entity("kind"), art = tag("Artwork"),
              portrait = tag("Portrait");
  portrait->is_a(art);
  in->add(kith::Transitive);
  locate();
  base->add(in, mission);
  base->add(portrait);
  kind->is_a(base);
  EXPECT_TRUE(kind->related(in, mission));
  EXPECT_TRUE(kind->related(in, country));
  EXPECT_TRUE(kind->related(art));
  kind->remove(kith::IsA, base);
  EXPECT_FALSE(kind->related(in, country));
}

TEST_P(holds_in_any_storage, what_is_inherited_on_the_way_holds) {
  const thing base = entity("base");
  in->add(kith::Transitive);
  base->add(in, country);
  city->is_a(base);
  mission->add(in, city);
  EXPECT_TRUE(mission->related(in, country));
  EXPECT_FALSE(mission->related(in, base));
}

TEST_P(holds_in_any_storage, what_is_switched_off_does_not_hold) {
  in->add(kith::Transitive);
  locate();
  city->disable(in, region);
  EXPECT_FALSE(mission->related(in, country));
  EXPECT_TRUE(mission->related(in, city));
  mission->disable(in, city);
  EXPECT_FALSE(mission->related(in, city));
  city->enable(in, region);
  mission->enable(in, city);
  EXPECT_TRUE(mission->related(in, country));
}

TEST_P(holds_in_any_storage, pair_as_one_id_means_the_same) {
  in->add(kith::Transitive);
  locate();
  EXPECT_TRUE(mission->related(world->pair(in, country)));
  EXPECT_FALSE(country->related(world->pair(in, mission)));
}

TEST_P(holds_in_any_storage, typed_predicates_and_relations_hold_too) {
  component<Begin>();
  component<Number>();
  const thing start = tag("Start");
  start->is_a<Begin>();
  mission->add(start);
  city->set(Number{1});
  EXPECT_TRUE(mission->related<Begin>());
  EXPECT_FALSE(mission->related<Number>());
  EXPECT_TRUE(city->related<Number>());
  mission->add<Begin>(city);
  EXPECT_TRUE(mission->related<Begin>(city));
}

// C47
TEST_P(holds_in_any_storage, self_is_the_first_for_which_target_for_asks) {
  const thing npc = tag("Npc"), pc = tag("Pc");
  locate();
  city->add(npc);
  country->add(npc);
  EXPECT_EQ(mission->target_for(in, npc), city);
  EXPECT_EQ(city->target_for(in, npc), city);
  EXPECT_EQ(region->target_for(in, npc), country);
  EXPECT_FALSE(mission->target_for(in, pc));
  city->remove(npc);
  EXPECT_EQ(mission->target_for(in, npc), country);
  region->remove(in, country);
  EXPECT_FALSE(mission->target_for(in, npc));
}

TEST_P(holds_in_any_storage, target_for_ends_on_a_cycle) {
  const thing npc = tag("Npc");
  locate();
  country->add(in, mission);
  EXPECT_FALSE(mission->target_for(in, npc));
  country->add(npc);
  EXPECT_EQ(mission->target_for(in, npc), country);
}

}  // namespace
