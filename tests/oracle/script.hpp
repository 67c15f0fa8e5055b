// How a world came to be, one step per line, so that it can be printed, shortened and done again.
//
//   struct Position             a component with an int as its value
//   bob                         there is such an entity
//   Happy(bob)                  bob owns Happy
//   Likes(bob, alice)           bob owns (Likes, alice)
//   !Likes(bob, alice)          not any more
//   off Likes(bob, alice)       owned, but switched off
//   delete bob
//   pools Likes, tables Likes   where ids of Likes and its pairs are kept from here on
//
// Names are paths with dots. What a step names and is not there is made; a bare name keeps its meaning
// within one script. A step the world refuses changes nothing.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <kith/kith.hpp>

namespace kith_oracle {

struct step {
  enum class kind { component, make, add, remove, off, destroy, pools, tables };
  kind is = kind::make;
  std::string subject;  // of a component, pools and tables: the id
  std::string first;
  std::string second;  // "" if it is no pair
  friend bool operator==(const step&, const step&) = default;
};

using script = std::vector<step>;

// Steps are separated by line ends, `;` or `,`. What is no step is an error (std::runtime_error).
script read_script(std::string_view text);
std::string to_text(const step& s);
std::string to_text(const script& s);

// Plays scripts to a world.
class world_builder {
 public:
  explicit world_builder(kith::world& world) : world_(world) {}

  // False if the world refused.
  bool play(const step& s);
  void play(const script& s) {
    for (const step& each : s) play(each);
  }
  // What the world said last.
  const std::string& refusal() const { return refusal_; }
  // Looked up, not made; null if it is not there.
  kith::entity find(const std::string& name);

 private:
  kith::entity entity(const std::string& name);
  kith::id_t id_of(const step& s);
  void keep(kith::entity e, bool in_pools);

  kith::world& world_;
  std::map<std::string, kith::entity> known_;
  std::string refusal_;
};

}  // namespace kith_oracle
