#include "oracle/stamps.hpp"

#include <new>

namespace kith_oracle {

namespace {

std::int64_t next_stamp() {
  static std::int64_t last = 0;
  return ++last;
}

}  // namespace

kith::component_desc stamped_component(std::string_view name) {
  kith::component_desc desc;
  desc.name = name;
  desc.size = sizeof(stamped);
  desc.alignment = alignof(stamped);
  desc.hooks.construct = [](void* value) { ::new (value) stamped{next_stamp()}; };
  desc.hooks.copy = [](void* value, const void* from) {
    ::new (value) stamped{next_stamp(), static_cast<const stamped*>(from)->number, true};
  };
  return desc;
}

kith::core::value_source given_value() {
  const auto give = [](void* slot, void*) { ::new (slot) stamped{next_stamp(), 0, true}; };
  return {nullptr, give, give};
}

known_values values_of(kith::world& world) {
  known_values all;
  kith::core::engine& engine = world.engine();
  std::size_t left = engine.entity_count();
  for (std::uint32_t i = kith::core::first_user_index; left > 0; ++i) {
    const kith::entity_t e = engine.alive_at(i);
    if (!e) continue;
    --left;
    for (const kith::id_t id : engine.owned_ids(e)) {
      const kith::entity_t type = engine.type_of(id);
      if (!type || kith::core::is_builtin(type)) continue;
      if (const void* at = engine.get_mut(e, id, 0)) {
        const auto& value = *static_cast<const stamped*>(at);
        all[{e, id}] = {value.stamp, value.number, value.is_given()};
      }
    }
  }
  return all;
}

}  // namespace kith_oracle
