// The types of components, and the type of the values of an id.
//
// A plain id has the type of its entity. A pair (R, T) has at most one type, found by four rules:
//   1. neither R nor T is a type: none, the pair is a tag;
//   2. R has the trait PairIsTag: none;
//   3. R is a type: that of R;
//   4. T is a type: that of T.
// A type without members never counts.
#pragma once

#include <memory>
#include <vector>

#include "base/hash_map.hpp"
#include "base/make_room.hpp"
#include "storage/type_info.hpp"

namespace kith::core {

class component_types {
 public:
  // Requires: the entity has no type yet; desc.size > 0.
  const type_info& insert(entity_t component, const type_desc& desc);
  // The entity stands for no type any more. The type_info lives on, because a value of the type may
  // still wait in a queue. Takes no memory.
  void erase(std::uint32_t component_index);
  // The way back: the entity stands for a type again that erase() was called for. Takes no memory.
  void restore(const type_info* type);
  // The type that the entity at `index` stands for, or null.
  const type_info* find(std::uint32_t index) const;
  // The type of the values of `id`, or null if `id` is a tag.
  const type_info* type_of(id_t id) const;

  bool is_pair_tag(std::uint32_t relation) const { return pair_is_tag_.contains(relation); }
  void set_pair_is_tag(std::uint32_t relation, bool on);
  // After this, `count` calls of set_pair_is_tag() take no memory.
  void reserve_pair_is_tag(std::size_t count) { make_room(pair_is_tag_, count); }

 private:
  hash_map<std::uint32_t, std::unique_ptr<type_info>> types_;
  std::vector<std::unique_ptr<type_info>> retired_;  // has room for all types that exist
  hash_map<std::uint32_t, bool> pair_is_tag_;
};

}  // namespace kith::core
