// The subcommands, a function each. They throw a failure for a mistake of the user.
#pragma once

#include <kith/kith.hpp>

#include "failure.hpp"
#include "options.hpp"
#include "output.hpp"

namespace kith::cli {

exit_status run_query(world& in, const options& given, output& out);
struct explaining {
  bool live = false;  // the plan is printed before the query runs, too
  bool with_storage = false;
};
void explain(world& in, const question& asked, output& out, const explaining& how = {});
// The first part of the output of `explain`: the query and its plan, with the counts of its runs.
void print_plan(const query_view<>& q, output& out);
void print_facts(const world& in, output& out);
// Prints all entities and their relations, or with a question only the entities in its results.
void print_graph(world& in, const question* asked, output& out);
// After a mistake the shell prints a message and goes on. It returns `mistake` if there was one and
// its input is not a terminal.
exit_status run_shell(world& in, const budget& most, output& out);
void run_tour(output& out);

}  // namespace kith::cli
