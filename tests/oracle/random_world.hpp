// Small random worlds that use everything the language can ask about.
#pragma once

#include "oracle/dice.hpp"
#include "oracle/script.hpp"
#include "oracle/snapshot.hpp"
#include "query/plan/shortcuts.hpp"

namespace kith_oracle {

class scripted_world;

script random_script(dice& random);
// A few steps that change an existing world.
script random_changes(const scripted_world& world, dice& random);
// The same with all kinds of steps.
script random_changes_of_all_kinds(const scripted_world& world, dice& random);

// A world that a script made, and lists of what queries can use, with the names of the script.
class scripted_world {
 public:
  struct fact {
    std::string subject, first, second;
  };

  explicit scripted_world(const script& s, const kith::core::shortcuts& open = {});

  // Plays more steps. The lists for queries do not change.
  void play(const script& more);

  // The facts that are known, as the world is now.
  std::vector<fact> facts_now() const;

  kith::world& world() { return world_; }
  world_builder& builder() { return builder_; }
  const snapshot& facts() const { return snapshot_; }
  // The path for a query; the name itself if it is built in or unknown.
  std::string path_of(const std::string& name) const;
  entity_t entity(const std::string& name) const;

  // The names of living entities. Names of built-in entities appear only in known_facts.
  std::vector<std::string> tags, relations, objects;
  std::vector<fact> known_facts;
  std::vector<std::string> child_names;

 private:
  kith::world world_;
  world_builder builder_{world_};
  snapshot snapshot_;
  std::map<std::string, entity_t> entities_;
};

}  // namespace kith_oracle
