// The edges of the table graph at one table: which table has one id more, or one id less?
//
// Most tables have few edges, so they are kept in a short list; find() tries the edge that was used
// last first. A table with many edges, such as the one without ids, also keeps a hash map.
#pragma once

#include <memory>
#include <vector>

#include <kith/detail/id.hpp>

#include "base/hash_map.hpp"
#include "ids/entity_index.hpp"

namespace kith::core {

class table_edges {
 public:
  // The neighbour along `id`: the table with `id` added if this one lacks it, else the table
  // without it. Null if the edge is not known yet.
  table* find(id_t id) const {
    if (table* to = find_last(id)) return to;
    return search(id);
  }
  // The same if the edge was used last, else null.
  table* find_last(id_t id) const {
    return last_ < few_.size() && few_[last_].id == id ? few_[last_].to : nullptr;
  }
  void insert(id_t id, table* to);
  void erase(id_t id);

  template <class Visit>
  void each(Visit visit) const {
    for (const edge& e : few_) visit(e.id, e.to);
    if (many_)
      for (const auto& [id, to] : *many_) visit(id, to);
  }

 private:
  struct edge {
    id_t id;
    table* to;
  };
  static constexpr std::size_t max_few = 8;

  table* search(id_t id) const;

  std::vector<edge> few_;
  mutable std::uint32_t last_ = 0;  // position in few_ of the last hit
  std::unique_ptr<hash_map<id_t, table*>> many_;
};

}  // namespace kith::core
