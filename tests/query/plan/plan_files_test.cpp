// Plans as text: each *.plan file of this folder has cases of a world, a query and its plan.
//
//   # an optional term branches                    what the case shows
//   world   Ship(a), DockedTo(a, b)                facts, as `define` takes them
//   query   Ship, ?(DockedTo, $o)
//   given   o = b                                  values of variables, if there are any
//   plan    bind $this from Ship($this)  // ~1 rows
//           result  // 0 rows                      before the query ran
//   ran     ...                                    the same after it ran once, if it is written
//
// A line that begins with spaces goes on with the one before. KITH_UPDATE=1 writes the plans anew.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

struct plan_case {
  // Words and what follows them, in the order of the file; the title has the word "#".
  std::vector<std::pair<std::string, std::string>> parts;

  std::string* find(const std::string& word) {
    for (auto& [name, text] : parts)
      if (name == word) return &text;
    return nullptr;
  }
};

constexpr std::size_t margin = 8;  // where the text after a word begins

std::vector<plan_case> read_cases(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<plan_case> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    if (line[0] == '#') {
      cases.push_back({{{"#", line.substr(1)}}});
    } else if (line[0] == ' ') {
      cases.back().parts.back().second += "\n" + line.substr(margin);
    } else {
      const std::string word = line.substr(0, line.find(' '));
      cases.back().parts.emplace_back(word, line.size() > margin ? line.substr(margin) : "");
    }
  }
  return cases;
}

std::string to_text(const std::vector<plan_case>& cases) {
  std::string text;
  for (const plan_case& c : cases) {
    if (!text.empty()) text += "\n";
    for (const auto& [word, part] : c.parts) {
      if (word == "#") {
        text += "#" + part + "\n";
        continue;
      }
      std::istringstream lines(part);
      std::string before = word + std::string(margin - word.size(), ' ');
      for (std::string line; std::getline(lines, line); before = std::string(margin, ' '))
        text += before + line + "\n";
    }
  }
  return text;
}

// Runs a case and replaces its plans by those that the library makes.
void answer(plan_case& c) {
  kith::world world;
  if (const std::string* facts = c.find("world")) world.define(*facts);
  const kith::query<> q = world.filter(*c.find("query"));
  kith::query_view<> asked = q;
  if (const std::string* given = c.find("given")) {
    const std::size_t equals = given->find(" = ");
    asked = q.set_var(given->substr(0, equals), world.lookup(given->substr(equals + 3)));
  }
  const auto plan = [&] {
    std::string text = asked.plan();
    if (text.ends_with('\n')) text.pop_back();
    return text;
  };
  if (std::string* expected = c.find("plan")) *expected = plan();
  if (std::string* expected = c.find("ran")) {
    asked.count();
    *expected = plan();
  }
}

TEST(plan_files, have_the_plans_that_are_made) {
  std::size_t cases = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(KITH_TEST_DIR) + "/query/plan")) {
    if (entry.path().extension() != ".plan") continue;
    const std::vector<plan_case> written = read_cases(entry.path());
    std::vector<plan_case> made = written;
    for (plan_case& c : made) answer(c);
    cases += made.size();
    if (std::getenv("KITH_UPDATE")) {
      std::ofstream(entry.path()) << to_text(made);
      continue;
    }
    for (std::size_t i = 0; i < made.size(); ++i)
      EXPECT_EQ(to_text({made[i]}), to_text({written[i]})) << entry.path();
  }
  EXPECT_GE(cases, 20u);
}

}  // namespace
