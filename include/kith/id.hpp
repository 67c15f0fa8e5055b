// Anything that can be added to an entity: another entity, or a pair of two.
//
//     kith::id likes_alice = world.pair(Likes, alice);
//     likes_alice.is_pair();   // true
//     likes_alice.second();    // alice
//
// A pair names its parts by index. One kept in a variable after a part was deleted may come to mean
// an entity that got the same index; a pair on an entity never does, because it goes with its
// parts.
#pragma once

#include <compare>
#include <concepts>
#include <iosfwd>
#include <string>

#include <kith/detail/engine.hpp>

namespace kith {

class entity;

// A pair of C++ types where a type is expected: `e.set<kith::pair<Begin, Position>>({1, 2})`.
template <class First, class Second>
struct pair {
  using first = First;
  using second = Second;
};

class id {
 public:
  id() = default;
  id(core::engine* world, id_t raw) : world_(world), raw_(raw) {}

  id_t raw_id() const { return raw_; }
  bool is_pair() const { return core::is_pair(raw_); }
  bool is_entity() const { return raw_ != 0 && !is_pair(); }
  // Some part is `*` or `_`, so it is a pattern.
  bool is_wildcard() const;

  // The relation and the target of a pair. Null for what is no pair.
  kith::entity first() const;
  kith::entity second() const;
  // The id as an entity. Null for a pair.
  kith::entity entity() const;
  // The component whose values the id has; null for a tag.
  kith::entity type_id() const;

  // As people write it: `Position`, `(Likes, alice)`.
  std::string str() const;

  // The core of the world it belongs to; null for a null id.
  core::engine* engine() const { return world_; }

  explicit operator bool() const { return raw_ != 0; }
  friend bool operator==(const id& a, const id& b) {
    return a.raw_ == b.raw_ && (a.world_ == b.world_ || a.raw_ == 0);
  }
  friend bool operator==(const id& a, id_t b) { return a.raw_ == b; }
  friend std::strong_ordering operator<=>(const id& a, const id& b) {
    if (a.raw_ != b.raw_ || a.raw_ == 0) return a.raw_ <=> b.raw_;
    return std::compare_three_way{}(a.world_, b.world_);
  }

 protected:
  core::engine* world_ = nullptr;
  id_t raw_ = 0;
};

std::ostream& operator<<(std::ostream& out, const id& i);

namespace core {

// An entity or id as an argument. A handle brings its world along, so that `in` notices a foreign
// one.
struct id_arg {
  id_arg(id_t number) : raw(number) {}
  // `enable(id, true)` is a mistake, not a pair.
  template <std::same_as<bool> Bool>
  id_arg(Bool) = delete;
  id_arg(const id& i) : raw(i.raw_id()), owner(i.engine()) {}

  // The number. An error if the handle belongs to another world.
  id_t in(const engine& world) const {
    if (owner && owner != &world)
      raise(errc::not_alive, owner->text_of(raw), " is of another world");
    return raw;
  }

  id_t raw;
  const engine* owner = nullptr;
};

}  // namespace core
}  // namespace kith
