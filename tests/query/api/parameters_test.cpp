// Queries with parameters, which an index answers.
#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/rows.hpp"

namespace {

using kith::test::code_of;
using kith::test::found;

struct Health {
  int points;
};
struct Shield {
  int points;
};
struct Npc {};

// Every test asks several times: the first answers come from a plan, later ones from an index.
struct parameters : testing::TestWithParam<kith::entity_t> {
  parameters() {
    if (GetParam()) OnTeam.add(GetParam()), InVehicle.add(GetParam());
  }
  kith::query<> make(const char* text) { return world.query_builder().expr(text).cached().build(); }
  kith::entity rider(const char* name, kith::entity team, kith::entity vehicle) {
    return world.entity(name).add(OnTeam, team).add(InVehicle, vehicle);
  }

  kith::world world;
  kith::entity OnTeam = world.entity("OnTeam"), InVehicle = world.entity("InVehicle");
  kith::entity red = world.entity("red"), blue = world.entity("blue");
  kith::entity car = world.entity("car"), bike = world.entity("bike");
  kith::entity a = rider("a", red, car), b = rider("b", red, bike), c = rider("c", blue, car);
  kith::entity spy = rider("spy", red, car).add(OnTeam, blue);
};
INSTANTIATE_TEST_SUITE_P(storages, parameters,
                         testing::Values(0, kith::Fragment, kith::DontFragment, kith::Sparse));

// P1 P2 P7 P11
TEST_P(parameters, one_to_four) {
  auto Armed = world.entity("Armed"), At = world.entity("At"), gun = world.entity("gun"),
       bay = world.entity("bay");
  spy.add(Armed, gun).add(At, bay);
  c.add(Armed, gun);
  auto q1 = make("(OnTeam, @t)"), q2 = make("(OnTeam, @t), (InVehicle, @v)"),
       q3 = make("(OnTeam, @t), (InVehicle, @v), (Armed, @w)"),
       q4 = make("(OnTeam, @t), (InVehicle, @v), (Armed, @w), (At, @p)");
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(found(q1.args(red)), "a b spy");
    EXPECT_EQ(found(q1.args(blue)), "c spy");
    EXPECT_EQ(found(q2.args(red, car)), "a spy");
    EXPECT_EQ(found(q2.args(blue, bike)), "");
    EXPECT_EQ(found(q3.args(blue, car, gun)), "c spy");
    EXPECT_EQ(found(q4.args(blue, car, gun, bay)), "spy");
    EXPECT_EQ(found(q4.args(blue, car, gun, car)), "");
  }
}

// P12 P13 P14 P15
TEST_P(parameters, of_one_relation_in_any_order) {
  auto green = world.entity("green");
  auto twice = rider("twice", red, car).add(OnTeam, blue).add(OnTeam, green);
  auto q = make("(OnTeam, @t), (OnTeam, @u), (InVehicle, @v)");
  auto q3 = make("(OnTeam, @t), (InVehicle, @v), (OnTeam, @u), (OnTeam, @w)");
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(found(q.args(red, blue, car)), "spy twice");
    EXPECT_EQ(found(q.args(blue, red, car)), "spy twice");
    EXPECT_EQ(found(q.args(green, red, car)), "twice");
    EXPECT_EQ(found(q.args(red, red, car)), "");
    std::vector teams{red, blue, green};
    std::sort(teams.begin(), teams.end());
    do {
      EXPECT_EQ(found(q3.args(teams[0], car, teams[1], teams[2])), "twice");
    } while (std::next_permutation(teams.begin(), teams.end()));
    EXPECT_EQ(found(q3.args(red, car, blue, red)), "");
  }
  twice.remove(OnTeam, red);
  EXPECT_EQ(found(q.args(blue, red, car)), "spy");
}

TEST_P(parameters, with_other_terms) {
  a.set(Health{1}), b.set(Health{2}), c.set(Health{3}),
      spy.set(Health{4}).add<Npc>().set(Shield{1});
  auto typed =
      world.query_builder<Health>().with(OnTeam, kith::param).without<Npc>().cached().build();
  auto optional =
      world.query_builder<const Health, const Shield*>().with(OnTeam, kith::param).cached().build();
  auto other = make("(OnTeam, @t), !(InVehicle, bike), $this != @not");
  for (int times = 0; times < 3; ++times) {
    int sum = 0;
    typed.each(red, [&](Health& h) { sum += h.points; });
    EXPECT_EQ(sum, 3);
    typed.each(red, [&](kith::entity e, Health& h) { EXPECT_EQ(e.get<Health>(), &h); });
    typed.args(red).iter([&](kith::iter& it, Health* h) {
      for (auto row : it) EXPECT_EQ(it.entity(row).get<Health>(), &h[row]);
    });
    int shields = 0;
    optional.each(red, [&](kith::entity e, const Health&, const Shield* found_one) {
      EXPECT_EQ(found_one, e.get<Shield>());
      shields += found_one != nullptr;
    });
    EXPECT_EQ(shields, 1);
    EXPECT_EQ(found(other.args(red, a)), "spy");
    EXPECT_EQ(found(other.args(red, spy)), "a");
  }
  spy.remove<Npc>();
  EXPECT_EQ(typed.args(red).count(), 3u);
  a.remove<Health>();
  EXPECT_EQ(found(typed.args(red)), "b spy");
}

// P6
TEST_P(parameters, can_be_given_in_every_way) {
  auto q = make("(OnTeam, @t), (InVehicle, @v)");
  for (int times = 0; times < 3; ++times) {
    kith::test::words seen;
    q.each(red, bike, [&](kith::entity e) { seen += e.name(); });
    q.each(red, bike, [&](kith::iter& it, std::size_t row) {
      seen += it.entity(row).name();
      EXPECT_EQ(it.get_var("t"), red);
      EXPECT_EQ(it.get_var("v"), bike);
      EXPECT_EQ(it.pair(0).second(), red);
      EXPECT_EQ(it.id(1).second(), bike);
      EXPECT_FALSE(it.src(0));
    });
    EXPECT_EQ(seen.str(), "b b");
    EXPECT_EQ(found(q.set_var("v", bike).set_var("t", red)), "b");
    EXPECT_EQ(found(q.args(red, car).set_var("v", bike)), "b");
    EXPECT_EQ(q.args(red, car).count(), 2u);
    EXPECT_TRUE(q.args(red, car).is_true());
    EXPECT_FALSE(q.args(blue, bike).is_true());
    EXPECT_EQ(q.args(red, bike).first(), b);
    EXPECT_EQ(q.args(red, car).page(1, 5), (std::vector{spy}));
    std::size_t rows = 0;
    for (kith::iter& it : q.args(red, car)) rows += it.count();
    q.args(red, car).run([&](kith::iter& it) {
      while (it.next()) rows += it.count();
    });
    EXPECT_EQ(rows, 4u);
  }
}

// C22
TEST_P(parameters, that_are_wrong_are_errors) {
  auto q = make("(OnTeam, @t), (InVehicle, @v)");
  kith::world other;
  auto gone = world.entity();
  gone.destruct();
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(q.args(red, car).count(), 2u);
    EXPECT_EQ(code_of([&] { q.count(); }), kith::errc::out_of_range);
    EXPECT_EQ(code_of([&] { q.args(red); }), kith::errc::out_of_range);
    EXPECT_EQ(code_of([&] { q.args(red, car, bike); }), kith::errc::out_of_range);
    EXPECT_EQ(code_of([&] { q.set_var("t", red).count(); }), kith::errc::out_of_range);
    EXPECT_EQ(code_of([&] { q.args(red, gone).count(); }), kith::errc::not_alive);
    EXPECT_EQ(code_of([&] { q.args(kith::entity(), car).count(); }), kith::errc::not_alive);
    EXPECT_EQ(code_of([&] { q.args(red, other.entity()).count(); }), kith::errc::not_alive);
    EXPECT_FALSE(world.is_deferred());
  }
}

// P9 P16 P17
TEST_P(parameters, lists_are_live) {
  auto q = make("(OnTeam, @t), (InVehicle, @v)");
  const auto list = q.args(red, bike);
  EXPECT_EQ(found(list), "b");
  auto d = rider("d", red, bike);
  EXPECT_EQ(found(list), "b d");
  d.remove(OnTeam, red);
  EXPECT_EQ(found(list), "b");
  d.add(OnTeam, red);
  EXPECT_EQ(found(list), "b d");
  d.disable();
  EXPECT_EQ(found(list), "b");
  d.enable();
  EXPECT_EQ(found(list), "b d");
  d.add(kith::Prefab);
  EXPECT_EQ(found(list), "b");
  d.remove(kith::Prefab);
  EXPECT_EQ(found(list), "b d");
  d.disable(OnTeam, red);
  EXPECT_EQ(found(list), "b");
  d.enable(OnTeam, red);
  EXPECT_EQ(found(list), "b d");
  d.clear();
  EXPECT_EQ(found(list), "b");
  b.clone().set_name("e");
  EXPECT_EQ(found(list), "b e");
  world.defer([&] {
    b.destruct();
    EXPECT_EQ(found(list), "b e");
  });
  EXPECT_EQ(found(list), "e");
  list.each([&](kith::entity e) { e.remove(InVehicle, bike).add(InVehicle, car); });
  EXPECT_EQ(found(list), "");
  EXPECT_EQ(found(q.args(red, car)), "a e spy");
}

// P17
TEST_P(parameters, lists_end_with_their_targets) {
  auto q = make("(OnTeam, @t), (InVehicle, @v)");
  for (int times = 0; times < 3; ++times) EXPECT_EQ(found(q.args(red, car)), "a spy");
  red.destruct();
  EXPECT_EQ(code_of([&] { q.args(red, car).count(); }), kith::errc::not_alive);
  EXPECT_EQ(found(q.args(blue, car)), "c spy");
  // Another entity in its place has none of its riders.
  for (int i = 0; i < 5; ++i) {
    auto fresh = world.entity();
    EXPECT_EQ(found(q.args(fresh, car)), "");
    a.add(OnTeam, fresh);
    EXPECT_EQ(found(q.args(fresh, car)), "a");
  }
}

TEST_P(parameters, a_relation_that_is_deleted_finds_nothing) {
  auto q = make("(OnTeam, @t), (InVehicle, @v)");
  for (int times = 0; times < 3; ++times) EXPECT_EQ(found(q.args(red, car)), "a spy");
  OnTeam.destruct();
  EXPECT_EQ(found(q.args(red, car)), "");
  auto again = world.entity("again");
  a.add(again, red);
  EXPECT_EQ(found(q.args(red, car)), "");
  EXPECT_EQ(found(make("(again, @t)").args(red)), "a");
}

TEST_P(parameters, targets_may_be_inherited) {
  auto base = world.prefab("base").add(OnTeam, blue);
  auto d = world.entity("d").add(InVehicle, bike).is_a(base);
  auto q = make("(OnTeam, @t), (InVehicle, @v)");
  for (int times = 0; times < 3; ++times) EXPECT_EQ(found(q.args(blue, bike)), "d");
  base.remove(OnTeam, blue);
  EXPECT_EQ(found(q.args(blue, bike)), "");
  base.add(OnTeam, red);
  EXPECT_EQ(found(q.args(red, bike)), "b d");
  d.remove(kith::IsA, base);
  EXPECT_EQ(found(q.args(red, bike)), "b");
}

TEST_P(parameters, kinds_of_a_relation_count) {
  auto Leads = world.entity("Leads");
  world.entity("d").add(Leads, red).add(InVehicle, bike);
  auto q = make("(OnTeam, @t), (InVehicle, @v)");
  for (int times = 0; times < 3; ++times) EXPECT_EQ(found(q.args(red, bike)), "b");
  Leads.is_a(OnTeam);
  EXPECT_EQ(found(q.args(red, bike)), "b d");
  world.entity("e").add(Leads, red).add(InVehicle, bike);
  EXPECT_EQ(found(q.args(red, bike)), "b d e");
  Leads.remove(kith::IsA, OnTeam);
  EXPECT_EQ(found(q.args(red, bike)), "b");
}

TEST_P(parameters, traits_may_come_and_go) {
  auto fleet = world.entity("fleet");
  red.add(OnTeam, fleet);
  auto q = make("(OnTeam, @t), (InVehicle, @v)");
  for (int times = 0; times < 3; ++times) EXPECT_EQ(found(q.args(fleet, bike)), "");
  OnTeam.add(kith::Transitive);
  EXPECT_EQ(found(q.args(fleet, bike)), "b");
  EXPECT_EQ(found(q.args(fleet, bike)), "b");
  OnTeam.remove(kith::Transitive);
  EXPECT_EQ(found(q.args(fleet, bike)), "");
}

TEST_P(parameters, may_follow_a_transitive_relation) {
  auto In = world.entity("In").add(kith::Transitive);
  auto city = world.entity("city"), land = world.entity("land"), earth = world.entity("earth");
  city.add(In, land), land.add(In, earth), a.add(In, city), b.add(In, land);
  auto q = make("(In, @place), (OnTeam, @t)");
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(found(q.args(earth, red)), "a b");
    EXPECT_EQ(found(q.args(city, red)), "a");
    EXPECT_EQ(found(q.args(earth, blue)), "");
  }
  city.remove(In, land);
  EXPECT_EQ(found(q.args(earth, red)), "b");
}

TEST_P(parameters, may_be_sources_relations_and_ids) {
  auto Crew = world.entity("Crew");
  car.add(Crew, a).add(Crew, spy);
  auto source = make("Crew(@v, $this)"), relation = make("(@r, red)"),
       id = make("@id, (OnTeam, @t)");
  auto of_variable = make("(InVehicle, $v), Crew($v, @who)");
  a.add<Npc>();
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(found(source.args(car)), "a spy");
    EXPECT_EQ(found(source.args(bike)), "");
    EXPECT_EQ(found(relation.args(OnTeam)), "a b spy");
    EXPECT_EQ(found(relation.args(InVehicle)), "");
    EXPECT_EQ(found(id.args(world.component<Npc>(), red)), "a");
    EXPECT_EQ(found(of_variable.args(spy)), "a c spy");
  }
  car.remove(Crew, a);
  EXPECT_EQ(found(source.args(car)), "spy");
}

TEST_P(parameters, the_same_in_two_places_is_one) {
  auto Guards = world.entity("Guards");
  a.add(Guards, car), b.add(Guards, car);
  auto q = make("(InVehicle, @v), (Guards, @v)");
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(found(q.args(car)), "a");
    EXPECT_EQ(found(q.args(bike)), "");
  }
  b.add(InVehicle, car);
  EXPECT_EQ(found(q.args(car)), "a b");
}

TEST_P(parameters, only_some_variables_may_be_given) {
  auto q = make("(OnTeam, $t), (InVehicle, $v)");
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(found(q.set_var("t", red)), "a b spy");
    EXPECT_EQ(found(q.set_var("v", car)), "a c spy spy");
    EXPECT_EQ(found(q.set_var("v", car).set_var("t", red)), "a spy");
    EXPECT_EQ(found(q), "a b c spy spy");
  }
}

// P18: the index has an entity with many targets under one parameter only.
TEST_P(parameters, many_targets_of_two_relations) {
  std::vector<kith::entity> teams, vehicles;
  auto fleet = world.entity("fleet"), other = world.entity("other");
  for (int i = 0; i < 200; ++i) {
    teams.push_back(world.entity());
    vehicles.push_back(world.entity());
    fleet.add(OnTeam, teams.back()).add(InVehicle, vehicles.back());
  }
  other.add(OnTeam, teams[7]).add(InVehicle, vehicles[9]);
  auto q = make("(OnTeam, @t), (InVehicle, @v)");
  auto twice = make("(OnTeam, @t), (OnTeam, @u), (InVehicle, @v)");
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(found(q.args(teams[7], vehicles[9])), "fleet other");
    EXPECT_EQ(found(q.args(teams[0], vehicles[199])), "fleet");
    EXPECT_EQ(found(q.args(teams[0], car)), "");
    EXPECT_EQ(found(q.args(red, vehicles[0])), "");
    EXPECT_EQ(found(twice.args(teams[3], teams[190], vehicles[5])), "fleet");
    EXPECT_EQ(found(twice.args(teams[190], teams[3], vehicles[5])), "fleet");
    EXPECT_EQ(found(twice.args(teams[3], teams[3], vehicles[5])), "");
  }
  fleet.remove(InVehicle, vehicles[9]);
  EXPECT_EQ(found(q.args(teams[7], vehicles[9])), "other");
  teams[0].destruct();
  EXPECT_EQ(found(q.args(teams[1], vehicles[199])), "fleet");
  for (int i = 1; i < 199; ++i) fleet.remove(OnTeam, teams[static_cast<std::size_t>(i)]);
  EXPECT_EQ(found(q.args(teams[199], vehicles[199])), "fleet");
  EXPECT_EQ(found(q.args(teams[7], vehicles[9])), "other");
  fleet.destruct();
  EXPECT_EQ(found(q.args(teams[199], vehicles[199])), "");
}

// P10
TEST_P(parameters, ten_thousand_targets) {
  std::vector<kith::entity> teams, members;
  auto q = make("(OnTeam, @t)");
  EXPECT_EQ(q.args(red).count(), 3u);
  for (int i = 0; i < 10'000; ++i) {
    teams.push_back(world.entity());
    members.push_back(world.entity().add(OnTeam, teams.back()));
  }
  for (std::size_t i = 0; i < teams.size(); i += 37)
    EXPECT_EQ(q.args(teams[i]).first(), members[i]);
  for (std::size_t i = 0; i < teams.size(); i += 2) members[i].destruct();
  for (std::size_t i = 0; i < teams.size(); i += 37) EXPECT_EQ(q.args(teams[i]).count(), i % 2);
}

TEST_P(parameters, one_entity_with_ten_thousand_targets) {
  // In tables each set of targets is a table of its own.
  const int targets = GetParam() == kith::Fragment ? 600 : 10'000;
  auto hub = world.entity("hub").add(InVehicle, car);
  std::vector<kith::entity> teams;
  for (int i = 0; i < targets; ++i) hub.add(OnTeam, teams.emplace_back(world.entity()));
  auto q = make("(OnTeam, @t), (InVehicle, @v)");
  for (std::size_t i = 0; i < teams.size(); i += 500)
    EXPECT_EQ(found(q.args(teams[i], car)), "hub");
  hub.remove(OnTeam, teams[500]);
  EXPECT_EQ(found(q.args(teams[500], car)), "");
  EXPECT_EQ(found(q.args(teams[501], car)), "hub");
}

// Nested uses of one query, with entities made meanwhile.
// What is looked up at once is safe as any iteration is.
TEST_P(parameters, lookups_are_iterations) {
  auto q = make("(OnTeam, @t), (InVehicle, @v)");
  const auto visit = [&](kith::entity team, kith::entity vehicle, auto act) {
    // From the third on nothing is prepared anew.
    for (int times = 0; times < 3; ++times) q.each(team, vehicle, [](kith::entity) {});
    q.each(team, vehicle, act);
  };
  // Changes wait until it ends,
  visit(red, car, [&](kith::entity e) {
    e.remove(OnTeam, red);
    EXPECT_TRUE(e.has(OnTeam, red));
  });
  EXPECT_EQ(found(q.args(red, car)), "");
  a.add(OnTeam, red);
  spy.add(OnTeam, red);
  // also if it is left by a throw,
  const auto leave = [&] {
    visit(red, car, [&](kith::entity e) {
      e.remove(OnTeam, red);
      throw 7;
    });
  };
  EXPECT_THROW(leave(), int);
  EXPECT_EQ(q.args(red, car).count(), 1u);
  EXPECT_FALSE(world.is_deferred());
  // and a value that is wrong is as wrong as ever.
  const kith::entity gone = world.entity();
  gone.destruct();
  EXPECT_EQ(code_of([&] { visit(gone, car, [](kith::entity) {}); }), kith::errc::not_alive);
  kith::world other;
  EXPECT_EQ(code_of([&] { visit(other.entity(), car, [](kith::entity) {}); }),
            kith::errc::not_alive);
  EXPECT_EQ(code_of([&] { q.each(red, [](kith::entity) {}); }), kith::errc::out_of_range);
}

TEST_P(parameters, query_may_be_dropped_in_its_own_lookup) {
  auto q = make("(OnTeam, @t), (InVehicle, @v)");
  for (int times = 0; times < 3; ++times) q.each(red, car, [](kith::entity) {});
  std::string names;
  q.each(red, car, [&](kith::entity e) {
    q = {};
    names += e.name();
  });
  EXPECT_EQ(names, "aspy");
  auto second = make("(OnTeam, @t)");
  names.clear();
  second.args(red).each([&](kith::entity e) {
    second = {};
    names += e.name();
  });
  EXPECT_EQ(names, "abspy");
}

TEST_P(parameters, one_query_can_be_asked_inside_itself) {
  for (kith::entity e : {a, b, c, spy}) e.set(Health{1});
  auto q = world.query_builder<Health>().with(OnTeam, kith::param).cached().build();
  EXPECT_EQ(q.args(red).count(), 3u);
  int inner = 0;
  q.each(red, [&](kith::entity outer, Health& h) {
    world.entity();
    q.each(red, [&](Health& same) { inner += same.points; });
    q.each(blue, [&](Health& other) { inner += other.points; });
    EXPECT_EQ(outer.get<Health>(), &h);
  });
  EXPECT_EQ(inner, 15);
}

// After any change the index says what a query without one says.
TEST_P(parameters, after_anything) {
  std::minstd_rand random(11);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  std::vector<kith::entity> targets{red, blue, car, bike}, sources{a, b, c, spy};
  for (int i = 0; i < 20; ++i) sources.push_back(world.entity());
  for (int i = 0; i < 8; ++i) targets.push_back(world.entity());
  const char* texts[] = {"(OnTeam, @t)", "(OnTeam, @t), (InVehicle, @u)",
                         "(OnTeam, @t), (OnTeam, @u)",
                         "(OnTeam, @t), (OnTeam, @u), (InVehicle, @v)"};
  std::vector<kith::query<>> cached, naive;
  for (const char* text : texts) {
    cached.push_back(make(text));
    naive.push_back(world.filter(text));
  }
  const auto entities = [](const kith::query_view<>& q) {
    std::multiset<kith::entity_t> all;
    q.each([&](kith::entity e) { all.insert(e.raw_id()); });
    return all;
  };
  for (int step = 0; step < 2000; ++step) {
    kith::entity& e = sources[below(sources.size())];
    kith::entity& t = targets[below(targets.size())];
    const kith::entity r = below(2) ? OnTeam : InVehicle;
    switch (below(10)) {
      case 0:
        e.destruct();
        e = world.entity();
        break;
      case 1:
        if (below(4)) break;
        t.destruct();
        t = world.entity();
        break;
      case 2:
        e.is_alive() && below(2) ? e.disable() : e.enable();
        break;
      case 3:
        for (const kith::entity& all : targets) e.add(r, all);
        break;
      case 4:
      case 5:
        e.remove(r, t);
        break;
      default:
        e.add(r, t);
        break;
    }
    for (std::size_t i = 0; i < cached.size(); ++i) {
      const kith::entity x = targets[below(targets.size())], y = targets[below(targets.size())],
                         z = targets[below(targets.size())];
      const auto given = [&](const kith::query<>& q) {
        return i == 0 ? q.args(x) : i == 3 ? q.args(x, y, z) : q.args(x, y);
      };
      ASSERT_EQ(entities(given(cached[i])), entities(given(naive[i]))) << step << " " << texts[i];
    }
  }
}

}  // namespace
