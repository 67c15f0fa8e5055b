// Events of the user without C++ types: what the typed skin calls.
#pragma once

#include <functional>
#include <span>

#include <kith/detail/event_info.hpp>
#include <kith/detail/type_info.hpp>

namespace kith::core {

class engine;

struct event_call {
  entity_t event = 0;
  entity_t entity = 0;
  std::span<const id_t> ids{};  // the observers of rows that show one of these; none: of all rows
  void* payload = nullptr;      // null: the event carries nothing
  entity_t payload_type = 0;    // the component of its type
  bool* stopped = nullptr;      // is set if an observer stops the event
};

// What functions of engine::observe are told.
using event_visit = std::function<void(engine& world, const event_call& call)>;

}  // namespace kith::core
