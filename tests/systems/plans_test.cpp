// The parts of which frames consist, each alone: order, steps, ticks, ids and pieces.
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

#include "ids/entity_index.hpp"
#include "ids/promised_ids.hpp"
#include "query/cache/query_piece.hpp"
#include "reactive/plan_frame.hpp"
#include "reactive/run_record.hpp"
#include "reactive/system_order.hpp"
#include "reactive/tick.hpp"
#include "world/live_query.hpp"

namespace {

using namespace kith::core;
using kith::entity_t;
using kith::id_t;

// --- order ---------------------------------------------------------------------------------------

std::string order_of(const std::vector<placed_system>& systems) {
  const auto order = order_systems(systems);
  if (!order) return order.error().what();
  std::string text;
  for (std::size_t n : order.value()) text += systems[n].name;
  return text;
}

TEST(order, is_by_phase_then_as_declared_then_by_age) {
  EXPECT_EQ(order_of({{300, "a", 2, "q", 1, {}, {}},
                      {301, "b", 1, "p", 2, {}, {}},
                      {302, "c", 2, "q", 3, {300}, {}},
                      {303, "d", 1, "p", 4, {}, {}}}),
            "bdca");
  EXPECT_EQ(order_of({{300, "a", 1, "p", 1, {}, {302}},
                      {301, "b", 1, "p", 2, {}, {}},
                      {302, "c", 1, "p", 3, {}, {301}}}),
            "bca");
  // Who is not there does not count.
  EXPECT_EQ(order_of({{300, "a", 1, "p", 1, {999}, {998}}}), "a");
}

TEST(order, that_contradicts_itself_names_the_systems_on_the_way) {
  EXPECT_EQ(order_of({{300, "a", 1, "p", 1, {301}, {}},
                      {301, "b", 1, "p", 2, {302}, {}},
                      {302, "c", 1, "p", 3, {300}, {}},
                      {303, "d", 1, "p", 4, {}, {302}}}),
            "the order of systems contradicts itself: a before b, b before c, c before a");
  EXPECT_EQ(order_of({{300, "a", 1, "p", 1, {300}, {}}}),
            "the order of systems contradicts itself: a before a");
  EXPECT_EQ(order_of({{300, "a", 2, "q", 1, {301}, {}}, {301, "b", 1, "p", 2, {}, {}}}),
            "a of the phase q shall run before b of the phase p, but its phase comes later");
}

TEST(order, of_phases_follows_what_they_depend_on) {
  const entity_t x = 300, y = 301, z = 302;
  const std::vector<entity_t> phases{kith::OnStart, kith::OnUpdate, kith::PostUpdate, x, y, z};
  // x after OnUpdate, y after x, z after nothing.
  EXPECT_EQ(order_phases(phases, {{}, {}, {}, {1}, {3}, {}}),
            (std::vector<std::size_t>{0, 5, 1, 3, 4, 2}));
}

// --- steps ---------------------------------------------------------------------------------------

constexpr id_t A = 300, B = 301, C = 302;

planned_system reads_and_writes(std::vector<id_t> reads, std::vector<id_t> writes) {
  planned_system s;
  for (id_t id : reads) {
    s.what.touch({id, false, false});
    s.what.sees.add_group(id);
  }
  for (id_t id : writes) {
    s.what.touch({id, true, false});
    s.what.sees.add_group(id);
  }
  return s;
}
planned_system queues(std::vector<id_t> reads, std::vector<id_t> queued) {
  planned_system s = reads_and_writes(std::move(reads), {});
  s.what.queues = access::queue::listed;
  s.what.queued = std::move(queued);
  return s;
}
planned_system changes_anything(std::vector<id_t> reads) {
  planned_system s = reads_and_writes(std::move(reads), {});
  s.what.queues = access::queue::anything;
  return s;
}
planned_system in_phase(planned_system s, std::size_t phase) {
  s.phase = phase;
  return s;
}

// "0 1<0 | 2": the second system waits for the first, and the third begins a step.
std::string steps_of(const std::vector<planned_system>& order) {
  const frame_plan plan = plan_frame(order);
  std::string text;
  for (const frame_plan::step& step : plan.steps) {
    if (!text.empty()) text += " | ";
    for (std::size_t n = step.first; n < step.first + step.count; ++n) {
      if (n != step.first) text += " ";
      text += std::to_string(n);
      for (const frame_plan::edge& e : plan.edges)
        if (e.to == n) text += "<" + std::to_string(e.from);
    }
  }
  return text;
}

TEST(steps, let_systems_that_share_nothing_run_side_by_side) {
  EXPECT_EQ(steps_of({reads_and_writes({A}, {B}), reads_and_writes({A}, {C})}), "0 1");
  EXPECT_EQ(steps_of({reads_and_writes({}, {A}), reads_and_writes({A}, {}),
                      reads_and_writes({A}, {}), reads_and_writes({}, {A})}),
            "0 1<0 2<0 3<2<1");
  EXPECT_EQ(steps_of({reads_and_writes({}, {kith::Wildcard}), reads_and_writes({A}, {})}), "0 1<0");
}

TEST(steps, end_before_what_may_see_a_queued_change) {
  EXPECT_EQ(steps_of({queues({A}, {B}), reads_and_writes({A}, {}), reads_and_writes({B}, {})}),
            "0 1 | 2");
  EXPECT_EQ(steps_of({queues({A}, {B}), in_phase(reads_and_writes({A}, {}), 1)}), "0 | 1");
  EXPECT_EQ(steps_of({reads_and_writes({A}, {}), changes_anything({A}), reads_and_writes({B}, {})}),
            "0 | 1 | 2");
  planned_system immediate = reads_and_writes({A}, {});
  immediate.immediate = true;
  EXPECT_EQ(steps_of({reads_and_writes({B}, {}), immediate, reads_and_writes({B}, {})}),
            "0 | 1 | 2");
  // A system that sees nothing is beside none that may change anything.
  EXPECT_EQ(steps_of({queues({A}, {B}), planned_system()}), "0 1");
}

TEST(steps, begin_with_a_condition_and_with_rows_that_values_order) {
  planned_system asks = reads_and_writes({B}, {});
  asks.has_condition = true;
  EXPECT_EQ(steps_of({reads_and_writes({}, {A}), asks}), "0 | 1");
  planned_system sorted = reads_and_writes({A}, {});
  sorted.is_ordered = true;
  sorted.ordered_by = A;
  EXPECT_EQ(steps_of({reads_and_writes({}, {A}), sorted}), "0 | 1");
  sorted.ordered_by = C;
  EXPECT_EQ(steps_of({reads_and_writes({}, {A}), sorted}), "0 1<0");
}

// --- time ----------------------------------------------------------------------------------------

std::string happens(tick t, double delta_time, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += t.advance(delta_time, true) ? '!' : '.';
  return text;
}

TEST(ticks, happen_now_and_then) {
  EXPECT_EQ(happens(tick({.seconds = 1}), 0.5, 6), ".!.!.!");
  // What is left of a second counts for the next one.
  EXPECT_EQ(happens(tick({.seconds = 1}), 0.75, 8), ".!!!.!!!");
  EXPECT_EQ(happens(tick({.seconds = 1}), 10, 3), "!!!");
  EXPECT_EQ(happens(tick({.seconds = 1, .is_once = true}), 0.5, 6), ".!....");
  EXPECT_EQ(happens(tick({.rate = 3}), 1, 7), "..!..!.");
  EXPECT_EQ(happens(tick({.seconds = 1, .rate = 2}), 0.5, 8), "...!...!");
}

TEST(records, count_runs_by_seconds) {
  run_record record;
  const run_record::clock::time_point start{std::chrono::seconds(1000)};
  record.add(start, 0.5, 10);
  record.add(start + std::chrono::seconds(30), 0.25, 20);
  const kith::run_statistics now = record.at(start + std::chrono::seconds(30));
  EXPECT_EQ(now.runs, 2u);
  EXPECT_EQ(now.rows, 30u);
  EXPECT_EQ(now.last_second.runs, 1u);
  EXPECT_EQ(now.last_second.max, 0.25);
  EXPECT_EQ(now.last_minute.runs, 2u);
  EXPECT_EQ(now.last_minute.min, 0.25);
  EXPECT_EQ(now.last_minute.max, 0.5);
  EXPECT_EQ(now.last_minute.mean, 0.375);
  const kith::run_statistics later = record.at(start + std::chrono::seconds(500));
  EXPECT_EQ(later.runs, 2u);
  EXPECT_EQ(later.last_minute.runs, 0u);
}

// --- ids -----------------------------------------------------------------------------------------

TEST(ids, that_come_next_are_known_before) {
  entity_index entities;
  std::vector<entity_t> all;
  for (int i = 0; i < 3000; ++i) all.push_back(entities.create());
  for (int i = 100; i < 200; ++i) entities.destroy(all[static_cast<std::size_t>(i)]);
  entities.make_alive(all.back() + 5);
  const std::vector<entity_t> next = entities.next_ids(300);
  for (entity_t e : next) ASSERT_EQ(entities.create(), e);
}

TEST(ids, that_are_chosen_among_the_next_leave_the_others_in_order) {
  entity_index entities;
  const std::vector<entity_t> next = entities.next_ids(10);
  EXPECT_TRUE(entities.make_alive(next[3]));
  EXPECT_TRUE(entities.make_alive(next[7]));
  for (std::size_t n : {0, 1, 2, 4, 5, 6, 8, 9}) EXPECT_EQ(entities.create(), next[n]);
}

TEST(ids, of_units_are_never_the_same) {
  std::set<entity_t> seen;
  for (std::uint64_t unit = 0; unit < 5; ++unit) {
    promised_ids ids({unit + 1}, {1000, 5, unit});
    for (int n = 0; n < 1000; ++n) {
      const entity_t e = ids.add_next();
      EXPECT_TRUE(seen.insert(e).second) << e;
      EXPECT_TRUE(ids.contains(e));
    }
    EXPECT_FALSE(ids.contains(unit + 2));
    ids.erase(unit + 1);
    EXPECT_FALSE(ids.contains(unit + 1));
    EXPECT_EQ(ids.all().size(), 999u);
    EXPECT_TRUE(ids.contains(ids.all().front()));
  }
}

// --- pieces --------------------------------------------------------------------------------------

struct Placed {
  int x = 0;
};

// The pieces of a query, and whether they cover all rows once.
std::vector<query_piece> pieces_of(kith::world& world, const std::string& text, std::size_t& rows) {
  const query_ptr q = make_query(world.engine(), {.expr = text});
  q->use_often();
  std::unique_ptr<result_cursor> cursor = q->take_cursor();
  meaning& m = world.engine().state().stages.main.meaning;
  cursor->begin(query_bindings(), kith::core::query_use::batches, m, nullptr);
  const query_piece all = cursor->find_all();
  rows = all.count;
  std::vector<query_piece> pieces = split(all, {});
  std::multiset<entity_t> found, wanted;
  std::vector<std::set<entity_t>> by_piece;
  cursor->begin(all, kith::core::query_use::batches, m, nullptr);
  while (cursor->next()) wanted.insert(cursor->entities(), cursor->entities() + cursor->count());
  for (const query_piece& piece : pieces) {
    cursor->begin(piece, kith::core::query_use::batches, m, nullptr);
    std::set<entity_t>& own = by_piece.emplace_back();
    while (cursor->next()) {
      found.insert(cursor->entities(), cursor->entities() + cursor->count());
      own.insert(cursor->entities(), cursor->entities() + cursor->count());
    }
  }
  EXPECT_EQ(found, wanted);
  EXPECT_EQ(found.size(), rows);
  std::set<entity_t> before;
  for (const std::set<entity_t>& own : by_piece)
    for (entity_t e : own) EXPECT_TRUE(before.insert(e).second) << "an entity is in two pieces";
  q->give_back(std::move(cursor));
  return pieces;
}

TEST(pieces, cover_all_rows_and_keep_those_of_an_entity_together) {
  kith::world world;
  kith::entity R = world.entity("R"), T = world.entity("T");
  std::vector<kith::entity> all;
  for (int i = 0; i < 5000; ++i) {
    kith::entity e = world.entity().set(Placed{i});
    if (i % 3 == 0) e.add(T);
    for (int n = 0; n < i % 4 && n < i; ++n)
      e.add(R, all[static_cast<std::size_t>((i * 7 + n) % i)]);
    all.push_back(e);
  }
  std::size_t rows = 0;
  std::vector<query_piece> pieces = pieces_of(world, "Placed", rows);
  EXPECT_EQ(rows, 5000u);
  EXPECT_GT(pieces.size(), 50u);
  EXPECT_TRUE(pieces.front().tables);
  pieces = pieces_of(world, "(R, $x), Placed($x)", rows);
  EXPECT_GT(pieces.size(), 1u);
  EXPECT_TRUE(pieces.front().rows);
  // Rows of one entity lie far apart: there is no place for a border.
  pieces = pieces_of(world, "R($x, $this)", rows);
  EXPECT_GE(pieces.size(), 1u);
  EXPECT_TRUE(pieces_of(world, "Placed, !Placed", rows).empty());
}

}  // namespace
