// Sorted results stay sorted after every kind of change and in every storage, at the promised cost.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "query/api/in_order.hpp"
#include "query/api/three_storages.hpp"

namespace {

using kith::test::Apart;
using kith::test::in_order;
using kith::test::InTable;
using kith::test::Spread;

struct alignas(64) Wide {
  int x;
};
// With a destructor and no cheap move.
struct Named {
  Named() = default;
  Named(int v) : x(v), text(40, 'x') {}
  int x = 0;
  std::string text;
};
struct Npc {};
struct Weight {
  int kg;
};

template <class T>
struct staying_sorted : testing::Test {
  staying_sorted() {
    kith::test::keep_apart(world);
    at("c", 3), at("a", 1).template add<Npc>(), at("b", 2);
    EXPECT_EQ(in_order(q), "a b c");
  }
  kith::entity at(const char* name, int x) { return world.entity(name).set(T{x}); }
  kith::entity operator[](const char* name) { return world.lookup(name); }
  static bool less(const T& a, const T& b) { return a.x < b.x; }

  kith::world world;
  kith::query<const T> q =
      world.query_builder<const T>().template order_by<T>(less).cached().build();
};

using storages = testing::Types<InTable, Spread, Apart, Wide, Named>;
TYPED_TEST_SUITE(staying_sorted, storages);

// Q47 Q49
TYPED_TEST(staying_sorted, when_entities_are_made) {
  this->at("d", 0);
  EXPECT_EQ(in_order(this->q), "d a b c");
  this->world.entity(TypeParam{2}).set_name("e");
  EXPECT_EQ(in_order(this->q), "d a b e c");
  (*this)["a"].clone().set_name("f");
  EXPECT_EQ(in_order(this->q), "d a f b e c");
}

// Q50
TYPED_TEST(staying_sorted, when_entities_are_deleted) {
  (*this)["a"].destruct();
  EXPECT_EQ(in_order(this->q), "b c");
  (*this)["c"].clear();
  EXPECT_EQ(in_order(this->q), "b");
  (*this)["b"].disable();
  EXPECT_EQ(in_order(this->q), "");
  (*this)["b"].enable();
  EXPECT_EQ(in_order(this->q), "b");
}

// Q51 Q52
TYPED_TEST(staying_sorted, when_the_component_comes_and_goes) {
  auto late = this->world.entity("late");
  EXPECT_EQ(in_order(this->q), "a b c");
  late.template add<TypeParam>();  // zero, or what a new one is
  EXPECT_EQ(in_order(this->q), "late a b c");
  (*this)["b"].template remove<TypeParam>();
  EXPECT_EQ(in_order(this->q), "late a c");
  (*this)["b"].set(TypeParam{9});
  EXPECT_EQ(in_order(this->q), "late a c b");
}

// Q53 Q47
TYPED_TEST(staying_sorted, when_values_are_set) {
  (*this)["a"].set(TypeParam{9});
  EXPECT_EQ(in_order(this->q), "b c a");
  (*this)["c"].template emplace<TypeParam>(0);
  EXPECT_EQ(in_order(this->q), "c b a");
  (*this)["a"].set(TypeParam{1}).set(TypeParam{4});
  (*this)["b"].set(TypeParam{5});
  EXPECT_EQ(in_order(this->q), "c a b");
}

// Q53
TYPED_TEST(staying_sorted, when_values_are_taken_to_be_written) {
  (*this)["a"].template get_mut<TypeParam>()->x = 9;
  EXPECT_EQ(in_order(this->q), "b c a");
  (*this)["c"].template ensure<TypeParam>().x = 0;
  EXPECT_EQ(in_order(this->q), "c b a");
  this->world.entity("new").template ensure<TypeParam>().x = 5;
  EXPECT_EQ(in_order(this->q), "c b new a");
}

// U18
TYPED_TEST(staying_sorted, when_a_kept_pointer_is_written_and_that_is_said) {
  auto a = (*this)["a"];
  auto* kept = a.template get_mut<TypeParam>();
  EXPECT_EQ(in_order(this->q), "a b c");
  kept->x = 9;
  a.template modified<TypeParam>();
  EXPECT_EQ(in_order(this->q), "b c a");
  kept->x = 0;
  a.modified(this->world.template id<TypeParam>());
  EXPECT_EQ(in_order(this->q), "a b c");
}

// Q54 C55
TYPED_TEST(staying_sorted, when_a_query_writes) {
  const auto turn = [](TypeParam& v) { v.x = -v.x; };
  auto writer = this->world.template query<TypeParam>();
  for (int times = 0; times < 3; ++times) {
    writer.each(turn);
    EXPECT_EQ(in_order(this->q), "c b a");
    writer.each([&](kith::iter&, std::size_t, TypeParam& v) { turn(v); });
    EXPECT_EQ(in_order(this->q), "a b c");
    writer.iter([&](kith::iter& it, TypeParam* v) {
      for (auto i : it) turn(v[i]);
    });
    EXPECT_EQ(in_order(this->q), "c b a");
    writer.run([&](kith::iter& it) {
      while (it.next())
        for (auto i : it) turn(it.field<TypeParam>(0)[i]);
    });
    EXPECT_EQ(in_order(this->q), "a b c");
    for (kith::iter& it : writer)
      for (auto i : it) turn(it.field_at<TypeParam>(0, i));
    EXPECT_EQ(in_order(this->q), "c b a");
    for (kith::iter& it :
         this->world.template query_builder<>().template with<TypeParam>().out().build())
      for (auto i : it) turn(*static_cast<TypeParam*>(it.field(0)[i]));
    EXPECT_EQ(in_order(this->q), "a b c");
  }
  this->world.each(turn);
  EXPECT_EQ(in_order(this->q), "c b a");
}

TYPED_TEST(staying_sorted, when_it_is_read_while_a_query_writes) {
  auto writer = this->world.template query<TypeParam>();
  for (int times = 0; times < 4; ++times) {
    writer.each([&](TypeParam& v) {
      v.x = -v.x;
      EXPECT_EQ(this->q.count(), 3u);
      this->q.first();
    });
    EXPECT_EQ(in_order(this->q), times % 2 ? "a b c" : "c b a");
  }
}

TYPED_TEST(staying_sorted, when_it_writes_itself) {
  auto own = this->world.template query_builder<TypeParam>()
                 .template order_by<TypeParam>(this->less)
                 .build();
  EXPECT_EQ(in_order(own), "a b c");
  std::string seen;
  own.each([&](kith::entity e, TypeParam& v) {
    v.x = -v.x;
    seen += e.name();
  });
  EXPECT_EQ(seen, "abc");
  EXPECT_EQ(in_order(own), "c b a");
  EXPECT_EQ(in_order(this->q), "c b a");
}

TYPED_TEST(staying_sorted, when_changes_waited) {
  this->world.defer_begin();
  (*this)["a"].set(TypeParam{9});
  this->at("d", 5);
  EXPECT_EQ(in_order(this->q), "a b c");
  this->world.defer_end();
  EXPECT_EQ(in_order(this->q), "b c d a");
  this->q.each([&](kith::entity e, const TypeParam& v) {
    if (v.x > 2) e.set(TypeParam{-v.x});
  });
  EXPECT_EQ(in_order(this->q), "a d c b");
}

TYPED_TEST(staying_sorted, when_other_things_change) {
  (*this)["b"].template add<Npc>();
  EXPECT_EQ(in_order(this->q), "a b c");
  (*this)["a"].template remove<Npc>().set(Weight{1});
  EXPECT_EQ(in_order(this->q), "a b c");
  this->world.entity("x").add(this->world.entity("Tag"));
  EXPECT_EQ(in_order(this->q), "a b c");
  (*this)["c"].set_name("z");
  EXPECT_EQ(in_order(this->q), "a b z");
}

TYPED_TEST(staying_sorted, when_the_storage_changes) {
  auto component = this->world.template component<TypeParam>();
  if (component.has(kith::Sparse) || component.has(kith::DontFragment)) return;
  component.add(kith::DontFragment);
  EXPECT_EQ(in_order(this->q), "a b c");
  (*this)["a"].set(TypeParam{5});
  EXPECT_EQ(in_order(this->q), "b c a");
  component.remove(kith::DontFragment);
  EXPECT_EQ(in_order(this->q), "b c a");
  (*this)["a"].set(TypeParam{1});
  EXPECT_EQ(in_order(this->q), "a b c");
}

// Many random changes, some of few rows and some of many.
TYPED_TEST(staying_sorted, after_anything) {
  std::minstd_rand random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  auto other = this->world.template query_builder<>()
                   .template with<Npc>()
                   .template order_by<TypeParam>(
                       [](const TypeParam& a, const TypeParam& b) { return b.x <=> a.x; })
                   .build();
  auto base = this->world.prefab("base").set(TypeParam{5});
  std::vector<kith::entity> all;
  for (int step = 0; step < 3000; ++step) {
    const int value = static_cast<int>(below(20));
    const kith::entity e = all.empty() ? kith::entity() : all[below(all.size())];
    switch (!e ? 0 : below(14)) {
      case 0:
      case 1:
        all.push_back(this->world.entity().set(TypeParam{value}));
        break;
      case 2:
        if (all.size() > 40) {
          e.destruct();
          std::erase(all, e);
        }
        break;
      case 3:
        e.template remove<TypeParam>();
        break;
      case 4:
      case 5:
        e.set(TypeParam{value});
        break;
      case 6:
        if (auto* v = e.template get_mut<TypeParam>()) v->x = value;
        break;
      case 7:
        e.template has<Npc>() ? e.template remove<Npc>() : e.template add<Npc>();
        break;
      case 8:
        this->world.template query<TypeParam>().each(
            [&](TypeParam& v) { v.x = (v.x * 3 + 1) % 20; });
        break;
      case 9:
        this->q.each([&](kith::entity at, const TypeParam& v) {
          if (v.x == value) at.set(TypeParam{v.x + 1});
        });
        break;
      case 10:
        e.has(kith::IsA, base) ? e.remove(kith::IsA, base) : e.add(kith::IsA, base);
        break;
      case 11:
        base.set(TypeParam{value});
        break;
      case 12:
        e.template has<TypeParam>() && e.template owns<TypeParam>()
            ? e.template disable<TypeParam>()
            : e;
        break;
      default:
        e.template owns<TypeParam>() ? e.template enable<TypeParam>() : e;
        break;
    }
    std::vector<std::pair<int, kith::entity_t>> rows, expected;
    this->q.each([&](kith::entity at, const TypeParam& v) { rows.emplace_back(v.x, at.raw_id()); });
    expected = rows;
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(rows, expected) << step;
    ASSERT_EQ(rows.size(), this->world.template filter<TypeParam>().count()) << step;
    rows.clear();
    other.each([&](kith::entity at) {
      const TypeParam* v = at.template get<TypeParam>();
      rows.emplace_back(v ? -v->x : 100, at.raw_id());
    });
    expected = rows;
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(rows, expected) << step;
  }
}

// --- what it costs -------------------------------------------------------------------------------

struct cost_of_sorting : testing::Test {
  cost_of_sorting() {
    for (int i = 0; i < entities; ++i)
      made.push_back(world.entity().set(Weight{i * 37 % entities}));
  }
  auto counting() {
    return [this](const Weight& a, const Weight& b) {
      ++compared;
      return a.kg <=> b.kg;
    };
  }
  int since() { return std::exchange(compared, 0); }

  static constexpr int entities = 1000;
  int compared = 0;
  kith::world world;
  std::vector<kith::entity> made;
};

// Q48 Q59
TEST_F(cost_of_sorting, nothing_is_compared_until_it_is_iterated_nor_without_a_change) {
  auto q = world.query_builder<const Weight>().order_by<Weight>(counting()).build();
  EXPECT_EQ(since(), 0);
  q.count();
  EXPECT_GT(since(), entities);
  made[5].set(Weight{7});
  made[6].destruct();
  EXPECT_EQ(since(), 0);
  q.count();
  EXPECT_GT(since(), 0);
  for (int times = 0; times < 3; ++times) q.each([](const Weight&) {});
  EXPECT_EQ(since(), 0);
  world.entity("other").add<Npc>();
  made[9].get<Weight>();
  world.query<const Weight>().each([](const Weight&) {});
  q.count();
  EXPECT_EQ(since(), 0);
}

TEST_F(cost_of_sorting, a_changed_row_costs_a_repair) {
  auto q = world.query_builder<const Weight>().order_by<Weight>(counting()).build();
  q.count();
  since();
  for (int i = 0; i < 10; ++i) {
    made[static_cast<std::size_t>(i * 31)].set(Weight{i * 50});
    q.count();
    EXPECT_LE(since(), 12);
  }
}

// Q63
TEST_F(cost_of_sorting, a_row_that_comes_or_goes_costs_a_repair) {
  auto q = world.query_builder<const Weight>().order_by<Weight>(counting()).build();
  q.count();
  since();
  for (int i = 0; i < 10; ++i) {
    const auto at = static_cast<std::size_t>(i * 31);
    world.entity().set(Weight{i * 50});
    made[at].remove<Weight>();
    made[at + 1].set(Weight{i * 40});
    made[at + 2].add<Npc>();
    made[at + 3].destruct();
    EXPECT_EQ(q.count(), 1000u - static_cast<unsigned>(i + 1));
    EXPECT_LE(since(), 2 * 12);
  }
}

TEST_F(cost_of_sorting, values_do_not_matter_to_an_order_of_entities) {
  auto q = world.query_builder<Weight>()
               .order_by([this](kith::entity_t a, kith::entity_t b) {
                 ++compared;
                 return a > b;
               })
               .build();
  EXPECT_EQ(q.first(), made.back());
  EXPECT_GT(since(), 0);
  made[3].set(Weight{0});
  world.query<Weight>().each([](Weight& w) { w.kg = 0; });
  EXPECT_EQ(q.first(), made.back());
  EXPECT_EQ(since(), 0);
}

// C56 C51
TEST_F(cost_of_sorting, goes_together_with_seeing_changes) {
  auto q = world.query_builder<const Weight>().order_by<Weight>(counting()).build();
  EXPECT_TRUE(q.changed());
  q.each([](const Weight&) {});
  EXPECT_FALSE(q.changed());
  made[3].set(Weight{0});
  EXPECT_TRUE(q.changed());
  EXPECT_EQ(q.first(), made[0]);
  q.each([](const Weight&) {});
  EXPECT_FALSE(q.changed());
  world.entity("other").add<Npc>();
  EXPECT_FALSE(q.changed());
}

}  // namespace

namespace {
struct Rank {
  int p;
};
}  // namespace

// As long as rows are in the order in which their values are kept, values are read side by side.
TEST(staying_sorted, values_stay_with_their_rows_when_one_moves) {
  for (const bool sparse : {false, true}) {
    kith::world w;
    if (sparse) w.component<Rank>().add(kith::Sparse);
    std::vector<kith::entity> all;
    for (int i = 0; i < 2000; ++i) all.push_back(w.entity().set(Rank{i * 10}));
    const auto q = w.query_builder<const Rank>()
                       .order_by<Rank>([](const Rank& a, const Rank& b) { return a.p < b.p; })
                       .build();
    for (int times = 0; times < 2; ++times) q.each([](const Rank&) {});
    all[5].set(Rank{555});
    int last = -1, wrong = 0;
    q.each([&](kith::entity e, const Rank& r) {
      wrong += r.p != e.get<Rank>()->p || r.p < last;
      last = r.p;
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(last, 19'990);
  }
}

namespace {
struct Fixed {
  const int p = 3;
};
struct Moved {
  int p = 0;
  Moved() = default;
  explicit Moved(int value) : p(value) {}
  Moved(Moved&&) = default;
  Moved& operator=(Moved&&) = default;
  Moved(const Moved&) = delete;
  Moved& operator=(const Moved&) = delete;
};
}  // namespace

TEST(staying_sorted, small_types_that_cannot_be_copied) {
  kith::world w;
  const auto fixed = w.query_builder<const Fixed>()
                         .order_by<Fixed>([](const Fixed& a, const Fixed& b) { return a.p < b.p; })
                         .build();
  const auto moved = w.query_builder<const Moved>()
                         .order_by<Moved>([](const Moved& a, const Moved& b) { return a.p < b.p; })
                         .build();
  for (int i : {3, 1, 2}) w.entity().set(Moved(i));
  w.entity().add<Fixed>();
  EXPECT_EQ(fixed.count(), 1u);
  std::vector<int> found;
  moved.each([&](const Moved& m) { found.push_back(m.p); });
  EXPECT_EQ(found, (std::vector<int>{1, 2, 3}));
}
