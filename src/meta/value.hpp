// Values of members as text.
#pragma once

#include <string>
#include <string_view>

#include <kith/detail/member.hpp>

#include "meta/members.hpp"

namespace kith::core {

// Reads a number, exactly: the nearest that the kind can hold, for whole numbers the same. Returns an empty
// text, or why it is none. Requires: a kind of number.
std::string read_number(member_kind kind, std::string_view text, void* to);
// The shortest text that reads back to the same number.
void print_number(member_kind kind, const void* from, std::string& out);

bool is_number(member_kind kind);
bool is_floating(member_kind kind);

// The entity a member holds, or 0.
entity_t read_entity(const member& m, const void* place);
void write_entity(const member& m, void* place, engine& world, entity_t e);

// How the words of a language are written that are not its own.
class value_words {
 public:
  virtual ~value_words() = default;
  virtual void write_text(std::string_view text, std::string& out) const = 0;
  virtual void write_entity(entity_t e, std::string& out) const = 0;
};

// `{10, "text", {1, 2}}`: all members in their order.
void print_value(const struct_members& members, const void* value, const value_words& words,
                 std::string& out);

}  // namespace kith::core
