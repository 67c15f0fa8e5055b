// Prints a query, its plan, and what running it costs in this world:
//
//   query
//     Npc, (Likes, $x)
//
//   plan
//     bind $this from Npc($this)  // ~2 rows, 2 seen
//     …
//
//   2 results in 0.01 ms
//
// The query runs once before its plan is printed, so that each step shows how many rows it passed.
#include "commands.hpp"
#include "results.hpp"
#include "text.hpp"

namespace kith::cli {

namespace {

void print_indented(std::string_view text, output& out) {
  for (std::string_view line : lines_of(text)) out << "  " << line << "\n";
}

// `2 results in 0.01 ms`, or the reason why the query cannot run.
std::string run(const query_view<>& q, const question& asked) {
  if (const auto open = open_parameters(q, asked); !open.empty())
    return "not run: " + no_value(open.front());
  return measure(q);
}

}  // namespace

void print_plan(const query_view<>& q, output& out) {
  out << out.bold("query") << "\n";
  print_indented(q.str(), out);
  out << "\n" << out.bold("plan") << "\n";
  print_indented(q.plan(), out);
}

void explain(world& in, const question& asked, output& out, bool with_storage) {
  const query_view<> q = ask(in, asked);
  const std::string cost = run(q, asked);
  print_plan(q, out);
  if (with_storage) {
    out << "\n" << out.bold("storage") << "\n";
    print_indented(q.storage(), out);
  }
  out << "\n" << out.dim(cost) << "\n";
}

}  // namespace kith::cli
