// Reports a change of any size to observers with plain terms (plain_terms.hpp), without a second
// evaluation: the deltas of the change and a look at each entity say which rows come and go.
#pragma once

#include <memory>
#include <vector>

#include "reactive/teller.hpp"
#include "relations/graph.hpp"

namespace kith::core {

class plain_changes {
 public:
  plain_changes(const graph& g, teller& tell) : g_(g), tell_(tell) {}

  // Finds what to report of one part of a change. `to`: those that read a delta, in the order in
  // which they are told. Requires: no entity of the deltas has a base before or after them, or is
  // one.
  void find(std::span<const delta> deltas, std::vector<std::shared_ptr<watcher>> to);
  void tell_leaving();
  // These are for when the part is over: then it is forgotten.
  struct report {
    std::shared_ptr<watcher> to;
    event_info what;
    std::vector<entity_t> rows;
  };
  std::vector<report> coming() { return std::move(coming_); }
  void tell(const std::vector<report>& reports);

 private:
  // What happens to one entity: its deltas.
  struct entity_part {
    entity_t e;
    std::vector<const delta*> deltas;
    bool ends = false;
  };
  void group(std::span<const delta> deltas);
  bool shows_after(const entity_part& part, id_t id) const;
  bool matches_after(const entity_part& part, const plain_terms& terms) const;
  bool is_written(const entity_part& part, const plain_terms& terms, bool stays) const;
  event_cause cause_of(const entity_part& part) const;

  const graph& g_;
  teller& tell_;
  std::vector<entity_part> parts_;
  std::vector<report> leaving_, coming_;
};

}  // namespace kith::core
