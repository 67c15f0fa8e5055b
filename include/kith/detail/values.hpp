// How values of C++ types reach the slots of the storage.
#pragma once

#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <kith/detail/typed.hpp>

namespace kith::core {

template <class T>
T* value_in_slot(void* slot) {
  if constexpr (is_boxed_type<T>)
    return *static_cast<T**>(slot);
  else
    return static_cast<T*>(slot);
}

// Braces for aggregates, parentheses for the rest.
template <class T, class... Args>
T* construct_at(void* memory, Args&&... args) {
  if constexpr (std::is_constructible_v<T, Args...>)
    return ::new (memory) T(std::forward<Args>(args)...);
  else
    return ::new (memory) T{std::forward<Args>(args)...};
}

template <class T>
void free_box(void* box) {
  ::operator delete (box, std::align_val_t{alignof(T)});
}

template <class T, class... Args>
void construct_in_slot(void* slot, Args&&... args) {
  if constexpr (is_boxed_type<T>) {
    struct deleter {
      void operator()(void* box) const { free_box<T>(box); }
    };
    std::unique_ptr<void, deleter> box(::operator new (sizeof(T), std::align_val_t{alignof(T)}));
    construct_at<T>(box.get(), std::forward<Args>(args)...);
    ::new (slot) void*(box.release());
  } else {
    construct_at<T>(slot, std::forward<Args>(args)...);
  }
}

// Puts a new value in the place of an old one; the old one stays if the constructor throws.
template <class T, class... Args>
void replace_in_slot(void* slot, Args&&... args) {
  if constexpr (is_boxed_type<T>) {
    void* fresh;
    construct_in_slot<T>(&fresh, std::forward<Args>(args)...);
    T* old = value_in_slot<T>(slot);
    ::new (slot) void*(fresh);
    old->~T();
    free_box<T>(old);
  } else {
    // Not T here: its place is alive already.
    alignas(T) std::byte memory[sizeof(T)];
    T* fresh = construct_at<T>(memory, std::forward<Args>(args)...);
    T* old = value_in_slot<T>(slot);
    old->~T();
    ::new (slot) T(std::move(*fresh));
    fresh->~T();
  }
}

// The value is built from arguments, kept as a tuple of references.
template <class T, class... Args>
struct argument_source {
  std::tuple<Args&&...> arguments;

  value_source source() {
    value_source s;
    s.context = this;
    s.construct = [](void* slot, void* context) {
      std::apply([&](auto&&... a) { construct_in_slot<T>(slot, std::forward<Args>(a)...); },
                 std::move(static_cast<argument_source*>(context)->arguments));
    };
    s.assign = [](void* slot, void* context) {
      auto& given = static_cast<argument_source*>(context)->arguments;
      if constexpr (sizeof...(Args) == 1 && (std::is_same_v<std::remove_cvref_t<Args>, T> && ...)) {
        using Arg = std::tuple_element_t<0, std::tuple<Args&&...>>;
        if constexpr (std::is_assignable_v<T&, Arg>) {
          *value_in_slot<T>(slot) = std::forward<Arg>(std::get<0>(given));
          return;
        }
      }
      std::apply([&](auto&&... a) { replace_in_slot<T>(slot, std::forward<Args>(a)...); },
                 std::move(given));
    };
    return s;
  }
};

// The same value, or the n-th of an array, for each of many new entities.
template <class T>
struct bulk_values {
  const T* first;
  std::size_t size;
  bool one_for_all;

  static id_t id_in(engine& world) { return id_of<T>(world); }

  bulk_id source(id_t id) {
    bulk_id b;
    b.id = id;
    b.context = this;
    if constexpr (!is_tag_type<T>) b.construct = &construct;
    b.values = first;
    return b;
  }

  static void construct(void* slots, std::size_t begin, std::size_t count, std::size_t& done,
                        void* context) {
    const auto& values = *static_cast<bulk_values*>(context);
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (!values.one_for_all) {
        if (count) std::memcpy(slots, values.first + begin, count * sizeof(T));
        done = count;
        return;
      }
    }
    constexpr std::size_t slot_size = is_boxed_type<T> ? sizeof(void*) : sizeof(T);
    auto* slot = static_cast<std::byte*>(slots);
    for (; done < count; ++done, slot += slot_size)
      construct_in_slot<T>(slot, values.first[values.one_for_all ? 0 : begin + done]);
  }
};

// A single value is copied: it may be in the storage that grows to take the new ones.
template <class T>
struct bulk_value : bulk_values<T> {
  T own;
  explicit bulk_value(const T& given) : bulk_values<T>{nullptr, 1, true}, own(given) {}
  bulk_id source(id_t id) {
    this->first = &own;
    return bulk_values<T>::source(id);
  }
};

template <class T>
bulk_value<T> bulk_values_of(const T& value) {
  static_assert(!is_pair_type<T>, "pairs cannot be given in bulk");
  return bulk_value<T>(value);
}
template <class T>
bulk_values<T> bulk_values_of(const std::vector<T>& values) {
  return {values.data(), values.size(), false};
}
template <class T, std::size_t Extent>
bulk_values<std::remove_const_t<T>> bulk_values_of(const std::span<T, Extent>& values) {
  return {values.data(), values.size(), false};
}

}  // namespace kith::core
