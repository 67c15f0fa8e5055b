// What the command can do, a function each. Mistakes in what was given are thrown as failures.
#pragma once

#include <kith/kith.hpp>

#include "failure.hpp"
#include "options.hpp"
#include "output.hpp"

namespace kith::cli {

exit_status run_query(world& in, const options& given, output& out);
void explain(world& in, const question& asked, output& out);
// The first part of what `explain` prints: the query and its plan, as it has been used so far.
void print_plan(const query_view<>& q, output& out);
void print_facts(const world& in, output& out);
// All entities and their relations; with a question those in its results.
void print_graph(world& in, const question* asked, output& out);
// A mistake is told and the session goes on; of a session that nobody types it is the status at the end.
exit_status run_shell(world& in, output& out);
void run_tour(output& out);

}  // namespace kith::cli
