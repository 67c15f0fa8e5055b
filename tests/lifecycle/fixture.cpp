#include "lifecycle/fixture.hpp"

namespace kith::test {

using core::id_group;

// --- the stage -----------------------------------------------------------------------------------

void stage::set_up(id_group::place where, int crowd) {
  w.component<mark>();
  w.component<apples>();
  w.component<pears>();
  text.show<witness>(w);
  keep(type(), where);
  ship = w.entity("ship");
  ann = w.entity("ann").child_of(ship);
  bob = w.entity("bob").child_of(ship);
  emplace(bob, 5);
  bob.emplace<witness>(1);
  for (int i = 0; i < crowd; ++i) emplace(w.entity(), 100 + i);
}

void stage::keep(kith::entity type, id_group::place where) {
  core::store& s = w.engine().state().store();
  for (id_t key : {type.id(), core::make_pair(type.id(), 0)}) {
    id_group& group = s.ids().group_of(key);
    s.place(group, where);
    group.pinned = true;
  }
}

std::size_t stage::tracked_values() {
  std::size_t count = 0;
  const core::store& s = w.engine().state().store();
  s.ids().each([&](const core::id_record& record) {
    if (!record.type()) return;
    const bool counts = (is_tracked_ && record.type()->component == type().id()) ||
                        record.type()->component == w.component<witness>().id();
    if (counts) count += s.count(record);
  });
  return count;
}

// --- kinds ---------------------------------------------------------------------------------------

std::vector<kind> every_kind() {
  return {kind_of<trivial>("trivial"),
          kind_of<movable>("movable"),
          kind_of<move_only>("move_only"),
          kind_of<no_default>("no_default"),
          kind_of<immovable>("immovable"),
          kind_of<risky_move>("risky_move"),
          kind_of<aligned<64>>("aligned_64"),
          kind_of<aligned<256>>("aligned_256"),
          kind_of<self_pointing>("self_pointing"),
          kind_of<aggregate>("aggregate"),
          kind_of<const_member>("const_member")};
}

std::vector<kind> kinds_that(bool kind::*can, bool yes) {
  std::vector<kind> kinds = every_kind();
  std::erase_if(kinds, [&](const kind& k) { return k.*can != yes; });
  return kinds;
}

std::string kind_name(const ::testing::TestParamInfo<kind>& tested) { return tested.param.name; }

// --- what is done with them ----------------------------------------------------------------------

void lifecycle::expect_nothing_left() {
  EXPECT_EQ(ledger::living(), 0u);
  EXPECT_EQ(ledger::mistakes(), "");
  ledger::clear();
}

void lifecycle::each_stage(const std::function<void(id_group::place, int)>& visit) {
  for (auto where : {id_group::place::tables, id_group::place::pools})
    for (int crowd : {0, 1, 3, 7}) {
      SCOPED_TRACE(core::concat(where == id_group::place::tables ? "tables" : "pools",
                                ", crowd of ", std::to_string(crowd)));
      visit(where, crowd);
      expect_nothing_left();
      if (HasFailure()) return;
    }
}

void lifecycle::on_every_stage(const step& play) {
  each_stage([&](id_group::place where, int crowd) { play(*GetParam().make_stage(where, crowd)); });
}

std::size_t lifecycle::at_every_throw(const step& change, const step& check) {
  std::size_t throws = 0;
  each_stage([&](id_group::place where, int crowd) {
    std::string undisturbed;
    {
      const auto s = GetParam().make_stage(where, crowd);
      change(*s);
      undisturbed = s->seen();
      EXPECT_EQ(ledger::living(), s->tracked_values());
      check(*s);
    }
    expect_nothing_left();
    bool thrown = true;
    for (std::size_t nth = 1; thrown && !HasFailure(); ++nth) {
      SCOPED_TRACE(core::concat("throw number ", std::to_string(nth)));
      thrown = false;
      {
        const auto s = GetParam().make_stage(where, crowd);
        const std::string before = s->seen();
        const std::size_t living = ledger::living();
        ledger::throw_at(nth);
        try {
          change(*s);
        } catch (const planned_throw&) {
          thrown = true;
        }
        ledger::throw_at(0);
        if (thrown) {
          ++throws;
          EXPECT_EQ(s->seen(), before);
          EXPECT_EQ(ledger::living(), living);
          change(*s);
        }
        EXPECT_EQ(s->seen(), undisturbed);
        EXPECT_EQ(ledger::living(), s->tracked_values());
      }
      expect_nothing_left();
    }
  });
  return throws;
}

}  // namespace kith::test
