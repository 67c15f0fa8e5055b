// The hooks of types, by the component that stands for a type.
#pragma once

#include <array>
#include <memory>

#include <kith/detail/change_hooks.hpp>

#include "base/hash_map.hpp"

namespace kith::core {

class hook_table {
 public:
  bool any() const { return !by_component_.empty(); }
  // Null if the component has no such hook.
  const hook* find(entity_t component, hook_kind kind) const {
    const auto known = by_component_.find(component);
    if (known == by_component_.end()) return nullptr;
    const hook& h = (*known->second)[static_cast<std::size_t>(kind)];
    return h ? &h : nullptr;
  }
  bool has_any(entity_t component) const { return by_component_.contains(component); }
  // Requires: the component has no such hook.
  void set(entity_t component, hook_kind kind, hook h) {
    std::unique_ptr<hooks>& of = by_component_[component];
    if (!of) of = std::make_unique<hooks>();
    (*of)[static_cast<std::size_t>(kind)] = std::move(h);
  }
  void erase(entity_t component) { by_component_.erase(component); }
  // Visits the components that have hooks.
  template <class Visit>
  void each(Visit visit) const {
    for (const auto& [component, of] : by_component_) visit(component);
  }

 private:
  using hooks = std::array<hook, hook_kinds>;
  hash_map<entity_t, std::unique_ptr<hooks>> by_component_;
};

}  // namespace kith::core
