// Small worlds in which everything the language speaks of happens now and then.
#pragma once

#include "oracle/dice.hpp"
#include "oracle/script.hpp"
#include "oracle/snapshot.hpp"
#include "query/plan/shortcuts.hpp"

namespace kith_oracle {

class scripted_world;

script random_script(dice& random);
// A few steps more in a world that is there.
script random_changes(const scripted_world& world, dice& random);

// A world that was made by a script, with what queries can speak of, by the names of the script.
class scripted_world {
 public:
  struct fact {
    std::string subject, first, second;
  };

  explicit scripted_world(const script& s, const kith::core::shortcuts& open = {});

  // Goes on with the script. What queries can speak of stays what it was.
  void play(const script& more);

  kith::world& world() { return world_; }
  const snapshot& facts() const { return snapshot_; }
  // As queries write it; the name itself if it is built in or not there.
  std::string path_of(const std::string& name) const;
  entity_t entity(const std::string& name) const;

  // Of what is there. The names of built-in entities are among `known` facts only.
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
