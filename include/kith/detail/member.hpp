// Members of a component, as far as they are described: what facts and tools can read and write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include <kith/detail/id.hpp>

namespace kith {

enum class member_kind : std::uint8_t {
  boolean,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f32,
  f64,
  text,       // std::string
  entity,     // entity_t, or kith::entity
  structure,  // another component with members
};

struct member_info {
  std::string name;
  std::string type;  // as facts write it: `f32`, `text`, `entity`, or the path of a component
  member_kind kind = member_kind::boolean;
  std::size_t offset = 0;  // in the value, in bytes
  entity_t component = 0;  // of a structure
};

namespace core {

class engine;

// How an entity is kept in a member that is a handle and not a number.
struct handle_access {
  entity_t (*get)(const void* member);
  void (*set)(void* member, engine& world, entity_t e);
};

struct member_desc {
  std::string_view name;
  member_kind kind = member_kind::boolean;
  std::size_t offset = 0;
  std::size_t size = 0;
  entity_t component = 0;                 // of a structure
  const handle_access* handle = nullptr;  // of an entity: null if it is kept as a number
};

// The kind of a member of an arithmetic type or of an enum. Found by size, so that `long` and
// `char` have one too.
template <class M>
constexpr member_kind arithmetic_kind() {
  if constexpr (std::is_enum_v<M>) {
    return arithmetic_kind<std::underlying_type_t<M>>();
  } else if constexpr (std::is_same_v<M, bool>) {
    return member_kind::boolean;
  } else if constexpr (std::is_floating_point_v<M>) {
    static_assert(sizeof(M) == 4 || sizeof(M) == 8, "a member of this type has no text");
    return sizeof(M) == 4 ? member_kind::f32 : member_kind::f64;
  } else {
    static_assert(std::is_integral_v<M> && sizeof(M) <= 8, "a member of this type has no text");
    constexpr bool is_signed = std::is_signed_v<M>;
    switch (sizeof(M)) {
      case 1:
        return is_signed ? member_kind::i8 : member_kind::u8;
      case 2:
        return is_signed ? member_kind::i16 : member_kind::u16;
      case 4:
        return is_signed ? member_kind::i32 : member_kind::u32;
      default:
        return is_signed ? member_kind::i64 : member_kind::u64;
    }
  }
}

// Where a member is in an object. No object is needed, and none is made.
template <class T, class M>
std::size_t offset_of(M T::*member) {
  union place {
    T object;
    std::byte bytes[sizeof(T)];
    place() {}
    ~place() {}
  } here;
  const auto* at = reinterpret_cast<const std::byte*>(std::addressof(here.object.*member));
  return static_cast<std::size_t>(at - here.bytes);
}

}  // namespace core
}  // namespace kith
