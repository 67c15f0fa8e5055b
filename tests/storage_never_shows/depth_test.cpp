// Very long chains of relations: nothing overflows, nothing takes forever.
#include "storage_never_shows/fixture.hpp"
#include "support/timing.hpp"

namespace {

using namespace storage_tests;

class depth_in_any_storage : public any_storage {
 protected:
  static constexpr int depth = static_cast<int>(kith::test::many);

  // links[0] is the first; each later one has (relation, the one before).
  void chain_down(kith::entity relation, int length = depth) {
    links.push_back(entity());
    for (int i = 0; i < length; ++i) {
      links.push_back(entity());
      links.back().add(relation, links[links.size() - 2]);
    }
  }
  // Each has (relation, the one after).
  void chain_up(kith::entity relation, int length = depth) {
    links.push_back(entity());
    for (int i = 0; i < length; ++i) {
      links.push_back(entity());
      links[links.size() - 2].add(relation, links.back());
    }
  }
  std::size_t living() const {
    std::size_t count = 0;
    for (kith::entity e : links) count += e.is_alive();
    return count;
  }

  // Plain handles: moving the ids for each of them would take forever.
  std::vector<kith::entity> links;
};
INSTANTIATE_TEST_SUITE_P(, depth_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

TEST_P(depth_in_any_storage, deep_hierarchy_goes_with_its_root) {
  component<Number>();
  chain_down(world->entity(kith::ChildOf));
  for (std::size_t i = 0; i < links.size(); i += depth / 100) links[i].set(Number{1});
  EXPECT_TRUE(links.back().reaches(kith::ChildOf, links[0]));
  EXPECT_EQ(links[0].reached_by(kith::ChildOf).size(), links.size() - 1);
  EXPECT_THROW(links[0].child_of(links.back()), kith::error);
  as_thing(links[0])->destruct();
  EXPECT_EQ(living(), 0u);
  EXPECT_EQ(world->count<Number>(), 0u);
}

TEST_P(depth_in_any_storage, deep_chain_of_deletion_goes_with_its_end) {
  const thing needs = relation("Needs");
  needs->add(kith::OnDeleteTarget, kith::Delete);
  chain_down(needs);
  as_thing(links[0])->destruct();
  EXPECT_EQ(living(), 0u);
}

TEST_P(depth_in_any_storage, deep_circle_of_deletion_goes_whole) {
  const thing needs = relation("Needs");
  needs->add(kith::OnDeleteTarget, kith::Delete);
  chain_up(needs);
  links.back().add(needs, links[0]);
  as_thing(links[links.size() / 2])->destruct();
  EXPECT_EQ(living(), 0u);
}

TEST_P(depth_in_any_storage, panic_at_the_end_of_a_deep_chain_stops_all) {
  const thing needs = relation("Needs"), holds = relation("Holds"), hook = entity("hook");
  needs->add(kith::OnDeleteTarget, kith::Delete);
  holds->add(kith::OnDeleteTarget, kith::Panic);
  chain_down(needs);
  hook->add(holds, links.back());
  EXPECT_THROW(as_thing(links[0])->destruct(), kith::error);
  EXPECT_EQ(living(), links.size());
}

TEST_P(depth_in_any_storage, deep_line_of_kinds_shows_its_top) {
  component<Number>();
  const thing likes = relation("Likes"), top = entity("top");
  chain_down(world->entity(kith::IsA));
  links[0].set(Number{1}).add(likes, top);
  const thing bottom = as_thing(links.back());
  EXPECT_EQ(bottom->get<Number>()->n, 1);
  EXPECT_TRUE(bottom->has(likes, top));
  EXPECT_EQ(names(bottom->targets(likes)), "top");
  EXPECT_TRUE(bottom->related(kith::IsA, links[0]));
  EXPECT_FALSE(bottom->related(kith::IsA, top));
  EXPECT_EQ(bottom->reached(kith::IsA).size(), links.size() - 1);
  EXPECT_EQ(links[0].reached_by(kith::IsA).size(), links.size() - 1);
  bottom->add<Number>();
  EXPECT_EQ(bottom->get<Number>()->n, 1);
  as_thing(links[links.size() / 2])->destruct();
  EXPECT_FALSE(bottom->has(likes, top));
}

TEST_P(depth_in_any_storage, deep_line_of_kinds_can_be_built_from_either_end) {
  const thing npc = tag("Npc");
  chain_up(world->entity(kith::IsA));
  links.back().add(npc);
  EXPECT_TRUE(as_thing(links[0])->has(npc));
  EXPECT_TRUE(as_thing(links[0])->related(npc));
  links.back().add(kith::IsA, links[0]);
  EXPECT_TRUE(as_thing(links[depth / 2])->related(kith::IsA, links[depth / 2]));
}

TEST_P(depth_in_any_storage, deep_line_of_predicates_holds) {
  const thing npc = entity("npc");
  chain_down(world->entity(kith::IsA), depth / 10);
  npc->add(links.back());
  EXPECT_TRUE(npc->related(links[0]));
  EXPECT_FALSE(npc->has(links[0]));
  npc->add(links.back(), npc);
  EXPECT_TRUE(npc->related(links[0], npc));
}

TEST_P(depth_in_any_storage, deep_transitive_relation_holds_from_end_to_end) {
  const thing in = relation("In");
  in->add(kith::Transitive);
  chain_up(in);
  const thing first = as_thing(links[0]);
  EXPECT_TRUE(first->related(in, links.back()));
  EXPECT_FALSE(as_thing(links.back())->related(in, first));
  EXPECT_EQ(first->reached(in).size(), links.size() - 1);
  EXPECT_EQ(as_thing(links.back())->reached_by(in).size(), links.size() - 1);
  links.back().add(in, first);
  EXPECT_TRUE(first->related(in, first));
}

TEST_P(depth_in_any_storage, deep_acyclic_relation_stays_open) {
  const thing on = relation("On");
  chain_down(on);
  on->add(kith::Acyclic);
  EXPECT_THROW(as_thing(links[0])->add(on, links.back()), kith::error);
  on->remove(kith::Acyclic);
  links[0].add(on, links.back());
  EXPECT_THROW(on->add(kith::Acyclic), kith::error);
}

TEST_P(depth_in_any_storage, deep_prefab_is_made_whole) {
  constexpr int levels = depth / 5;
  links.push_back(prefab("model"));
  for (int i = 0; i < levels; ++i) {
    links.push_back(entity());
    links.back().child_of(links[links.size() - 2]);
  }
  const thing mine = entity("mine");
  mine->is_a(links[0]);
  EXPECT_EQ(mine.reached_by(kith::ChildOf).size(), static_cast<std::size_t>(levels));
  mine->destruct();
  EXPECT_EQ(living(), links.size());
}

TEST_P(depth_in_any_storage, deep_line_of_with_adds_all) {
  constexpr int length = 1000;
  for (int i = 0; i <= length; ++i) links.push_back(entity());
  for (std::size_t i = 0; i < length; ++i) links[i].add(kith::With, links[i + 1]);
  const thing bob = entity("bob");
  bob->add(links[0]);
  EXPECT_EQ(bob->type().count(), links.size());
  bob->add(links[0], bob);
  EXPECT_EQ(bob->type().count(), 2 * links.size());
}

}  // namespace
