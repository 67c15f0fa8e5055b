// What the text of a query costs: the memory that checking, planning and running it ask for grows
// with the text, not with its square. What copies or compares all terms at each term asks for four
// times as much when the text is twice as long.
#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

#include "memory/failing_memory.hpp"

namespace kith::test {

namespace {

// Writes the part number `i` of a text.
using part_writer = std::function<std::string(int i)>;

struct long_text {
  const char* name;
  std::string first;
  part_writer part;
  const char* separator = ", ";
};

std::string numbered(const std::string& pattern, int i) {
  std::string text;
  for (char c : pattern) {
    if (c == '#') text += std::to_string(i);
    if (c == '+') text += std::to_string(i + 1);
    if (c != '#' && c != '+') text += c;
  }
  return text;
}

part_writer repeat(std::string pattern) {
  return [=](int i) { return numbered(pattern, i); };
}
part_writer in_turn(std::vector<std::string> patterns) {
  return
      [=](int i) { return numbered(patterns[static_cast<std::size_t>(i) % patterns.size()], i); };
}

std::string text_of(const long_text& t, int parts, bool shuffled) {
  std::vector<std::string> written;
  for (int i = 0; i < parts; ++i) written.push_back(t.part(i));
  if (shuffled) std::shuffle(written.begin(), written.end(), std::mt19937(1));
  std::string text = t.first;
  for (const std::string& part : written) text += (text.empty() ? "" : t.separator) + part;
  return text;
}

// The bytes that are asked for until a query has made its first results.
double bytes_for(const std::string& text) {
  world w;
  w.define("A(a), B(a), R(a, b), R(b, a)");
  const std::size_t before = bytes_asked_for();
  struct enough {};
  int seen = 0;
  try {
    w.query(text).each([&](iter&, std::size_t) {
      if (++seen == 10) throw enough();
    });
  } catch (const enough&) {
    // A query of many variables may have more results than anyone can wait for.
  } catch (const error& e) {
    // Only parameters without values.
    EXPECT_EQ(e.code(), errc::out_of_range) << e.what();
  }
  return static_cast<double>(bytes_asked_for() - before);
}

std::vector<long_text> long_texts() {
  return {
      {"variables", "", repeat("R($v#, $v+)")},
      {"optional variables", "A", repeat("?R($v#, b)")},
      {"optional variables without values", "A", in_turn({"?R($v#, A)", "?R($v#, $w#)"})},
      {"uses of optional variables", "A", repeat("?R($this, $v#), B($v#)")},
      {"optional variables that follow each other", "A, ?R($this, $v0)", repeat("?R($v#, $v+)")},
      {"wildcards", "A", repeat("(R, *)")},
      {"plain terms", "", in_turn({"A", "B"})},
      {"an Or chain", "A", in_turn({"A", "B"}), " || "},
      {"Or chains beside each other", "A", repeat("(R, $v#) || (R, $w#)")},
      {"an Or chain of variables", "R($v, b)", repeat("R($v#, b)"), " || "},
      {"Nots", "A", repeat("!B(b)")},
      {"Nots of variables", "A", repeat("(R, $v#), !B($v#)")},
      {"comparisons of two variables", "R($a, $b)", repeat("$a != $b")},
      {"comparisons of all variables", "", repeat("R($v#, $w#), $v# != $w#")},
      {"terms on ten variables", "R($v0, $w0)",
       [](int i) { return numbered("R($v#, $w#)", i % 5); }},
      {"parameters without values", "", repeat("(R, @p#)")},
      {"a mixture", "A",
       in_turn({"(R, $v#)", "?R($o#, $v#)", "(R, *)", "!R($v#, b)", "{A, R($v#, b)} || B",
                "$v# != $w#", "R($v#, $w#)"})},
  };
}

TEST(memory_of_a_text, grows_with_the_text) {
  constexpr int parts = 500;
  for (const long_text& t : long_texts())
    for (bool shuffled : {false, true}) {
      const double once = bytes_for(text_of(t, parts, shuffled));
      const double twice = bytes_for(text_of(t, 2 * parts, shuffled));
      EXPECT_LE(twice, 3 * once) << t.name << (shuffled ? ", shuffled" : "") << ": " << once
                                 << " bytes, then " << twice;
    }
}

// The second chain was planned as a whole for each alternative of the first.
TEST(memory_of_a_text, is_small_for_chains_that_follow_each_other) {
  std::string chain = "A";
  for (int i = 0; i < 250; ++i) chain += " || B || A";
  EXPECT_LE(bytes_for(chain + ", " + chain), 3 * bytes_for(chain));
}

// Nesting is no reason to pay more.
TEST(memory_of_a_text, grows_with_its_depth) {
  for (const char* open : {"{A, {", "?{A, {", "A, !{B, {", "A || {B, {"}) {
    const auto nested = [&](int depth) {
      std::string text;
      for (int i = 0; i < depth; ++i) text += open;
      text += "A";
      for (int i = 0; i < depth; ++i) text += "}}";
      return text;
    };
    const double once = bytes_for(nested(200)), twice = bytes_for(nested(400));
    EXPECT_LE(twice, 3 * once) << open;
  }
}

}  // namespace

}  // namespace kith::test
