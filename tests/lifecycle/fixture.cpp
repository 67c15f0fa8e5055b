#include "lifecycle/fixture.hpp"

namespace kith::test {

using core::id_group;

template <class T>
void lifecycle<T>::expect_nothing_left() {
  EXPECT_EQ(ledger::living(), 0u);
  EXPECT_EQ(ledger::mistakes(), "");
  ledger::clear();
}

template <class T>
void lifecycle<T>::each_stage(const std::function<void(id_group::place, int)>& visit) {
  for (auto where : {id_group::place::tables, id_group::place::pools})
    for (int crowd : {0, 1, 3, 7}) {
      SCOPED_TRACE(core::concat(where == id_group::place::tables ? "tables" : "pools",
                                ", crowd of ", std::to_string(crowd)));
      visit(where, crowd);
      expect_nothing_left();
      if (::testing::Test::HasFailure()) return;
    }
}

template <class T>
void lifecycle<T>::on_every_stage(const step& play) {
  each_stage([&](id_group::place where, int crowd) {
    stage<T> s(where, crowd);
    play(s);
  });
}

template <class T>
std::size_t lifecycle<T>::at_every_throw(const step& change, const step& check) {
  std::size_t throws = 0;
  each_stage([&](id_group::place where, int crowd) {
    std::string undisturbed;
    {
      stage<T> s(where, crowd);
      change(s);
      undisturbed = s.seen();
      check(s);
      EXPECT_EQ(ledger::living(), s.tracked_values());
    }
    expect_nothing_left();
    bool thrown = true;
    for (std::size_t nth = 1; thrown && !::testing::Test::HasFailure(); ++nth) {
      SCOPED_TRACE(core::concat("throw number ", std::to_string(nth)));
      thrown = false;
      {
        stage<T> s(where, crowd);
        const std::string before = s.seen();
        const std::size_t living = ledger::living();
        ledger::throw_at(nth);
        try {
          change(s);
        } catch (const planned_throw&) {
          thrown = true;
        }
        ledger::throw_at(0);
        if (thrown) {
          ++throws;
          EXPECT_EQ(s.seen(), before);
          EXPECT_EQ(ledger::living(), living);
          change(s);
        }
        EXPECT_EQ(s.seen(), undisturbed);
        EXPECT_EQ(ledger::living(), s.tracked_values());
      }
      expect_nothing_left();
    }
  });
  return throws;
}

template class lifecycle<trivial>;
template class lifecycle<movable>;
template class lifecycle<move_only>;
template class lifecycle<no_default>;
template class lifecycle<immovable>;
template class lifecycle<risky_move>;
template class lifecycle<aligned<64>>;
template class lifecycle<aligned<256>>;
template class lifecycle<self_pointing>;
template class lifecycle<aggregate>;
template class lifecycle<const_member>;

}  // namespace kith::test
