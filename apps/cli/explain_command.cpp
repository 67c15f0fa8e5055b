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
// With --live the plan is also printed before. On a terminal it is then drawn again while the query
// runs.
#include <algorithm>

#include "commands.hpp"
#include "results.hpp"
#include "text.hpp"

namespace kith::cli {

namespace {

constexpr std::size_t indent = 2;

void print_indented(std::string_view text, output& out) {
  for (std::string_view line : lines_of(text)) out << std::string(indent, ' ') << line << "\n";
}

// `2 results in 0.01 ms`, or the reason why the query cannot run.
std::string run(const query_view<>& q, const question& asked) {
  if (const auto open = open_parameters(q, asked); !open.empty())
    return "not run: " + no_value(open.front());
  return measure(q);
}

// Goes up to where a plan began, and prints it with the counts as they are now. A plan that is
// longer than the screen begins where it cannot be reached.
class drawn_plan {
 public:
  // Requires: the plan is the last that was printed.
  drawn_plan(const query_view<>& q, output& out) : q_(q), out_(out), lines_(lines_on_screen()) {}

  void draw() {
    if (lines_ >= out_.size().lines) return;
    out_ << "\033[" + std::to_string(lines_) + "A\033[J";
    lines_ = lines_on_screen();
    print_indented(q_.plan(), out_);
    out_.flush();
  }

 private:
  // Lines that are wider than the screen go on in the next one.
  std::size_t lines_on_screen() const {
    const std::string plan = q_.plan();
    const std::size_t columns = std::max<std::size_t>(1, out_.size().columns);
    std::size_t lines = 0;
    for (std::string_view line : lines_of(plan))
      lines += 1 + (width_of(line) + indent - 1) / columns;
    return lines;
  }

  const query_view<>& q_;
  output& out_;
  std::size_t lines_;
};

// Runs a query whose plan was just printed.
std::string run_live(world& in, const query_view<>& q, const question& asked, output& out) {
  if (!out.is_terminal()) {
    const std::string cost = run(q, asked);
    out << "\n" << out.bold("plan, after it ran") << "\n";
    print_indented(q.plan(), out);
    return cost;
  }
  drawn_plan drawn(q, out);
  in.watch_queries([&] { drawn.draw(); });
  const std::string cost = run(q, asked);
  in.watch_queries({});
  drawn.draw();
  return cost;
}

}  // namespace

void print_plan(const query_view<>& q, output& out) {
  out << out.bold("query") << "\n";
  print_indented(q.str(), out);
  out << "\n" << out.bold("plan") << "\n";
  print_indented(q.plan(), out);
}

void explain(world& in, const question& asked, output& out, const explaining& how) {
  const query_view<> q = ask(in, asked);
  std::string cost;
  if (how.live) {
    print_plan(q, out);
    out.flush();
    cost = run_live(in, q, asked, out);
  } else {
    cost = run(q, asked);
    print_plan(q, out);
  }
  if (how.with_storage) {
    out << "\n" << out.bold("storage") << "\n";
    print_indented(q.storage(), out);
  }
  out << "\n" << out.dim(cost) << "\n";
}

}  // namespace kith::cli
