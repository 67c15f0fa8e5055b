// What samples tell about the ids that entities have.
//
// The storage knows how many rows an id has. How many targets a source has, how skewed that is, and
// whether the entities that have one id also have another, is learned from a few rows that are
// picked evenly. A sample is taken when a plan first needs it, and again when the count of its rows
// has doubled or halved.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "relations/graph.hpp"

namespace kith::core {

// The rows of an id, of a pair, or of all pairs of a relation: (R, Wildcard).
struct id_sample {
  struct row {
    entity_t source;
    entity_t target;  // 0 for an id that is no pair
  };
  double rows = 0;
  double sources = 0;       // entities that have such an id
  double targets = 0;       // targets that occur, for pairs of a relation
  std::vector<row> picked;  // each row is equally likely to be one of these
  double counted = 0;       // the count that the storage gave when the sample was taken
};

class statistics {
 public:
  explicit statistics(const graph& g) : g_(g) {}

  // A sample has no more rows than this.
  static constexpr std::size_t rows_wanted = 32;

  const graph& world() const { return g_; }

  // Several threads may ask at once.
  std::shared_ptr<const id_sample> of(id_t pattern);

 private:
  const graph& g_;
  std::mutex mutex_;
  hash_map<id_t, std::shared_ptr<const id_sample>> known_;
};

}  // namespace kith::core
