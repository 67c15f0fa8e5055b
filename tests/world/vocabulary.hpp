// What the tests of the world share: a few component types, errors as text, and a whole world as
// text.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <kith/kith.hpp>

// Without a name for their namespace the types are called just `Position` in a world.
namespace {

struct Position {
  float x, y;
  friend bool operator==(const Position&, const Position&) = default;
};
struct Velocity {
  float x, y;
  friend bool operator==(const Velocity&, const Velocity&) = default;
};
struct Health {
  int points = 100;
};
struct Eats {
  int amount;
};
struct Npc {};
struct Begin {};
struct End {};

}  // namespace

namespace world_tests {

// A world in which bob likes apples and pears.
struct bob_likes_fruit {
  kith::world world;
  kith::entity Likes = world.entity("Likes");
  kith::entity apples = world.entity("apples");
  kith::entity pears = world.entity("pears");
  kith::entity bob = world.entity("bob").add(Likes, apples).add(Likes, pears);
};

// The kind of error that `action` raises, or "none".
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const kith::error& e) {
    return std::string(to_text(e.code()));
  }
  return "none";
}

// The message of the error that `action` raises.
template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const kith::error& e) {
    return e.what();
  }
  return "none";
}

template <class Range>
std::vector<kith::entity> list(const Range& range) {
  std::vector<kith::entity> found;
  for (kith::entity e : range) found.push_back(e);
  return found;
}

// All entities that are not built in, in the order of their indices.
inline std::vector<kith::entity> entities_of(kith::world& world) {
  std::vector<kith::entity> found;
  const std::size_t count = world.entity_count();
  for (std::uint32_t i = kith::core::first_user_index; found.size() < count; ++i)
    if (const kith::entity_t e = world.engine().alive_at(i)) found.push_back(world.entity(e));
  return found;
}

// One line for an entity: `bob: Npc, Position=0000803f00000040, (Likes, alice) off`.
// Values are shown as bytes, so they are only comparable for plain types.
inline std::string state_of(kith::entity e) {
  std::string text = e.path() + ":";
  const char* comma = " ";
  for (kith::id i : e.type()) {
    text.append(comma).append(i.str());
    comma = ", ";
    if (const kith::entity type = i.type_id()) {
      text += "=";
      const auto* value = static_cast<const unsigned char*>(e.get_mut(i));
      const auto* info = type.get<kith::component_info>();
      for (std::uint32_t b = 0; info && b < info->size; ++b)
        for (int half : {value[b] >> 4, value[b] & 15}) text += "0123456789abcdef"[half];
    }
    if (!e.enabled(i)) text += " off";
  }
  return text;
}

inline std::string state_of(kith::world& world) {
  std::string text;
  for (kith::entity e : entities_of(world)) text.append(state_of(e)).append("\n");
  return text;
}

// The kind of error that `change` raises; tells if the world is not what it was before.
template <class Change>
std::string refusal(kith::world& world, Change change) {
  const std::string before = state_of(world);
  const std::string kind = error_of(change);
  const std::string after = state_of(world);
  return before == after ? kind : kind + ", but the world changed\n" + before + "->\n" + after;
}

}  // namespace world_tests
