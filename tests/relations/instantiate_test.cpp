// The short path of is_a() has the same result as the planned change, which facts use.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

#include "support/lifecycle.hpp"

namespace {

using kith::test::ledger;
using kith::test::tracked;

struct Size {
  int x = 0;
};
struct Speed {
  int x = 0;
};

using preparation = std::function<void(kith::world&)>;

void override_copies(kith::world& w, kith::entity trait = {}) {
  w.component<Size>().member("x", &Size::x).add(kith::OnInstantiate, kith::Override);
  w.component<Speed>().member("x", &Speed::x);
  if (trait.raw_id()) w.component<Size>().add(trait);
}

// The facts of a world in which x has become a kind of `model`, in short or by facts.
std::string facts_after(const preparation& prepare, bool in_short) {
  kith::world w;
  prepare(w);
  const kith::entity x = w.entity("x");
  if (in_short)
    x.is_a(w.lookup("model"));
  else
    w.define("IsA(x, model)");
  return w.facts();
}

void expect_same(const preparation& prepare) {
  const std::string in_short = facts_after(prepare, true);
  EXPECT_EQ(in_short, facts_after(prepare, false));
  EXPECT_NE(in_short.find("IsA"), std::string::npos) << in_short;
}

}  // namespace

TEST(instantiating, a_base_without_more) {
  expect_same([](kith::world& w) {
    override_copies(w);
    w.entity("model").set(Speed{3});
  });
}

TEST(instantiating, copies_what_is_overridden) {
  expect_same([](kith::world& w) {
    override_copies(w);
    w.entity("model").set(Speed{3}).set(Size{4});
  });
}

TEST(instantiating, copies_what_a_base_of_the_base_has) {
  expect_same([](kith::world& w) {
    override_copies(w);
    w.prefab("grand").set(Size{4});
    w.prefab("model").is_a(w.lookup("grand")).set(Speed{1});
  });
}

TEST(instantiating, keeps_what_the_entity_has) {
  expect_same([](kith::world& w) {
    override_copies(w);
    w.entity("model").set(Size{4}).set(Speed{1});
    w.entity("x").set(Size{9});
  });
}

TEST(instantiating, copies_from_pools) {
  expect_same([](kith::world& w) {
    override_copies(w, w.entity(kith::Sparse));
    w.entity("model").set(Size{4});
  });
}

TEST(instantiating, makes_children_and_their_children) {
  expect_same([](kith::world& w) {
    override_copies(w);
    const kith::entity model = w.prefab("model").set(Size{4});
    const kith::entity arm = w.prefab().child_of(model).set(Size{5});
    w.prefab().child_of(arm).set(Speed{6}).set(Size{7});
    w.prefab().child_of(model);
  });
}

TEST(instantiating, with_names_slots_orders_and_rules) {
  for (const char* more : {"ChildOf(left, model), Prefab(left)",
                           "ChildOf(left, model), Prefab(left), SlotOf(left, model)",
                           "OrderedChildren(x)", "With(Size, Tag)", "Reflexive(IsA)", "Prefab(x)",
                           "IsA(x, other)", "Relationship(x)", "Likes(y, x)", "Size(Size, y)"}) {
    SCOPED_TRACE(more);
    expect_same([&](kith::world& w) {
      override_copies(w);
      const kith::entity model = w.prefab("model").set(Size{4});
      if (std::string(more) != "Relationship(x)") w.prefab().child_of(model).set(Size{5});
      w.define(more);
    });
  }
}

TEST(instantiating, is_refused_as_the_change_would_be) {
  kith::world w;
  w.define("Final(model), x");
  const kith::entity x = w.lookup("x");
  const std::string before = w.facts();
  EXPECT_THROW(x.is_a(w.lookup("model")), kith::error);
  EXPECT_THROW(x.is_a(w.entity(kith::Prefab)), kith::error);
  EXPECT_EQ(w.facts(), before);
}

TEST(instantiating, a_copy_that_throws_leaves_the_world_as_it_was) {
  ledger::clear();
  {
    kith::world w;
    w.component<tracked>().add(kith::OnInstantiate, kith::Override);
    const kith::entity model = w.prefab().set(tracked(1));
    const kith::entity arm = w.prefab().child_of(model).set(tracked(2));
    w.prefab().child_of(arm).set(tracked(3));
    const kith::entity x = w.entity().add(w.entity("Tag"));
    const std::size_t living = ledger::living();
    const std::size_t entities = w.count(kith::Wildcard);
    std::size_t thrown = 0;
    for (std::size_t nth = 1;; ++nth) {
      ledger::throw_at(nth);
      try {
        x.is_a(model);
        break;
      } catch (const kith::test::planned_throw&) {
        ++thrown;
      }
      ledger::throw_at(0);
      EXPECT_EQ(ledger::living(), living);
      EXPECT_EQ(w.count(kith::Wildcard), entities);
      EXPECT_FALSE(x.has(kith::IsA, model));
      EXPECT_FALSE(x.has<tracked>());
      EXPECT_TRUE(x.has(w.lookup("Tag")));
    }
    ledger::throw_at(0);
    EXPECT_GE(thrown, 3u);
    EXPECT_EQ(ledger::living(), living + 3);
    EXPECT_EQ(x.get<tracked>()->value(), 1);
  }
  EXPECT_EQ(ledger::living(), 0u);
  EXPECT_EQ(ledger::mistakes(), "");
}

// What is remembered of the kinds of a base is about a base as it was when it had kinds.
TEST(instantiating, a_base_that_changed_while_it_had_no_kinds) {
  kith::world w;
  const kith::entity base = w.entity("base").set(Size{1}), tag = w.entity("Tag");
  const auto q = w.query_builder<const Size>().cached().build();
  {
    const kith::entity first = w.entity().add(tag).is_a(base);
    EXPECT_EQ(first.get<Size>()->x, 1);
    EXPECT_EQ(q.count(), 2u);
    first.destruct();
  }
  base.remove<Size>();
  const kith::entity second = w.entity().add(tag).is_a(base);
  EXPECT_FALSE(second.has<Size>());
  EXPECT_EQ(second.get<Size>(), nullptr);
  EXPECT_EQ(q.count(), 0u);
  base.set(Size{5});
  EXPECT_EQ(second.get<Size>()->x, 5);
  EXPECT_EQ(q.count(), 2u);
}

// Those that follow each other are alike, unless something has changed in between.
TEST(instantiating, one_after_the_other_sees_what_has_changed) {
  const auto shown = [](kith::entity e) {
    std::string text;
    e.each([&](kith::id id) { text += id.str() + " "; });
    const Size* size = e.get<Size>();
    const Speed* speed = e.get<Speed>();
    text += size ? std::to_string(size->x) + (e.owns<Size>() ? " own " : " ") : "- ";
    text += speed ? std::to_string(speed->x) + (e.owns<Speed>() ? " own " : " ") : "- ";
    std::size_t children = 0;
    e.children([&](kith::entity) { ++children; });
    return text + std::to_string(children);
  };
  kith::world w;
  override_copies(w);
  const kith::entity model = w.prefab("model").set(Size{1}), top = w.entity("top");
  const kith::entity thing = w.entity("thing"), tag = w.entity("Tag");
  const kith::entity child = w.prefab().set(Size{7});
  std::vector<kith::entity> kinds;
  const auto make = [&] { return kinds.emplace_back(w.entity().is_a(model)); };
  const auto delete_kinds = [&] {
    for (kith::entity e : kinds) e.destruct();
    kinds.clear();
  };
  const std::function<void()> changes[] = {
      [] {},
      [&] { model.set(Size{2}); },
      [&] { model.set(Speed{3}); },
      [&] { w.component<Speed>().add(kith::OnInstantiate, kith::Override); },
      [&] { model.set(Speed{4}); },
      [&] { model.remove<Size>(); },
      [&] { top.set(Size{5}); },
      [&] { model.is_a(top); },
      [&] { top.set(Size{6}); },
      [&] { top.remove<Size>(); },
      [&] { tag.add(kith::OnInstantiate, kith::Override); },
      [&] { model.add(tag); },
      [&] { model.set(Size{9}); },
      [&] {
        delete_kinds();
        model.remove<Size>();
      },
      [&] {
        delete_kinds();
        model.set(Size{10});
      },
      [&] { child.child_of(model); },
      [&] { child.set(Speed{8}); },
      [&] { child.remove(kith::ChildOf, model); },
      [&] { model.disable<Speed>(); },
      [&] { model.enable<Speed>(); },
      [&] { w.component<Speed>().remove(kith::OnInstantiate, kith::Override); },
      [&] { w.component<Size>().add(kith::OnInstantiate, kith::DontInherit); },
      [&] { top.destruct(); },
      [&] { thing.add<Size>(thing); },
      [&] { thing.remove<Size>(thing); },
  };
  int step = 0;
  for (const auto& change : changes) {
    SCOPED_TRACE("step " + std::to_string(step));
    make();
    make();
    change();
    const std::string first = shown(make());
    kinds.push_back(w.entity().set(Size{50}).is_a(model));
    EXPECT_EQ(kinds.back().get<Size>()->x, 50);
    const std::string second = shown(make());
    const std::string name = "by_facts_" + std::to_string(step++);
    w.define("IsA(" + name + ", model)");
    const kith::entity by_facts = w.lookup(name);
    EXPECT_EQ(first, shown(by_facts));
    EXPECT_EQ(second, shown(by_facts));
    by_facts.destruct();
  }
}

TEST(instantiating, a_final_child_has_no_kinds) {
  kith::world w;
  const kith::entity model = w.prefab("model");
  w.prefab().child_of(model).add(kith::Final);
  const kith::entity x = w.entity("x");
  const std::string before = w.facts();
  EXPECT_THROW(x.is_a(model), kith::error);
  EXPECT_EQ(w.facts(), before);
}

TEST(instantiating, is_seen_by_what_is_found_upwards) {
  kith::world w;
  const kith::entity base = w.entity("base").set(Size{1}), parent = w.entity("parent");
  w.entity("first").is_a(base);
  const kith::entity child = w.entity("child").child_of(parent);
  EXPECT_FALSE(child.target_for(kith::ChildOf, w.component<Size>()));
  child.is_a(base);
  EXPECT_EQ(child.target_for(kith::ChildOf, w.component<Size>()), child);
}

namespace {
// Its copies look at how many children the world has.
struct Looking {
  Looking() = default;
  Looking(const Looking& other) : world(other.world), seen(other.seen) {
    if (world && seen) seen->push_back(world->count(kith::ChildOf, kith::Wildcard));
  }
  Looking(Looking&&) noexcept = default;
  Looking& operator=(const Looking&) = default;
  Looking& operator=(Looking&&) noexcept = default;
  ~Looking() = default;

  kith::world* world = nullptr;
  std::vector<std::size_t>* seen = nullptr;
};
}  // namespace

TEST(instantiating, copies_are_made_before_anything_else) {
  kith::world w;
  std::vector<std::size_t> seen;
  w.component<Looking>().add(kith::OnInstantiate, kith::Override);
  const kith::entity model = w.prefab();
  const kith::entity arm = w.prefab().child_of(model);
  for (const kith::entity e : {model, arm}) {
    Looking looking;
    looking.world = &w;
    looking.seen = &seen;
    e.set(std::move(looking));
  }
  seen.clear();
  w.entity().is_a(model);
  EXPECT_EQ(seen, (std::vector<std::size_t>{1, 1}));
}

TEST(instantiating, takes_time_in_proportion_to_the_children) {
  // Each child copies something; none looks through what the others copy.
  kith::world w;
  override_copies(w);
  const kith::entity model = w.prefab().set(Size{1});
  constexpr int many = 20'000;
  for (int i = 0; i < many; ++i) w.prefab().child_of(model).set(Size{i});
  const kith::entity x = w.entity().is_a(model);
  int sum = 0;
  for (const kith::entity child : x.children()) sum += child.get<Size>()->x % 2;
  EXPECT_EQ(sum, many / 2);
}
