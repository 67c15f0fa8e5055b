// Queries as files: tests/cases/*.case.
//
//   # a wildcard target gives one row per pair
//   world   Likes(bob, apple), Likes(bob, pear)
//   query   (Likes, $what)
//   rows    bob what=apple | (Likes, apple)@bob
//           bob what=pear | (Likes, pear)@bob
//
// A line that starts with white space goes on with the one before. `world` holds for the queries that
// follow; its text is a script (script.hpp). A query is followed by what is expected of it:
//
//   with    team=red            values of variables, before the expectation
//   rows    ...                 in any order; the part from `|` on may be left out of all of them
//   ordered ...                 in this order; rows of one group, between lines of `--`, in any order
//   answer  yes | no            a yes/no question
//   error   1:8 expected        it is an error whose text contains this; nothing more is asked
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
  std::vector<std::vector<std::string>> groups;  // of `rows` one
  std::string text;                              // of `answer` and `error`
};

// What is no case is an error (std::runtime_error) that names the line.
std::vector<query_case> read_cases(const std::string& path);

}  // namespace kith_oracle
