// Facts as they are written. world::define() reads them.
//
//   LocatedIn(Mission, SanFrancisco)
//   struct Position {f32 x, f32 y}
//   Position(Mission) {10, y: 20}
//   !Likes(Bob, Apples)
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "query/model/expression.hpp"

namespace kith::core {

// `10`, `-2.5e3`, `true`, `"text"`, `car.wheel`, `{1, y: 2}`. Lists may be nested to any depth, so
// copying, comparing and destroying do not recurse.
struct value_text {
  struct member;
  enum class kind : std::uint8_t { number, text, name, list };

  kind is = kind::number;
  // A number as written, a text without its quotes, or a path as in `entity_name`. `true`, `inf`
  // and `nan` are names and `-inf` is a number. Digits are a number, even where an entity is
  // expected.
  std::string text;
  std::vector<member> members;  // for a list
  text_range at;

  value_text();
  value_text(const value_text&);
  value_text(value_text&&) noexcept;
  value_text& operator=(const value_text&);
  value_text& operator=(value_text&&) noexcept;
  ~value_text();
  friend bool operator==(const value_text&, const value_text&);
};
struct value_text::member {
  std::string name;  // empty if the value is for the next member
  value_text value;
  text_range at;
  friend bool operator==(const member&, const member&) = default;
};

// `P(s)`, `R(s, t)`, `P(s) {value}`, `!P(s)`, or `s` alone. The last one says that the entity
// exists; its `predicate` is none. `source` is a name or a singleton, as in `Game($)`.
struct fact {
  bool removed = false;
  ref predicate;
  ref source;
  ref target;                       // none if there is no target
  std::optional<value_text> value;  // a list
  text_range at;
  friend bool operator==(const fact&, const fact&) = default;
};

// `struct Position {f32 x, f32 y}`
struct struct_definition {
  struct member {
    std::string type;  // a path as in `entity_name`
    std::string name;
    text_range at;
    friend bool operator==(const member&, const member&) = default;
  };
  entity_name name;
  std::vector<member> members;
  text_range at;
  friend bool operator==(const struct_definition&, const struct_definition&) = default;
};

using statement = std::variant<fact, struct_definition>;

}  // namespace kith::core
