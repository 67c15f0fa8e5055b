// A small world in which every chance to throw is taken in turn.
//
//     TYPED_TEST(adding, add_is_all_or_nothing) {
//       this->at_every_throw([](auto& s) { s.ann.template add<TypeParam>(); });
//     }
//
// The change is made on fresh worlds: first undisturbed, then with a throw at the first chance, at the
// second, and so on until it goes through. After each throw the world must be as it was before, no
// object may be lost or left over, and the change made again must lead where it leads undisturbed.
// All this is done with values in tables and in pools, and beside none or several other values, so
// that the storage grows in the middle of the change or does not.
#pragma once

#include <cctype>
#include <functional>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

#include "support/lifecycle.hpp"
#include "support/world_text.hpp"
#include "world/engine_state.hpp"

namespace kith::test {

using every_kind =
    ::testing::Types<trivial, movable, move_only, no_default, immovable, risky_move, aligned<64>,
                     aligned<256>, self_pointing, aggregate, const_member>;
using copyable_kind = ::testing::Types<trivial, movable, no_default, risky_move, aligned<64>,
                                       aligned<256>, self_pointing, aggregate, const_member>;

struct kind_names {
  template <class T>
  static std::string GetName(int) {
    std::string name(core::type_name<T>().substr(sizeof("kith::test::") - 1));
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
  }
};

template <class T>
inline constexpr bool is_tracked = !std::is_same_v<T, trivial>;

// A second value of bob, beside the one that is looked at.
struct witness {
  tracked part;
  int value() const { return part.value(); }
};
struct apples {};
struct pears {};
struct mark {};

// ann has nothing, bob has a T and a witness, and both are children of ship. `crowd` more entities
// have a T.
template <class T>
struct stage {
  stage(core::id_group::place where, int crowd) {
    w.component<mark>();
    w.component<apples>();
    w.component<pears>();
    text.show<T>(w);
    text.show<witness>(w);
    keep(w.component<T>().id(), where);
    ship = w.entity("ship");
    ann = w.entity("ann").child_of(ship);
    bob = w.entity("bob").child_of(ship);
    bob.emplace<T>(5);
    bob.emplace<witness>(1);
    for (int i = 0; i < crowd; ++i) w.entity().emplace<T>(100 + i);
  }

  // Where the plain id and the pairs of an entity are kept from now on.
  void keep(entity_t e, core::id_group::place where) {
    core::store& s = w.engine().state().store_;
    for (id_t key : {e, core::make_pair(e, 0)}) {
      core::id_group& group = s.ids().group_of(key);
      s.place(group, where);
      group.pinned = true;
    }
  }

  std::string seen() { return text.of(w); }
  // -9: it has none.
  int value_of(kith::entity e) const {
    const T* value = e.get<T>();
    return value ? value->value() : -9;
  }

  // Values of tracked types that some entity has.
  std::size_t tracked_values() {
    std::size_t count = 0;
    const core::store& s = w.engine().state().store_;
    s.ids().each([&](const core::id_record& record) {
      const bool is_T = record.type && record.type->component == w.component<T>().id();
      const bool is_witness =
          record.type && record.type->component == w.component<witness>().id();
      if ((is_T && is_tracked<T>) || is_witness) count += s.count(record);
    });
    return count;
  }

  kith::world w;
  kith::entity ship, ann, bob;
  world_text text;
};

template <class T>
class lifecycle : public ::testing::Test {
 protected:
  using step = std::function<void(stage<T>&)>;

  lifecycle() { ledger::clear(); }
  ~lifecycle() override { expect_nothing_left(); }

  // On every stage once, without a throw; nothing may be left when it is gone.
  static void on_every_stage(const step& play);

  // `check` looks at the world after the change. Returns how often the change was made to throw.
  static std::size_t at_every_throw(const step& change, const step& check);

  // For a change that cannot throw.
  static void without_a_throw(const step& change, const step& check) {
    EXPECT_EQ(at_every_throw(change, check), 0u);
  }

 private:
  static void expect_nothing_left();
  // Calls `visit(place, crowd)` with each way to set the stage.
  static void each_stage(const std::function<void(core::id_group::place, int)>& visit);
};

}  // namespace kith::test
