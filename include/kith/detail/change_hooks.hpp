// Hooks: functions that belong to a type and are called when its values come, change and go.
#pragma once

#include <cstdint>
#include <functional>

#include <kith/detail/event_info.hpp>

namespace kith::core {

class engine;
class query_run;

enum class hook_kind : std::uint8_t { validate, remove, replace, add, set };
inline constexpr std::size_t hook_kinds = 5;

// What a hook is told.
struct hook_call {
  engine* world = nullptr;
  hook_kind what = hook_kind::add;
  entity_t entity = 0;
  id_t id = 0;
  // The value that is there, or that goes; to validate: the new one. Null: the id has none.
  void* value = nullptr;
  void* next = nullptr;  // replace: the value that comes
};

// Returns false if a value that is to be validated is not allowed.
using hook = std::function<bool(const hook_call&)>;

// Visits the entity and its id as a row.
void visit_hooked_row(const hook_call& call, const std::function<void(query_run&)>& visit);

}  // namespace kith::core
