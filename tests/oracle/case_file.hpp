// Queries as files: tests/cases/*.case.
//
//   # a wildcard target gives one row per pair
//   world   Likes(bob, apple), Likes(bob, pear)
//   query   (Likes, $what)
//   rows    bob what=apple | (Likes, apple)@bob
//           bob what=pear | (Likes, pear)@bob
//
// A line that starts with white space goes on with the one before. `world` holds for the queries
// that follow; its text is a script (script.hpp). A query is followed by what is expected of it:
//
//   with    team=red            values of variables, before the expectation
//   rows    ...                 in any order; all rows may omit the part from `|` on
//   ordered ...                 in this order; rows between two lines `--` may come in any order
//   answer  yes | no            for a yes/no question
//   error   1:8 expected        the query is an error whose text contains this
#pragma once

#include <string>
#include <vector>

namespace kith_oracle {

struct query_case {
  enum class kind { rows, ordered, answer, error };
  std::string title;
  int line = 0;
  std::string world;
  std::string query;
  std::vector<std::pair<std::string, std::string>> with;
  kind expects = kind::rows;
  std::vector<std::vector<std::string>> groups;  // one group for `rows`
  std::string text;                              // for `answer` and `error`
};

// Throws a std::runtime_error with the line if the file is wrong.
std::vector<query_case> read_cases(const std::string& path);

}  // namespace kith_oracle
