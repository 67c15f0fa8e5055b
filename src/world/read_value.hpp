// Turns the text of a value into a value in memory.
#pragma once

#include <functional>
#include <string>

#include <kith/detail/error.hpp>

#include "meta/members.hpp"
#include "query/model/statement.hpp"

namespace kith::core {

class value_reader {
 public:
  // `find` gives the entity of a path, or raises an error of its own and returns false.
  using find_entity = std::function<bool(const entity_name& name, entity_t& e)>;
  value_reader(engine& world, find_entity find) : world_(world), find_(std::move(find)) {}

  // Writes the members that `list` has; others stay as they are. Returns false if it cannot. Then
  // `why` has the reason, unless `find` failed.
  bool read(const struct_members& members, const value_text& list, void* value);

  struct refusal {
    text_range at;
    std::string message;
  };
  const refusal& why() const { return why_; }

 private:
  bool read_member(const member& m, const value_text& from, void* place);
  bool read_boolean(const value_text& from, void* place);
  bool read_entity_name(const member& m, const value_text& from, void* place);
  bool refuse(const text_range& at, std::string message);

  engine& world_;
  find_entity find_;
  refusal why_;
};

}  // namespace kith::core
