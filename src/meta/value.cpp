#include "meta/value.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <type_traits>

namespace kith::core {

namespace {

// Calls `use` with a zero of the C++ type that stores the kind.
template <class Use>
auto with_number_of(member_kind kind, Use use) {
  switch (kind) {
    case member_kind::i8:
      return use(std::int8_t{});
    case member_kind::i16:
      return use(std::int16_t{});
    case member_kind::i32:
      return use(std::int32_t{});
    case member_kind::i64:
      return use(std::int64_t{});
    case member_kind::u8:
      return use(std::uint8_t{});
    case member_kind::u16:
      return use(std::uint16_t{});
    case member_kind::u32:
      return use(std::uint32_t{});
    case member_kind::u64:
      return use(std::uint64_t{});
    case member_kind::f32:
      return use(float{});
    default:
      return use(double{});
  }
}

// Is the number nearer to 0 than 1 is? Requires: it is one, and not 0.
bool is_less_than_one(std::string_view text) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = std::min(text.find('.'), e);
  const std::size_t first = text.find_first_of("123456789");
  // Where the first digit that counts stands, from the point to the left.
  const auto place = static_cast<std::ptrdiff_t>(point) - static_cast<std::ptrdiff_t>(first) -
                     (first < point ? 1 : 0);
  if (e == text.size()) return place < 0;
  const std::string_view exponent = text.substr(e + 1);
  std::ptrdiff_t shift = 0;
  const bool plus = exponent.starts_with('+');
  const auto [stop, code] =
      std::from_chars(exponent.data() + plus, exponent.data() + exponent.size(), shift);
  if (code == std::errc::result_out_of_range) return exponent.starts_with('-');
  return shift < -place;
}

}  // namespace

bool is_floating(member_kind kind) { return kind == member_kind::f32 || kind == member_kind::f64; }

bool is_number(member_kind kind) { return kind >= member_kind::i8 && kind <= member_kind::f64; }

std::string read_number(member_kind kind, std::string_view text, void* to) {
  return with_number_of(kind, [&](auto number) -> std::string {
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, number);
    if (code == std::errc::result_out_of_range) {
      if (!is_floating(kind) || !is_less_than_one(text))
        return concat(text, " is out of range for ", word_of(kind));
      // The nearest number is 0.
      if constexpr (std::is_floating_point_v<decltype(number)>)
        number = text.starts_with('-') ? -0.0f : 0.0f;
    }
    if ((code != std::errc{} && code != std::errc::result_out_of_range) || stop != end) {
      const bool negative = text.starts_with('-') && !is_floating(kind);
      if (negative && text.find_first_not_of("0123456789", 1) == text.npos)
        return concat(text, " is out of range for ", word_of(kind));
      return concat("expected a number for ", word_of(kind),
                    is_floating(kind) ? "" : ", which holds whole numbers", ", found '", text, "'");
    }
    std::memcpy(to, &number, sizeof number);
    return {};
  });
}

void print_number(member_kind kind, const void* from, std::string& out) {
  with_number_of(kind, [&](auto number) {
    std::memcpy(&number, from, sizeof number);
    char digits[64];
    const auto written = std::to_chars(digits, digits + sizeof digits, number);
    out.append(digits, written.ptr);
  });
}

entity_t read_entity(const member& m, const void* place) {
  if (m.handle) return m.handle->get(place);
  entity_t e = 0;
  std::memcpy(&e, place, sizeof e);
  return e;
}

void write_entity(const member& m, void* place, engine& world, entity_t e) {
  if (m.handle)
    m.handle->set(place, world, e);
  else
    std::memcpy(place, &e, sizeof e);
}

void print_value(const struct_members& members, const void* value, const value_words& words,
                 std::string& out) {
  out += '{';
  bool is_first = true;
  for (const member& m : members.list()) {
    if (!is_first) out += ", ";
    is_first = false;
    const void* place = static_cast<const std::byte*>(value) + m.offset;
    switch (m.kind) {
      case member_kind::boolean:
        out += *static_cast<const bool*>(place) ? "true" : "false";
        break;
      case member_kind::text:
        words.write_text(*static_cast<const std::string*>(place), out);
        break;
      case member_kind::entity:
        words.write_entity(read_entity(m, place), out);
        break;
      case member_kind::structure:
        print_value(*m.members, place, words, out);
        break;
      default:
        print_number(m.kind, place, out);
    }
  }
  out += '}';
}

}  // namespace kith::core
