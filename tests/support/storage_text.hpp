// Prints the state of the storage, so that a failed check shows all of it.
//
//   id           256     (257, 258)
//   ids          256 257 (257, 258)
//   table        e256 257=5 -258; e259 257=6        rows with values; a minus marks what is off
//   pool         e256=5; e259=6 off
//   store        e256: 257=5 -(258, 259); e260:      living entities in order of their index
//
// Shows values of the types int, std::string and boxed_int.
#pragma once

#include <span>
#include <string>

#include <kith/detail/id.hpp>
#include <kith/detail/values.hpp>

#include "storage/store.hpp"

namespace kith::test {

// A type that cannot move, so that its values are kept in boxes.
struct boxed_int {
  boxed_int() = default;
  boxed_int(int v) : value(v) {}
  boxed_int(const boxed_int& other) : value(other.value) {}
  boxed_int(boxed_int&& other) noexcept(false) : value(other.value) {}
  boxed_int& operator=(const boxed_int&) = default;
  ~boxed_int() {}
  int value = 0;
};

std::string id_text(id_t id);
std::string ids_text(std::span<const id_t> ids);
std::string value_text(const core::type_info& type, const void* value);
std::string to_text(const core::table& t);
std::string to_text(const core::pool& p);
std::string to_text(const core::store& s);
// One line of the store.
std::string to_text(const core::store& s, entity_t e);

// A source that constructs or assigns a copy of one value. It must outlive the call it is given to.
template <class T>
struct value_of {
  T value;

  operator core::value_source() {
    core::value_source source;
    source.context = this;
    source.construct = [](void* slot, void* context) {
      core::construct_in_slot<T>(slot, static_cast<const value_of*>(context)->value);
    };
    source.assign = [](void* slot, void* context) {
      *core::value_in_slot<T>(slot) = static_cast<const value_of*>(context)->value;
    };
    return source;
  }
};

template <class T>
value_of(T) -> value_of<T>;

}  // namespace kith::test
