// The funnel: what sinks and listeners are told of changes, whatever the storage.
#include "storage/change.hpp"

#include <algorithm>
#include <optional>
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
  explicit recorder(store& s) : s_(s), bit_(s.sinks().add(*this)) {}
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

// Writes down what it hears, and whether it was too early: "+Number=7; -Number; ended; ".
class note_taker final : change_listener {
 public:
  note_taker(store& s, std::string& heard)
      : s_(s), heard_(heard), bit_(s.sinks().add(*this, true)) {
    s.sinks().want_all(bit_);
  }
  ~note_taker() { s_.sinks().remove(bit_); }
  void name(id_t id, std::string text) { names_.emplace_back(id, std::move(text)); }

 private:
  void hear(delta::kind what, entity_t e, id_t id) noexcept override {
    const entity_record* r = s_.entities().find(e);
    if (!id) {
      const bool begins = what == delta::kind::began;
      heard_ += begins ? "began" : "ended";
      if (begins != (r != nullptr)) heard_ += " too early";
    } else {
      heard_ += "b+w~-e"[static_cast<int>(what)] + name_of(id);
      if ((what != delta::kind::lost) != (r && s_.owns(*r, id))) heard_ += " too early";
      const located_value v = r ? s_.find_value(*r, id) : located_value();
      if (v && v.type->size == sizeof(int))
        heard_ += "=" + std::to_string(*static_cast<const int*>(v.value()));
      if (r && s_.is_off(*r, id)) heard_ += " off";
    }
    heard_ += "; ";
  }
  void hear_many(id_t id) noexcept override { heard_ += "many " + name_of(id) + "; "; }
  std::string name_of(id_t id) const {
    for (const auto& [known, text] : names_)
      if (known == id) return text;
    return std::to_string(id);
  }

  store& s_;
  std::string& heard_;
  change_sinks::mask bit_;
  std::vector<std::pair<id_t, std::string>> names_;
};

// Writes down where its value ends, and whether `of` is alive then. Is larger than a number.
struct last_word {
  std::string* heard = nullptr;
  const store* in = nullptr;
  entity_t of = 0;

  last_word() = default;
  last_word(std::string* h, const store* s, entity_t e) : heard(h), in(s), of(e) {}
  last_word(const last_word&) = default;
  last_word(last_word&& other) noexcept
      : heard(std::exchange(other.heard, nullptr)), in(other.in), of(other.of) {}
  last_word& operator=(last_word&& other) noexcept {
    std::swap(heard, other.heard);
    return *this;
  }
  ~last_word() {
    if (heard) *heard += in->entities().is_alive(of) ? "dies; " : "dies dead; ";
  }
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
  kith::test::forget_ids_of(s, pears);
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
  kith::test::forget_ids_of(s, pears);
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
    undo_sink undo(own, log);
    std::vector<entity_change> changes;
    for (std::size_t i = 0; i < 4; ++i) changes.push_back({.entity = all[i], .lost = {&id, 1}});
    own.carry_out(changes);
    undo.listen(false);
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

TEST_P(change_test, a_sink_sees_no_change_of_which_it_wants_nothing) {
  recorder all(s), none(s);
  listen(all);
  none.want(likes);
  s.add(e, number, of(seven));
  s.destroy(e);
  EXPECT_NE(all.take(), "");
  EXPECT_EQ(none.take(), "");
}

TEST_P(change_test, a_sink_sees_which_entity_begins) {
  recorder r(s);
  listen(r);
  const entity_t g = s.create();
  EXPECT_EQ(r.take(), "before b" + std::to_string(g) + "; after b" + std::to_string(g) + "; ");
  const std::size_t count = s.entities().size();
  r.refuses = true;
  EXPECT_THROW((void)s.create(), std::runtime_error);
  EXPECT_EQ(s.entities().size(), count);
  EXPECT_EQ(s.tables().root().size(), count);
}

TEST_P(change_test, a_listener_hears_of_a_change_of_one_id_when_it_is_made) {
  std::string heard;
  note_taker n(s, heard);
  n.name(number, "Number");
  n.name(tag, "Tag");
  n.name(make_pair(likes, apples), "apples");
  n.name(make_pair(likes, pears), "pears");
  const auto take = [&] { return std::exchange(heard, {}); };
  // The second round finds edges and room, and takes the short ways.
  for (int round = 0; round < 2; ++round) {
    entity_record& r = *s.entities().find(e);
    s.add(e, number, of(seven));
    EXPECT_EQ(take(), "+Number=7; ");
    s.assign(s.find_value(r, number), e, number, of(eight));
    EXPECT_EQ(take(), "wNumber=8; ");
    s.set_off(r, number, true);
    EXPECT_EQ(take(), "~Number=8 off; ");
    s.set_off(r, number, false);
    EXPECT_EQ(take(), "~Number=8; ");
    EXPECT_TRUE(s.take(e, r, number));
    EXPECT_EQ(take(), "-Number; ");
    EXPECT_TRUE(s.give(e, r, tag, {}));
    EXPECT_EQ(take(), "+Tag; ");
    s.add(e, make_pair(likes, apples));
    take();
    s.exchange(e, make_pair(likes, apples), make_pair(likes, pears));
    EXPECT_EQ(take(), "-apples; +pears; ");
    s.remove(e, make_pair(likes, pears));
    s.remove(e, tag);
    take();
  }
}

TEST_P(change_test, a_listener_hears_of_a_change_of_many_ids_when_it_is_made) {
  std::string heard;
  note_taker n(s, heard);
  n.name(number, "Number");
  n.name(tag, "Tag");
  const auto take = [&] { return std::exchange(heard, {}); };
  const new_id ids[] = {{number, of(seven)}, {tag}};
  for (int round = 0; round < 2; ++round) {
    const entity_t g = s.create();
    EXPECT_EQ(take(), "began; ");
    s.add_all(g, ids);
    EXPECT_EQ(take(), "+Number=7; +Tag; ");
    s.destroy(g);
    EXPECT_EQ(take(), "-Number; -Tag; ended; ");
    const id_t both[] = {number, tag};
    const entity_change changes[] = {{.entity = e, .gained = ids}};
    s.carry_out(changes);
    EXPECT_EQ(take(), "+Number=7; +Tag; ");
    const entity_change back[] = {{.entity = e, .lost = both}};
    s.carry_out(back);
    EXPECT_EQ(take(), "-Number; -Tag; ");
  }
  std::vector<entity_t> made;
  const bulk_id bulk[] = {{tag}};
  s.create_many(2, bulk, made);
  EXPECT_EQ(take(), "began; +Tag; began; +Tag; ");
  if (const entity_t g = s.create_in_place(ids)) {
    EXPECT_EQ(take(), "began; +Number=7; +Tag; ");
    s.destroy(g);
    take();
  }
  kith::test::forget_ids_of(s, tag);
  EXPECT_EQ(take(), "-Tag; -Tag; ");
}

TEST_P(change_test, ids_that_all_entities_lose_stay_known_with_their_tables) {
  const new_id ids[] = {{number, of(seven)}, {tag}};
  for (entity_t x : {e, f}) s.add_all(x, ids);
  s.set_off(*s.entities().find(f), tag, true);
  std::string heard;
  note_taker n(s, heard);
  n.name(number, "Number");
  n.name(tag, "Tag");
  id_record* const records[] = {s.ids().find(number), s.ids().find(tag)};
  const std::uint64_t erasures = s.tables().erasures();
  s.take_from_all(records, [&] { heard += "finish; "; });
  std::ranges::sort(heard);  // the order of ids depends on the storage
  std::string expected = "finish; -Number; -Tag; -Number; -Tag; ";
  std::ranges::sort(expected);
  EXPECT_EQ(heard, expected);
  EXPECT_EQ(owned(e) + owned(f), "");
  EXPECT_EQ(s.ids().find(number), records[0]);
  EXPECT_EQ(s.tables().erasures(), erasures);
  for (entity_t x : {e, f}) s.add_all(x, ids);
  EXPECT_FALSE(s.is_off(*s.entities().find(f), tag));
}

TEST_P(change_test, a_sink_sees_that_all_entities_lose_an_id) {
  for (entity_t x : {e, f}) s.add(x, number, of(seven));
  recorder r(s);
  listen(r);
  id_record* const records[] = {s.ids().find(number)};
  s.take_from_all(records, [] {});
  EXPECT_EQ(r.take(), "before -e:Number=7 -f:Number=7; after -e:Number was 7 -f:Number was 7; ");
  EXPECT_EQ(owned(e) + owned(f), "");
}

TEST_P(change_test, a_listener_hears_of_a_change_before_values_end) {
  const entity_t word = s.create();
  s.types().insert(word, describe_type<last_word>());
  s.place(s.ids().group_of(word), GetParam());
  std::string heard;
  // With a sink, each change is a list of deltas.
  for (const bool listed : {false, true}) {
    std::optional<recorder> sink;
    if (listed) sink.emplace(s).want_all();
    note_taker n(s, heard);
    n.name(word, "Word");
    const auto take = [&] { return std::exchange(heard, {}); };
    entity_t g = 0;
    const auto speaker = [&] {
      g = s.create();
      last_word said{&heard, &s, g};
      s.add(g, word, {&said, [](void* slot, void* c) {
                        ::new (slot) last_word(std::move(*static_cast<last_word*>(c)));
                      }});
      take();
    };
    speaker();
    s.remove(g, word);
    EXPECT_EQ(take(), "-Word; dies; ");
    s.destroy(g);
    speaker();
    s.destroy(g);
    EXPECT_EQ(take(), "-Word; dies; ended; ");
    speaker();
    const entity_change c{.entity = g, .lost = {&word, 1}};
    s.carry_out({&c, 1});
    EXPECT_EQ(take(), "-Word; dies; ");
    s.destroy(g);
    speaker();
    const std::vector<id_record*> uses = s.records_made_of(word);
    s.delete_all({&g, 1}, uses);
    EXPECT_EQ(take(), "-Word; dies; ended; ");
  }
}

TEST_P(change_test, a_sink_that_refuses_stops_the_change) {
  s.add(e, tag);
  recorder r(s);
  listen(r);
  r.refuses = true;
  EXPECT_THROW(s.add(e, number, of(seven)), std::runtime_error);
  EXPECT_THROW(s.remove(e, tag), std::runtime_error);
  EXPECT_THROW(s.destroy(e), std::runtime_error);
  EXPECT_THROW(kith::test::forget_ids_of(s, tag), std::runtime_error);
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
  undo.listen(false);
  EXPECT_FALSE(s.entities().is_alive(f));
  log.roll_back();
  EXPECT_EQ(owned(e) + "|" + owned(f), before);
  EXPECT_TRUE(s.is_off(*s.entities().find(f), tag));
  EXPECT_EQ(s.entities().size(), 7u);
}

TEST_P(change_test, undo_of_a_deletion_remembers_that_ids_are_made_of_the_entity) {
  s.add(e, make_pair(likes, apples));
  undo_log log;
  undo_sink undo(s, log);
  s.delete_all({&apples, 1}, s.records_made_of(apples));
  undo.listen(false);
  EXPECT_FALSE(s.entities().is_alive(apples));
  EXPECT_TRUE(s.owned_ids(*s.entities().find(e)).empty());
  log.roll_back();
  EXPECT_TRUE(s.owns(*s.entities().find(e), make_pair(likes, apples)));
  EXPECT_TRUE(s.entities().find(apples)->referenced);
}

}  // namespace
