// From which entities a walk leads to one that passes a test.
//
// A query asks this about many entities, one after the other: `T(down)` asks each whether something
// below it has T. A walk of its own for each would go the same ways again and again. So the marks
// keep a part of the graph, the region: entities whose steps are known. A region that is closed (no
// step leads out of it) is settled: going back from the entities that pass marks all from which a
// walk leads to one. From then on an answer is a lookup, and the first entity that passes is found
// by going from mark to mark.
//
//   T on c and e                region   a ── b ── c(T)      marked: a, b, d
//                                        └─ d ── e(T) ── f   not marked: c, e, f
//
// The region grows beside the walks of their own, at their pace, so that a question that is
// answered after few steps costs few steps, and all questions together cost no more than twice the
// region.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/hash_map.hpp"
#include "query/check/checked_query.hpp"

namespace kith::core {

class walk_marks {
 public:
  using node = std::uint32_t;

  // Walks of min to max steps. Requires: min <= most_steps.
  walk_marks(std::uint32_t min, std::uint32_t max, bool endless)
      : min_(min), far_(endless ? no_limit : max - min) {}
  static constexpr std::uint32_t most_steps = 63;

  // The number of a settled entity.
  std::optional<node> find(entity_t e) const {
    const auto known = numbers_.find(e);
    if (known == numbers_.end() || known->second >= settled_) return std::nullopt;
    return known->second;
  }
  // Does a walk lead from it to an entity that passes?
  bool is_marked(node n) const { return nodes_[n].from >> min_ & 1; }
  // The first such entity, depth first. Requires: is_marked, can_find_first.
  entity_t first_from(node n);
  // Longer walks may pass an entity more than once, and not all of them count.
  bool can_find_first() const { return min_ == 1; }

  // Takes an entity into the region.
  void add(entity_t e) { number_of(e); }
  // Looks at one more entity: `steps(e)` lists where a step leads, ascending; `passes(e)` is the
  // test. False: the region is settled.
  template <class Steps, class Passes>
  bool grow(Steps steps, Passes passes) {
    if (expanded_ == nodes_.size()) {
      // Memory ended before all was settled.
      if (settled_ != expanded_) settle();
      return false;
    }
    // `steps` and `passes` may raise an error: then this entity waits to be looked at again.
    const entity_t here = nodes_[expanded_].entity;
    const std::vector<entity_t> next = steps(here);
    const bool good = passes(here);
    const std::size_t first = edges_.size();
    for (entity_t to : next) {
      const node other = number_of(to);
      edges_.push_back(other);
    }
    node_info& n = nodes_[expanded_++];
    n.edges = first;
    n.edge_count = static_cast<std::uint32_t>(edges_.size() - first);
    n.distance = good ? 0 : unreached;
    if (expanded_ == nodes_.size()) settle();
    return expanded_ != nodes_.size();
  }
  // About how much it remembers.
  std::size_t size() const { return nodes_.size() + edges_.size(); }

 private:
  static constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t unreached = no_limit;
  static constexpr node none = no_limit;

  struct node_info {
    entity_t entity;
    std::size_t edges = 0;
    std::uint32_t edge_count = 0;
    std::uint32_t distance = unreached;  // steps to the nearest that passes; 0: it passes
    // Bit k: a walk of k steps, and then of at most `far_` more, leads to one that passes.
    std::uint64_t from = 0;
    std::uint32_t group = none;  // entities that lead to each other have the same
    // The first that passes, if it was asked for: of walks that begin here, and of those that come
    // by. They differ on a cycle, for a walk comes by where it began as by any other entity.
    entity_t first = 0;
    entity_t first_beyond = 0;
    // Does it come to `first` by always taking the first step that leads on, or go around so?
    bool straight = false;
    bool around = false;
  };

  node number_of(entity_t e);
  std::span<const node> steps_of(node n) const {
    return std::span(edges_).subspan(nodes_[n].edges, nodes_[n].edge_count);
  }
  bool passes(node n) const { return nodes_[n].distance == 0; }

  void settle();
  void find_distances();
  void find_groups();
  entity_t first_in_limits(node n) const;
  entity_t first_of_all(node n);
  bool go_straight(node start);

  std::uint32_t min_;
  std::uint32_t far_;  // how many steps a walk may take after the first `min_`
  std::vector<node_info> nodes_;
  std::vector<node> edges_;
  hash_map<entity_t, node> numbers_;
  std::size_t expanded_ = 0;
  node settled_ = 0;
  node grouped_ = 0;
  std::uint32_t groups_ = 0;
  std::vector<std::uint32_t> seen_;  // by node: the search that came by last
  std::uint32_t search_ = 0;
};

}  // namespace kith::core
