// The funnel: what sinks are told of changes, whatever the storage.
#include "storage/change.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "storage/store.hpp"
#include "storage/undo_sink.hpp"
#include "support/lifecycle.hpp"
#include "support/store_calls.hpp"

namespace {

using namespace kith::core;
using kith::entity_t;
using kith::id_t;
using place = id_group::place;

// Writes down what it hears: "before +1:Number=0 | after +1:Number=7".
class recorder final : change_sink {
 public:
  explicit recorder(store& s, bool needs_before = true)
      : s_(s), bit_(s.sinks().add(*this, {needs_before, true})) {}
  ~recorder() { s_.sinks().remove(bit_); }
  void want(id_t group) { s_.sinks().want(bit_, group); }
  void want_all() { s_.sinks().want_all(bit_); }
  void name(id_t id, std::string text) { names_.emplace_back(id, std::move(text)); }
  std::string take() { return std::exchange(heard_, {}); }
  bool refuses = false;

 private:
  void before(std::span<const delta> deltas) override {
    write("before", deltas, true);
    if (refuses) throw std::runtime_error("refused");
  }
  void after(std::span<const delta> deltas) noexcept override { write("after", deltas, false); }
  void after_many(id_t id) noexcept override { heard_ += "many " + name_of(id) + "; "; }

  std::string name_of(id_t id) const {
    for (const auto& [known, text] : names_)
      if (known == id) return text;
    return std::to_string(id);
  }
  void write(const char* when, std::span<const delta> deltas, bool is_before) {
    heard_ += when;
    for (const delta& d : deltas) {
      heard_ += " " + std::string(1, "b+w~-e"[static_cast<int>(d.what)]) + name_of(d.entity);
      if (d.id) heard_ += ":" + name_of(d.id);
      const void* value = d.value ? d.value.value() : nullptr;
      if (value) heard_ += "=" + std::to_string(*static_cast<const int*>(value));
      if (!is_before && d.old)
        heard_ += " was " + std::to_string(*static_cast<const int*>(d.old->get()));
      if (d.off) heard_ += " off";
    }
    heard_ += "; ";
  }

  store& s_;
  change_sinks::mask bit_;
  std::vector<std::pair<id_t, std::string>> names_;
  std::string heard_;
};

class change_test : public ::testing::TestWithParam<place> {
 protected:
  change_test() {
    s.types().insert(number, describe_type<int>());
    for (id_t id : {number, tag, make_pair(likes, apples)}) {
      id_group& group = s.ids().group_of(id);
      group.pinned = true;
      s.place(group, GetParam());
    }
  }
  // A source of one number.
  static value_source of(int& n) {
    return {&n, [](void* slot, void* c) { ::new (slot) int(*static_cast<int*>(c)); },
            [](void* slot, void* c) { *static_cast<int*>(slot) = *static_cast<int*>(c); }};
  }
  void listen(recorder& r) const {
    r.name(number, "Number");
    r.name(tag, "Tag");
    r.name(make_pair(likes, apples), "(Likes,apples)");
    r.name(make_pair(likes, pears), "(Likes,pears)");
    r.name(e, "e");
    r.name(f, "f");
    r.want_all();
  }
  std::string owned(entity_t x) const {
    std::string text;
    for (id_t id : s.owned_ids(*s.entities().find(x))) {
      text += std::to_string(id & 0xffff) + " ";
      if (const located_value v = s.find_value(*s.entities().find(x), id))
        text += "=" + std::to_string(*static_cast<int*>(v.value())) + " ";
    }
    return text;
  }

  store s;
  const entity_t number = s.create(), tag = s.create(), likes = s.create(), apples = s.create(),
                 pears = s.create(), e = s.create(), f = s.create();
  int seven = 7, eight = 8;
};

INSTANTIATE_TEST_SUITE_P(places, change_test, ::testing::Values(place::tables, place::pools),
                         [](const auto& p) {
                           return p.param == place::tables ? "tables" : "pools";
                         });

TEST_P(change_test, an_id_that_comes_is_gained_with_its_value) {
  recorder r(s);
  listen(r);
  s.add(e, number, of(seven));
  EXPECT_EQ(r.take(), "before +e:Number; after +e:Number=7; ");
}

TEST_P(change_test, an_id_that_goes_is_lost_and_its_value_is_there_before_and_after) {
  s.add(e, number, of(seven));
  recorder r(s);
  listen(r);
  s.remove(e, number);
  EXPECT_EQ(r.take(), "before -e:Number=7; after -e:Number was 7; ");
}

TEST_P(change_test, a_write_shows_the_old_value_and_the_new_one) {
  s.add(e, number, of(seven));
  recorder r(s);
  listen(r);
  s.assign(s.find_value(*s.entities().find(e), number), e, number, of(eight));
  EXPECT_EQ(r.take(), "before we:Number=7; after we:Number=8 was 7; ");
}

TEST_P(change_test, a_switch_is_one_delta_and_none_if_nothing_is_switched) {
  s.add(e, tag);
  recorder r(s);
  listen(r);
  s.set_off(*s.entities().find(e), tag, true);
  s.set_off(*s.entities().find(e), tag, true);
  s.set_off(*s.entities().find(e), tag, false);
  EXPECT_EQ(r.take(), "before ~e:Tag off; after ~e:Tag off; before ~e:Tag; after ~e:Tag; ");
}

TEST_P(change_test, a_change_of_many_entities_is_one_list) {
  s.add(e, tag);
  recorder r(s);
  listen(r);
  const new_id coming{number, of(eight)};
  const entity_change changes[] = {{.entity = e, .lost = {&tag, 1}, .gained = {&coming, 1}},
                                   {.entity = f, .gained = {&coming, 1}}};
  s.carry_out(changes);
  EXPECT_EQ(r.take(), "before -e:Tag +e:Number +f:Number; after -e:Tag +e:Number=8 +f:Number=8; ");
}

TEST_P(change_test, an_id_that_is_lost_and_gained_has_the_new_value) {
  s.add(e, number, of(seven));
  s.set_off(*s.entities().find(e), number, true);
  recorder r(s);
  listen(r);
  const new_id coming{number, of(eight)};
  const entity_change c{.entity = e, .lost = {&number, 1}, .gained = {&coming, 1}};
  s.carry_out({&c, 1});
  EXPECT_EQ(r.take(), "before -e:Number=7 off +e:Number; after -e:Number was 7 off +e:Number=8; ");
  EXPECT_FALSE(s.is_off(*s.entities().find(e), number));
}

TEST_P(change_test, an_entity_that_ends_loses_its_ids_first) {
  s.add(e, number, of(seven));
  s.add(e, tag);
  recorder r(s);
  listen(r);
  s.destroy(e);
  EXPECT_EQ(r.take(), "before -e:Number=7 -e:Tag ee; after -e:Number was 7 -e:Tag ee; ");
  EXPECT_FALSE(s.entities().is_alive(e));
}

TEST_P(change_test, entities_made_in_bulk_are_one_list) {
  recorder r(s);
  listen(r);
  std::vector<entity_t> made;
  const bulk_id ids[] = {{tag}};
  s.create_many(2, ids, made);
  const std::string a = std::to_string(made[0]), b = std::to_string(made[1]);
  EXPECT_EQ(r.take(), "before b" + a + " +" + a + ":Tag b" + b + " +" + b + ":Tag; after b" + a +
                          " +" + a + ":Tag b" + b + " +" + b + ":Tag; ");
}

TEST_P(change_test, ids_that_vanish_are_lost_by_all_that_have_them) {
  s.add(e, make_pair(likes, pears));
  s.add(f, make_pair(likes, pears));
  recorder r(s);
  listen(r);
  s.forget_ids_of(pears);
  EXPECT_EQ(r.take(),
            "before -e:(Likes,pears) -f:(Likes,pears); after -e:(Likes,pears) "
            "-f:(Likes,pears); ");
}

TEST_P(change_test, ids_vanish_although_most_tables_are_empty) {
  const entity_t shared = s.create();
  s.add(e, make_pair(likes, pears));
  s.add(e, shared);
  // Enough empty tables for the store to reclaim them at the next change.
  for (int i = 0; i < 3000; ++i) {
    const entity_t id = s.create();
    s.add(f, id);
    s.remove(f, id);
  }
  recorder r(s);
  listen(r);
  s.forget_ids_of(pears);
  EXPECT_FALSE(s.owns(*s.entities().find(e), make_pair(likes, pears)));
  EXPECT_TRUE(s.owns(*s.entities().find(e), shared));
}

TEST_P(change_test, values_that_several_entities_lose_at_once_live_and_die_once) {
  kith::test::ledger::clear();
  {
    store own;
    const entity_t id = own.create();
    own.types().insert(id, describe_type<kith::test::tracked>());
    own.place(own.ids().group_of(id), GetParam());
    std::vector<entity_t> all;
    for (int i = 0; i < 5; ++i) own.add(all.emplace_back(own.create()), id);
    undo_log log;
    {
      undo_sink undo(own, log);
      std::vector<entity_change> changes;
      for (std::size_t i = 0; i < 4; ++i) changes.push_back({.entity = all[i], .lost = {&id, 1}});
      own.carry_out(changes);
    }
    log.roll_back();
    for (entity_t x : all) EXPECT_TRUE(own.owns(*own.entities().find(x), id));
    EXPECT_EQ(kith::test::ledger::living(), 5u);
  }
  EXPECT_EQ(kith::test::ledger::living(), 0u);
  EXPECT_EQ(kith::test::ledger::mistakes(), "");
}

TEST_P(change_test, moving_ids_between_storages_tells_nothing) {
  s.add(e, number, of(seven));
  recorder r(s);
  listen(r);
  s.place(s.ids().group_of(number), GetParam() == place::pools ? place::tables : place::pools);
  EXPECT_EQ(r.take(), "");
}

TEST_P(change_test, a_sink_hears_only_of_what_it_wants) {
  recorder r(s);
  r.name(e, "e");
  r.name(tag, "Tag");
  r.want(tag);
  s.add(e, number, of(seven));
  EXPECT_EQ(r.take(), "");
  s.add(e, tag);
  EXPECT_EQ(r.take(), "before +e:Tag; after +e:Tag; ");
}

TEST_P(change_test, a_sink_that_needs_no_before_is_told_after) {
  recorder r(s, false);
  listen(r);
  s.add(e, number, of(seven));
  s.remove(e, number);
  EXPECT_EQ(r.take(), "after +e:Number; after -e:Number; ");
}

TEST_P(change_test, a_sink_that_refuses_stops_the_change) {
  s.add(e, tag);
  recorder r(s);
  listen(r);
  r.refuses = true;
  EXPECT_THROW(s.add(e, number, of(seven)), std::runtime_error);
  EXPECT_THROW(s.remove(e, tag), std::runtime_error);
  EXPECT_THROW(s.destroy(e), std::runtime_error);
  EXPECT_THROW(s.forget_ids_of(tag), std::runtime_error);
  EXPECT_THROW(s.set_off(*s.entities().find(e), tag, true), std::runtime_error);
  EXPECT_TRUE(s.entities().is_alive(e));
  EXPECT_TRUE(s.owns(*s.entities().find(e), tag));
  EXPECT_FALSE(s.owns(*s.entities().find(e), number));
  EXPECT_FALSE(s.is_off(*s.entities().find(e), tag));
}

TEST_P(change_test, undo_takes_back_what_changed_in_any_order) {
  s.add(e, number, of(seven));
  s.add(f, tag);
  s.set_off(*s.entities().find(f), tag, true);
  const std::string before = owned(e) + "|" + owned(f);
  undo_log log;
  {
    undo_sink undo(s, log);
    s.assign(s.find_value(*s.entities().find(e), number), e, number, of(eight));
    s.remove(e, number);
    s.remove(f, tag);
    s.add(f, number, of(eight));
    s.add(f, make_pair(likes, apples));
    s.exchange(f, make_pair(likes, apples), make_pair(likes, pears));
    const entity_t g = s.create();
    s.add(g, tag);
    s.destroy(f);
  }
  EXPECT_FALSE(s.entities().is_alive(f));
  log.roll_back();
  EXPECT_EQ(owned(e) + "|" + owned(f), before);
  EXPECT_TRUE(s.is_off(*s.entities().find(f), tag));
  EXPECT_EQ(s.entities().size(), 7u);
}

}  // namespace
