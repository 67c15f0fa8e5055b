// The steps that made a world, so that they can be printed, shortened and repeated.
//
//   struct Position             makes a component whose value is an int
//   bob                         makes an entity
//   Happy(bob)                  adds Happy to bob
//   Likes(bob, alice)           adds (Likes, alice) to bob
//   !Likes(bob, alice)          removes it
//   off Likes(bob, alice)       switches it off
//   delete bob
//   pools Likes, tables Likes   moves Likes and its pairs to pools or tables
//
// Names are paths with dots. A step makes the entities that it names and that do not exist; a bare
// name means the same entity throughout a script. A step that the world refuses changes nothing.
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
  std::string subject;  // the id for `component`, `pools` and `tables`
  std::string first;
  std::string second;  // empty if the id is no pair
  friend bool operator==(const step&, const step&) = default;
};

using script = std::vector<step>;

// Steps are separated by line breaks, `;` or `,`. Throws a std::runtime_error for any other text.
script read_script(std::string_view text);
std::string to_text(const step& s);
std::string to_text(const script& s);

// Carries out scripts.
class world_builder {
 public:
  explicit world_builder(kith::world& world) : world_(world) {}

  // False if the world refused.
  bool play(const step& s);
  void play(const script& s) {
    for (const step& each : s) play(each);
  }
  // The last error of the world.
  const std::string& refusal() const { return refusal_; }
  // Null if there is no such entity; makes none.
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
