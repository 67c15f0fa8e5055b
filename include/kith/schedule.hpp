// What a frame does, in which order, and what may happen at the same time: a value that prints.
//
//     std::cout << world.schedule().str();    // a page of text
//     std::ofstream("frame.dot") << world.schedule().dot();    // a drawing, for Graphviz
//     for (const auto& pair : world.schedule().ambiguities()) std::cout << pair << "\n";
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace kith {

struct schedule {
  struct system {
    std::string name;
    std::string phase;                // empty: it has none
    std::vector<std::string> reads;   // ids whose values it reads, but for those that it writes
    std::vector<std::string> writes;  // ids whose values it writes
    std::string queues;               // what it may change in other ways; empty: nothing
    std::string rows;                 // how its rows are shared by threads; empty: they are not
    std::string when;                 // timers and conditions; empty: each time
    bool is_immediate = false;
  };
  // Systems between two points at which queued changes are carried out. Those without a way of
  // edges between them may run side by side.
  struct step {
    std::size_t first = 0;  // system
    std::size_t count = 0;
    std::string why;  // it begins here and not with the system before; empty: nothing is before
  };
  // In a step, `to` waits for `from`.
  struct edge {
    std::size_t from = 0;
    std::size_t to = 0;
    std::string why;
  };
  // Two systems that cannot change places without another result, and whose order nobody has
  // declared: it is the order in which they were made.
  struct ambiguity {
    std::string first, second;
    std::string why;
  };

  std::vector<system> systems;  // in their order
  std::vector<step> steps;
  std::vector<edge> edges;
  std::vector<ambiguity> unordered;

  const std::vector<ambiguity>& ambiguities() const& { return unordered; }
  // Of a schedule that ends with the expression, as in a loop over them.
  std::vector<ambiguity> ambiguities() && { return std::move(unordered); }
  std::string str() const;
  std::string dot() const;
};

std::ostream& operator<<(std::ostream& out, const schedule& s);
std::ostream& operator<<(std::ostream& out, const schedule::ambiguity& a);

}  // namespace kith
