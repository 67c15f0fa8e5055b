#include "entity/command_gate.hpp"

#include <algorithm>

#include <kith/detail/builtins.hpp>
#include <kith/detail/error.hpp>

#include "entity/describe.hpp"

namespace kith::core {

namespace {

// What a command does, in words; null if it is about one id.
const char* beyond_an_id(command::kind what) {
  using kind = command::kind;
  switch (what) {
    case kind::add:
    case kind::remove:
    case kind::set:
    case kind::enable:
    case kind::disable:
    case kind::modified:
    case kind::remove_from_all:
    case kind::none:
      return nullptr;
    case kind::clear:
      return "clears an entity";
    case kind::destroy:
      return "deletes an entity";
    case kind::clone:
      return "clones an entity";
    case kind::set_name:
      return "names an entity";
    case kind::order_children:
      return "orders children";
    case kind::delete_with:
      return "deletes entities";
    case kind::emit:
      return "sends an event";
  }
  return nullptr;
}

}  // namespace

bool stands_for_all(id_t listed, id_t id) {
  const auto fits = [](std::uint32_t pattern, std::uint32_t part) {
    return pattern == part || is_wildcard(pattern);
  };
  if (!is_pair(listed)) return fits(index_of(listed), is_pair(id) ? relation_of(id) : index_of(id));
  return is_pair(id) && fits(relation_of(listed), relation_of(id)) &&
         fits(target_of(listed), target_of(id));
}

void command_gate::refuse(std::string_view what) const {
  raise(errc::constraint, "the system ", system_, " ", what,
        ", but it has declared that it changes ", listed_.empty() ? "nothing" : "less",
        "; a system may change anything if its callback takes an entity or an iterator, and it "
        "says neither queues_nothing() nor write<T>()");
}

void command_gate::check(const command& c) const {
  if (c.what == command::kind::none) return;
  if (const char* does = beyond_an_id(c.what)) refuse(does);
  if (std::ranges::any_of(listed_, [&](id_t listed) { return stands_for_all(listed, c.id); }))
    return;
  const std::string name = describe_id(store_, names_, c.id);
  raise(errc::constraint, "the system ", system_, " changes ", name,
        ", which it has not declared; add .write<T>() or .write(id) for ", name);
}

void command_gate::check_creation() const {
  if (!may_create_) refuse("makes an entity");
}

}  // namespace kith::core
