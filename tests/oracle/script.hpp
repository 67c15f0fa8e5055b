// The steps that made a world, so that they can be printed, shortened and repeated.
//
//   struct Position             makes a component whose value is an int
//   bob                         makes an entity
//   Happy(bob)                  adds Happy to bob
//   Likes(bob, alice)           adds (Likes, alice) to bob
//   !Likes(bob, alice)          removes it
//   off Likes(bob, alice)       switches it off
//   on Likes(bob, alice)        switches it on
//   set Position(bob)           gives Position of bob another value
//   write Position(bob)         says that the value was written
//   touch Position(bob)         writes it without saying so
//   ensure Position(bob)
//   clear bob
//   clone eve(bob)              copies bob to eve, or to a new entity that is then called eve
//   with Position(bob, A)       makes an entity that has Position and A at once; it is called bob
//   bulk Position(bob, A)       makes three such entities; the last is called bob
//   remove_all Likes(, alice)   removes the id from all entities
//   delete_with Happy()
//   rename bob
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
  enum class kind {
    component,
    make,
    add,
    remove,
    off,
    on,
    set,
    write,
    touch,
    ensure,
    clear,
    clone,
    with,
    bulk,
    remove_all,
    delete_with,
    rename,
    destroy,
    pools,
    tables
  };
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
  kith::entity find(const std::string& name) const;
  // The id of a step; makes the entities of it that do not exist.
  kith::id_t id_of(const step& s);

 private:
  kith::entity entity(const std::string& name);
  void carry_out(const step& s);
  void change_id(const step& s);
  void make_many(const step& s);
  void keep(kith::entity e, bool in_pools);

  kith::world& world_;
  std::map<std::string, kith::entity> known_;
  std::string refusal_;
};

}  // namespace kith_oracle
