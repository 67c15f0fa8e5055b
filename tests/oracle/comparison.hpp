// Compares the answers of the oracle and of the library to one query, also after changes.
#pragma once

#include "oracle/engine_rows.hpp"
#include "oracle/random_query.hpp"

namespace kith_oracle {

// Everything that is needed to repeat a comparison. Entities have the names of the script.
struct trial {
  script world;
  random_query query;
  std::uint64_t spelling = 0;  // seed of the spelling; 0 is the plain one
  run_mode mode = run_mode::uncached;
  script changes = {};  // made while the query lives
  kith::core::shortcuts open = {};
};

// The outcome of a trial.
struct verdict {
  bool agrees = true;
  std::string text;      // the text of the query
  std::string problem;   // what is wrong, in one word
  std::string expected;  // rows
  std::string got;
};

// The expression with the entities that its names name now; later changes do not change it.
kith::core::expression with_entities(kith::core::expression e, const scripted_world& world);
// The same with the numbers of these entities instead of names that may change.
kith::core::expression with_numbers(kith::core::expression e);
// Are all entities that with_entities() found alive?
bool names_only_the_living(const kith::core::expression& e, kith::world& world);

// The query of a trial, alive in a world that the script of the trial has made.
class live_trial {
 public:
  live_trial(const trial& t, scripted_world& world);

  // Asks both about the present world. Does not ask if an entity in the query was deleted.
  verdict compare();

 private:
  scripted_world& world_;
  std::string text_;
  kith::core::expression expression_;  // names are entities
  arguments bound_;
  engine_query query_;
};

// Makes a world, asks twice, makes the changes and asks a third time. Returns the first
// disagreement.
verdict compare(const trial& t);

// Empty if the rows are the same and in an allowed order; otherwise what is wrong.
std::string difference(const snapshot& world, const answer& expected, const answer& got);

// Removes steps, terms, flags and operators as long as the two still disagree.
trial shrunk(trial t);
// World, query and rows in the format of case_file.hpp.
std::string report(const trial& t);

}  // namespace kith_oracle
