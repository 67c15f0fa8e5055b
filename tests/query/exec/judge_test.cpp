// What is decided for all rows of a table.
#include "query/exec/judge.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/checked.hpp"
#include "support/rows.hpp"

namespace {

using kith::core::judge;
using condition_kind = judge::condition::kind;

struct verdicts : testing::Test {
  // Each table with user entities that have A: the name of its first row, and which of its rows
  // pass.
  std::string decide(std::initializer_list<const char*> required,
                     std::initializer_list<const char*> refused) {
    judge j(kith::test::meaning_of(world));
    const auto add = [&](std::initializer_list<const char*> names, condition_kind kind) {
      for (const char* name : names) {
        const kith::id_t id = world.lookup(name).id();
        j.add({&id, 1}, kind);
      }
    };
    add(required, condition_kind::required);
    add(refused, condition_kind::refused);
    kith::test::words seen;
    const kith::core::store& store = world.engine().state().store();
    store.tables().each([&](const kith::core::table& t) {
      if (!t.size() || !t.has(world.lookup("A").id())) return;
      judge::verdict v;
      j.decide(t, v);
      std::string text(world.entity(t.entities()[0]).name());
      text += v.rejected ? "=none" : v.passes_all() ? "=all" : "=some";
      for (kith::entity_t e : t.entities())
        if (!v.rejected && !v.passes_all() && j.passes(e, *store.entities().find(e), v))
          text += ":" + std::string(world.entity(e).name());
      seen += text;
    });
    return seen.str();
  }

  verdicts() { world.define("A(a), A(b), B(b), A(c), B(c), C(c)"); }

  kith::world world;
};

TEST_F(verdicts, are_all_or_none_where_ids_are_in_tables) {
  EXPECT_EQ(decide({"B"}, {}), "a=none b=all c=all");
  EXPECT_EQ(decide({"B"}, {"C"}), "a=none b=all c=none");
  EXPECT_EQ(decide({}, {"B", "C"}), "a=all b=none c=none");
}

TEST_F(verdicts, leave_ids_in_pools_to_the_rows) {
  world.entity("S").add(kith::Sparse);
  world.define("A(d), S(d), A(e)");
  EXPECT_EQ(decide({"S"}, {}), "a=some:d b=some c=some");
  EXPECT_EQ(decide({}, {"S"}), "a=some:a:e b=some:b c=some:c");
}

TEST_F(verdicts, leave_ids_that_are_off_to_the_rows) {
  world.entity("B").add(kith::CanToggle);
  world.define("A(d), B(d)");
  world.lookup("d").disable(world.lookup("B"));
  EXPECT_EQ(decide({"B"}, {}), "a=none b=some:b c=some:c");
}

TEST_F(verdicts, count_what_is_inherited) {
  world.define("D(base), IsA(i, base), A(i)");
  EXPECT_EQ(decide({"D"}, {}), "a=none b=none c=none i=all");
  EXPECT_EQ(decide({}, {"D"}), "a=all b=all c=all i=none");
}

}  // namespace
