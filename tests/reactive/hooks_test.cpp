// Hooks of types: when they are called, with which values, and what they can do.
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

struct Mass {
  int value = 0;
};
struct Marked {};
struct Carries {};

// Notes what hooks are told, one line each.
struct hooked_world {
  std::vector<std::string> lines;
  kith::world world;

  explicit hooked_world(const char* storage = "") {
    note();
    if (*storage) world.component<Mass>().add(world.lookup(storage));
  }
  void note() {
    world.component<Mass>()
        .on_add([this](kith::entity e, Mass& m) { line("add", e, m); })
        .on_set([this](kith::entity e, Mass& m) { line("set", e, m); })
        .on_remove([this](kith::entity e, Mass& m) { line("remove", e, m); })
        .on_replace([this](kith::entity e, Mass& old, Mass& next) {
          line("replace", e, old);
          lines.back() += " by " + std::to_string(next.value);
        });
  }
  void line(const char* what, kith::entity e, const Mass& m) {
    lines.push_back(std::string(what) + " " + std::string(e.name()) + " " +
                    std::to_string(m.value));
  }
  std::string text() {
    std::string all;
    for (const std::string& each : lines) all += each + "\n";
    lines.clear();
    return all;
  }
};

class hooks : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(storages, hooks, ::testing::Values("", "Sparse", "Fragment"),
                         [](const auto& test) {
                           return std::string(*test.param ? test.param : "chosen");
                         });

TEST_P(hooks, hear_of_values_that_come_change_and_go) {
  hooked_world w(GetParam());
  kith::entity e = w.world.entity("e");
  e.add<Mass>();
  EXPECT_EQ(w.text(), "add e 0\n");
  e.set(Mass{1});
  EXPECT_EQ(w.text(), "replace e 0 by 1\nset e 1\n");
  e.add<Mass>();
  EXPECT_EQ(w.text(), "");
  e.get_mut<Mass>()->value = 5;
  EXPECT_EQ(w.text(), "");
  e.modified<Mass>();
  EXPECT_EQ(w.text(), "set e 5\n");
  e.remove<Mass>();
  EXPECT_EQ(w.text(), "remove e 5\n");
  e.set(Mass{2});
  EXPECT_EQ(w.text(), "add e 2\nset e 2\n");
  e.emplace<Mass>(3);
  EXPECT_EQ(w.text(), "replace e 2 by 3\nset e 3\n");
  e.destruct();
  EXPECT_EQ(w.text(), "remove e 3\n");
}

TEST_P(hooks, hear_of_bulk_clone_cleanup_facts_and_the_end_of_the_world) {
  std::vector<std::string> left;
  {
    hooked_world w(GetParam());
    w.world.component<Mass>().member("value", &Mass::value);
    w.world.bulk(2, Mass{4});
    EXPECT_EQ(w.text(), "add  4\nadd  4\nset  4\nset  4\n");
    kith::entity e = w.world.entity("e").set(Mass{1});
    w.text();
    kith::entity c = e.clone();
    EXPECT_EQ(w.text(), "add  1\nset  1\n");
    c.child_of(e);
    e.destruct();
    EXPECT_EQ(w.text(), "remove  1\nremove e 1\n");
    w.world.define("Mass(m) {7}");
    EXPECT_EQ(w.text(), "add m 7\nset m 7\n");
    EXPECT_FALSE(w.world.try_define("Mass(n) {8}\n!Mass(m)\nChildOf(m, m)"));
    EXPECT_EQ(w.text(), "");
    w.world.component<Mass>();
    left = {};
  }
}

TEST(hooks, at_the_end_of_the_world_hear_of_all_values) {
  int removed = 0;
  {
    kith::world world;
    world.component<Mass>().on_remove([&](Mass& m) { removed += m.value; });
    world.bulk(3, Mass{2});
  }
  EXPECT_EQ(removed, 6);
}

TEST(hooks, of_a_type_are_called_for_all_pairs_that_have_its_values) {
  hooked_world w;
  kith::entity e = w.world.entity("e"), apple = w.world.entity("apple");
  e.set<Mass>(apple, {2});
  EXPECT_EQ(w.text(), "add e 2\nset e 2\n");
  e.set<Carries, Mass>(Mass{3});
  EXPECT_EQ(w.text(), "add e 3\nset e 3\n");
  apple.destruct();
  EXPECT_EQ(w.text(), "remove e 2\n");
}

TEST(hooks, of_a_tag_are_called_with_a_value_that_means_nothing) {
  std::vector<std::string> lines;
  kith::world world;
  world.component<Marked>()
      .on_add([&](kith::entity e, Marked&) { lines.push_back("add " + std::string(e.name())); })
      .on_remove([&](Marked&) { lines.push_back("remove"); });
  kith::entity e = world.entity("e").add<Marked>();
  e.remove<Marked>();
  EXPECT_EQ(lines, (std::vector<std::string>{"add e", "remove"}));
}

TEST(hooks, with_an_iterator_see_the_event_and_the_id) {
  std::vector<std::string> lines;
  kith::world world;
  world.component<Mass>().on_remove([&](kith::iter& it, std::size_t row, Mass& m) {
    EXPECT_EQ(it.event(), kith::OnRemove);
    EXPECT_TRUE(it.entity(row).has<Mass>());
    lines.push_back(std::string(it.entity(row).name()) + " " + std::to_string(m.value));
  });
  world.entity("e").set(Mass{3}).remove<Mass>();
  EXPECT_EQ(lines, std::vector<std::string>{"e 3"});
}

TEST(hooks, on_validate_refuses_a_change_as_a_whole) {
  hooked_world w;
  w.world.component<Mass>().on_validate([](const Mass& m) { return m.value >= 0; });
  kith::entity e = w.world.entity("e").set(Mass{1});
  w.text();
  EXPECT_THROW(e.set(Mass{-1}), kith::error);
  EXPECT_EQ(e.get<Mass>()->value, 1);
  EXPECT_THROW(w.world.entity(Mass{-2}, Marked{}), kith::error);
  EXPECT_EQ(w.world.count<Marked>(), 0u);
  EXPECT_THROW(w.world.bulk(3, Mass{-1}), kith::error);
  EXPECT_EQ(w.world.count<Mass>(), 1u);
  EXPECT_EQ(w.text(), "");
}

TEST(hooks, on_validate_may_throw_an_error_of_its_own) {
  kith::world world;
  world.component<Mass>().on_validate([](kith::entity, const Mass& m) {
    if (m.value == 13) throw std::invalid_argument("bad luck");
  });
  EXPECT_THROW(world.entity().set(Mass{13}), std::invalid_argument);
  EXPECT_EQ(world.count<Mass>(), 0u);
}

TEST(hooks, are_called_between_observers) {
  std::vector<std::string> lines;
  kith::world world;
  const auto says = [&](const char* what) {
    return [&lines, what](Mass&) { lines.push_back(what); };
  };
  world.component<Mass>()
      .on_add(says("on_add"))
      .on_set(says("on_set"))
      .on_remove(says("on_remove"))
      .on_replace([&](Mass&, Mass& next) {
        lines.push_back("on_replace by " + std::to_string(next.value));
      });
  for (kith::entity_t event : {kith::OnAdd, kith::OnSet, kith::OnRemove})
    world.observer<Mass>().event(event).each([&](kith::iter& it, std::size_t, Mass&) {
      lines.push_back(std::string(it.event().name()));
    });
  kith::entity e = world.entity("e").set(Mass{1});
  EXPECT_EQ(lines, (std::vector<std::string>{"on_add", "on_set", "OnAdd", "OnSet"}));
  lines.clear();
  e.set(Mass{2});
  EXPECT_EQ(lines, (std::vector<std::string>{"on_replace by 2", "on_set", "OnSet"}));
  lines.clear();
  e.remove<Mass>();
  EXPECT_EQ(lines, (std::vector<std::string>{"OnRemove", "on_remove"}));
}

TEST(hooks, that_throw_do_not_stop_the_change_or_other_hooks) {
  hooked_world w;
  w.world.component<Marked>().on_add([](Marked&) { throw std::runtime_error("no"); });
  kith::entity e = w.world.entity("e");
  EXPECT_THROW(e.add<Marked>(), std::runtime_error);
  EXPECT_TRUE(e.has<Marked>());
  EXPECT_THROW(w.world.bulk(3, Marked{}), std::runtime_error);
  EXPECT_EQ(w.world.count<Marked>(), 4u);
  EXPECT_EQ(w.world.deferred_errors().size(), 2u);
}

TEST(hooks, may_ask_for_changes_which_wait) {
  kith::world world;
  world.component<Mass>().on_set([](kith::entity e, Mass& m) {
    EXPECT_FALSE(e.has<Marked>());
    if (m.value < 3) e.set(Mass{m.value + 1});
    e.add<Marked>();
    EXPECT_FALSE(e.has<Marked>());
    e.remove<Marked>();
  });
  kith::entity e = world.entity("e").set(Mass{1});
  EXPECT_EQ(e.get<Mass>()->value, 3);
  EXPECT_FALSE(e.has<Marked>());
}

TEST(hooks, and_observers_of_other_components_hear_of_the_same_change) {
  kith::world world;
  int hooked = 0, observed = 0;
  world.component<Mass>().on_remove([&](Mass&) { ++hooked; });
  world.observer<Marked>().event(kith::OnRemove).each([&](kith::entity, Marked) { ++observed; });
  kith::entity e = world.entity().set(Mass{1}).add<Marked>();
  e.destruct();
  EXPECT_EQ(hooked, 1);
  EXPECT_EQ(observed, 1);
}

TEST(hooks, hear_that_a_value_is_replaced_by_one_that_came_anew) {
  hooked_world w;
  w.world.observer<Mass>().event(kith::OnRemove).each([](Mass&) {});
  kith::entity e = w.world.entity("e").set(Mass{1});
  w.text();
  w.world.change([&] {
    e.remove<Mass>();
    e.set(Mass{2});
  });
  EXPECT_EQ(w.text(), "replace e 1 by 2\nset e 2\n");
  w.world.change([&] {
    e.remove<Mass>();
    e.set(Mass{3});
    EXPECT_THROW(w.world.change([&] {
      e.remove<Mass>();
      e.set(Mass{4});
      throw std::runtime_error("no");
    }),
                 std::runtime_error);
  });
  EXPECT_EQ(w.text(), "replace e 2 by 3\nset e 3\n");
}

TEST(hooks, exist_once_of_each_kind) {
  kith::world world;
  world.component<Mass>().on_add([](Mass&) {});
  EXPECT_THROW(world.component<Mass>().on_add([](Mass&) {}), kith::error);
}

TEST(hooks, of_a_type_that_is_known_at_run_time) {
  std::vector<int> seen;
  kith::world world;
  kith::component_desc desc{.name = "Heat", .size = sizeof(int), .alignment = alignof(int)};
  desc.on_set = [&](const kith::core::hook_call& call) {
    seen.push_back(*static_cast<int*>(call.value));
    return true;
  };
  kith::entity heat = world.component(desc);
  const int value = 42;
  world.engine().set_copy(world.entity().id(), heat.id(), &value);
  EXPECT_EQ(seen, std::vector<int>{42});
}

}  // namespace
