// Random worlds in which counts alone mislead a planner: targets that are far from equally
// frequent, relations that depend on each other, chains, trees, cliques, and attributes with few
// values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <kith/kith.hpp>

#include "oracle/dice.hpp"

namespace kith_plans {

class skewed_world {
 public:
  // About `entities` entities and three to six times as many facts.
  skewed_world(std::uint64_t seed, std::size_t entities);

  kith::world world;
  std::vector<std::string> tags;        // from frequent to rare
  std::vector<std::string> attributes;  // relations with one target for each source
  std::vector<std::string> links;       // relations with any number of targets
  std::string tree;                     // an Exclusive and Transitive relation
  // Names that occur: of entities, of values of attributes, of nodes of the tree.
  std::vector<std::string> things, values, nodes;

 private:
  void add_attributes(kith_oracle::dice& random);
  void add_links(kith_oracle::dice& random);
  void add_tree(kith_oracle::dice& random);
  void add_tags(kith_oracle::dice& random);
  kith::entity thing(std::size_t n) const { return entities_[n]; }

  std::vector<kith::entity> entities_;
  std::vector<std::size_t> group_;  // by entity: what relations depend on
};

}  // namespace kith_plans
