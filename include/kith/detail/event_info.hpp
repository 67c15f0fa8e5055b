// What an observer is told besides the rows.
#pragma once

#include <cstdint>

#include <kith/detail/id.hpp>

namespace kith {

// Why rows came or went.
enum class event_cause : std::uint8_t {
  changed,     // anything that is not named below
  removed,     // an id was removed
  deleted,     // an entity was deleted
  replaced,    // another pair of an Exclusive relation came
  disabled,    // an id or an entity was switched off
  written,     // a value was written
  world_ends,  // the world ends
};

namespace core {

struct event_info {
  entity_t event = 0;  // OnAdd, OnSet, OnRemove or an event of the user
  id_t id = 0;         // an id that changed and that the query reads; 0 if it reads no single one
  event_cause cause = event_cause::changed;
  entity_t payload_type = 0;  // the component of its type
  void* payload = nullptr;    // of an event of the user
  bool* stopped = nullptr;    // is set to end the event
};

}  // namespace core
}  // namespace kith
