// Component types that count their values.
//
// Every type has one number as its payload; 0 is the payload of a default value. `counted` counts
// living values and detects a value that was moved as bytes although its type does not allow it.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <kith/kith.hpp>

#include "model/kinds.hpp"

namespace zoo {

// Thrown by constructors that are told to fail.
struct failure : std::runtime_error {
  failure() : std::runtime_error("the constructor was told to fail") {}
};
struct fail {};

template <class Self>
class counted {
 public:
  counted() noexcept { ++alive; }
  counted(const counted&) noexcept { ++alive; }
  counted& operator=(const counted&) noexcept { return *this; }
  ~counted() {
    --alive;
    if (self_ != this) ++strays;
    self_ = nullptr;
  }
  bool is_in_place() const { return self_ == this; }

  static inline long alive = 0;
  // Values that were destroyed elsewhere than where they were constructed, or twice.
  static inline long strays = 0;

 private:
  const counted* self_ = this;
};

struct Plain {
  int n = 0;
  int twice = 0;
};

struct Text : counted<Text> {
  Text() = default;
  explicit Text(int n) : words(words_for(n)) {}
  // Longer than a std::string that needs no allocation.
  static std::string words_for(int n) {
    return n == 0 ? std::string()
                  : "a text that is long enough to need memory: " + std::to_string(n);
  }
  std::string words;
};

struct Unique : counted<Unique> {
  Unique() = default;
  explicit Unique(int value) : n(value ? std::make_unique<int>(value) : nullptr) {}
  Unique(Unique&& other) noexcept : n(std::move(other.n)) {}
  Unique& operator=(Unique&& other) noexcept {
    n = std::move(other.n);
    return *this;
  }
  std::unique_ptr<int> n;
};

struct Boxed : counted<Boxed> {
  Boxed() = default;
  explicit Boxed(int value) : n(value) {}
  explicit Boxed(fail) : n(0) { throw failure(); }
  Boxed(const Boxed& other) : counted<Boxed>(other), n(other.n) {
    if (copies_fail) throw failure();
  }
  // Declared as a move that may throw.
  Boxed(Boxed&& other) noexcept(false) : counted<Boxed>(other), n(std::exchange(other.n, -1)) {}
  Boxed& operator=(const Boxed& other) = default;
  static inline bool copies_fail = false;
  int n = 0;
};

struct alignas(64) Wide {
  int n = 0;
};

struct Strict : counted<Strict> {
  explicit Strict(int value) : n(value) {}
  explicit Strict(fail) : n(0) { throw failure(); }
  int n;
};

struct Marker {};

// The values of the runtime component with hooks.
struct Hooked : counted<Hooked> {
  std::string words;
};

}  // namespace zoo

namespace kith_model {

template <class T>
struct type_tag {
  using type = T;
};

// Calls `f` with the C++ type of a kind that has data.
template <class F>
auto with_type(kind k, F f) {
  switch (k) {
    case kind::text:
      return f(type_tag<zoo::Text>{});
    case kind::unique:
      return f(type_tag<zoo::Unique>{});
    case kind::boxed:
      return f(type_tag<zoo::Boxed>{});
    case kind::wide:
      return f(type_tag<zoo::Wide>{});
    case kind::strict:
      return f(type_tag<zoo::Strict>{});
    case kind::hooked:
      return f(type_tag<zoo::Hooked>{});
    case kind::raw:
      return f(type_tag<int>{});
    case kind::info:
      return f(type_tag<kith::component_info>{});
    default:
      return f(type_tag<zoo::Plain>{});
  }
}

template <class T>
T value_with(int payload) {
  if constexpr (std::is_same_v<T, zoo::Plain>) {
    return {payload, 2 * payload};
  } else if constexpr (std::is_same_v<T, kith::component_info>) {
    return {static_cast<std::uint32_t>(payload), 0};
  } else if constexpr (std::is_same_v<T, zoo::Hooked>) {
    zoo::Hooked value;
    value.words = zoo::Text::words_for(payload);
    return value;
  } else {
    return T{payload};
  }
}

// The payload of a value of kind `k`. Throws std::logic_error if the value is damaged.
int payload_of(kind k, const void* value);
void set_payload(kind k, void* value, int payload);
// Values of a kind that are alive in the whole process; -1 if the kind does not count.
long alive_values(kind k);
// Values that were destroyed in the wrong place, of all kinds.
long stray_values();
// The description with which a runtime component of the kind is registered.
kith::component_desc describe(kind k, std::string_view name);

}  // namespace kith_model
