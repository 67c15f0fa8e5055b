// Components whose constructors, moves and destructors use the world they are in. What they ask for
// is queued and made when the change that runs them is done.
#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lifecycle/stage.hpp"

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
  reactor(reactor&& other) noexcept : part_(std::move(other.part_)) { react(event::move, value()); }
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

struct note {
  int number = 0;
};

struct reactor_kind {
  const char* name;
  id_group::place where;
  std::unique_ptr<stage> (*make_stage)(id_group::place where, int crowd);
};

template <class T>
std::unique_ptr<stage> make_stage(id_group::place where, int crowd) {
  return std::make_unique<stage_of<T>>(where, crowd);
}

class reentry : public ::testing::TestWithParam<reactor_kind> {
 protected:
  reentry() {
    ledger::clear();
    reaction = nullptr;
    s = GetParam().make_stage(GetParam().where, 0);
    s->w.component<note>();
    ann = s->ann;
    bob = s->w.entity("other");
  }
  ~reentry() override {
    // It may be about variables of a test that is over.
    reaction = nullptr;
    s.reset();
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
  std::size_t count() { return s->w.count(s->type()); }

  std::unique_ptr<stage> s;
  kith::entity ann, bob;
};

const auto reactor_kinds = ::testing::Values(
    reactor_kind{"columns", id_group::place::tables, &make_stage<reactor>},
    reactor_kind{"pools", id_group::place::pools, &make_stage<reactor>},
    reactor_kind{"boxes", id_group::place::tables, &make_stage<boxed_reactor>},
    reactor_kind{"boxes_in_pools", id_group::place::pools, &make_stage<boxed_reactor>});

std::string reactor_name(const ::testing::TestParamInfo<reactor_kind>& tested) {
  return tested.param.name;
}

INSTANTIATE_TEST_SUITE_P(kinds, reentry, reactor_kinds, reactor_name);

// --- constructors --------------------------------------------------------------------------------

TEST_P(reentry, change_asked_for_by_a_constructor_is_made_after_the_change_that_runs_it) {
  bool made_at_once = true;
  on(event::construct, [&](int) {
    bob.add<mark>();
    made_at_once = bob.has<mark>();
  });
  s->emplace(ann, 1);
  EXPECT_FALSE(made_at_once);
  EXPECT_TRUE(bob.has<mark>());
}

TEST_P(reentry, constructor_can_change_its_own_entity) {
  on(event::construct, [&](int) { ann.set(note{4}); });
  s->emplace(ann, 1);
  EXPECT_EQ(ann.get<note>()->number, 4);
  EXPECT_EQ(s->value_of(ann), 1);
}

TEST_P(reentry, constructor_can_delete_its_own_entity) {
  on(event::construct, [&](int) { ann.destruct(); });
  s->emplace(ann, 1);
  EXPECT_FALSE(ann.is_alive());
}

TEST_P(reentry, constructor_can_give_the_same_component_to_others) {
  on(event::construct, [&](int v) { s->emplace(bob, v + 1); });
  s->emplace(ann, 1);
  EXPECT_EQ(s->value_of(ann), 1);
  EXPECT_EQ(s->value_of(bob), 2);
}

TEST_P(reentry, constructor_can_create_entities_of_every_sort) {
  kith::entity plain, named, valued;
  std::vector<kith::entity> crowd;
  on(event::construct, [&](int) {
    plain = s->w.entity();
    named = s->w.entity("ship::ann::child");
    valued = s->w.entity(note{3}, mark{});
    crowd = s->w.bulk(50, note{5});
  });
  s->emplace(ann, 1);
  EXPECT_TRUE(plain.is_alive());
  EXPECT_EQ(named.parent(), ann);
  EXPECT_EQ(valued.get<note>()->number, 3);
  for (kith::entity e : crowd) EXPECT_EQ(e.get<note>()->number, 5);
}

TEST_P(reentry, constructor_in_a_bulk_can_create_entities) {
  std::size_t created = 0;
  on(event::copy, [&](int) {
    s->w.entity().set(note{1});
    ++created;
  });
  const auto made = s->bulk(100, 1, 2);
  for (kith::entity e : made) EXPECT_EQ(s->value_of(e), 1);
  EXPECT_EQ(s->w.count<note>(), created);
  EXPECT_GE(created, 100u);
}

TEST_P(reentry, constructor_can_use_a_type_for_the_first_time) {
  struct first_seen {
    int number;
  };
  on(event::construct, [&](int) { bob.set(first_seen{6}); });
  s->emplace(ann, 1);
  EXPECT_EQ(bob.get<first_seen>()->number, 6);
}

TEST_P(reentry, constructor_sees_the_world_as_it_was) {
  s->emplace(bob, 7);
  const std::string before = s->seen();
  std::string within;
  on(event::construct, [&](int) { within = s->seen(); });
  s->emplace(ann, 1);
  EXPECT_EQ(within, before);
}

TEST_P(reentry, changes_asked_for_by_a_constructor_that_throws_are_made) {
  on(event::construct, [&](int) {
    bob.add<mark>();
    throw std::runtime_error("no");
  });
  EXPECT_THROW(s->emplace(ann, 1), std::runtime_error);
  EXPECT_FALSE(ann.has(s->type()));
  EXPECT_TRUE(bob.has<mark>());
}

TEST_P(reentry, constructors_can_ask_for_more_constructors) {
  const std::size_t before = count();
  reaction = [&](event what, int value) {
    if (what == event::construct && value > 0) s->emplace(s->w.entity(), value - 1);
  };
  s->emplace(ann, 5);
  EXPECT_EQ(count(), before + 6);
}

// --- copies, assignments, moves ------------------------------------------------------------------

// What a move asks for is moved too, so there is an end to it.
constexpr std::size_t most = 200;

TEST_P(reentry, copy_in_a_clone_can_change_the_original) {
  s->emplace(ann, 1);
  on(event::copy, [&](int) { ann.remove(s->type()); });
  const kith::entity copy = ann.clone();
  EXPECT_EQ(s->value_of(copy), 1);
  EXPECT_FALSE(ann.has(s->type()));
}

TEST_P(reentry, assignment_can_remove_what_it_assigns_to) {
  s->emplace(ann, 1);
  on(event::assign, [&](int) { ann.remove(s->type()); });
  s->set_by_copy(ann, 2);
  EXPECT_FALSE(ann.has(s->type()));
}

TEST_P(reentry, move_while_the_storage_grows_can_ask_for_more_of_the_same) {
  const std::size_t before = count();
  std::size_t asked = 0;
  on(event::move, [&](int) {
    if (++asked <= most) s->emplace(s->w.entity(), 50);
  });
  for (int i = 0; i < 40; ++i) s->emplace(s->w.entity(), 1);
  EXPECT_EQ(count(), before + 40 + std::min(asked, most));
}

TEST_P(reentry, move_to_another_place_can_ask_for_more_of_the_same) {
  for (int i = 0; i < 10; ++i) s->emplace(s->w.entity(), i);
  const std::size_t before = count();
  std::size_t asked = 0;
  on(event::move, [&](int) {
    if (++asked <= most) s->emplace(s->w.entity(), 50);
  });
  s->keep(s->type(), id_group::place::pools);
  s->keep(s->type(), id_group::place::tables);
  s->keep(s->type(), id_group::place::pools);
  reaction = nullptr;
  ann.add<mark>();  // what was queued is made with the next change
  EXPECT_EQ(count(), before + std::min(asked, most));
}

// --- destructors ---------------------------------------------------------------------------------

TEST_P(reentry, destructor_can_change_its_own_entity_and_others) {
  s->emplace(ann, 1);
  on(event::destroy, [&](int) {
    ann.add<mark>();
    bob.add<mark>();
  });
  ann.remove(s->type());
  EXPECT_TRUE(ann.has<mark>());
  EXPECT_TRUE(bob.has<mark>());
}

TEST_P(reentry, destructor_can_bring_its_component_back) {
  s->emplace(ann, 1);
  on(event::destroy, [&](int value) {
    if (value == 1) s->emplace(ann, 2);
  });
  ann.remove(s->type());
  EXPECT_EQ(s->value_of(ann), 2);
}

TEST_P(reentry, destructor_of_a_deleted_entity_can_delete_another) {
  s->emplace(ann, 1);
  s->emplace(bob, 2);
  on(event::destroy, [&](int value) {
    if (value == 1) bob.destruct();
  });
  ann.destruct();
  EXPECT_FALSE(bob.is_alive());
}

TEST_P(reentry, destructors_of_a_falling_hierarchy_can_create_and_delete) {
  for (int i = 0; i < 10; ++i) s->emplace(s->w.entity().child_of(ann), i);
  on(event::destroy, [&](int) {
    s->w.entity().add<mark>();
    if (bob.is_alive()) bob.add<mark>();
  });
  ann.destruct();
  reaction = nullptr;
  EXPECT_EQ(s->w.count<mark>(), 11u);
}

TEST_P(reentry, destructor_can_act_while_its_type_is_deleted) {
  for (int i = 0; i < 10; ++i) s->emplace(s->w.entity(), i);
  const std::size_t before = count();
  on(event::destroy, [&](int) { s->w.entity().add<mark>(); });
  s->type().destruct();
  EXPECT_EQ(s->w.count<mark>(), before);
}

TEST_P(reentry, destructor_can_give_its_type_away_while_the_type_is_deleted) {
  s->emplace(ann, 1);
  on(event::destroy, [&](int value) {
    if (value == 1) s->emplace(bob, 2);
  });
  s->type().destruct();
  EXPECT_EQ(s->value_of(bob), 2);
}

TEST_P(reentry, destructor_of_a_value_that_waits_in_vain_can_act) {
  s->w.defer_begin();
  ann.destruct();
  s->emplace(ann, 1);
  on(event::destroy, [&](int) { bob.add<mark>(); });
  EXPECT_NO_THROW(s->w.defer_end());
  EXPECT_TRUE(bob.has<mark>());
}

// --- the end of the world ------------------------------------------------------------------------

TEST_P(reentry, destructors_at_the_end_of_the_world_can_ask_for_anything) {
  for (int i = 0; i < 20; ++i) s->emplace(s->w.entity().set(note{i}), i);
  int ran = 0;
  on(event::destroy, [&](int value) {
    if (value == 99) return;
    ++ran;
    ann.add<mark>();
    ann.set(note{3});
    s->emplace(ann, 99);
    ann.has(s->type());
    s->w.entity("new").child_of(bob);
    s->w.bulk(3, note{1});
    s->w.lookup("ann");
    count();
    for (kith::entity child : bob.children()) child.destruct();
    ann.clone();
    bob.destruct();
  });
  s->end_world();
  EXPECT_GE(ran, 20);
}

TEST_P(reentry, destructors_of_values_that_wait_at_the_end_of_the_world_can_ask_for_more) {
  s->w.defer_begin();
  for (int i = 0; i < 50; ++i) s->emplace(s->w.entity(), i);
  int ran = 0;
  reaction = [&](event what, int value) {
    if (what != event::destroy || value < 0) return;
    ++ran;
    bob.add<mark>();
    if (value > 0) s->emplace(bob, 0);
  };
  s->end_world();
  EXPECT_GE(ran, 50);
}

TEST_P(reentry, destructor_that_always_brings_its_component_back_does_not_stop_the_end) {
  constexpr int patience = 10'000;
  int ran = 0;
  reaction = [&](event what, int value) {
    if (what == event::destroy && value >= 0 && ++ran < patience) s->emplace(ann, 1);
  };
  s->end_world();
  EXPECT_LT(ran, patience);
}

// --- what a destructor sees ----------------------------------------------------------------------

// Registered after all others, so its column is the last one.
class late_reactor {
 public:
  late_reactor(int v) : part_(v) {}
  late_reactor(late_reactor&& other) noexcept = default;
  ~late_reactor() { react(event::destroy, part_.value()); }

 private:
  tracked part_;
};

// Several entities with values that fall together.
class reentry_view : public reentry {
 protected:
  reentry_view() {
    for (int i = 0; i < 10; ++i) {
      s->emplace(all.emplace_back(s->w.entity().child_of(ann)), i);
      if (i % 2) all.back().emplace<move_only>(i);
      if (i % 3) all.back().emplace<witness>(i);
      all.back().emplace<late_reactor>(i);
    }
    on(event::destroy, [&](int) {
      for (kith::entity e : all) {
        if (!e.is_alive()) continue;
        s->value_of(e);
        s->witness_of(e);
        if (const move_only* value = e.get<move_only>()) value->value();
      }
    });
  }
  // What is asked of `all` at the end of the world is asked before it is gone.
  ~reentry_view() override { reaction = nullptr; }
  std::vector<kith::entity> all;
};

INSTANTIATE_TEST_SUITE_P(kinds, reentry_view, reactor_kinds, reactor_name);

TEST_P(reentry_view, of_other_values_is_sound_when_a_value_is_removed) {
  for (kith::entity e : all) e.remove(s->type());
  EXPECT_EQ(ledger::mistakes(), "");
}

TEST_P(reentry_view, of_other_values_is_sound_when_an_entity_is_cleared) {
  for (kith::entity e : all) e.clear();
  EXPECT_EQ(ledger::mistakes(), "");
}

TEST_P(reentry_view, of_other_values_is_sound_when_entities_are_deleted) {
  ann.destruct();
  EXPECT_EQ(ledger::mistakes(), "");
}

TEST_P(reentry_view, of_other_values_is_sound_when_all_lose_the_type) {
  s->w.remove_all(s->type());
  EXPECT_EQ(ledger::mistakes(), "");
}

TEST_P(reentry_view, of_other_values_is_sound_when_another_type_is_deleted) {
  s->w.component<move_only>().destruct();
  s->w.component<witness>().destruct();
  EXPECT_EQ(ledger::mistakes(), "");
}

TEST_P(reentry_view, of_other_values_is_sound_at_the_end_of_the_world) {
  s->end_world();
  EXPECT_EQ(ledger::mistakes(), "");
}

}  // namespace
