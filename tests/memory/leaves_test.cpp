// Parts of the library when memory ends: what throws has changed nothing, and what takes no memory
// does not fail.
#include <climits>
#include <memory>
#include <new>
#include <numeric>
#include <sstream>

#include <gtest/gtest.h>

#include "base/deep_call.hpp"
#include "base/destroy_deep.hpp"
#include "base/make_room.hpp"
#include "base/try_allocate.hpp"
#include "base/undo_log.hpp"
#include "entity/commands.hpp"
#include "entity/names.hpp"
#include "memory/failing_memory.hpp"
#include "query/check/checked_query.hpp"
#include "query/model/expression.hpp"
#include "query/model/statement.hpp"
#include "relations/child_order.hpp"
#include "storage/change_log.hpp"
#include "storage/loose_ids.hpp"
#include "storage/off_ids.hpp"
#include "storage/table_graph.hpp"

namespace kith::core {

namespace {

using test::allow_memory;
using test::fail_memory;
using test::failing;

// Runs `change` on what `make` returns while each allocation fails, one after the other. If it
// threw, `show` must give what it gave before; in the end it must give what it gives where nothing
// fails.
template <class Make, class Change, class Show>
void changes_all_or_nothing(Make make, Change change, Show show) {
  auto whole = make();
  change(*whole);
  const std::string done = show(*whole);
  for (long n = 0;; ++n) {
    auto part = make();
    const std::string before = show(*part);
    bool threw = false;
    fail_memory(n, failing::from_then_on);
    try {
      change(*part);
    } catch (const std::bad_alloc&) {
      threw = true;
    }
    const bool failed = allow_memory();
    if (threw) {
      EXPECT_EQ(show(*part), before) << "n=" << n;
      change(*part);
    }
    EXPECT_EQ(show(*part), done) << "n=" << n;
    if (!failed) return;
  }
}

// Runs what must not take memory.
template <class Change>
void without_memory(Change change) {
  fail_memory(0, failing::from_then_on);
  change();
  EXPECT_FALSE(allow_memory()) << "memory was asked for";
}

// Runs what must not fail, though it may ask for memory.
template <class Change>
void while_memory_fails(Change change) {
  fail_memory(0, failing::from_then_on);
  change();
  allow_memory();
}

id_t pair_to(std::uint32_t target) { return make_pair_of(300, target); }

// --- base

TEST(memory_base, make_room_lets_a_list_and_a_map_grow_without_memory) {
  std::vector<int> list(5);
  hash_map<std::uint64_t, int> map;
  for (std::uint64_t i = 0; i < 40; ++i) {
    make_room(list, 7);
    make_room(map, 7);
    without_memory([&] {
      for (std::uint64_t k = 0; k < 7; ++k) {
        list.push_back(1);
        map[i * 7 + k] = 1;
      }
    });
  }
  fail_memory(0, failing::from_then_on);
  const bool has_room = try_allocate([&] { make_room(list, 10'000); });
  allow_memory();
  EXPECT_FALSE(has_room);
}

TEST(memory_base, a_map_that_cannot_grow_keeps_its_keys) {
  changes_all_or_nothing(
      [] {
        auto map = std::make_unique<hash_map<std::uint64_t, std::string>>();
        for (std::uint64_t i = 0; i < 8; ++i) (*map)[i] = "a text that has memory of its own";
        return map;
      },
      [](auto& map) { map[100] = std::string("another text with memory of its own"); },
      [](const auto& map) {
        std::size_t letters = 0;
        for (const auto& [key, text] : map) letters += key * text.size();
        return std::to_string(letters);
      });
}

TEST(memory_base, undo_steps_that_are_reserved_take_no_memory) {
  undo_log log;
  std::string undone;
  undone.reserve(100);
  log.reserve(40);
  without_memory([&] {
    for (int i = 0; i < 40; ++i)
      log.push([&undone, i](undo_way) { undone += static_cast<char>('A' + i); });
  });
  log.roll_back();
  EXPECT_EQ(undone.size(), 40u);
  EXPECT_EQ(undone.front(), static_cast<char>('A' + 39));
}

TEST(memory_base, an_undo_step_that_finds_no_memory_is_not_pushed) {
  changes_all_or_nothing([] { return std::make_unique<undo_log>(); },
                         [](undo_log& log) { log.push([](undo_way) {}); },
                         [](const undo_log& log) { return std::to_string(log.size()); });
}

int depth_of_throw(int depth) {
  if (depth == 0) throw std::bad_alloc();
  return deep_call([&] { return depth_of_throw(depth - 1); });
}

TEST(memory_base, what_a_deep_call_throws_reaches_the_caller) {
  EXPECT_THROW(depth_of_throw(20'000), std::bad_alloc);
}

// --- query

TEST(memory_query, deep_blocks_expressions_and_values_are_destroyed_without_memory) {
  constexpr int depth = 100'000;
  block b;
  expression e;
  value_text v;
  for (int i = 0; i < depth; ++i) {
    block outer;
    outer.items.resize(3);
    outer.items[0].bodies.resize(i % 3);
    outer.items[1].bodies.resize(2);
    outer.items[1].bodies[i % 2] = std::move(b);
    b = std::move(outer);

    expression scope;
    scope.chains.resize(2);
    scope.chains[i % 2].alternatives.resize(2);
    scope.chains[i % 2].alternatives[i % 2].scope = std::move(e);
    e = std::move(scope);

    value_text list;
    list.members.resize(2);
    list.members[i % 2].value = std::move(v);
    v = std::move(list);
  }
  without_memory([&] {
    b = {};
    e = {};
    v = {};
  });
}

TEST(memory_query, destroy_deep_ends_every_node_of_a_bushy_tree_once) {
  static long alive;
  struct node {
    std::vector<std::vector<node>> lists;
    node() { ++alive; }
    node(node&& other) noexcept : lists(std::move(other.lists)) { ++alive; }
    node& operator=(node&&) noexcept = default;
    ~node() { --alive; }
  };
  alive = 0;
  const auto grow = [](const auto& self, int depth, unsigned seed) -> std::vector<node> {
    std::vector<node> list(seed % 4);
    if (depth == 0) return list;
    for (node& n : list) {
      n.lists.resize(seed / 4 % 3);
      for (auto& below : n.lists)
        below = self(self, depth - 1, seed = seed * 1'103'515'245 + 12'345);
    }
    return list;
  };
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::vector<node> tree = grow(grow, 5, seed * 7 + 3);
    destroy_deep(
        tree,
        [](node& n) -> std::vector<node>* {
          while (!n.lists.empty() && n.lists.back().empty()) n.lists.pop_back();
          return n.lists.empty() ? nullptr : &n.lists.back();
        },
        [](node& n) { return n.lists.empty() ? nullptr : &n.lists.front(); });
    ASSERT_EQ(alive, 0) << seed;
  }
}

// --- ids

TEST(memory_ids, creating_is_all_or_nothing) {
  changes_all_or_nothing([] { return std::make_unique<entity_index>(); },
                         [](entity_index& index) { index.create(); },
                         [](const entity_index& index) { return std::to_string(index.size()); });
  changes_all_or_nothing([] { return std::make_unique<entity_index>(); },
                         [](entity_index& index) { index.make_alive(70'000); },
                         [](const entity_index& index) { return std::to_string(index.size()); });
}

TEST(memory_ids, entities_that_are_reserved_begin_without_memory) {
  entity_index index;
  index.make_alive(first_user_index + 1000);
  index.make_alive(first_user_index + 1001);
  for (std::size_t count : {1, 1, 1000, 5000, 3}) {
    index.reserve(count);
    without_memory([&] {
      for (std::size_t i = 0; i < count; ++i) index.create();
    });
  }
  EXPECT_EQ(index.size(), 6007u);
}

TEST(memory_ids, dying_takes_no_memory) {
  entity_index index;
  std::vector<entity_t> all(3000);
  for (entity_t& e : all) e = index.create();
  without_memory([&] {
    for (std::size_t i = 0; i < 1000; ++i) index.destroy(all[i]);
    index.hold_dead();
    for (std::size_t i = 1000; i < all.size(); ++i) index.destroy(all[i]);
    EXPECT_EQ(index_of(index.create()), index_of(all[999]));
    index.release_dead();
    EXPECT_EQ(index_of(index.create()), index_of(all[2999]));
    EXPECT_EQ(index_of(index.create()), index_of(all[2998]));
  });
}

TEST(memory_ids, an_index_that_make_alive_takes_leaves_the_list_of_the_dead) {
  entity_index index;
  std::vector<entity_t> all(6);
  for (entity_t& e : all) e = index.create();
  index.destroy(all[0]);
  index.destroy(all[1]);
  index.destroy(all[2]);
  index.hold_dead();
  index.destroy(all[3]);
  index.destroy(all[4]);
  index.destroy(all[5]);
  const auto revive = [&](std::size_t i) {
    ASSERT_TRUE(index.make_alive(make_entity(index_of(all[i]), 7)));
  };
  revive(1);  // in the middle, at the end and at the beginning of a list
  revive(0);
  revive(4);
  revive(3);
  revive(5);
  index.release_dead();
  EXPECT_EQ(index_of(index.create()), index_of(all[2]));
  EXPECT_EQ(index_of(index.create()), index_of(all[5]) + 1);
}

// --- storage

struct table_world {
  id_index ids;
  table_graph tables{ids};

  table_world() {
    for (id_t id = 300; id < 320; ++id) ids.insert(id, nullptr);
  }
  std::string text() const {
    std::ostringstream out;
    out << tables.size();
    ids.each([&](const id_record& r) {
      out << " " << r.id << ":" << r.tables.size() << "/" << r.group->table_uses;
      for (const table* t : r.tables) EXPECT_TRUE(t->has(r.id));
    });
    tables.each([&](const table& t) {
      t.edges().each([&](id_t id, const table* to) { EXPECT_EQ(to->edges().find(id), &t); });
    });
    return out.str();
  }
};

TEST(memory_storage, a_table_is_linked_to_all_of_its_ids_or_not_made) {
  changes_all_or_nothing([] { return std::make_unique<table_world>(); },
                         [](table_world& w) {
                           w.tables.find_or_create({300, 301, 302, 303});
                         },
                         [](const table_world& w) { return w.text(); });
}

TEST(memory_storage, edges_are_there_in_both_directions_or_not_at_all) {
  for (long n = 0; n < 40; ++n) {
    table_world w;
    for (id_t id = 300; id < 310; ++id) w.tables.with(w.tables.root(), id);
    fail_memory(n, failing::once);
    try {
      w.tables.without(w.tables.with(w.tables.root(), 315), 315);
    } catch (const std::bad_alloc&) {
    }
    allow_memory();
    w.text();
    const table* made = &w.tables.with(w.tables.root(), 315);
    EXPECT_EQ(made, w.tables.find(std::vector<id_t>{315}));
    w.text();
  }
}

TEST(memory_storage, erasing_a_table_takes_no_memory) {
  table_world w;
  std::vector<table*> made;
  for (id_t id = 300; id < 320; ++id) made.push_back(&w.tables.with(w.tables.root(), id));
  without_memory([&] {
    for (table* t : made) w.tables.erase(*t);
  });
  EXPECT_EQ(w.tables.size(), 1u);
}

TEST(memory_storage, an_id_is_in_all_lists_of_the_id_index_or_in_none) {
  const auto show = [](const id_index& ids) {
    std::size_t of_relation = 0, of_target = 0;
    for (auto* r = ids.first_of_relation(300); r; r = r->next_of_relation) ++of_relation;
    for (auto* r = ids.first_of_target(400); r; r = r->next_of_target) ++of_target;
    return std::to_string(ids.size()) + " " + std::to_string(of_relation) + " " +
           std::to_string(of_target);
  };
  changes_all_or_nothing([] { return std::make_unique<id_index>(); },
                         [](id_index& ids) { ids.insert(pair_to(400), nullptr); }, show);
  changes_all_or_nothing(
      [] {
        auto ids = std::make_unique<id_index>();
        for (std::uint32_t t = 401; t < 414; ++t) ids->insert(pair_to(t), nullptr);
        return ids;
      },
      [](id_index& ids) { ids.insert(pair_to(400), nullptr); }, show);
}

TEST(memory_storage, an_id_leaves_the_id_index_without_memory) {
  id_index ids;
  std::vector<id_record*> all;
  for (std::uint32_t t = 400; t < 500; ++t) all.push_back(&ids.insert(pair_to(t), nullptr));
  without_memory([&] {
    for (id_record* r : all) ids.erase(*r);
  });
}

std::string text_of(loose_ids& lists, loose_ref list) {
  std::string text;
  for (id_t id : lists.ids(list))
    text += std::to_string(target_of(id)) + ":" + std::to_string(*lists.find(list, id)) + " ";
  return text;
}

struct loose_world {
  loose_ids lists;
  loose_ref list = 0;
  explicit loose_world(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) lists.insert(list, pair_to(1000 + i * 2), i);
  }
};

TEST(memory_storage, a_loose_id_comes_or_the_list_stays_as_it_was) {
  for (std::uint32_t count : {0, 1, 2, 3, 7, 31, 62, 63, 64, 100, 200})
    changes_all_or_nothing([&] { return std::make_unique<loose_world>(count); },
                           [](loose_world& w) { w.lists.insert(w.list, pair_to(1005), 77); },
                           [](loose_world& w) { return text_of(w.lists, w.list); });
}

TEST(memory_storage, loose_ids_go_also_when_memory_ends) {
  for (std::uint32_t count : {1, 2, 8, 63, 64, 300}) {
    loose_world w(count), whole(count);
    // Nothing is there that could be used for a shorter list.
    while_memory_fails([&] {
      for (std::uint32_t i = 0; i < count; ++i) {
        const id_t id = pair_to(1000 + (i * 7 % count) * 2);
        if (count % 7) w.lists.erase(w.list, id);
      }
    });
    EXPECT_EQ(w.list == 0, count % 7 != 0) << count;
    without_memory([&] { whole.lists.release(whole.list); });
  }
}

TEST(memory_storage, reserved_loose_ids_come_without_memory) {
  for (std::uint32_t count : {0, 1, 2, 7, 60, 63, 64, 300})
    for (std::uint32_t more : {1, 2, 5, 40, 100}) {
      loose_world w(count);
      w.lists.reserve(w.list, more);
      const std::string before = text_of(w.lists, w.list);
      without_memory([&] {
        for (std::uint32_t i = 0; i < more; ++i) w.lists.insert(w.list, pair_to(1 + i), i);
      });
      EXPECT_EQ(w.lists.ids(w.list).size(), count + more);
      EXPECT_TRUE(text_of(w.lists, w.list).ends_with(before));
    }
}

TEST(memory_storage, many_new_loose_lists_begin_without_memory) {
  for (std::uint32_t count : {1, 2, 5, 63}) {
    loose_ids lists;
    std::vector<loose_ref> all(1000);
    loose_ref other = 0;
    lists.insert(other, pair_to(1), 0);
    lists.erase(other, pair_to(1));
    lists.reserve_new(all.size(), count);
    without_memory([&] {
      for (std::uint32_t i = 0; i < count; ++i)
        for (loose_ref& list : all) lists.insert(list, pair_to(10 + i), i);
    });
    for (loose_ref list : all) EXPECT_EQ(lists.ids(list).size(), count);
  }
}

TEST(memory_storage, a_log_without_memory_tells_readers_to_look_at_everything) {
  entity_index entities;
  change_sinks sinks;
  change_logs logs(entities, sinks, change_logs::about::membership);
  const auto change = [&](entity_t e) {
    sinks.hear(sinks.wanting(300), delta::kind::gained, e, 300);
  };
  log_reader reader(logs.watch_each(300));
  change(1000);
  reader.catch_up();
  EXPECT_FALSE(reader.has_news());
  fail_memory(0, failing::from_then_on);
  for (entity_t e = 2000; e < 2100; ++e) change(e);
  allow_memory();
  EXPECT_TRUE(reader.has_news());
  EXPECT_FALSE(reader.is_complete());
  EXPECT_TRUE(reader.has_news_of(2050));
  EXPECT_TRUE(reader.has_news_of(1000));  // more than is true, never less
  reader.catch_up();
  change(2001);
  EXPECT_TRUE(reader.has_news() && reader.is_complete());
  EXPECT_TRUE(reader.has_news_of(2001));
  EXPECT_FALSE(reader.has_news_of(2002));
}

TEST(memory_storage, ids_are_switched_off_or_stay_on) {
  const auto show = [](const off_ids& off) { return std::to_string(off.of(400).size()); };
  changes_all_or_nothing([] { return std::make_unique<off_ids>(); },
                         [](off_ids& off) { off.set(400, 300, true); }, show);
  off_ids off;
  off.reserve(400, 3);
  without_memory([&] {
    for (id_t id : {303, 301, 302}) off.set(400, id, true);
    for (id_t id : {303, 301, 302}) off.set(400, id, false);
  });
}

TEST(memory_storage, rows_that_are_reserved_are_switched_off_without_memory) {
  id_index ids;
  table from(table_id{1}, {300, 301}, {nullptr, nullptr});
  table to(table_id{2}, {300, 301, 302}, {nullptr, nullptr, nullptr});
  for (entity_t e = 1000; e < 1200; ++e) {
    from.begin_row();
    from.commit_row(e);
    from.set_off(301, row_index{e - 1000}, e % 2);
  }
  to.begin_rows(200);
  to.reserve_toggles(row_index{0}, from, row_index{0}, 200);
  without_memory([&] {
    for (std::size_t i = 0; i < 200; ++i) {
      to.copy_toggles(row_index{i}, from, row_index{i});
      to.commit_row(1000 + i);
    }
  });
  for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(to.is_off(301, row_index{i}), i % 2 == 1);

  pool p(nullptr);
  p.reserve_off(row_index{500});
  without_memory([&] { p.set_off(row_index{500}, true); });
  EXPECT_TRUE(p.is_off(row_index{500}));
}

// --- entity, relations

TEST(memory_entity, a_name_comes_or_changes_or_everything_stays) {
  const auto make = [] {
    auto n = std::make_unique<names>();
    for (entity_t e = 1000; e < 1008; ++e) n->set(e, 0, "name_of_" + std::to_string(e));
    return n;
  };
  const auto show = [](const names& n) {
    std::string text;
    for (entity_t e = 1000; e < 1010; ++e) {
      const std::string name(n.name_of(index_of(e)));
      const auto parent = n.parent_of(index_of(e));
      text += name + "/" + std::to_string(parent) + " ";
      EXPECT_TRUE(name.empty() || n.find(parent, name) == e);
    }
    text += std::to_string(n.find(0, "another_name_that_is_long")) + " " +
            std::to_string(n.find(0, "name_of_1003"));
    return text;
  };
  changes_all_or_nothing(
      make, [](names& n) { n.set(1009, 0, "another_name_that_is_long"); }, show);
  changes_all_or_nothing(
      make, [](names& n) { n.set(1003, 0, "another_name_that_is_long"); }, show);
  changes_all_or_nothing(
      make, [](names& n) { n.move(1003, 77); }, show);
  auto n = make();
  without_memory([&] { n->erase(1004); });
}

TEST(memory_entity, a_name_changes_with_a_step_that_takes_it_back_or_not_at_all) {
  for (long i = 0; i < 20; ++i) {
    names n;
    n.set(1000, 0, "a_name_that_is_rather_long");
    entity_index entities;
    undo_log log;
    n.set_undo(&log, entities);
    fail_memory(i, failing::from_then_on);
    try {
      n.set(1000, 0, "another_name_that_is_long");
      n.erase(1000);
    } catch (const std::bad_alloc&) {
    }
    n.set_undo(nullptr, entities);
    log.roll_back();
    allow_memory();
    EXPECT_EQ(n.name_of(1000), "a_name_that_is_rather_long");
    EXPECT_EQ(n.find(0, "a_name_that_is_rather_long"), 1000u);
    EXPECT_EQ(n.find(0, "another_name_that_is_long"), 0u);
  }
}

TEST(memory_entity, a_command_is_queued_or_not) {
  const auto show = [](const command_queue& q) { return std::to_string(q.size()); };
  const auto make = [] { return std::make_unique<command_queue>(); };
  const std::vector<entity_t> children(50, 1000);
  changes_all_or_nothing(
      make, [](command_queue& q) { q.push({.what = command::kind::destroy, .entity = 1000}); },
      show);
  changes_all_or_nothing(
      make, [](command_queue& q) { q.push_name(1000, "a_name_that_is_rather_long"); }, show);
  changes_all_or_nothing(
      make, [&](command_queue& q) { q.push_order(1000, children); }, show);
}

TEST(memory_relations, a_child_is_appended_or_not) {
  const auto make = [] {
    auto order = std::make_unique<child_order>();
    const std::vector<entity_t> children{1000, 1001, 1002, 1003};
    order->set(77, children);
    return order;
  };
  const auto show = [](const child_order& order) {
    std::string text;
    for (entity_t e : order.children(77)) text += std::to_string(e) + " ";
    return text;
  };
  for (int erased : {0, 1, 2})
    changes_all_or_nothing(
        [&] {
          auto order = make();
          for (int i = 0; i < erased; ++i) order->erase(77, 1000u + static_cast<unsigned>(i));
          return order;
        },
        [](child_order& order) { order.append(77, 1010); }, show);
  auto order = make();
  order->reserve(77, 20);
  without_memory([&] {
    for (entity_t e = 2000; e < 2020; ++e) order->append(77, e);
    for (entity_t e = 2000; e < 2020; ++e) order->erase(77, e);
  });
  EXPECT_EQ(show(*order), "1000 1001 1002 1003 ");
}

}  // namespace

}  // namespace kith::core
