// The oracle derives from a snapshot what the library says about single entities. The two were
// written independently, from the same specification.
#include <algorithm>

#include <gtest/gtest.h>

#include "oracle/random_world.hpp"
#include "oracle/ways.hpp"

namespace kith_oracle {

namespace {

constexpr std::uint64_t worlds = 600;

// Calls `check` for each of many random worlds.
template <class Check>
void in_many_worlds(Check check) {
  for (std::uint64_t seed = 1; seed <= worlds && !::testing::Test::HasFatalFailure(); ++seed) {
    dice random(seed);
    const script made = random_script(random);
    scripted_world world(made);
    facts known(world.facts());
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_text(made));
    check(world.world(), known);
  }
}

std::vector<entity_t> own_entities(const facts& known) {
  std::vector<entity_t> result;
  for (entity_t e : known.world().entities)
    if (!is_builtin(e)) result.push_back(e);
  return result;
}

part pair_term(entity_t source, entity_t relation, entity_t target) {
  part p;
  for (auto [at, e] : {std::pair{&p.first, relation}, {&p.source, source}, {&p.second, target}}) {
    at->is = e ? place::kind::entity : place::kind::none;
    at->entity = e;
  }
  return p;
}

}  // namespace

TEST(oracle_facts, what_is_visible_is_what_has_tells) {
  in_many_worlds([](kith::world& world, facts& known) {
    std::set<id> ids;
    for (entity_t e : known.world().entities)
      for (const found_id& f : known.owned(e)) ids.insert(f.id);
    for (entity_t e : own_entities(known)) {
      std::set<id> visible;
      for (const found_id& f : known.visible(e)) visible.insert(f.id);
      for (const id& i : ids) {
        const kith::id_t raw = i.is_pair() ? kith::pair_id(i.first, i.second) : i.first;
        ASSERT_EQ(world.engine().has(e, raw), visible.contains(i))
            << known.world().text_of(e) << " " << known.world().text_of(i);
      }
    }
  });
}

TEST(oracle_facts, what_holds_is_what_related_tells) {
  in_many_worlds([](kith::world& world, facts& known) {
    term_ways terms(known);
    const std::vector<entity_t> own = own_entities(known);
    for (entity_t s : own)
      for (entity_t p : own) {
        ASSERT_EQ(world.engine().related(s, p), !terms.of(pair_term(s, p, 0), {}).empty())
            << known.world().text_of(s) << " " << known.world().text_of(p);
        for (entity_t t : own)
          ASSERT_EQ(world.engine().related(s, p, t), !terms.of(pair_term(s, p, t), {}).empty())
              << known.world().text_of(p) << "(" << known.world().text_of(s) << ", "
              << known.world().text_of(t) << ")";
      }
  });
}

TEST(oracle_facts, what_is_reached_is_what_reached_tells) {
  in_many_worlds([](kith::world& world, facts& known) {
    std::vector<entity_t> relations = own_entities(known);
    relations.insert(relations.end(), {kith::IsA, kith::ChildOf});
    const auto sorted = [](std::vector<entity_t> list) {
      std::sort(list.begin(), list.end());
      return list;
    };
    for (entity_t r : relations)
      for (entity_t e : own_entities(known)) {
        ASSERT_EQ(sorted(world.engine().reached_from(e, r)), sorted(known.reached(e, {true, r})));
        ASSERT_EQ(sorted(world.engine().reached_to(e, r)), sorted(known.reached(e, {false, r})));
      }
  });
}

}  // namespace kith_oracle
