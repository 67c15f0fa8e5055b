#include "oracle/snapshot.hpp"

#include <algorithm>

namespace kith_oracle {

bool comes_before(entity_t a, entity_t b) {
  return kith::core::index_of(a) < kith::core::index_of(b);
}

namespace {

id id_of(const kith::core::engine& engine, kith::id_t raw) {
  if (!kith::core::is_pair(raw)) return {raw, 0};
  return {engine.first(raw), engine.second(raw)};
}

bool id_comes_before(const owned_id& a, const owned_id& b) {
  if (a.id.first != b.id.first) return comes_before(a.id.first, b.id.first);
  return comes_before(a.id.second, b.id.second);
}

void read_entity(kith::core::engine& engine, entity_t e, snapshot& s) {
  s.entities.push_back(e);
  std::vector<owned_id>& ids = s.owned[e];
  for (kith::id_t raw : engine.owned_ids(e))
    ids.push_back({id_of(engine, raw), engine.is_enabled(e, raw)});
  std::sort(ids.begin(), ids.end(), id_comes_before);
  if (!engine.name(e).empty()) s.names[e] = std::string(engine.name(e));
  if (const entity_t parent = engine.parent(e)) s.parents[e] = parent;
}

// The names of a path: `a.b`, `a::b`, `"odd.name"::b`.
std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> names;
  std::string name;
  for (std::size_t i = 0; i < path.size();) {
    if (path[i] == '"') {
      for (++i; i < path.size() && path[i] != '"'; ++i) {
        if (path[i] == '\\' && i + 1 < path.size()) ++i;
        name += path[i];
      }
      ++i;
    } else if (path[i] == '.' || path.substr(i).starts_with("::")) {
      i += path[i] == '.' ? 1 : 2;
      if (!name.empty()) names.push_back(std::move(name));
      name.clear();
    } else {
      name += path[i++];
    }
  }
  if (!name.empty()) names.push_back(std::move(name));
  return names;
}

}  // namespace

snapshot snapshot_of(kith::world& world) {
  snapshot s;
  kith::core::engine& engine = world.engine();
  for (std::uint32_t i = 1; i < kith::core::first_user_index; ++i)
    if (const entity_t e = engine.alive_at(i)) read_entity(engine, e, s);
  std::size_t left = engine.entity_count();
  for (std::uint32_t i = kith::core::first_user_index; left > 0; ++i)
    if (const entity_t e = engine.alive_at(i)) {
      read_entity(engine, e, s);
      --left;
    }
  return s;
}

std::string snapshot::name_of(entity_t e) const {
  const auto name = names.find(e);
  return name == names.end() ? "" : name->second;
}

entity_t snapshot::child(entity_t parent, std::string_view name) const {
  for (const auto& [e, own_name] : names) {
    const auto p = parents.find(e);
    if (own_name == name && (p == parents.end() ? 0 : p->second) == parent) return e;
  }
  return 0;
}

// "a name is looked up in the current scope, its ancestors, the root, then `kith`"; here the scope
// is always the root.
std::optional<entity_t> snapshot::lookup(std::string_view path) const {
  entity_t at = 0;
  if (path.starts_with('#')) {
    std::size_t end = path.find_first_of(".:");
    if (end == std::string_view::npos) end = path.size();
    at = std::stoull(std::string(path.substr(1, end - 1)));
    if (!owned.contains(at)) return {};
    path.remove_prefix(end);
  }
  const std::vector<std::string> parts = split(path);
  for (entity_t start : {at, at ? at : entity_t{kith::BuiltinScope}}) {
    entity_t e = start;
    bool found = true;
    for (const std::string& part : parts) found = found && (e = child(e, part)) != 0;
    if (found && e && (at || !parts.empty())) return e;
  }
  return {};
}

std::string snapshot::text_of(entity_t e) const {
  if (!e) return "-";
  const auto name = names.find(e);
  if (name == names.end()) return "#" + std::to_string(e);
  const auto parent = parents.find(e);
  if (parent == parents.end() || is_builtin(e)) return name->second;
  return text_of(parent->second) + "." + name->second;
}

std::string snapshot::text_of(const id& i) const {
  if (!i) return "-";
  if (!i.is_pair()) return text_of(i.first);
  return "(" + text_of(i.first) + ", " + text_of(i.second) + ")";
}

}  // namespace kith_oracle
