// Reads and prints the values of members.
#pragma once

#include <string>
#include <string_view>

#include <kith/detail/member.hpp>

#include "meta/members.hpp"

namespace kith::core {

// Writes the number in `text` to `to`: a whole number exactly, another one as the nearest value of
// the kind. Returns an empty text, or an error message. Requires: is_number(kind).
std::string read_number(member_kind kind, std::string_view text, void* to);
// Appends the shortest text from which read_number() reads the same number.
void print_number(member_kind kind, const void* from, std::string& out);

bool is_number(member_kind kind);
bool is_floating(member_kind kind);

// The entity in a member, or 0.
entity_t read_entity(const member& m, const void* place);
void write_entity(const member& m, void* place, engine& world, entity_t e);

// Prints the parts of a value whose form depends on the language: texts and entities.
class value_words {
 public:
  virtual ~value_words() = default;
  virtual void write_text(std::string_view text, std::string& out) const = 0;
  virtual void write_entity(entity_t e, std::string& out) const = 0;
};

// Appends all members in their order: `{10, "text", {1, 2}}`.
void print_value(const struct_members& members, const void* value, const value_words& words,
                 std::string& out);

}  // namespace kith::core
