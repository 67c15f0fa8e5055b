// The world in which operations run out of memory, and all that can be seen of it as text.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <kith/kith.hpp>

namespace kith::test {

// Values of every kind of storage.
struct Place {
  float x, y;
};
struct Mass {
  double kilograms;
};
struct Title {
  std::string text;
};
struct alignas(64) Wide {
  double value;
};
// Its move may throw, so it is kept in a box.
struct Boxed {
  explicit Boxed(int n = 0) : number(n) {}
  Boxed(const Boxed& other) : number(other.number) {}
  Boxed& operator=(const Boxed& other) {
    number = other.number;
    return *this;
  }
  ~Boxed() {}
  int number;
};
// Not registered before an operation does it.
struct Late {
  std::string text;
};
struct Amount {
  std::string text;
};
struct Npc {};

struct stage {
  stage();

  kith::world w;
  // Relations: kept in tables, in pools, as their traits say.
  kith::entity Likes, Owns, Loose, Sparse, Fragments, Only, Mutual, Near, Leads, Kind, Rule;
  kith::entity alice, bob, carol, dave, eve, root, left, right, leaf, model, part, base, derived;
  kith::entity Red, Green, Blue, Extra;
  std::vector<kith::query<>> queries;  // iterated before the operation, so that they keep results
  std::string answer;                  // what the operation found out
  std::vector<kith::entity> made;
};

// All that a user can see of the world. Numbers of entities without a name are left out: a failed
// operation may have used some.
std::string text_of(stage& s);
// The first line that is not in both texts.
std::string first_difference(const std::string& expected, const std::string& found);

}  // namespace kith::test
