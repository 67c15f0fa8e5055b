// What the storage must know about a type: its size, its alignment and how its values live and die.
//
// Values are kept in *slots* of columns, and rows move between tables, so a slot must be movable
// without failing. A type whose move can throw, or that cannot move at all, is kept *boxed*: its
// slot holds a pointer to a value that never moves.
//
//   plain   slot = the value itself            boxed   slot = pointer -> value on the heap
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <kith/detail/builtins.hpp>
#include <kith/detail/constants.hpp>

namespace kith {

// How values of a type live and die. A missing hook means: `construct` - there is no default value;
// `copy` - values cannot be copied; `move` and `destroy` - moving is copying bytes, destroying does
// nothing. All work on one value.
struct type_hooks {
  void (*construct)(void* value) = nullptr;
  void (*copy)(void* value, const void* from) = nullptr;  // constructs `value` as a copy
  void (*move)(void* value, void* from) = nullptr;        // constructs `value`, leaves `from` alive
  void (*destroy)(void* value) = nullptr;
};

namespace core {

// How values of a type live and die that is known only at run time, as hooks that know their type.
class value_operations {
 public:
  virtual ~value_operations() = default;
  // Both may throw, and have made nothing then.
  virtual void construct(void* value) const = 0;
  virtual void copy(void* value, const void* from) const = 0;
  // Moves the value and ends the old one.
  virtual void relocate(void* value, void* from) const noexcept = 0;
  virtual void destroy(void* value) const noexcept = 0;
  // Destroying a value does something.
  virtual bool destroys() const noexcept = 0;
};

// What a type is, before any world knows it.
struct type_desc {
  std::string_view name;  // qualified, as C++ writes it
  // As the linker knows it; empty without run-time type information. It tells local types of one
  // name apart, which compilers may write alike.
  std::string_view linker_name = {};
  std::size_t size = 0;  // 0: the type is a tag
  std::size_t alignment = 1;
  type_hooks hooks;
  bool boxed = false;
  // Ids the component is given when it is registered.
  std::vector<std::uint64_t> traits = {};
  // Of an enum: its children.
  std::span<const constant_desc> constants = {};
  bool zero_default = false;  // `construct` is missing but zeroed bytes are a value
  std::shared_ptr<const value_operations> operations = nullptr;  // instead of hooks
};

// A number for a type that is the same in all parts of a process, shared libraries included: it
// belongs to (name, function it is local to, size, alignment). Numbers are small and dense.
std::uint32_t type_slot(const type_desc& desc);

template <class T>
constexpr std::string_view raw_type_name() {
  return __PRETTY_FUNCTION__;
}

// The compiler writes "... [with T = X; ...]" (gcc) or "... [T = X]" (clang); X is the name.
template <class T>
constexpr std::string_view type_name() {
  constexpr std::string_view text = raw_type_name<T>();
  constexpr std::size_t first = text.find("T = ") + 4;
  constexpr std::size_t semicolon = text.find("; std::string_view", first);
  constexpr std::size_t last = semicolon == std::string_view::npos ? text.size() - 1 : semicolon;
  return text.substr(first, last - first);
}

template <class T>
inline constexpr bool is_tag_type = std::is_empty_v<T>;

template <class T>
inline constexpr bool is_boxed_type = !is_tag_type<T> && !std::is_nothrow_move_constructible_v<T>;

template <class T>
type_hooks make_hooks() {
  type_hooks h;
  if constexpr (std::is_default_constructible_v<T>)
    h.construct = [](void* value) { ::new (value) T(); };
  if constexpr (std::is_copy_constructible_v<T>)
    h.copy = [](void* value, const void* from) { ::new (value) T(*static_cast<const T*>(from)); };
  if constexpr (!std::is_trivially_copyable_v<T>) {
    if constexpr (std::is_nothrow_move_constructible_v<T>)
      h.move = [](void* value, void* from) { ::new (value) T(std::move(*static_cast<T*>(from))); };
    h.destroy = [](void* value) { static_cast<T*>(value)->~T(); };
  }
  return h;
}

template <class T>
const type_desc& describe_type();

}  // namespace core

// Traits as part of a type:
//     template <>
//     struct kith::traits<Likes> : kith::trait_list<kith::Symmetric, kith::DontFragment> {};
template <std::uint64_t... Ids>
struct trait_list {
  static constexpr std::size_t count = sizeof...(Ids);
  static constexpr std::uint64_t ids[count + 1] = {Ids..., 0};
};
template <class T>
struct traits : trait_list<> {};

// Or as members of the type: `static constexpr bool sparse = true;`, `dont_fragment = true`, and
// `static constexpr auto on_instantiate = kith::on_instantiate::override;`.
enum class on_instantiate { override, inherit, dont_inherit };

namespace core {

template <class T>
void list_traits(std::vector<std::uint64_t>& ids) {
  ids.insert(ids.end(), kith::traits<T>::ids, kith::traits<T>::ids + kith::traits<T>::count);
  if constexpr (std::is_enum_v<T>) ids.insert(ids.end(), {Exclusive, PairIsTag});
  if constexpr (requires { requires std::is_same_v<decltype(T::sparse), const bool>; })
    if (T::sparse) ids.push_back(Sparse);
  if constexpr (requires { requires std::is_same_v<decltype(T::dont_fragment), const bool>; })
    if (T::dont_fragment) ids.push_back(DontFragment);
  if constexpr (requires {
                  requires std::is_same_v<decltype(T::on_instantiate), const on_instantiate>;
                }) {
    constexpr on_instantiate policy = T::on_instantiate;
    ids.push_back(pair_id(OnInstantiate, policy == on_instantiate::override  ? Override
                                         : policy == on_instantiate::inherit ? Inherit
                                                                             : DontInherit));
  }
}

template <class T>
const type_desc& describe_type() {
  static_assert(std::is_same_v<T, std::remove_cv_t<std::remove_reference_t<T>>>);
  static_assert(std::is_destructible_v<T>, "a component type needs a destructor");
  static const type_desc desc = [] {
    type_desc d;
    d.name = type_name<T>();
#ifdef __cpp_rtti
    d.linker_name = typeid(T).name();
#endif
    list_traits<T>(d.traits);
    if constexpr (std::is_enum_v<T>) d.constants = constants_of<T>();
    if constexpr (!is_tag_type<T>) {
      d.size = sizeof(T);
      d.alignment = alignof(T);
      d.hooks = make_hooks<T>();
      d.boxed = is_boxed_type<T>;
    }
    return d;
  }();
  return desc;
}

// The slot of a type once it was asked for. (A static of a function would be guarded, and this is
// read with every value.)
inline constexpr std::uint32_t no_type_slot = ~std::uint32_t{0};
template <class T>
inline std::atomic<std::uint32_t> known_slot{no_type_slot};

template <class T>
std::uint32_t slot_of_type() {
  std::uint32_t slot = known_slot<T>.load(std::memory_order_relaxed);
  if (slot == no_type_slot)
    known_slot<T>.store(slot = type_slot(describe_type<T>()), std::memory_order_relaxed);
  return slot;
}

// How a value comes into a slot. The storage calls `construct` on a slot that holds nothing, or
// `assign` on one that holds a value. Either may throw and then has changed nothing.
struct value_source {
  void* context = nullptr;
  void (*construct)(void* slot, void* context) = nullptr;
  void (*assign)(void* slot, void* context) = nullptr;
  // The value is one that an added id begins with: no call gave it.
  bool is_default = false;
};

// An id to add and where its value comes from. Without a `construct` the value is the default one.
struct new_id {
  std::uint64_t id = 0;
  value_source source{};
};

// An id for many new entities. `construct` fills `count` adjacent slots with the values from number
// `first` on, and keeps `done` at the number of slots that are filled, so that they can be emptied
// if it throws. Without it the values are default ones.
struct bulk_id {
  std::uint64_t id = 0;
  void* context = nullptr;
  void (*construct)(void* slots, std::size_t first, std::size_t count, std::size_t& done,
                    void* context) = nullptr;
  const void* values = nullptr;  // where they are read from, if that may be in the world itself
};

}  // namespace core
}  // namespace kith
