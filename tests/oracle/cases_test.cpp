// Every case of tests/cases, asked of the oracle and of the library.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "oracle/case_file.hpp"
#include "oracle/engine_rows.hpp"
#include "oracle/rows_text.hpp"
#include "oracle/script.hpp"
#include "query/parse/parse.hpp"

namespace kith_oracle {

namespace {

std::vector<std::string> case_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(KITH_TEST_DIR "/cases"))
    if (entry.path().extension() == ".case") files.push_back(entry.path().stem().string());
  std::sort(files.begin(), files.end());
  return files;
}

// Checks one case with one evaluator.
class checker {
 public:
  checker(const query_case& c, std::optional<run_mode> engine) : case_(c), engine_(engine) {
    world_builder builder(world_);
    for (const step& s : read_script(c.world))
      EXPECT_TRUE(builder.play(s)) << to_text(s) << ": " << builder.refusal();
    snapshot_ = snapshot_of(world_);
    for (const auto& [name, value] : c.with) {
      const kith::entity e = builder.find(value);
      EXPECT_TRUE(e) << "no entity " << value;
      bound_[name] = e.id();
    }
  }

  void check() {
    const answer a = ask();
    if (case_.expects == query_case::kind::error) {
      EXPECT_NE(a.error.find(case_.text), a.error.npos) << a.error;
      EXPECT_FALSE(a.error.empty());
      return;
    }
    ASSERT_EQ(a.error, "");
    if (case_.expects == query_case::kind::answer) {
      EXPECT_TRUE(a.is_yes_no);
      EXPECT_EQ(a.is_true ? "yes" : "no", case_.text);
      return;
    }
    EXPECT_FALSE(a.is_yes_no);
    check_rows(a);
  }

 private:
  answer ask() {
    auto parsed = kith::core::parse_query(case_.query);
    answer a;
    if (!parsed) {
      a.error = parsed.error().what();
      return a;
    }
    facts world(snapshot_);
    a = evaluate(world, *parsed, bound_);
    if (!engine_) return a;
    return engine_answer(world_, case_.query, bound_, *engine_);
  }

  void check_rows(const answer& a) {
    const bool with_fields =
        std::any_of(case_.groups.begin(), case_.groups.end(), [](const auto& lines) {
          return std::any_of(lines.begin(), lines.end(),
                             [](const std::string& l) { return l.find('|') != l.npos; });
        });
    std::vector<std::string> got;
    for (const row& r : a.rows) got.push_back(to_text(snapshot_, a, r, with_fields));
    // Rows of one group may come in any order.
    std::vector<std::string> expected;
    auto at = got.begin();
    for (std::vector<std::string> group : case_.groups) {
      std::sort(group.begin(), group.end());
      const auto left = static_cast<std::size_t>(got.end() - at);
      const auto end = at + static_cast<std::ptrdiff_t>(
                                case_.groups.size() == 1 ? left : std::min(left, group.size()));
      std::sort(at, end);
      at = end;
      expected.insert(expected.end(), group.begin(), group.end());
    }
    EXPECT_EQ(got, expected);
  }

  const query_case& case_;
  const std::optional<run_mode> engine_;  // empty for the oracle
  kith::world world_;
  snapshot snapshot_;
  arguments bound_;
};

class cases : public ::testing::TestWithParam<std::string> {
 protected:
  void check_all(std::optional<run_mode> engine) {
    const std::string path = KITH_TEST_DIR "/cases/" + GetParam() + ".case";
    for (const query_case& c : read_cases(path)) {
      SCOPED_TRACE(path + ":" + std::to_string(c.line) + " " + c.title + "\n" + c.query);
      checker(c, engine).check();
    }
  }
};

}  // namespace

TEST_P(cases, hold_in_the_oracle) { check_all({}); }

TEST_P(cases, hold_in_the_engine) { check_all(run_mode::uncached); }

TEST_P(cases, hold_in_the_engine_from_its_cache) { check_all(run_mode::cached); }

INSTANTIATE_TEST_SUITE_P(files, cases, ::testing::ValuesIn(case_files()),
                         [](const auto& file) { return file.param; });

}  // namespace kith_oracle
