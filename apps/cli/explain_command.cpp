// What a query is, how it is answered, and what that costs in this world:
//
//   query
//     Npc($this), Likes($this, $x)
//
//   plan
//     bind $this from Npc($this)  // ~2 rows, 2 seen
//     …
//
//   2 results in 0.01 ms
//
// The query is run once, so that each step can tell how much it let through.
#include <chrono>

#include "commands.hpp"
#include "text.hpp"

namespace kith::cli {

namespace {

void print_indented(std::string_view text, output& out) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    out << "  " << line << "\n";
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
}

// `2 results in 0.01 ms`, or why there are none to count.
std::string run(const query_view<>& q, const question& asked) {
  if (const auto open = open_parameters(q, asked); !open.empty())
    return "not run: the parameter @" + open.front() + " has no value; give it one with -a " +
           open.front() + "=ENTITY";
  const auto start = std::chrono::steady_clock::now();
  const std::size_t results = q.count();
  const auto time = std::chrono::steady_clock::now() - start;
  const std::string answer =
      q.is_question() ? (results ? "true" : "false") : count_text(results, "result");
  return answer + " in " + duration_text(time);
}

}  // namespace

void print_plan(const query_view<>& q, output& out) {
  out << out.bold("query") << "\n";
  print_indented(q.str(), out);
  out << "\n" << out.bold("plan") << "\n";
  print_indented(q.plan(), out);
}

void explain(world& in, const question& asked, output& out) {
  const query_view<> q = ask(in, asked);
  const std::string cost = run(q, asked);
  print_plan(q, out);
  out << "\n" << out.dim(cost) << "\n";
}

}  // namespace kith::cli
