#include "model/zoo.hpp"

namespace kith_model {

namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

template <class T>
constexpr bool is_counted = std::is_base_of_v<zoo::counted<T>, T>;

int number_in(const std::string& words) {
  const std::size_t colon = words.rfind(' ');
  const int n = colon == std::string::npos ? 0 : std::stoi(words.substr(colon));
  require(words == zoo::Text::words_for(n), "the text of a value is damaged");
  return n;
}

}  // namespace

int payload_of(kind k, const void* value) {
  return with_type(k, [&](auto tag) {
    using T = typename decltype(tag)::type;
    require(reinterpret_cast<std::uintptr_t>(value) % alignof(T) == 0, "a value is misaligned");
    const T& v = *static_cast<const T*>(value);
    if constexpr (is_counted<T>) require(v.is_in_place(), "a value was moved as bytes");
    if constexpr (std::is_same_v<T, zoo::Plain>) {
      require(v.twice == 2 * v.n, "the bytes of a value are damaged");
      return v.n;
    } else if constexpr (std::is_same_v<T, zoo::Text> || std::is_same_v<T, zoo::Hooked>) {
      return number_in(v.words);
    } else if constexpr (std::is_same_v<T, zoo::Unique>) {
      return v.n ? *v.n : 0;
    } else if constexpr (std::is_same_v<T, int>) {
      return v;
    } else if constexpr (std::is_same_v<T, kith::component_info>) {
      return static_cast<int>(v.size);
    } else {
      return v.n;
    }
  });
}

void set_payload(kind k, void* value, int payload) {
  with_type(k, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, zoo::Hooked>)
      static_cast<T*>(value)->words = zoo::Text::words_for(payload);
    else
      *static_cast<T*>(value) = value_with<T>(payload);
  });
}

long alive_values(kind k) {
  return with_type(k, [&](auto tag) -> long {
    using T = typename decltype(tag)::type;
    if constexpr (is_counted<T>)
      return T::alive;
    else
      return -1;
  });
}

long stray_values() {
  return zoo::Text::strays + zoo::Unique::strays + zoo::Boxed::strays + zoo::Strict::strays +
         zoo::Hooked::strays;
}

kith::component_desc describe(kind k, std::string_view name) {
  kith::component_desc desc;
  desc.name = name;
  if (k == kind::raw) {
    desc.size = sizeof(int);
    desc.alignment = alignof(int);
    return desc;
  }
  using T = zoo::Hooked;
  desc.size = sizeof(T);
  desc.alignment = alignof(T);
  desc.hooks.construct = [](void* value) { ::new (value) T(); };
  desc.hooks.copy = [](void* value, const void* from) {
    ::new (value) T(*static_cast<const T*>(from));
  };
  desc.hooks.move = [](void* value, void* from) {
    ::new (value) T(std::move(*static_cast<T*>(from)));
  };
  desc.hooks.destroy = [](void* value) { static_cast<T*>(value)->~T(); };
  return desc;
}

}  // namespace kith_model
