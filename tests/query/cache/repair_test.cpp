// Kept results that are repaired where facts changed, in one batch or one by one.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

// The results of a query as lines: $this and the variables.
std::vector<std::string> lines_of(const kith::query<>& q,
                                  const std::vector<std::string>& variables) {
  std::vector<std::string> lines;
  q.iter([&](kith::iter& it) {
    for (std::size_t row = 0; row < it.count(); ++row) {
      std::string line(it.entity(row) ? it.entity(row).name() : "");
      for (const std::string& v : variables) line += " " + std::string(it.get_var(v).name());
      lines.push_back(line);
    }
  });
  std::ranges::sort(lines);
  return lines;
}

class repair : public testing::Test {
 protected:
  // Asks a cached query, makes each of the changes, and compares it with a new one after each.
  void compare(const std::string& text, const std::vector<std::string>& variables,
               const std::vector<std::string>& changes) {
    const kith::query<> kept = world.query_builder<>().expr(text).cached().build();
    for (int times = 0; times < 3; ++times) lines_of(kept, variables);
    for (const std::string& change : changes) {
      world.define(change);
      EXPECT_EQ(lines_of(kept, variables), lines_of(world.filter(text), variables))
          << text << " after " << change;
    }
  }
  kith::world world;
};

TEST_F(repair, finds_rows_that_come_and_go_with_one_pair) {
  world.define("R(a, x), S(a, x), R(b, x), S(c, y)");
  compare("R($this, $x), S($this, $x)", {"x"},
          {"S(b, x)", "!R(a, x)", "R(c, y)", "!S(b, x), S(a, y)"});
}

TEST_F(repair, sees_what_a_not_and_an_optional_term_say) {
  world.define("R(a, x), R(b, y), Bad(y), Big(x)");
  compare("R($this, $x), !Bad($x), ?Big($this)", {"x"},
          {"Bad(x)", "!Bad(y)", "Big(b)", "!R(b, y)"});
}

TEST_F(repair, follows_several_steps_of_a_closure_that_change_together) {
  world.define("Transitive(T), T(a, b), T(b, c), T(c, d), T(d, e), T(x, y)");
  compare("T($x, $y)", {"x", "y"}, {"!T(b, c), !T(c, d)", "T(b, d), T(e, x)", "T(y, a)"});
}

TEST_F(repair, follows_steps_of_kinds_of_a_relation) {
  world.define("Transitive(R), IsA(R1, R), IsA(R2, R), R(p1, s), R(p2, p1), R1(s, a), R2(a, b)");
  compare("R($x, $y)", {"x", "y"}, {"!R1(s, a), !R2(a, b)", "R2(s, b), R1(b, a)"});
}

TEST_F(repair, sees_that_an_exclusive_kind_hides_an_inherited_pair) {
  world.define("IsA(R1, R), Exclusive(R1), R1(base, a), IsA(heir, base)");
  compare("R($this, $y)", {"y"}, {"R1(heir, b)", "!R1(heir, b)"});
}

TEST_F(repair, finds_what_lies_beyond_a_long_chain) {
  std::string chain = "Transitive(T), T(a, m0)";
  constexpr int length = 1500;
  for (int i = 0; i < length; ++i)
    chain += ", T(m" + std::to_string(i) + ", m" + std::to_string(i + 1) + ")";
  world.define(chain);
  const std::string end = "m" + std::to_string(length);
  compare("T(a, $y)", {"y"}, {"T(" + end + ", n1), T(n1, n2)", "!T(m700, m701)"});
}

TEST_F(repair, keeps_rows_together_that_come_and_go_at_a_hub) {
  std::string facts = "C(someone, e0)\n";
  for (int i = 0; i < 200; ++i) facts += "L(hub, e" + std::to_string(i) + ")\n";
  world.define(facts);
  compare("L($this, $y), !C($this, $y)", {"y"},
          {"C(hub, e3)", "C(hub, e5), C(hub, e7)", "!C(hub, e3)", "L(other, e3)", "!L(hub, e199)"});
}

TEST_F(repair, of_a_base_reaches_those_that_inherit) {
  world.define("IsA(k1, base), IsA(k2, k1), R(base, x), P(x)");
  compare("R($this, $y), P($y)", {"y"},
          {"R(base, z), P(z)", "!R(base, x)", "!IsA(k2, k1)", "R(k2, x)"});
}

}  // namespace
