// Modules: what belongs together, in a scope of its own.
#include <algorithm>
#include <utility>

#include <kith/detail/error.hpp>
#include <kith/detail/system_desc.hpp>

#include "world/systems.hpp"

namespace kith::core {

entity_t begin_module(engine& world, std::uint32_t slot, const type_desc& type, bool& is_new,
                      entity_t& scope_before) {
  engine_state& s = world.state();
  s.stages.check_open("a module cannot be imported");
  const std::span<const entity_t> known = s.components.by_slot();
  if (slot < known.size() && known[slot] && world.owns(known[slot], Module)) {
    is_new = false;
    return known[slot];
  }
  if (s.stages.queueing())
    raise(errc::constraint, "a module cannot be imported while the world is deferred");
  const entity_t module = world.register_component(slot, type, {});
  is_new = true;
  world.add(module, Module);
  if (std::ranges::find(s.modules, module) == s.modules.end()) s.modules.push_back(module);
  scope_before = world.set_scope(module);
  return module;
}

entity_t declare_component(engine& world, std::uint32_t slot, const type_desc& type,
                           std::string_view name) {
  engine_state& s = world.state();
  entity_t module = s.scope;
  if (!s.modules.empty())
    while (module && !world.owns(module, Module)) module = world.parent(module);
  const bool is_known = slot < s.components.by_slot().size() && s.components.by_slot()[slot];
  if (is_known || name.starts_with("::")) return world.register_component(slot, type, name);
  if (s.modules.empty() || !module)
    return world.register_component(slot, type, name, world.scope());
  // The last name of the type, or all of the name that is given.
  std::string own(name);
  if (name.empty()) {
    const std::string_view full = type.name;
    const auto colons = full.substr(0, full.find('<')).rfind("::");
    own = colons == full.npos ? full : full.substr(colons + 2);
  }
  return world.register_component(slot, type, concat(world.path(module, "."), ".", own));
}

module_scope::~module_scope() {
  if (world_->has_ended()) return;
  world_->restore_scope(scope_before_);
  if (keeps_) return;
  // The constructor has failed: what it made goes, and the module can be imported again.
  engine_state& s = world_->state();
  attempt(
      [&] {
        const std::span<const entity_t> children = world_->children_of(module_);
        const std::vector<entity_t> made(children.begin(), children.end());
        for (auto e = made.rbegin(); e != made.rend(); ++e)
          if (world_->is_alive(*e)) world_->destroy(*e);
        world_->remove(module_, Module);
      },
      [&](const std::exception_ptr& thrown) { note_error(thrown, s.deferred_errors); });
}

namespace {

// An entity, and all that is below it.
std::vector<entity_t> all_below(const engine& world, entity_t e) {
  std::vector<entity_t> parts{e};
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const std::span<const entity_t> children = world.children_of(parts[n]);
    parts.insert(parts.end(), children.begin(), children.end());
  }
  return parts;
}

}  // namespace

void engine_state::check_modules_unused(entity_t e) const {
  const entity_record* r = store().entities().find(e);
  if (!r || !r->referenced) return;
  const auto ends_with_it = [&](entity_t module) {
    if (!store().entities().is_alive(module) || !shell->owns(module, Module)) return false;
    for (entity_t at = module; at; at = shell->parent(at))
      if (at == e) return true;
    return false;
  };
  const auto module = std::ranges::find_if(modules, ends_with_it);
  if (module == modules.end()) return;
  const std::vector<entity_t> parts = all_below(*shell, e);
  hash_map<entity_t, bool> is_part;
  for (entity_t part : parts) is_part[part] = true;
  for (entity_t part : parts) {
    if (!store().types().find(index_of(part))) continue;
    std::vector<entity_t> users;
    for (id_t id : {id_t{part}, make_pair(part, Wildcard), make_pair(Wildcard, part)}) {
      const std::vector<entity_t> found = entities_with(graph_, id);
      users.insert(users.end(), found.begin(), found.end());
    }
    if (frames) frames->add_readers(part, users);
    if (reactions) reactions->add_readers(part, users);
    std::erase_if(users, [&](entity_t user) { return is_part.contains(user); });
    std::ranges::sort(users);
    users.erase(std::unique(users.begin(), users.end()), users.end());
    if (users.empty()) continue;
    const std::string more =
        users.size() == 1 ? "" : concat(" and ", std::to_string(users.size() - 1), " more");
    raise(errc::constraint, "the module ", text(*module), " cannot be deleted: ", text(users[0]),
          more, users.size() == 1 ? " uses " : " use ", text(part));
  }
}

void rename_module(engine& world, entity_t module, std::string_view path) {
  const auto last = path.find_last_of(".:");
  const std::string_view name = last == path.npos ? path : path.substr(last + 1);
  std::string_view parent = last == path.npos ? std::string_view() : path.substr(0, last);
  while (!parent.empty() && (parent.back() == ':' || parent.back() == '.')) parent.remove_suffix(1);
  const entity_t scope_before = world.set_scope(0);
  const entity_t scope = parent.empty() ? 0 : world.create_named(parent);
  world.restore_scope(scope_before);
  if (world.parent(module) != scope) {
    if (scope)
      world.add(module, world.pair(ChildOf, scope));
    else
      world.remove(module, world.pair(ChildOf, Wildcard));
  }
  world.set_name(module, name);
}

}  // namespace kith::core
