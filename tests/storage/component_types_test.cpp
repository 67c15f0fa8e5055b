#include "storage/component_types.hpp"

#include <gtest/gtest.h>

namespace {

using namespace kith::core;

constexpr std::uint32_t position = 300, mass = 301, likes = 310, apples = 311;

// Position and Mass are types; likes and apples are plain entities.
component_types two_types() {
  component_types types;
  types.insert(position, describe_type<float>());
  types.insert(mass, describe_type<double>());
  return types;
}

// The component an id has values of: `300`, or `tag`.
std::string type_text(const component_types& types, kith::id_t id) {
  const type_info* type = types.type_of(id);
  return type ? std::to_string(type->component) : "tag";
}

TEST(component_types, plain_id_has_the_type_of_its_entity) {
  EXPECT_EQ(type_text(two_types(), position), "300");
  EXPECT_EQ(type_text(two_types(), likes), "tag");
}

TEST(component_types, pair_of_two_tags_is_a_tag) {
  EXPECT_EQ(type_text(two_types(), make_pair_of(likes, apples)), "tag");
}

TEST(component_types, pair_has_the_type_of_its_relation) {
  EXPECT_EQ(type_text(two_types(), make_pair_of(position, apples)), "300");
}

TEST(component_types, pair_has_the_type_of_its_target_if_the_relation_is_none) {
  EXPECT_EQ(type_text(two_types(), make_pair_of(likes, mass)), "301");
}

TEST(component_types, relation_goes_before_target) {
  EXPECT_EQ(type_text(two_types(), make_pair_of(position, mass)), "300");
  EXPECT_EQ(type_text(two_types(), make_pair_of(mass, position)), "301");
}

TEST(component_types, pair_is_tag_makes_all_pairs_of_the_relation_tags) {
  component_types types = two_types();
  types.set_pair_is_tag(likes, true);
  types.set_pair_is_tag(position, true);
  EXPECT_EQ(type_text(types, make_pair_of(likes, mass)), "tag");
  EXPECT_EQ(type_text(types, make_pair_of(position, mass)), "tag");
  EXPECT_EQ(type_text(types, position), "300");
  EXPECT_EQ(type_text(types, make_pair_of(apples, mass)), "301");
}

TEST(component_types, pair_is_tag_can_be_taken_back) {
  component_types types = two_types();
  types.set_pair_is_tag(likes, true);
  types.set_pair_is_tag(likes, false);
  EXPECT_EQ(type_text(types, make_pair_of(likes, mass)), "301");
}

TEST(component_types, erased_entity_is_no_type_any_more) {
  component_types types = two_types();
  types.set_pair_is_tag(position, true);
  types.erase(position);
  EXPECT_EQ(types.find(position), nullptr);
  types.insert(position, describe_type<int>());
  EXPECT_EQ(type_text(types, make_pair_of(position, apples)), "300");
}

TEST(component_types, type_info_outlives_its_entity) {
  component_types types = two_types();
  const type_info* info = types.find(position);
  types.erase(position);
  EXPECT_EQ(info->size, sizeof(float));
}

TEST(component_types, type_info_stays_where_it_is_while_types_come) {
  component_types types = two_types();
  const type_info* info = types.find(position);
  for (kith::entity_t e = 1000; e < 2000; ++e) types.insert(e, describe_type<int>());
  EXPECT_EQ(types.find(position), info);
}

}  // namespace
