// The described members of a type, and types that are put together from members at run time.
//
//   struct Position {f32 x, f32 y}       x: f32 at 0, y: f32 at 4; 8 bytes, aligned to 4
//
// Members lie in their order, each at the next offset with the right alignment, as in C++.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <kith/detail/error.hpp>
#include <kith/detail/member.hpp>
#include <kith/detail/type_info.hpp>

#include "base/hash_map.hpp"
#include "base/undo_log.hpp"
#include "storage/type_info.hpp"

namespace kith::core {

class struct_members;

struct member {
  std::string name;
  member_kind kind = member_kind::boolean;
  std::size_t offset = 0;
  const handle_access* handle = nullptr;
  // For a structure: its component, and the members it had when this member was made.
  entity_t component = 0;
  std::shared_ptr<const struct_members> members = nullptr;
};

// Immutable, so that it can be shared.
class struct_members {
 public:
  struct_members() = default;
  // Requires: no two members have the same name.
  explicit struct_members(std::vector<member> list);

  const std::vector<member>& list() const { return list_; }
  // Null if no member has that name.
  const member* find(std::string_view name) const;
  // How deep structures are nested: 1 if no member is a structure.
  std::size_t depth() const { return depth_; }

 private:
  std::vector<member> list_;
  hash_map<std::string_view, std::size_t, std::hash<std::string_view>> by_name_;
  std::size_t depth_ = 1;
};

// Whether both have the same names and types in the same order; offsets may differ.
bool same_members(const struct_members& a, const struct_members& b);

// The word for a kind: `f32`. Empty for a structure.
std::string_view word_of(member_kind kind);
// Null if the word is no kind.
const member_kind* find_kind(std::string_view word);

// A type made of members.
struct struct_layout {
  type_desc type;  // without a name
  std::shared_ptr<const struct_members> members;
};
// A member before it has a place.
struct member_plan {
  std::string name;
  member_kind kind = member_kind::boolean;
  // For a structure only.
  const type_info* type = nullptr;
  std::shared_ptr<const struct_members> members = nullptr;
};
// Requires: `plan` is not empty, and no two members have the same name. Returns a type error if a
// member is a structure that cannot be part of another one, or if the result is too large or too
// deep.
result<struct_layout> lay_out(const std::vector<member_plan>& plan);

// The members of each component whose members are described.
class member_table {
 public:
  // Null if the component has no described members.
  const struct_members* find(entity_t component) const;
  std::shared_ptr<const struct_members> share(entity_t component) const;
  void set(entity_t component, std::shared_ptr<const struct_members> members, undo_log* undo);
  // `undo`: null, or where the way back is noted.
  void erase(entity_t component, undo_log* undo);

 private:
  // Notes the members of the component, as they are now.
  void note(entity_t component, undo_log* undo);

  hash_map<entity_t, std::shared_ptr<const struct_members>> by_component_;
};

}  // namespace kith::core
