// A world of the library and its model, side by side.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <kith/kith.hpp>

#include "model/naive_world.hpp"

namespace kith_model {

using kith::core::concat;

// The two do not agree.
struct mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class... Parts>
[[noreturn]] void disagree(const Parts&... parts) {
  throw mismatch(concat(parts...));
}

// A name and its form as a part of a path.
struct known_name {
  std::string name;
  std::string written;
};
const std::vector<known_name>& known_names();
std::string written(const path& names);

class twin {
 public:
  // `instantiate` is the policy for ids without (OnInstantiate, ...).
  explicit twin(kith::entity_t instantiate);

  kith::world real;
  naive_world model;

  // --- handles: those of dead entities are kept ---
  kith::entity handle(number n) const;
  // The id of the library. Raises an error of the library if a part of a pair is not alive.
  kith::id id_of(const naive_id& id);
  void bind(number n, kith::entity e);
  // Finds the entities that the library created as parts of instances, and copies orders that the
  // library chose.
  void meet_new_entities();
  // The numbers of dead entities whose ids are not in use again.
  std::vector<number> dead() const;
  // The number of a living entity. Throws a mismatch if the model does not know it.
  number number_of(kith::entity e) const;
  // The living entity at an index, or 0.
  number at_index(std::uint32_t index) const;
  // After make_alive() of an old id, ids of this index may be alive a second time.
  void allow_old_ids_at(std::uint32_t index) { revived_.insert(index); }

  std::string text(number n) const;
  std::string text(const naive_id& id) const;

  // Throws a mismatch if anything that the public API shows differs from the model. Where there is
  // too much to compare everything, `step` chooses a part.
  void compare(std::size_t step);

 private:
  void compare_entity(number n, bool all);
  void compare_type(number n, kith::entity e);
  void compare_ids(number n, kith::entity e);
  void compare_values(number n, kith::entity e);
  void compare_patterns(number n, kith::entity e);
  void compare_graph(number n, kith::entity e);
  void compare_children(number n, kith::entity e);
  // Compares what a few entities reach; each step chooses other entities.
  void compare_reach(std::size_t step);
  void compare_names(number n, kith::entity e);
  void compare_holders();
  template <class A, class B, class... What>
  void same(const A& found, const B& expected, const What&... what) const;
  void find_known_ids(std::size_t step);
  kith::id_t raw(const naive_id& id);
  std::vector<kith::id_t> raw(const std::set<naive_id>& ids);
  bool is_met(number n) const { return handles_.contains(n); }
  bool looks_like(number n, kith::entity e);
  std::vector<kith::entity_t> handles(const std::vector<number>& list) const;

  std::map<number, kith::entity> handles_;
  std::map<kith::entity_t, number> numbers_;  // the latest number of each id
  std::map<naive_id, kith::id_t> raw_ids_;
  std::set<std::uint32_t> revived_;
  // The ids and patterns of this comparison.
  struct question {
    naive_id id;
    kith::id real;
  };
  std::vector<question> ids_;
  std::vector<question> patterns_;
  std::vector<number> relations_;
};

}  // namespace kith_model
