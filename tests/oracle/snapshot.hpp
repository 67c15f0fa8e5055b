// All facts of a world, read once with the public functions.
//
//   entities   every living entity, built in or not, in ascending order of index
//   owned      "entity e owns id", on or off, in ascending order
//   names      own names and parents
//
// This code does not depend on the storage of the library.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kith/kith.hpp>

namespace kith_oracle {

using kith::entity_t;

// An id: an entity (second = 0) or a pair.
struct id {
  entity_t first = 0;
  entity_t second = 0;
  bool is_pair() const { return second != 0; }
  explicit operator bool() const { return first != 0; }
  friend bool operator==(const id&, const id&) = default;
  friend auto operator<=>(const id&, const id&) = default;
};

struct owned_id {
  kith_oracle::id id;
  bool on = true;
};

// Compares indices; generations do not count.
bool comes_before(entity_t a, entity_t b);

struct snapshot {
  std::vector<entity_t> entities;
  std::map<entity_t, std::vector<owned_id>> owned;
  std::map<entity_t, std::string> names;  // without entities that have no name
  std::map<entity_t, entity_t> parents;   // without entities that have no parent

  std::string name_of(entity_t e) const;
  // The child of `parent` with this name; 0 as a parent is the root. 0 if there is none.
  entity_t child(entity_t parent, std::string_view name) const;
  // The entity for a path of a query, if there is one.
  std::optional<entity_t> lookup(std::string_view path) const;
  // For people: the path, or `#number`.
  std::string text_of(entity_t e) const;
  std::string text_of(const id& i) const;
};

snapshot snapshot_of(kith::world& world);

inline bool is_builtin(entity_t e) { return kith::core::is_builtin(e); }

}  // namespace kith_oracle
