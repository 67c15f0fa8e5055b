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
#include <memory>
#include <string>
#include <type_traits>

#include <kith/detail/engine.hpp>
#include <kith/detail/typed.hpp>

namespace kith {

class entity;
class world;

// A pair of C++ types where a type is expected: `e.set<kith::pair<Begin, Position>>({1, 2})`. As an
// argument of a callback it is the value of the pair, which it refers to:
// `world.query<kith::pair<Eats, Apples>>().each([](kith::pair<Eats, Apples> a) { a->amount = 1; })`
template <class First, class Second>
class pair {
 public:
  using first = First;
  using second = Second;

  pair() = default;
  template <class Value>
  requires(std::is_same_v<std::remove_const_t<Value>, core::value_type<pair>>)  //
      pair(Value& value)
      : value_(const_cast<void*>(static_cast<const void*>(std::addressof(value)))) {}
  template <class Value = core::value_type<pair>>
  Value* operator->() const {
    return static_cast<Value*>(value_);
  }
  template <class Value = core::value_type<pair>>
  Value& operator*() const {
    return *static_cast<Value*>(value_);
  }

 private:
  void* value_ = nullptr;
};

class id {
 public:
  id() = default;
  id(core::engine* world, id_t raw) : world_(world), raw_(raw) {}
  id(const kith::world& in, id_t raw);
  // The pair of two.
  id(const id& first, const id& second)
      : world_(first.world_), raw_(first.engine_for(second).pair(first.raw_, second.raw_)) {}

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

  // The world it belongs to, as a handle that does not own it.
  kith::world world() const;
  // The core of that world; null for a null id.
  core::engine* engine() const { return world_; }

  explicit operator bool() const { return raw_ != 0; }
  friend bool operator==(const id& a, const id& b) {
    return a.raw_ == b.raw_ && (a.world_ == b.world_ || a.raw_ == 0);
  }
  template <std::integral Number>
  friend bool operator==(const id& a, Number b) {
    return a.raw_ == static_cast<id_t>(b);
  }
  template <std::integral Number>
  friend bool operator==(Number a, const id& b) {
    return b == a;
  }
  // Where a number is wanted.
  operator id_t() const { return raw_; }
  friend std::strong_ordering operator<=>(const id& a, const id& b) {
    if (a.raw_ != b.raw_ || a.raw_ == 0) return a.raw_ <=> b.raw_;
    return std::compare_three_way{}(a.world_, b.world_);
  }

 protected:
  const core::engine& engine_for(const id& other) const {
    if (!world_ || !other.world_) core::raise(errc::not_alive, "no entity was given");
    if (world_ != other.world_) core::raise(errc::not_alive, "the entities are of two worlds");
    return *world_;
  }
  core::engine* world_ = nullptr;
  id_t raw_ = 0;
};

std::ostream& operator<<(std::ostream& out, const id& i);

namespace core {

// An entity or id as an argument. A handle brings its world along, so that `in` notices a foreign
// one.
struct id_arg {
  // A number that is an id is of the type `id_t`: the built-in entities are, and what `id()`
  // returned.
  template <std::same_as<id_t> Number>
  id_arg(Number number) : raw(number) {}
  // A `0` in the source is no entity. Other numbers are of a type that says what they are.
  template <std::same_as<int> Zero>
  consteval id_arg(Zero zero) : raw(0) {
    if (zero != 0) an_int_is_no_entity_use_entity_t_or_world_entity();
  }
  template <class Other>
  requires(!std::same_as<Other, id_t> && !std::same_as<Other, int> &&
           (std::is_arithmetic_v<Other> || std::is_enum_v<Other> || std::is_null_pointer_v<Other>))
      id_arg(Other) {
    static_assert(!std::is_same_v<Other, bool>, "a bool is no entity");
    static_assert(!std::is_enum_v<Other>,
                  "a constant of an enum is no entity by itself: world.to_entity(constant) is");
    static_assert(!std::is_null_pointer_v<Other>, "no entity is kith::entity(), not nullptr");
    static_assert(
        std::is_same_v<Other, bool> || std::is_enum_v<Other> || std::is_null_pointer_v<Other>,
        "a number of this type is no entity: use kith::entity_t, or world.entity(number)");
  }
  id_arg(const id& i) : raw(i.raw_id()), owner(i.engine()) {}

  // The number. An error if the handle belongs to another world.
  id_t in(const engine& world) const {
    if (owner && owner != &world)
      raise(errc::not_alive, owner->text_of(raw), " is of another world");
    return raw;
  }

  static void an_int_is_no_entity_use_entity_t_or_world_entity();

  id_t raw;
  const engine* owner = nullptr;
};

}  // namespace core
}  // namespace kith
