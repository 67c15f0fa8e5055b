// Parents, names and the order of children, beside ids in any storage.
#include <algorithm>
#include <utility>

#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class hierarchy_in_any_storage : public any_storage {
 protected:
  std::string children_of(const thing& e) {
    std::vector<kith::entity> found;
    for (kith::entity child : e->children()) found.push_back(child);
    std::sort(found.begin(), found.end());
    return names(found);
  }

  const thing number = component<Number>(), likes = relation("Likes"), npc = tag("Npc");
  const thing ship = entity("ship"), dock = entity("dock");
  const thing a = entity("a"), b = entity("b"), c = entity("c");
};
INSTANTIATE_TEST_SUITE_P(, hierarchy_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

TEST_P(hierarchy_in_any_storage, new_parent_takes_the_place_of_the_old_one) {
  a->set(Number{1}).add(likes, b);
  a->child_of(ship);
  EXPECT_EQ(a->parent(), ship);
  EXPECT_EQ(children_of(ship), "ship::a");
  a->child_of(dock);
  EXPECT_EQ(a->parent(), dock);
  EXPECT_EQ(children_of(ship), "");
  EXPECT_EQ(children_of(dock), "dock::a");
  EXPECT_EQ(line_of(a), "dock::a: Number=1, (ChildOf, dock), (Likes, b)");
}

TEST_P(hierarchy_in_any_storage, name_moves_with_the_entity) {
  a->child_of(ship);
  EXPECT_EQ(world->lookup("ship::a"), a);
  EXPECT_FALSE(world->lookup("a"));
  a->child_of(dock);
  EXPECT_EQ(world->lookup("dock::a"), a);
  EXPECT_FALSE(world->lookup("ship::a"));
  EXPECT_EQ(dock->lookup("a"), a);
  a->remove(kith::ChildOf, dock);
  EXPECT_EQ(world->lookup("a"), a);
  EXPECT_EQ(a->path(), "a");
  EXPECT_FALSE(a->parent());
}

TEST_P(hierarchy_in_any_storage, taken_name_refuses_the_move) {
  a->child_of(ship);
  const thing other = entity("dock::a"), root = entity("a");
  expect_refused(kith::errc::constraint, {"'a'", "dock"}, [&] { a->child_of(dock); });
  expect_refused(kith::errc::constraint, {"'a'"}, [&] { a->remove(kith::ChildOf, ship); });
  expect_refused(kith::errc::constraint, {"'a'"},
                 [&] { a->remove(kith::ChildOf, kith::Wildcard); });
  expect_refused(kith::errc::constraint, {"'a'"}, [&] { a->clear(); });
  expect_refused(kith::errc::constraint, {"'b'"}, [&] { root->set_name("b"); });
  EXPECT_EQ(world->lookup("ship::a"), a);
  EXPECT_EQ(world->lookup("dock::a"), other);
}

// R87
TEST_P(hierarchy_in_any_storage, equal_names_under_different_parents_do_not_clash) {
  const thing one = entity("ship::part"), two = entity("dock::part");
  one->set(Number{1});
  two->set(Number{2});
  EXPECT_EQ(as_thing(world->lookup("ship::part"))->get<Number>()->n, 1);
  EXPECT_EQ(as_thing(world->lookup("dock::part"))->get<Number>()->n, 2);
}

TEST_P(hierarchy_in_any_storage, circle_of_parents_is_refused) {
  a->child_of(ship);
  b->child_of(a);
  expect_refused(kith::errc::constraint, {"ship", "ChildOf"}, [&] { ship->child_of(b); });
  expect_refused(kith::errc::constraint, {"a", "ChildOf"}, [&] { a->child_of(a); });
}

TEST_P(hierarchy_in_any_storage, whole_subtree_moves_with_its_root) {
  a->child_of(ship);
  b->child_of(a);
  c->child_of(b);
  a->child_of(dock);
  EXPECT_EQ(c->path(), "dock::a::b::c");
  EXPECT_EQ(world->lookup("dock::a::b::c"), c);
  EXPECT_TRUE(c->reaches(kith::ChildOf, dock));
  EXPECT_FALSE(c->reaches(kith::ChildOf, ship));
}

TEST_P(hierarchy_in_any_storage, parent_takes_its_subtree_along_children_first) {
  struct Log {
    std::vector<int>* ended = nullptr;
    int n = 0;
    Log() = default;
    Log(std::vector<int>* list, int number) : ended(list), n(number) {}
    Log(const Log&) = default;
    Log(Log&& other) noexcept : ended(std::exchange(other.ended, nullptr)), n(other.n) {}
    Log& operator=(Log&& other) noexcept {
      std::swap(ended, other.ended);
      std::swap(n, other.n);
      return *this;
    }
    ~Log() {
      if (ended) ended->push_back(n);
    }
  };
  std::vector<int> ended;
  component<Log>();
  a->child_of(ship);
  b->child_of(a);
  c->child_of(b);
  int n = 0;
  for (const thing& each : {ship, a, b, c}) each->emplace<Log>(&ended, n++);
  dock->add(likes, c);
  ship->destruct();
  EXPECT_EQ(ended, (std::vector<int>{3, 2, 1, 0}));
  for (const thing& each : {ship, a, b, c}) EXPECT_FALSE(each.is_alive());
  EXPECT_EQ(line_of(dock), "dock:");
  EXPECT_FALSE(world->lookup("ship::a"));
}

TEST_P(hierarchy_in_any_storage, new_entities_belong_to_the_scope) {
  ship->scope([&] {
    const thing inner = as_thing(world->entity("inner"));
    inner->add(npc);
    EXPECT_EQ(inner->parent(), ship);
    EXPECT_EQ(as_thing(world->entity())->parent(), ship);
    EXPECT_EQ(as_thing(world->entity(Number{1}))->parent(), ship);
    EXPECT_FALSE(as_thing(world->new_id())->parent());
  });
  EXPECT_FALSE(as_thing(world->entity())->parent());
  EXPECT_EQ(world->count(kith::ChildOf, ship), 3u);
}

TEST_P(hierarchy_in_any_storage, component_can_be_a_parent_and_the_pair_is_a_tag) {
  a->child_of(number);
  EXPECT_FALSE(world->pair(kith::ChildOf, number).type_id());
  EXPECT_EQ(a->parent(), number);
}

// --- OrderedChildren -----------------------------------------------------------------------------

TEST_P(hierarchy_in_any_storage, ordered_children_are_in_the_order_they_came) {
  ship->add(kith::OrderedChildren);
  for (const thing& child : {c, a, b}) child->child_of(ship);
  EXPECT_EQ(names(ship->children()), "ship::c, ship::a, ship::b");
  a->child_of(dock);
  EXPECT_EQ(names(ship->children()), "ship::c, ship::b");
  a->child_of(ship);
  EXPECT_EQ(names(ship->children()), "ship::c, ship::b, ship::a");
  c->destruct();
  EXPECT_EQ(names(ship->children()), "ship::b, ship::a");
  for (const thing& child : {a, b}) child->add(npc).set(Number{1}).add(likes, dock);
  EXPECT_EQ(names(ship->children()), "ship::b, ship::a");
  b->child_of(ship);
  EXPECT_EQ(names(ship->children()), "ship::b, ship::a");
}

TEST_P(hierarchy_in_any_storage, many_ordered_children_keep_their_order) {
  ship->add(kith::OrderedChildren);
  std::vector<kith::entity> order;
  for (int i = 0; i < 200; ++i) {
    order.push_back(entity());
    order.back().child_of(ship);
  }
  for (std::size_t i = 0; i < order.size(); i += 2) order[i].destruct();
  std::vector<kith::entity> left;
  for (std::size_t i = 1; i < order.size(); i += 2) left.push_back(order[i]);
  EXPECT_EQ(names(ship->children()), names(left));
}

TEST_P(hierarchy_in_any_storage, order_can_be_set) {
  ship->add(kith::OrderedChildren);
  for (const thing& child : {a, b, c}) child->child_of(ship);
  const std::vector<kith::entity> order{b, c, a};
  ship->set_child_order(order);
  EXPECT_EQ(names(ship->children()), "ship::b, ship::c, ship::a");
  entity("ship::d");
  EXPECT_EQ(names(ship->children()), "ship::b, ship::c, ship::a, ship::d");
  c->destruct();
  EXPECT_EQ(names(ship->children()), "ship::b, ship::a, ship::d");
}

TEST_P(hierarchy_in_any_storage, order_must_name_each_child_once) {
  ship->add(kith::OrderedChildren);
  for (const thing& child : {a, b}) child->child_of(ship);
  const std::vector<kith::entity> wrong[] = {{a}, {a, a}, {a, b, c}, {a, c}, {a, b, b}, {}};
  for (const auto& order : wrong) {
    expect_refused(kith::errc::constraint, {"ship"}, [&] { ship->set_child_order(order); });
    EXPECT_EQ(names(ship->children()), "ship::a, ship::b");
  }
  ship->remove(kith::OrderedChildren);
  const std::vector<kith::entity> right{b, a};
  expect_refused(kith::errc::constraint, {"ship"}, [&] { ship->set_child_order(right); });
}

TEST_P(hierarchy_in_any_storage, order_set_while_visiting_holds_when_the_visit_is_over) {
  ship->add(kith::OrderedChildren);
  for (const thing& child : {a, b, c}) child->child_of(ship);
  const std::vector<kith::entity> order{c, b, a};
  std::vector<kith::entity> visited;
  for (kith::entity child : ship->children()) {
    visited.push_back(child);
    ship->set_child_order(order);
  }
  EXPECT_EQ(names(visited), "ship::a, ship::b, ship::c");
  EXPECT_EQ(names(ship->children()), "ship::c, ship::b, ship::a");
}

TEST_P(hierarchy_in_any_storage, order_set_while_deferred_names_the_children_there_will_be) {
  for (const thing& child : {a, b}) child->child_of(ship);
  const std::vector<kith::entity> order{c, a};
  world->defer_begin();
  ship->add(kith::OrderedChildren);
  b->destruct();
  c->child_of(ship);
  ship->set_child_order(order);
  EXPECT_EQ(children_of(ship), "ship::a, ship::b");
  world->defer_end();
  EXPECT_EQ(names(ship->children()), "ship::c, ship::a");
}

TEST_P(hierarchy_in_any_storage, wrong_order_set_while_deferred_is_an_error_at_the_end) {
  ship->add(kith::OrderedChildren);
  for (const thing& child : {a, b}) child->child_of(ship);
  const std::vector<kith::entity> wrong{b, a, c}, right{b, a};
  world->defer_begin();
  ship->set_child_order(right);
  ship->set_child_order(wrong);
  c->child_of(ship);
  EXPECT_NE(message_of([&] { world->defer_end(); }).find("ship"), std::string::npos);
  EXPECT_EQ(names(ship->children()), "ship::b, ship::a, ship::c");
}

TEST_P(hierarchy_in_any_storage, order_with_a_child_that_is_gone_is_refused_also_while_deferred) {
  ship->add(kith::OrderedChildren);
  for (const thing& child : {a, b}) child->child_of(ship);
  const std::vector<kith::entity> order{b, a};
  b->destruct();
  expect_refused(kith::errc::not_alive, {}, [&] { ship->set_child_order(order); });
  world->defer_begin();
  expect_refused(kith::errc::not_alive, {}, [&] { ship->set_child_order(order); });
  world->defer_end();
}

TEST_P(hierarchy_in_any_storage, late_order_starts_with_the_children_there_are) {
  for (const thing& child : {a, b}) child->child_of(ship);
  ship->add(kith::OrderedChildren);
  c->child_of(ship);
  EXPECT_EQ(children_of(ship), "ship::a, ship::b, ship::c");
  kith::entity last;
  for (kith::entity child : ship->children()) last = child;
  EXPECT_EQ(last, c);
}

TEST_P(hierarchy_in_any_storage, child_that_is_switched_off_is_not_shown_and_keeps_its_place) {
  ship->add(kith::OrderedChildren);
  for (const thing& child : {a, b, c}) child->child_of(ship);
  a->disable(kith::ChildOf, ship);
  EXPECT_EQ(names(ship->children()), "ship::b, ship::c");
  a->enable(kith::ChildOf, ship);
  EXPECT_EQ(names(ship->children()), "ship::a, ship::b, ship::c");
}

// --- deferred ------------------------------------------------------------------------------------

TEST_P(hierarchy_in_any_storage, moves_while_visiting_children_wait_for_the_end) {
  ship->add(kith::OrderedChildren);
  for (const thing& child : {a, b, c}) child->child_of(ship);
  for (kith::entity child : ship->children()) child.child_of(dock);
  EXPECT_EQ(children_of(ship), "");
  EXPECT_EQ(children_of(dock), "dock::a, dock::b, dock::c");
  world->defer_begin();
  a->child_of(ship);
  b->child_of(a);
  dock->destruct();
  EXPECT_EQ(a->parent(), dock);
  world->defer_end();
  EXPECT_EQ(b->path(), "ship::a::b");
  EXPECT_FALSE(c.is_alive());
}

}  // namespace
