// A hundred cached queries of all forms during random changes of a world whose size stays the same.
// From time to time one of them is compared with a new, uncached query. At the end all entities are
// deleted, and the test compares the memory with that at the beginning.
//
//   KITH_SOAK_CHANGES=10000000   the number of changes (100,000, or 20,000 under a sanitizer)
#include <algorithm>

#include <gtest/gtest.h>
#include <malloc.h>

#include <kith/kith.hpp>

#include "oracle/dice.hpp"
#include "oracle/wanted.hpp"

namespace kith_oracle {

namespace {

#ifdef KITH_SANITIZED
constexpr std::size_t default_changes = 20'000;
#else
constexpr std::size_t default_changes = 100'000;
#endif

class soaked_world {
 public:
  explicit soaked_world(std::uint64_t seed) : random_(seed) {
    world_.define(
        "struct Value {i32 n}\n"
        "Transitive(In), Symmetric(Near), Exclusive(Leads), Acyclic(Part), DontFragment(Sees)\n"
        "Sparse(Rare), Reflexive(Same), IsA(Loves, Likes), Singleton(Clock), Clock(Clock)\n"
        "Tag0(home), Tag1(home), Tag2(home), Value(home) {1}, In(home, land), Loves(home, land)\n"
        "Near(home, land), Leads(home, land), Part(home, land), Sees(home, land), Likes(home, "
        "land)\n"
        "Rare(home), Same(home, land), ChildOf(shed, home), Tag3(land), Prefab(Model), "
        "Value(Model) {3}");
    for (const char* name : {"Tag0", "Tag1", "Tag2", "Tag3", "Rare", "Value"})
      ids_.push_back(world_.lookup(name));
    for (const char* name : {"In", "Near", "Leads", "Part", "Sees", "Likes", "Loves", "Same"})
      relations_.push_back(world_.lookup(name));
    model_ = world_.lookup("Model");
    for (int i = 0; i < 300; ++i) people_.push_back(world_.entity());
    const char* forms[] = {"Value",
                           "Tag0, !Tag1",
                           "Tag0 || Tag1, ?Value",
                           "Value, Disabled",
                           "Rare, Value",
                           "(In, land)",
                           "(In, $x), Tag0($x)",
                           "(Likes, $x), Near($x, $y), !Tag2($y)",
                           "(Sees, *)",
                           "(*, home)",
                           "Value(up(ChildOf))",
                           "?Value(cascade(ChildOf)), Tag0",
                           "Tag1(up(Leads))",
                           "(Part, $x), (In, $x)",
                           "Clock($), Tag0",
                           "!{Tag0, (Sees, $x), Tag1($x)}, Value",
                           "?{(Leads, $x), Tag0($x)}, Tag1",
                           "{Tag0 || (Near, _)}, !Rare",
                           "Value[self]",
                           "(Same, $x), Tag3($x)",
                           "Tag0($x), Sees($x, $this)",
                           "(ChildOf, home[self|down(ChildOf)])",
                           "Likes($x, $y), Likes($y, $x), $x != $y",
                           "(In, $x), (Near, $x), (Likes, $x)",
                           "AND | home",
                           "OR | home, !Tag3",
                           "(Loves, $x), ?Value($x)",
                           "$this ~= \"o\"",
                           "_, Tag2"};
    for (int kind = 0; queries_.size() < 100; ++kind)
      for (const char* form : forms) {
        auto builder = world_.query_builder<>();
        builder.expr(form);
        builder.cache_kind(kind % 2 ? kith::cache_kind::automatic : kith::cache_kind::always);
        if (kind == 2) builder.group_by(world_.lookup("In"));
        if (kind == 3) builder.order_by([](kith::entity_t a, kith::entity_t b) { return a > b; });
        queries_.push_back({builder.build(), world_.filter(form), form});
      }
  }

  void change() {
    const kith::entity e = people_[random_.below(people_.size())];
    switch (random_.below(16)) {
      case 0:
      case 1:
      case 2:
        e.add(ids_[random_.below(4)]);
        break;
      case 3:
      case 4:
        e.remove(ids_[random_.below(ids_.size())]);
        break;
      case 5:
      case 6:
        try_to([&] {
          if (random_.chance(20))
            e.child_of(anybody());
          else
            e.add(any_relation(), anybody());
        });
        break;
      case 7:
      case 8:
        try_to([&] { e.remove(any_relation(), kith::Wildcard); });
        break;
      case 9:
        e.add(ids_[4]);
        break;
      case 10:
        if (e.owns(ids_[5]))
          e.get_mut(ids_[5]);
        else
          e.add(ids_[5]);
        break;
      case 11:
        if (random_.chance(50)) e.destruct();
        break;
      case 12:
        if (random_.chance(30)) try_to([&] { e.is_a(model_); });
        break;
      case 13:
        if (e.owns(ids_[0])) random_.chance(60) ? e.enable(ids_[0]) : e.disable(ids_[0]);
        break;
      case 14:
        if (random_.chance(5)) e.add(kith::Disabled);
        break;
      default:
        if (random_.chance(20)) e.clear();
    }
    for (kith::entity& one : people_)
      if (!one.is_alive()) one = world_.entity();
  }

  void compare_one() {
    const asked& q = queries_[random_.below(queries_.size())];
    ASSERT_EQ(rows(q.kept), rows(q.found_anew)) << q.text;
  }

  void compare_all() {
    for (const asked& q : queries_) ASSERT_EQ(rows(q.kept), rows(q.found_anew)) << q.text;
  }

 private:
  struct asked {
    kith::query<> kept, found_anew;
    std::string text;
  };

  template <class Act>
  void try_to(Act act) {
    try {
      act();
    } catch (const kith::error&) {
      // A cycle or a name in use: the world has not changed.
    }
  }
  kith::entity any_relation() { return relations_[random_.below(relations_.size())]; }
  kith::entity anybody() { return people_[random_.below(people_.size())]; }

  static std::vector<std::vector<kith::entity_t>> rows(const kith::query<>& q) {
    std::vector<std::vector<kith::entity_t>> all;
    q.run([&](kith::iter& it) {
      while (it.next())
        for (std::size_t row = 0; row < it.count(); ++row) {
          std::vector<kith::entity_t> one{it.entity(row).raw_id()};
          for (const std::string& name : q.vars()) one.push_back(it.get_var(name).raw_id());
          for (std::size_t f = 0; f < it.field_count(); ++f) {
            one.push_back(it.id(f).raw_id());
            one.push_back(it.src(f).raw_id());
          }
          all.push_back(std::move(one));
        }
    });
    std::sort(all.begin(), all.end());
    return all;
  }

  kith::world world_;
  dice random_;
  std::vector<kith::entity> ids_, relations_, people_;
  kith::entity model_;
  std::vector<asked> queries_;
};

}  // namespace

TEST(soak, cached_queries_live_through_everything) {
  constexpr std::size_t changes_between = 20;
  soaked_world world(17);
  const std::size_t changes = wanted("KITH_SOAK_CHANGES", default_changes);
  for (std::size_t i = 0; i < changes; ++i) {
    world.change();
    if (i % changes_between == 0) world.compare_one();
    if (testing::Test::HasFatalFailure()) FAIL() << "after " << i << " changes";
  }
  world.compare_all();
}

TEST(soak, memory_returns_to_its_level) {
  const auto used = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  kith::world world;
  world.define("Exclusive(Leads), DontFragment(Sees)");
  const kith::entity tag = world.entity("Tag"), leads = world.lookup("Leads"),
                     sees = world.lookup("Sees"), land = world.entity("land");
  std::vector<kith::query<>> queries;
  for (const char* text : {"Tag", "(Leads, $x)", "(Sees, $x), Leads($x, $y)", "(Leads, @a)",
                           "?Tag(cascade(Leads))", "Tag, (Sees, *)"})
    queries.push_back(world.query_builder<>().expr(text).cached().build());
  const auto ask_all = [&] {
    for (const kith::query<>& q : queries)
      for (int times = 0; times < 3; ++times) q.params().empty() ? q.count() : q.args(land).count();
  };
  std::vector<std::size_t> levels;
  for (int round = 0; round < 4; ++round) {
    std::vector<kith::entity> all;
    for (int i = 0; i < 20'000; ++i) {
      all.push_back(world.entity().add(tag).add(sees, i ? all.back() : land));
      all.back().add(leads, i % 10 ? all[all.size() - 2] : land);
      if (i % 3 == 0) all.back().add(world.entity());
    }
    ask_all();
    for (kith::entity e : all)
      if (e.is_alive()) e.destruct();
    world.each([&](kith::entity e) {
      if (e != tag && e != leads && e != sees && e != land && e.name().empty()) e.destruct();
    });
    world.delete_empty_tables();
    ask_all();
    levels.push_back(used());
  }
#ifndef KITH_SANITIZED
  EXPECT_LT(levels[3], levels[1] + levels[1] / 10);
#endif
}

}  // namespace kith_oracle
