// In random worlds the fields of results are equal to what the entities return.
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "support/rows.hpp"

namespace {

struct A {
  int value;
};
struct B {
  int value;
};
struct C {
  int value;
};
struct D {
  int value;
};
struct Boxed {
  explicit Boxed(int v) : value(v) {}
  Boxed(const Boxed&) = delete;
  Boxed& operator=(const Boxed&) = delete;
  int value;
};
struct T {};

class random_world {
 public:
  explicit random_world(unsigned seed) : random_(seed) {
    world.component<A>();
    world.component<B>();
    world.component<C>();
    world.component<D>();
    if (below(2)) world.component<B>().add(kith::Sparse);
    if (below(2)) world.component<C>().add(kith::DontFragment);
    if (below(3) == 0) world.component<D>().add(kith::DontFragment);
    if (below(2)) world.component<T>().add(kith::DontFragment);
    if (below(2)) Likes.add(kith::DontFragment);
    if (below(3) == 0) Likes.add(kith::Exclusive);
    for (unsigned i = 0, n = 5 + below(30); i < n; ++i) all.push_back(world.entity());
  }

  void change() {
    const kith::entity e = any(), other = any();
    const int v = ++last_value_;
    // What a trait forbids does not happen.
    kith::test::code_of([&] {
      switch (below(16)) {
        case 0:
          e.set(A{v});
          break;
        case 1:
          e.set(B{v});
          break;
        case 2:
          e.set(C{v});
          break;
        case 3:
          e.set(D{v});
          break;
        case 4:
          if (!e.owns<Boxed>()) e.emplace<Boxed>(v);
          break;
        case 5:
          e.add<T>();
          break;
        case 6:
          e.remove<A>();
          break;
        case 7:
          e.remove<C>();
          break;
        case 8:
          e.add(Likes, other);
          break;
        case 9:
          e.remove(Likes, other);
          break;
        case 10:
          if (below(2)) e.is_a(other);
          break;
        case 11:
          if (e.owns<A>()) e.disable<A>();
          break;
        case 12:
          if (e.owns<C>()) e.disable<C>();
          break;
        case 13:
          if (e.owns<A>()) e.enable<A>();
          break;
        case 14:
          e.child_of(other);
          break;
        case 15:
          e.set<B>(other, {v});
          break;
      }
    });
  }

  kith::entity any() { return all[below(static_cast<unsigned>(all.size()))]; }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  kith::world world;
  kith::entity Likes = world.entity("Likes");
  std::vector<kith::entity> all;

 private:
  std::mt19937 random_;
  int last_value_ = 0;
};

struct random_fields : testing::Test {
  // Calls `check` after each of many changes, with the queries it made at first.
  template <class Function>
  void in_many_worlds(Function make_check) {
    for (unsigned seed = 1; seed <= 60 && !HasFailure(); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      random_world w(seed);
      auto check = make_check(w);
      for (int i = 0; i < 8 && !HasFailure(); ++i) {
        for (int n = 0; n < 30; ++n) w.change();
        check();
      }
    }
  }
};

TEST_F(random_fields, of_types_are_the_values_of_the_entity) {
  in_many_worlds([](random_world& w) {
    auto q = w.world.query<A, B*, C*, Boxed*, D*>();
    return [&w, q] {
      std::set<kith::entity> expected, each, arrays;
      for (kith::entity e : w.all)
        if (e.has<A>()) expected.insert(e);
      q.each([&](kith::iter& it, std::size_t row, A& a, B* b, C* c, Boxed* x, D* d) {
        const kith::entity e = it.entity(row);
        EXPECT_TRUE(each.insert(e).second);
        EXPECT_EQ(&a, e.get<A>());
        EXPECT_EQ(b, e.get<B>());
        EXPECT_EQ(c, e.get<C>());
        EXPECT_EQ(x, e.get<Boxed>());
        EXPECT_EQ(d, e.get<D>());
        EXPECT_EQ(it.is_set(2), c != nullptr);
        EXPECT_EQ(it.is_self(0), e.owns<A>());
        EXPECT_EQ(it.is_self(2), c && e.owns<C>());
      });
      q.iter([&](kith::iter& it, A* a, B* b, C* c, Boxed* x, D* d) {
        for (auto i : it) {
          const kith::entity e = it.entity(i);
          EXPECT_TRUE(arrays.insert(e).second);
          EXPECT_EQ(&a[i], e.get<A>());
          EXPECT_EQ(b ? &b[i] : nullptr, e.get<B>());
          EXPECT_EQ(c ? &c[i] : nullptr, e.get<C>());
          EXPECT_EQ(x ? &x[i] : nullptr, e.get<Boxed>());
          EXPECT_EQ(d ? &d[i] : nullptr, e.get<D>());
        }
      });
      EXPECT_EQ(each, expected);
      EXPECT_EQ(arrays, expected);
    };
  });
}

TEST_F(random_fields, of_chains_are_those_of_the_first_alternative) {
  in_many_worlds([](random_world& w) {
    const kith::entity nobody = w.all[0];
    auto q = w.world.query_builder<C>().with<T>().or_().with<D>().without(w.Likes, nobody).build();
    return [&w, q, nobody] {
      std::set<kith::entity> expected, found;
      for (kith::entity e : w.all)
        if (e.has<C>() && (e.has<T>() || e.has<D>()) && !e.has(w.Likes, nobody)) expected.insert(e);
      q.each([&](kith::iter& it, std::size_t row, C& c) {
        const kith::entity e = it.entity(row);
        EXPECT_TRUE(found.insert(e).second);
        EXPECT_EQ(&c, e.get<C>());
        EXPECT_EQ(it.id(1), e.has<T>() ? w.world.id<T>() : w.world.id<D>());
        if (!e.has<T>()) {
          EXPECT_EQ(&it.field<D>(1)[row], e.get<D>());
        }
      });
      EXPECT_EQ(found, expected);
    };
  });
}

TEST_F(random_fields, of_pairs_follow_variables_and_wildcards) {
  in_many_worlds([](random_world& w) {
    auto variable = w.world.query_builder<A>().with<B>("$x").build();
    auto wildcard = w.world.query_builder<A>().with(w.Likes, kith::Wildcard).build();
    return [&w, variable, wildcard] {
      std::set<std::pair<kith::entity, kith::entity>> expected, found, expected_likes, likes;
      for (kith::entity e : w.all)
        for (kith::entity other : w.all) {
          if (e.has<A>() && e.has<B>(other)) expected.emplace(e, other);
          if (e.has<A>() && e.has(w.Likes, other)) expected_likes.emplace(e, other);
        }
      variable.each([&](kith::iter& it, std::size_t row, A& a) {
        const kith::entity e = it.entity(row), x = it.get_var("x");
        EXPECT_TRUE(found.emplace(e, x).second);
        EXPECT_EQ(&a, e.get<A>());
        EXPECT_EQ(&it.field<B>(1)[row], e.get<B>(x));
        EXPECT_EQ(it.pair(1), w.world.pair<B>(x));
      });
      wildcard.each([&](kith::iter& it, std::size_t row, A& a) {
        const kith::entity e = it.entity(row);
        EXPECT_TRUE(likes.emplace(e, it.pair(1).second()).second);
        EXPECT_EQ(&a, e.get<A>());
        EXPECT_EQ(it.pair(1).first(), w.Likes);
      });
      EXPECT_EQ(found, expected);
      EXPECT_EQ(likes, expected_likes);
    };
  });
}

TEST_F(random_fields, of_parents_are_those_of_the_nearest) {
  in_many_worlds([](random_world& w) {
    auto q = w.world.query_builder<A>().with<C>().up().optional().build();
    return [q] {
      q.each([&](kith::iter& it, std::size_t row, A& a) {
        const kith::entity e = it.entity(row);
        EXPECT_EQ(&a, e.get<A>());
        kith::entity above = e.parent();
        while (above && !above.has<C>()) above = above.parent();
        ASSERT_EQ(it.is_set(1), static_cast<bool>(above));
        if (above) {
          EXPECT_EQ(&it.field<C>(1)[row], above.get<C>());
        }
      });
    };
  });
}

}  // namespace
