// One query asked of the oracle and of the library: there again and again, also after changes.
#pragma once

#include "oracle/engine_rows.hpp"
#include "oracle/random_query.hpp"

namespace kith_oracle {

// A world, a query and its arguments, all by the names of the script: enough to ask again.
struct trial {
  script world;
  random_query query;
  std::uint64_t spelling = 0;  // seed of the spelling; 0 is the plain one
  run_mode mode = run_mode::uncached;
  script changes = {};  // made while the query lives
  kith::core::shortcuts open = {};
};

// What a trial came to.
struct verdict {
  bool agrees = true;
  std::string text;      // of the query, as asked
  std::string problem;   // in a word
  std::string expected;  // rows
  std::string got;
};

// The query of a trial, alive in a world that the script of the trial has made.
class live_trial {
 public:
  live_trial(const trial& t, scripted_world& world);

  // Asks both about the world as it is now. A query that names what is gone is not asked.
  verdict compare();

 private:
  scripted_world& world_;
  std::string text_;
  kith::core::expression expression_;  // names are entities
  arguments bound_;
  engine_query query_;
};

// In a world of its own: asks, asks again, makes the changes and asks once more. Gives the first
// disagreement.
verdict compare(const trial& t);

// "" if the rows are the same, in an order that is allowed; else what is wrong.
std::string difference(const snapshot& world, const answer& expected, const answer& got);

// Takes away steps, terms, flags and operators as long as the two still disagree.
trial shrunk(trial t);
// World, query and rows, as a case that can be put in a file.
std::string report(const trial& t);

}  // namespace kith_oracle
