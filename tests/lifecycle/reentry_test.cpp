// Components whose constructors, moves and destructors use the world they are in. What they ask for is
// queued and made when the change that runs them is done.
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

#include "support/lifecycle.hpp"
#include "world/engine_state.hpp"

namespace {

using namespace kith::test;
using kith::core::id_group;

enum class event { construct, copy, move, assign, destroy };

// What the components below do.
std::function<void(event, int value)> reaction;

void react(event what, int value) {
  if (reaction) reaction(what, value);
}

// Movable: it lives in columns and is moved about. -1: it was moved from.
class reactor {
 public:
  reactor(int v = 0) : part_(v) { react(event::construct, v); }
  reactor(const reactor& other) : part_(other.part_) { react(event::copy, value()); }
  reactor(reactor&& other) noexcept : part_(std::move(other.part_)) {
    react(event::move, value());
  }
  reactor& operator=(const reactor& other) {
    part_ = other.part_;
    react(event::assign, value());
    return *this;
  }
  ~reactor() { react(event::destroy, value()); }
  int value() const { return part_.value(); }

 private:
  tracked part_;
};

// Kept in a box.
class boxed_reactor {
 public:
  boxed_reactor(int v = 0) : part_(v) { react(event::construct, v); }
  boxed_reactor(const boxed_reactor& other) : part_(other.part_) { react(event::copy, value()); }
  boxed_reactor& operator=(const boxed_reactor& other) {
    part_ = other.part_;
    react(event::assign, value());
    return *this;
  }
  ~boxed_reactor() { react(event::destroy, value()); }
  int value() const { return part_.value(); }

 private:
  tracked part_;
};

struct mark {};
struct note {
  int number = 0;
};


template <class Kind>
class reentry : public ::testing::Test {
 protected:
  using component = typename Kind::type;

  reentry() {
    ledger::clear();
    reaction = nullptr;
    w.emplace();
    w->component<mark>();
    w->component<note>();
    auto& s = w->engine().state().store_;
    const kith::entity_t type = w->component<component>().id();
    for (kith::id_t key : {type, kith::core::make_pair(type, 0)}) {
      s.place(s.ids().group_of(key), Kind::where);
      s.ids().group_of(key).pinned = true;
    }
    ann = w->entity("ann");
    bob = w->entity("bob");
  }
  ~reentry() override {
    w.reset();
    reaction = nullptr;
    EXPECT_EQ(ledger::living(), 0u);
    EXPECT_EQ(ledger::mistakes(), "");
  }
  // Reacts to one kind of event, and not to what the reaction itself causes.
  void on(event what, std::function<void(int value)> act) {
    reaction = [=, reacting = false](event happened, int value) mutable {
      if (happened != what || reacting || value < 0) return;
      reacting = true;
      act(value);
      reacting = false;
    };
  }

  std::optional<kith::world> w;
  kith::entity ann, bob;
};

template <class Type, id_group::place Where>
struct kind {
  using type = Type;
  static constexpr id_group::place where = Where;
};
using kinds = ::testing::Types<kind<reactor, id_group::place::tables>,
                               kind<reactor, id_group::place::pools>,
                               kind<boxed_reactor, id_group::place::tables>,
                               kind<boxed_reactor, id_group::place::pools>>;
TYPED_TEST_SUITE(reentry, kinds);

// --- constructors --------------------------------------------------------------------------------

TYPED_TEST(reentry, change_asked_for_by_a_constructor_is_made_after_the_change_that_runs_it) {
  using T = typename TypeParam::type;
  bool made_at_once = true;
  this->on(event::construct, [&](int) {
    this->bob.template add<mark>();
    made_at_once = this->bob.template has<mark>();
  });
  this->ann.template emplace<T>(1);
  EXPECT_FALSE(made_at_once);
  EXPECT_TRUE(this->bob.template has<mark>());
}

TYPED_TEST(reentry, constructor_can_change_its_own_entity) {
  using T = typename TypeParam::type;
  this->on(event::construct, [&](int) { this->ann.set(note{4}); });
  this->ann.template emplace<T>(1);
  EXPECT_EQ(this->ann.template get<note>()->number, 4);
  EXPECT_EQ(this->ann.template get<T>()->value(), 1);
}

TYPED_TEST(reentry, constructor_can_delete_its_own_entity) {
  using T = typename TypeParam::type;
  this->on(event::construct, [&](int) { this->ann.destruct(); });
  this->ann.template emplace<T>(1);
  EXPECT_FALSE(this->ann.is_alive());
}

TYPED_TEST(reentry, constructor_can_give_the_same_component_to_others) {
  using T = typename TypeParam::type;
  this->on(event::construct, [&](int v) { this->bob.template emplace<T>(v + 1); });
  this->ann.template emplace<T>(1);
  EXPECT_EQ(this->ann.template get<T>()->value(), 1);
  EXPECT_EQ(this->bob.template get<T>()->value(), 2);
}

TYPED_TEST(reentry, constructor_can_create_entities_of_every_sort) {
  using T = typename TypeParam::type;
  kith::entity plain, named, valued;
  std::vector<kith::entity> crowd;
  this->on(event::construct, [&](int) {
    plain = this->w->entity();
    named = this->w->entity("ann::child");
    valued = this->w->entity(note{3}, mark{});
    crowd = this->w->bulk(50, note{5});
  });
  this->ann.template emplace<T>(1);
  EXPECT_TRUE(plain.is_alive());
  EXPECT_EQ(named.parent(), this->ann);
  EXPECT_EQ(valued.template get<note>()->number, 3);
  for (kith::entity e : crowd) EXPECT_EQ(e.template get<note>()->number, 5);
}

TYPED_TEST(reentry, constructor_in_a_bulk_can_create_entities) {
  using T = typename TypeParam::type;
  std::size_t created = 0;
  const T one(1);
  this->on(event::copy, [&](int) {
    this->w->entity().template add<mark>();
    ++created;
  });
  const auto made = this->w->bulk(100, one);
  reaction = nullptr;
  for (kith::entity e : made) EXPECT_EQ(e.template get<T>()->value(), 1);
  EXPECT_EQ(this->w->template count<mark>(), created);
  EXPECT_GE(created, 100u);
}

TYPED_TEST(reentry, constructor_can_use_a_type_for_the_first_time) {
  using T = typename TypeParam::type;
  struct first_seen {
    int number;
  };
  this->on(event::construct, [&](int) { this->bob.set(first_seen{6}); });
  this->ann.template emplace<T>(1);
  EXPECT_EQ(this->bob.template get<first_seen>()->number, 6);
}

TYPED_TEST(reentry, constructor_sees_the_world_as_it_was) {
  using T = typename TypeParam::type;
  this->bob.template emplace<T>(7);
  int others = -1, of_bob = -1;
  this->on(event::construct, [&](int) {
    others = static_cast<int>(this->w->template count<T>());
    of_bob = this->bob.template get<T>()->value();
  });
  this->ann.template emplace<T>(1);
  EXPECT_EQ(others, 1);
  EXPECT_EQ(of_bob, 7);
}

TYPED_TEST(reentry, changes_asked_for_by_a_constructor_that_throws_are_made) {
  using T = typename TypeParam::type;
  this->on(event::construct, [&](int) {
    this->bob.template add<mark>();
    throw std::runtime_error("no");
  });
  EXPECT_THROW(this->ann.template emplace<T>(1), std::runtime_error);
  EXPECT_FALSE(this->ann.template has<T>());
  EXPECT_TRUE(this->bob.template has<mark>());
}

TYPED_TEST(reentry, constructors_can_ask_for_more_constructors) {
  using T = typename TypeParam::type;
  std::vector<kith::entity> chain{this->ann};
  reaction = [&](event what, int value) {
    if (what != event::construct || value == 0) return;
    chain.push_back(this->w->entity());
    chain.back().template emplace<T>(value - 1);
  };
  this->ann.template emplace<T>(5);
  reaction = nullptr;
  ASSERT_EQ(chain.size(), 6u);
  EXPECT_EQ(this->w->template count<T>(), 6u);
}

// --- copies, assignments, moves ------------------------------------------------------------------

TYPED_TEST(reentry, copy_in_a_clone_can_change_the_original) {
  using T = typename TypeParam::type;
  this->ann.template emplace<T>(1);
  this->on(event::copy, [&](int) { this->ann.template remove<T>(); });
  const kith::entity copy = this->ann.clone();
  EXPECT_EQ(copy.template get<T>()->value(), 1);
  EXPECT_FALSE(this->ann.template has<T>());
}

TYPED_TEST(reentry, assignment_can_remove_what_it_assigns_to) {
  using T = typename TypeParam::type;
  this->ann.template emplace<T>(1);
  const T two(2);
  this->on(event::assign, [&](int) { this->ann.template remove<T>(); });
  this->ann.set(two);
  EXPECT_FALSE(this->ann.template has<T>());
}

TYPED_TEST(reentry, move_while_the_storage_grows_can_ask_for_more_of_the_same) {
  using T = typename TypeParam::type;
  std::size_t asked = 0;
  this->on(event::move, [&](int) {
    this->w->entity().template emplace<T>(50);
    ++asked;
  });
  for (int i = 0; i < 40; ++i) this->w->entity().template emplace<T>(1);
  reaction = nullptr;
  EXPECT_EQ(this->w->template count<T>(), 40 + asked);
}

TYPED_TEST(reentry, move_to_another_place_can_ask_for_more_of_the_same) {
  using T = typename TypeParam::type;
  for (int i = 0; i < 10; ++i) this->w->entity().template emplace<T>(i).template add<mark>();
  std::size_t asked = 0;
  this->on(event::move, [&](int) {
    this->w->entity().template emplace<T>(50);
    ++asked;
  });
  auto& s = this->w->engine().state().store_;
  auto& group = s.ids().group_of(this->w->template component<T>().id());
  s.place(group, id_group::place::pools);
  s.place(group, id_group::place::tables);
  s.place(group, id_group::place::pools);
  reaction = nullptr;
  this->ann.template add<mark>();
  EXPECT_EQ(this->w->template count<T>(), 10 + asked);
}

// --- destructors ---------------------------------------------------------------------------------

TYPED_TEST(reentry, destructor_can_change_its_own_entity_and_others) {
  using T = typename TypeParam::type;
  this->ann.template emplace<T>(1);
  this->on(event::destroy, [&](int) {
    this->ann.template add<mark>();
    this->bob.template add<mark>();
  });
  this->ann.template remove<T>();
  EXPECT_TRUE(this->ann.template has<mark>());
  EXPECT_TRUE(this->bob.template has<mark>());
}

TYPED_TEST(reentry, destructor_can_bring_its_component_back) {
  using T = typename TypeParam::type;
  this->ann.template emplace<T>(1);
  this->on(event::destroy, [&](int) { this->ann.template emplace<T>(2); });
  this->ann.template remove<T>();
  reaction = nullptr;
  EXPECT_EQ(this->ann.template get<T>()->value(), 2);
}

TYPED_TEST(reentry, destructor_of_a_deleted_entity_can_delete_another) {
  using T = typename TypeParam::type;
  this->ann.template emplace<T>(1);
  this->bob.template emplace<T>(2);
  this->on(event::destroy, [&](int) { this->bob.destruct(); });
  this->ann.destruct();
  EXPECT_FALSE(this->bob.is_alive());
}

TYPED_TEST(reentry, destructors_of_a_falling_hierarchy_can_create_and_delete) {
  using T = typename TypeParam::type;
  std::vector<kith::entity> children;
  for (int i = 0; i < 10; ++i)
    children.push_back(this->w->entity().child_of(this->ann).template emplace<T>(i));
  this->on(event::destroy, [&](int) {
    this->w->entity().template add<mark>();
    if (this->bob.is_alive()) this->bob.template add<mark>();
  });
  this->ann.destruct();
  reaction = nullptr;
  EXPECT_EQ(this->w->template count<mark>(), 11u);
}

TYPED_TEST(reentry, destructor_can_act_while_its_type_is_deleted) {
  using T = typename TypeParam::type;
  for (int i = 0; i < 10; ++i) this->w->entity().template emplace<T>(i);
  this->on(event::destroy, [&](int) { this->w->entity().template add<mark>(); });
  this->w->template entity<T>().destruct();
  reaction = nullptr;
  EXPECT_EQ(this->w->template count<mark>(), 10u);
}

TYPED_TEST(reentry, destructor_can_give_its_type_away_while_the_type_is_deleted) {
  using T = typename TypeParam::type;
  this->ann.template emplace<T>(1);
  this->on(event::destroy, [&](int) { this->bob.template emplace<T>(2); });
  this->w->template entity<T>().destruct();
  reaction = nullptr;
  EXPECT_EQ(this->bob.template get<T>()->value(), 2);
}

TYPED_TEST(reentry, destructor_of_a_value_that_waits_in_vain_can_act) {
  using T = typename TypeParam::type;
  this->w->defer_begin();
  this->ann.destruct();
  this->ann.template emplace<T>(1);
  this->on(event::destroy, [&](int) { this->bob.template add<mark>(); });
  EXPECT_THROW(this->w->defer_end(), kith::error);
  EXPECT_TRUE(this->bob.template has<mark>());
}

// --- the end of the world ------------------------------------------------------------------------

TYPED_TEST(reentry, destructors_at_the_end_of_the_world_can_ask_for_anything) {
  using T = typename TypeParam::type;
  for (int i = 0; i < 20; ++i) this->w->entity().template emplace<T>(i).set(note{i});
  int ran = 0;
  this->on(event::destroy, [&](int) {
    ++ran;
    this->ann.template add<mark>();
    this->ann.set(note{3});
    this->ann.template emplace<T>(9);
    this->ann.template has<T>();
    this->w->entity("new").child_of(this->bob);
    this->w->bulk(3, note{1});
    this->w->lookup("ann");
    this->w->template count<T>();
    for (kith::entity child : this->bob.children()) child.destruct();
    this->ann.clone();
    this->bob.destruct();
  });
  this->w.reset();
  EXPECT_GE(ran, 20);
}

TYPED_TEST(reentry, destructors_of_values_that_wait_at_the_end_of_the_world_can_ask_for_more) {
  using T = typename TypeParam::type;
  this->w->defer_begin();
  for (int i = 0; i < 50; ++i) this->w->entity().template emplace<T>(i);
  int ran = 0;
  reaction = [&](event what, int value) {
    if (what != event::destroy || value < 0) return;
    ++ran;
    this->bob.template add<mark>();
    if (value > 0) this->bob.template emplace<T>(0);
  };
  this->w.reset();
  EXPECT_GE(ran, 50);
}

TYPED_TEST(reentry, destructor_at_the_end_of_the_world_sees_only_living_values) {
  using T = typename TypeParam::type;
  std::vector<kith::entity> all;
  for (int i = 0; i < 10; ++i) {
    all.push_back(this->w->entity().template emplace<T>(i));
    if (i % 2) all.back().template emplace<move_only>(i);
  }
  this->on(event::destroy, [&](int) {
    for (kith::entity e : all) {
      if (const T* value = e.template get<T>()) value->value();
      if (const move_only* value = e.template get<move_only>()) value->value();
    }
  });
  this->w.reset();
  EXPECT_EQ(ledger::mistakes(), "");
}

}  // namespace
