#include "oracle/case_file.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace kith_oracle {

namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

struct section {
  std::string keyword;
  std::vector<std::string> lines;
  int line = 0;
};

std::vector<section> sections_of(std::istream& in) {
  std::vector<section> result;
  std::string text;
  for (int number = 1; std::getline(in, text); ++number) {
    const std::string line = trimmed(text);
    if (line.empty()) continue;
    if (text[0] == ' ' || text[0] == '\t') {
      if (result.empty()) throw std::runtime_error("nothing to go on with");
      result.back().lines.push_back(line);
      continue;
    }
    const auto blank = line.find_first_of(" \t");
    section s{line.substr(0, blank), {}, number};
    if (blank != line.npos) s.lines.push_back(trimmed(line.substr(blank)));
    result.push_back(std::move(s));
  }
  return result;
}

std::string joined(const section& s) {
  std::string text;
  for (const std::string& line : s.lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

std::vector<std::vector<std::string>> groups_of(const section& s) {
  std::vector<std::vector<std::string>> groups(1);
  for (const std::string& line : s.lines)
    if (line == "--")
      groups.emplace_back();
    else
      groups.back().push_back(line);
  return groups;
}

std::vector<std::pair<std::string, std::string>> values_of(const section& s) {
  std::vector<std::pair<std::string, std::string>> values;
  std::istringstream words(joined(s));
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    values.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return values;
}

}  // namespace

std::vector<query_case> read_cases(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::vector<query_case> cases;
  query_case next;
  for (const section& s : sections_of(in)) {
    if (s.keyword == "#") {
      next.title = joined(s);
    } else if (s.keyword == "world") {
      next.world = joined(s);
    } else if (s.keyword == "query") {
      next.query = joined(s);
      next.line = s.line;
      next.with.clear();
    } else if (s.keyword == "with") {
      next.with = values_of(s);
    } else {
      query_case done = next;
      if (s.keyword == "rows" || s.keyword == "ordered") {
        done.expects = s.keyword == "rows" ? query_case::kind::rows : query_case::kind::ordered;
        done.groups = groups_of(s);
      } else if (s.keyword == "answer" || s.keyword == "error") {
        done.expects = s.keyword == "answer" ? query_case::kind::answer : query_case::kind::error;
        done.text = joined(s);
      } else {
        throw std::runtime_error(path + ":" + std::to_string(s.line) + ": what is '" + s.keyword +
                                 "'?");
      }
      cases.push_back(std::move(done));
    }
  }
  return cases;
}

}  // namespace kith_oracle
