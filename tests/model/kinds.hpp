// The kinds of components in the model test, with the properties that the model must know.
#pragma once

#include <string_view>

namespace kith_model {

enum class kind {
  plain,   // bytes
  text,    // holds a std::string
  unique,  // can be moved, not copied
  boxed,   // moving it can throw, so the storage keeps it in a box
  wide,    // aligned to 64 bytes
  strict,  // has no default value
  marker,  // no members: a tag
  raw,     // runtime component: bytes
  hooked,  // runtime component with hooks
  info,    // the value of the built-in Component
};

// Kinds that are C++ types come first, then the runtime ones.
inline constexpr int typed_kinds = 7;

constexpr bool is_runtime(kind k) { return k == kind::raw || k == kind::hooked; }
constexpr bool has_data(kind k) { return k != kind::marker; }
constexpr bool has_default(kind k) { return k != kind::strict; }
constexpr bool can_copy(kind k) { return k != kind::unique; }

// The name of the entity of a kind. The entities of C++ types are in the scope `zoo`, which is
// their namespace.
constexpr std::string_view name_of(kind k) {
  constexpr std::string_view names[] = {"Plain",  "Text",   "Unique", "Boxed",  "Wide",
                                        "Strict", "Marker", "Raw",    "Hooked", "Component"};
  return names[static_cast<int>(k)];
}

}  // namespace kith_model
