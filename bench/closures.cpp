// Rows 31c and 31d, and walks through deep and wide graphs.
//
//   closures   a chain of 4,000 along a Transitive relation; each second entity has P
//   deep       the same questions about 2,500 and 10,000 entities: four times, if they are linear
//
// Each question is a new query, so that it keeps no results. A change of another relation before
// each question makes the world forget what depends on more than the chain.
#include <string>
#include <vector>

#include <kith/kith.hpp>

#include "support/harness.hpp"

namespace {

using bench::stopwatch;

struct chain {
  explicit chain(std::size_t size) : D(w.entity("D").add(kith::Transitive)), P(w.entity("P")) {
    for (std::size_t i = 0; i < size; ++i) nodes.push_back(w.entity("n" + std::to_string(i)));
    for (std::size_t i = 0; i + 1 < size; ++i) nodes[i].add(D, nodes[i + 1]);
    for (std::size_t i = 0; i < size; i += 2) nodes[i].add(P);
  }
  kith::world w;
  kith::entity D, P;
  std::vector<kith::entity> nodes;
};

constexpr std::size_t length = 4000;

void ask_chain(const std::string& row, const std::string& text, std::size_t rows) {
  bench::add<chain>(
      row + "/kith", 1,
      [=](chain& c, stopwatch& clock) {
        c.w.entity().add(c.w.entity("other"), c.P);
        std::size_t found = 0;
        clock.time([&] { found = c.w.filter(text).count(); });
        return found == rows;
      },
      length);
}

// Which graph a question is about.
enum class shape { children, kinds, symmetric_star, star, cycle };

struct deep {
  deep(shape of, std::size_t size) {
    const auto R = w.entity("R"), T = w.entity("T"), hub = w.entity("hub");
    if (of == shape::symmetric_star || of == shape::star) R.add(kith::Transitive);
    if (of == shape::symmetric_star) R.add(kith::Symmetric);
    kith::entity last = hub;
    for (std::size_t i = 0; i < size; ++i) {
      const auto e = w.entity();
      if (of == shape::children) e.child_of(last);
      if (of == shape::kinds) w.entity().add(e.is_a(last));
      if (of == shape::symmetric_star || of == shape::star) hub.add(R, e);
      if (of == shape::cycle) e.add(R, last);
      last = e;
    }
    if (of == shape::cycle) hub.add(R, last);
    last.add(T);
  }
  kith::world w;
};

void ask_deep(const std::string& name, shape of, const std::string& text, std::size_t more) {
  for (const std::size_t size : {std::size_t{2500}, std::size_t{10'000}})
    bench::add<deep>(
        "deep_" + name + "/kith/" + std::to_string(size), static_cast<double>(size),
        [=](deep& d, stopwatch& clock) {
          // Whatever the last question left behind is forgotten.
          const auto changed = d.w.entity().is_a(d.w.entity());
          changed.add(d.w.entity("R"), d.w.entity("hub")).destruct();
          std::size_t found = 0;
          clock.time([&] { found = d.w.filter(text).count(); });
          return found == size + more;
        },
        of, size);
}

}  // namespace

void bench::register_rows() {
  ask_chain("row31c_closure", "D(n0, $b)", length - 1);
  ask_chain("row31c_closure_and_tag", "D(n0, $b), P($b)", length / 2 - 1);
  ask_chain("row31c_closure_without_tag", "D(n0, $b), !P($b)", length / 2);
  ask_chain("row31c_closure_optional_tag", "D(n0, $b), ?P($b)", length - 1);
  ask_chain("row31d_positive", "P, D($this, n3999)", length / 2);
  ask_chain("row31d_negated", "P, !D($this, n3999)", 0);
  ask_chain("closure_of_all", "D($x, $y)", length * (length - 1) / 2);

  ask_deep("who_has_below", shape::children, "T(down)", 0);
  ask_deep("kinds_in_a_chain", shape::kinds, "hub", 0);
  ask_deep("symmetric_star", shape::symmetric_star, "R(hub, $x)", 1);
  ask_deep("star", shape::star, "R(hub, $x)", 0);
  ask_deep("cycle_down", shape::cycle, "T(down(R))", 1);
  ask_deep("cycle_up", shape::cycle, "T(up(R))", 1);
}
