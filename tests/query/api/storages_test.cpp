// A query gives the same values for every storage and every kind of type.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "support/lifecycle.hpp"
#include "support/rows.hpp"

namespace {

using kith::test::found;

struct Plain {
  int value;
};
struct Spread {
  int value;
};
struct Apart {
  int value;
};
struct alignas(64) Wide {
  int value;
};
struct Owner {
  std::unique_ptr<int> value;
};
struct Named {
  std::string text;
};
// Cannot be moved: kept in a box.
struct Fixed {
  explicit Fixed(int v) : value(v) {}
  Fixed(const Fixed&) = delete;
  Fixed& operator=(const Fixed&) = delete;
  int value;
};
struct Npc {};

struct query_storages : testing::Test {
  query_storages() {
    world.component<Spread>().add(kith::Sparse);
    world.component<Apart>().add(kith::DontFragment);
    for (int i = 0; i < 20; ++i) {
      const kith::entity e = world.entity("e" + std::to_string(i));
      e.set(Plain{i}).set(Spread{i}).set(Apart{i}).set(Wide{i});
      e.emplace<Owner>(Owner{std::make_unique<int>(i)});
      e.set(Named{std::to_string(i)}).emplace<Fixed>(i);
      // Three tables, and holes in the pools.
      if (i % 3 == 0) e.add<Npc>();
      if (i % 4 == 0) e.remove<Apart>().remove<Spread>();
    }
    for (int i = 16; i >= 0; i -= 4) {
      const kith::entity e = world.lookup("e" + std::to_string(i));
      e.set(Apart{i}).set(Spread{i});
    }
  }
  template <class Value>
  static int number(const Value& v) {
    if constexpr (std::is_same_v<std::remove_cv_t<Value>, Owner>)
      return *v.value;
    else if constexpr (std::is_same_v<std::remove_cv_t<Value>, Named>)
      return std::stoi(v.text);
    else
      return v.value;
  }
  static int expected(kith::entity e) { return std::stoi(std::string(e.name().substr(1))); }

  // Every way to get at a value gives the one of the entity.
  template <class T>
  void agrees(const kith::query<T>& q) {
    int rows = 0;
    q.each([&](kith::entity e, T& v) {
      ++rows;
      EXPECT_EQ(number(v), expected(e)) << e;
      EXPECT_EQ(&v, e.get<T>()) << e;
    });
    q.each([&](kith::iter& it, std::size_t row, T& v) {
      ++rows;
      EXPECT_EQ(&it.template field<T>(0)[row], &v);
      EXPECT_EQ((&it.template field_at<T>(0, row)), &v);
      EXPECT_EQ(it.field(0)[row], &v);
    });
    q.iter([&](kith::iter& it, T* v) {
      for (auto i : it) {
        ++rows;
        EXPECT_EQ(number(v[i]), expected(it.entity(i)));
        EXPECT_EQ(&v[i], &it.template field<T>(0)[i]);
        EXPECT_EQ(&v[i], it.entity(i).template get<T>());
      }
    });
    for (auto& batch : q) {
      auto v = batch.template field<T>(0);
      EXPECT_EQ(v.size(), batch.count());
      for (auto i : batch) {
        ++rows;
        EXPECT_EQ(number(v[i]), expected(batch.entity(i)));
      }
    }
    EXPECT_EQ(rows, 4 * 20);
  }
  template <class T>
  void agrees() {
    agrees<T>(world.query<T>());
    agrees<T>(world.filter<T>());
    agrees<T>(world.query_builder<T>().cached().build());
    // Driven by another term.
    agrees<T>(world.query_builder<T>().template with<Plain>().build());
    agrees<T>(world.query_builder<T>().template with<Apart>().build());
    agrees<T>(world.query_builder<T>().template with<Spread>().template with<Fixed>().build());
    agrees<T>(world.query_builder<T>().template with<Npc>().optional().build());
  }

  kith::world world;
};

TEST_F(query_storages, columns) { agrees<Plain>(); }
TEST_F(query_storages, sparse) { agrees<Spread>(); }
TEST_F(query_storages, dont_fragment) { agrees<Apart>(); }
TEST_F(query_storages, over_aligned_values) {
  agrees<Wide>();
  world.query<Wide>().each(
      [](Wide& w) { EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&w) % alignof(Wide), 0u); });
}
TEST_F(query_storages, move_only_values) { agrees<Owner>(); }
TEST_F(query_storages, strings) { agrees<Named>(); }
TEST_F(query_storages, values_in_boxes) { agrees<Fixed>(); }

TEST_F(query_storages, all_at_once) {
  int rows = 0;
  const auto check = [&](kith::entity e, Plain& p, Spread& s, Apart& a, Wide& w, const Owner& o,
                         const Named& n, Fixed& f) {
    ++rows;
    for (int v : {p.value, s.value, a.value, w.value, *o.value, std::stoi(n.text), f.value})
      EXPECT_EQ(v, expected(e)) << e;
  };
  auto q = world.query<Plain, Spread, Apart, Wide, const Owner, const Named, Fixed>();
  q.each(check);
  q.iter([&](kith::iter& it, Plain* p, Spread* s, Apart* a, Wide* w, const Owner* o, const Named* n,
             Fixed* f) {
    for (auto i : it) check(it.entity(i), p[i], s[i], a[i], w[i], o[i], n[i], f[i]);
  });
  EXPECT_EQ(rows, 40);
}

TEST_F(query_storages, values_can_be_written_in_every_storage) {
  world.query<Plain, Spread, Apart, Fixed, Owner>().each(
      [](Plain& p, Spread& s, Apart& a, Fixed& f, Owner& o) {
        p.value = s.value = a.value = f.value = -1;
        o.value = std::make_unique<int>(-1);
      });
  const kith::entity e = world.lookup("e7");
  EXPECT_EQ(e.get<Plain>()->value, -1);
  EXPECT_EQ(e.get<Spread>()->value, -1);
  EXPECT_EQ(e.get<Apart>()->value, -1);
  EXPECT_EQ(e.get<Fixed>()->value, -1);
  EXPECT_EQ(*e.get<Owner>()->value, -1);
}

// Rows of one table differ in what is kept apart from it.
TEST_F(query_storages, an_optional_value_that_is_apart_is_there_row_by_row) {
  for (int i = 0; i < 20; i += 3) world.lookup("e" + std::to_string(i)).remove<Apart>();
  int rows = 0, there = 0;
  const auto check = [&](kith::entity e, bool has, const Apart* a) {
    ++rows;
    there += has;
    EXPECT_EQ(has, e.has<Apart>()) << e;
    EXPECT_EQ(a, e.get<Apart>()) << e;
  };
  world.query<const Plain, const Apart*>().each(
      [&](kith::iter& it, std::size_t row, const Plain&, const Apart* a) {
        check(it.entity(row), it.is_set(1), a);
      });
  world.query_builder<const Plain>().with<Apart>().optional().build().iter([&](kith::iter& it) {
    auto a = it.field<Apart>(1);
    for (auto i : it) check(it.entity(i), static_cast<bool>(a), a ? &a[i] : nullptr);
  });
  EXPECT_EQ(rows, 40);
  EXPECT_EQ(there, 26);
  EXPECT_EQ((world.query_builder<Plain>().without<Apart>().build().count()), 7u);
}

TEST_F(query_storages, a_value_that_is_switched_off_is_missing_row_by_row) {
  for (int i = 0; i < 20; i += 2) world.lookup("e" + std::to_string(i)).disable<Wide>();
  int rows = 0, there = 0;
  world.query<const Plain, const Wide*>().each([&](kith::entity e, const Plain&, const Wide* w) {
    ++rows;
    there += w != nullptr;
    EXPECT_EQ(w, e.get<Wide>()) << e;
  });
  EXPECT_EQ(rows, 20);
  EXPECT_EQ(there, 10);
  EXPECT_EQ(world.query<Wide>().count(), 10u);
  world.query<Wide>().iter([&](kith::iter& it, Wide* w) {
    for (auto i : it) {
      --there;
      EXPECT_EQ(&w[i], it.entity(i).get<Wide>());
    }
  });
  EXPECT_EQ(there, 0);
}

TEST_F(query_storages, the_matched_id_is_right_row_by_row) {
  auto Artwork = world.entity("Artwork");
  auto Painting = world.entity("Painting").is_a(Artwork).add(kith::DontFragment);
  auto Sculpture = world.entity("Sculpture").is_a(Artwork).add(kith::DontFragment);
  for (int i = 0; i < 20; ++i)
    world.lookup("e" + std::to_string(i)).add(i % 2 ? Painting : Sculpture);
  int rows = 0;
  world.query_builder<Plain>().with(Artwork).build().each(
      [&](kith::iter& it, std::size_t row, Plain& p) {
        ++rows;
        EXPECT_EQ(it.id(1), p.value % 2 ? Painting : Sculpture) << it.entity(row);
      });
  world.query_builder<Plain>()
      .expr("Painting || Sculpture")
      .build()
      .each([&](kith::iter& it, std::size_t row, Plain& p) {
        ++rows;
        EXPECT_EQ(it.id(1), p.value % 2 ? Painting : Sculpture) << it.entity(row);
      });
  EXPECT_EQ(rows, 40);
}

TEST_F(query_storages, targets_of_a_relation_that_does_not_fragment_are_right_row_by_row) {
  auto OnTeam = world.entity("OnTeam").add(kith::Union);
  auto red = world.entity("red"), blue = world.entity("blue");
  for (int i = 0; i < 20; ++i)
    world.lookup("e" + std::to_string(i)).add(OnTeam, i % 2 ? red : blue);
  int rows = 0;
  for (const char* text : {"(OnTeam, *)", "(OnTeam, $t)"})
    world.query_builder<Plain>().expr(text).build().each(
        [&](kith::iter& it, std::size_t row, Plain& p) {
          ++rows;
          EXPECT_EQ(it.pair(1).second(), p.value % 2 ? red : blue) << it.entity(row);
        });
  EXPECT_EQ(rows, 40);
  world.query_builder<Plain>().with(OnTeam, red).build().each([&](Plain& p) {
    EXPECT_EQ(p.value % 2, 1);
  });
}

TEST_F(query_storages, inherited_values_are_right_row_by_row) {
  kith::entity bases[] = {world.prefab("one"), world.prefab("two")};
  world.component<Named>();
  struct Speed {
    int value;
  };
  world.component<Speed>().add(kith::DontFragment);
  bases[0].set(Speed{100});
  bases[1].set(Speed{200});
  for (int i = 0; i < 20; ++i) {
    const kith::entity e = world.lookup("e" + std::to_string(i));
    e.is_a(bases[i % 2]);
    if (i % 5 == 0) e.set(Speed{i});
  }
  int rows = 0;
  world.query<const Speed, const Plain>().each([&](kith::entity e, const Speed& s, const Plain& p) {
    ++rows;
    EXPECT_EQ(&s, e.get<Speed>()) << e;
    EXPECT_EQ(s.value, p.value % 5 == 0 ? p.value : p.value % 2 ? 200 : 100) << e;
  });
  world.query<const Speed, const Plain>().iter([&](kith::iter& it, const Speed* s, const Plain* p) {
    for (auto i : it) {
      ++rows;
      EXPECT_EQ(&s[i], it.entity(i).get<Speed>());
      EXPECT_EQ(&p[i], it.entity(i).get<Plain>());
    }
  });
  EXPECT_EQ(rows, 40);
}

TEST_F(query_storages, asking_for_ids_and_sources_leaves_the_values_alone) {
  struct Rare {
    int value;
  };
  int rows = 0;
  world.query<const Plain, const Rare*>().each(
      [&](kith::iter& it, std::size_t row, const Plain& p, const Rare* r) {
        ++rows;
        EXPECT_FALSE(it.src(0));
        EXPECT_EQ(it.id(0), world.id<Plain>());
        EXPECT_TRUE(it.is_set(0));
        EXPECT_EQ(&p, it.entity(row).get<Plain>());
        EXPECT_EQ(r, nullptr);
      });
  EXPECT_EQ(rows, 20);
}

TEST_F(query_storages, values_of_pairs) {
  auto apples = world.entity("apples"), pears = world.entity("pears");
  for (int i = 0; i < 20; ++i) {
    const kith::entity e = world.lookup("e" + std::to_string(i));
    e.set<Plain>(apples, {i})
        .set<Apart>(apples, {i})
        .set<Spread>(pears, {i})
        .emplace_pair<Fixed>(pears, i);
  }
  int rows = 0;
  world.query_builder()
      .with<Plain>(apples)
      .with<Apart>(apples)
      .with<Spread>(pears)
      .with<Fixed>(pears)
      .build()
      .each([&](kith::iter& it, std::size_t row) {
        ++rows;
        EXPECT_EQ(it.field<Plain>(0)[row].value, expected(it.entity(row)));
        EXPECT_EQ(it.field<Apart>(1)[row].value, expected(it.entity(row)));
        EXPECT_EQ(it.field<Spread>(2)[row].value, expected(it.entity(row)));
        EXPECT_EQ(it.field<Fixed>(3)[row].value, expected(it.entity(row)));
      });
  EXPECT_EQ(rows, 20);
}

TEST_F(query_storages, wildcards_and_variables_reach_values_of_pairs) {
  auto apples = world.entity("apples"), pears = world.entity("pears");
  auto bob = world.entity("bob");
  bob.set<Plain>(apples, {1}).set<Plain>(pears, {2});
  bob.set<Apart>(apples, {3}).set<Apart>(pears, {4});
  int sum = 0;
  world.query_builder()
      .with<Plain>(kith::Wildcard)
      .build()
      .each([&](kith::iter& it, std::size_t r) { sum += it.field<Plain>(0)[r].value; });
  EXPECT_EQ(sum, 3);
  world.query_builder().with<Plain>("$x").with<Apart>("$x").build().each(
      [&](kith::iter& it, std::size_t r) {
        EXPECT_EQ(it.field<Apart>(1)[r].value, it.field<Plain>(0)[r].value + 2);
        sum += 10;
      });
  EXPECT_EQ(sum, 23);
}

struct query_shared_values : testing::Test {
  query_shared_values() {
    world.component<Apart>().add(kith::DontFragment);
    base.set(Plain{1}).set(Apart{2}).emplace<Fixed>(3);
    for (int i = 0; i < 5; ++i) world.entity().is_a(base).set(Wide{i});
  }
  kith::world world;
  kith::entity base = world.prefab("base");
};

// Q152 R74
TEST_F(query_shared_values, are_one_for_all_instances) {
  int rows = 0;
  world.query<const Plain, const Apart, const Fixed, Wide>().each(
      [&](kith::iter& it, std::size_t row, const Plain& p, const Apart& a, const Fixed& f, Wide&) {
        ++rows;
        EXPECT_EQ(&p, base.get<Plain>());
        EXPECT_EQ(&a, base.get<Apart>());
        EXPECT_EQ(&f, base.get<Fixed>());
        EXPECT_EQ(it.src(0), base);
        EXPECT_EQ(it.field<const Plain>(0)[row].value, 1);
        EXPECT_TRUE(it.field<const Plain>(0).is_shared());
      });
  EXPECT_EQ(rows, 5);
}

TEST_F(query_shared_values, arrays_of_them_are_as_long_as_what_is_shared) {
  int rows = 0;
  world.query<const Plain, const Wide>().iter([&](kith::iter& it, const Plain* p, const Wide* w) {
    for (auto i : it) {
      ++rows;
      EXPECT_EQ(&p[i], base.get<Plain>());
      EXPECT_EQ(&w[i], it.entity(i).get<Wide>());
      EXPECT_EQ(&w[i], &it.field<const Wide>(1)[i]);
    }
  });
  EXPECT_EQ(rows, 5);
}

// R75
TEST_F(query_shared_values, an_instance_may_have_its_own) {
  auto own = world.entity("own").is_a(base).set(Plain{9}).set(Wide{9});
  int owned = 0;
  world.query<const Plain, const Wide>().each([&](kith::entity e, const Plain& p, const Wide&) {
    EXPECT_EQ(p.value, e == own ? 9 : 1);
    owned += e == own;
  });
  EXPECT_EQ(owned, 1);
}

TEST_F(query_shared_values, singletons_come_with_every_row) {
  world.set(Named{"game"});
  int rows = 0;
  auto q = world.query_builder<Wide, const Named>().term_at(1).singleton().build();
  q.each([&](Wide&, const Named& n) {
    ++rows;
    EXPECT_EQ(n.text, "game");
  });
  q.iter([&](kith::iter& it, Wide*, const Named* n) {
    for (auto i : it) {
      ++rows;
      EXPECT_EQ(n[i].text, "game");
    }
  });
  EXPECT_EQ(rows, 10);
}

TEST(query_lifecycle, iterating_constructs_and_destroys_nothing) {
  using kith::test::ledger;
  ledger::clear();
  {
    kith::world world;
    for (int i = 0; i < 5; ++i) world.entity().emplace<kith::test::tracked>(i);
    auto q = world.query<kith::test::tracked>();
    const std::size_t living = ledger::living();
    q.each([&](kith::test::tracked&) { EXPECT_EQ(ledger::living(), living); });
    q.iter([&](kith::iter&, kith::test::tracked*) { EXPECT_EQ(ledger::living(), living); });
    EXPECT_EQ(ledger::living(), living);
    // Deferred changes live until they are carried out.
    q.each([&](kith::entity e, kith::test::tracked&) { e.destruct(); });
  }
  EXPECT_EQ(ledger::living(), 0u);
  EXPECT_EQ(ledger::mistakes(), "");
}

}  // namespace
