// How a type becomes a component of a world.
#include "world/components.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/make_room.hpp"
#include "entity/path.hpp"
#include "relations/change.hpp"
#include "relations/transaction.hpp"
#include "world/engine_state.hpp"

namespace kith::core {

namespace {

// Is it, or is a part of it, declared inside a function? In the names of linkers, Z begins a
// function; words have their length before them.
bool is_local(std::string_view linker_name) {
  for (std::size_t i = 0; i < linker_name.size();) {
    if (linker_name[i] == 'Z') return true;
    std::size_t length = 0;
    for (; i < linker_name.size() && linker_name[i] >= '0' && linker_name[i] <= '9'; ++i)
      length = length * 10 + static_cast<std::size_t>(linker_name[i] - '0');
    i += length ? length : 1;
  }
  return false;
}

// The name of a type that is the same in all shared libraries of a process.
std::string symbol_of(const type_desc& desc) {
  return is_local(desc.linker_name) ? concat(desc.name, " (", desc.linker_name, ")")
                                    : std::string(desc.name);
}

}  // namespace

// One table for the whole process and all of its shared libraries.
std::uint32_t type_slot(const type_desc& desc) {
  static std::mutex mutex;
  static hash_map<std::string, std::uint32_t, std::hash<std::string>> slots;
  const std::string key = concat(symbol_of(desc), "\n", std::to_string(desc.size), "\n",
                                 std::to_string(desc.alignment));
  const std::lock_guard lock(mutex);
  return slots.try_emplace(key, static_cast<std::uint32_t>(slots.size())).first->second;
}

namespace {

// The qualified C++ name as names of nested scopes. What has no name of its own does not count:
// unnamed namespaces, and functions with all that surrounds them.
//   game::Tank -> game, Tank     (anonymous namespace)::Tank -> Tank     main()::Tank -> Tank
//   box<game::Tank> -> box<game::Tank>
std::vector<std::string> scopes_of(std::string_view name) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  const auto finish = [&] {
    if (part.ends_with(')') && part.find("anonymous") == std::string::npos) parts.clear();
    const bool named = !part.empty() && !part.ends_with(')') && !part.starts_with('{');
    if (named) parts.push_back(part);
    part.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
    if (depth == 0 && name.substr(i).starts_with("::")) {
      finish();
      ++i;
    } else {
      part += c;
    }
  }
  finish();
  if (parts.empty()) parts.emplace_back(name);
  return parts;
}

std::string path_text(const std::vector<std::string>& parts) {
  std::string text = "::";
  for (std::size_t i = 0; i < parts.size(); ++i)
    text.append(i ? "::" : "").append(path_part(parts[i]));
  return text;
}

}  // namespace

void components::insert(std::uint32_t slot, entity_t e, const std::string& symbol, undo_log* undo) {
  const registration fresh{e, slot, symbol};
  put(fresh);
  scope_exit unput([&] { take(fresh); });
  if (undo)
    undo->push([this, fresh](undo_way way) { way == undo_way::again ? put(fresh) : take(fresh); });
  unput.dismiss();
}

void components::put(const registration& r) {
  core::make_room(by_symbol_);
  core::make_room(symbols_);
  std::string key = r.symbol, name = r.symbol;
  by_symbol_[std::move(key)] = r.e;
  symbols_[index_of(r.e)] = std::move(name);
  by_slot_[r.slot] = r.e;
}

void components::take(const registration& r) noexcept {
  by_slot_[r.slot] = 0;
  by_symbol_.erase(r.symbol);
  symbols_.erase(index_of(r.e));
}

void components::erase(entity_t e, undo_log* undo) {
  const auto found = symbols_.find(index_of(e));
  if (found == symbols_.end()) return;
  const auto slot = std::ranges::find(by_slot_, e);
  registration old{e, static_cast<std::uint32_t>(slot - by_slot_.begin()),
                   std::move(found.value())};
  take(old);
  if (undo)
    undo->push([this, old = std::move(old)](undo_way way) {
      way == undo_way::again ? take(old) : put(old);
    });
}

void engine_state::give_type(entity_t e, const type_desc& desc) {
  const std::uint32_t index = index_of(e);
  bool known_as_tag = false;
  const auto look_at = [&](const id_record& record) {
    if (is_pair(record.id) && ((record.type() && relation_of(record.id) != index) ||
                               graph_.traits.of_id(record.id) & trait::pair_is_tag))
      return;
    if (store().count(record) > 0)
      raise(errc::type, text(e), " cannot become a type with values: ", text(record.id),
            " is in use as a tag");
    known_as_tag = true;
  };
  // Types with values are Final, unless they were made Inheritable before.
  const bool becomes_final = !store().owns(alive(e), Inheritable);
  if (becomes_final) graph_.traits.check_given(e, Final, graph_.traits.of(index));
  store().ids().each_made_of(e, look_at);
  // Records of ids that no entity has any more would remember that they have no type.
  if (known_as_tag) {
    if (stages.queueing())
      raise(errc::constraint, text(e), " was in use as a tag and cannot become a type just now");
    store().forget_unused_ids_of(e);
  }

  // The entity may be in use in ways that a type is not. Taking it back takes no memory.
  graph_.traits.reserve(e, graph_.traits.of(index), 1);
  if (graph_.undo)
    graph_.undo->push([this, e, type = (const type_info*)nullptr](undo_way way) mutable {
      if (way != undo_way::again) {
        type = store().types().find(index_of(e));
        store().types().erase(index_of(e));
      }
      // Records of ids remember whether they have values.
      store().forget_unused_ids_of(e);
      if (way == undo_way::again) store().types().restore(type);
      graph_.traits.update(e);
    });
  store().types().insert(e, desc);
  store().entities().at_index(index).referenced = true;
  component_info info{static_cast<std::uint32_t>(desc.size),
                      static_cast<std::uint32_t>(desc.alignment)};
  const value_source source{&info, [](void* slot, void* context) {
                              ::new (slot) component_info(*static_cast<component_info*>(context));
                            }};
  if (stages.queueing()) {
    stages.push_value(e, Component, *store().types().find(index_of(Component)), source);
    if (becomes_final) stages.queue().push({.what = command::kind::add, .entity = e, .id = Final});
  } else {
    store().add(e, Component, source);
    if (becomes_final) add_id(graph_, e, Final);
  }
}

// A struct that a text defined and a C++ type of the same name are one type.
void engine_state::adopt_struct(entity_t e, const type_desc& desc) {
  const type_info& known = *store().types().find(index_of(e));
  if (known.size != desc.size || known.alignment != desc.alignment || desc.boxed)
    raise(errc::type, "the struct ", text(e), " has ", std::to_string(known.size),
          " bytes, aligned to ", std::to_string(known.alignment), "; the type ", desc.name, " has ",
          std::to_string(desc.size), ", aligned to ", std::to_string(desc.alignment));
  const bool known_destroys = known.operations && known.operations->destroys();
  if (known_destroys != (desc.hooks.destroy != nullptr))
    raise(errc::type, "the struct ", text(e), " and the type ", desc.name,
          " have members of other types");
  for (const id_t trait : desc.traits) {
    if (stages.queueing())
      stages.queue().push({.what = command::kind::add, .entity = e, .id = trait});
    else
      add_id(graph_, e, trait);
  }
}

// A type comes completely or not at all: in a transaction, or where changes wait by forgetting the
// commands that were queued for it.
class engine_state::coming_type {
 public:
  explicit coming_type(engine_state& s) : s_(s), queued_(s.stages.here().queue.size()) {
    if (!s.graph_.undo && !s.stages.queueing()) whole_.emplace(s.graph_);
  }
  ~coming_type() {
    if (kept_ || s_.graph_.undo) return;
    s_.stages.truncate_queue(queued_);
    if (!made) return;
    s_.names_.erase(made);
    s_.unmake_entity(made);
  }
  void keep() {
    kept_ = true;
    if (whole_) whole_->keep();
  }

  entity_t made = 0;  // the entity, if it was not there before

 private:
  engine_state& s_;
  std::size_t queued_;
  std::optional<transaction> whole_;
  bool kept_ = false;
};

// `bring` makes the type, and tells which entity it made for it.
template <class Bring>
void engine_state::bring_type(const Bring& bring) {
  const auto change = [&] {
    coming_type coming(*this);
    bring(coming.made);
    coming.keep();
  };
  if (has_observers() && !stages.queueing())
    react_to(change, true);
  else
    change();
}

entity_t engine::register_component(std::uint32_t slot, const type_desc& desc,
                                    std::string_view name, entity_t parent) {
  engine_state& s = *state_;
  s.stages.check_open("a component cannot be registered");
  s.components.make_room(slot);
  components_ = s.components.by_slot();
  if (components_[slot]) {
    if (!name.empty() && lookup(name, 0) != components_[slot])
      raise(errc::constraint, std::string(desc.name), " is registered already, as ",
            s.text(components_[slot]));
    return components_[slot];
  }
  const std::string symbol = symbol_of(desc);
  if (const entity_t known = s.components.find(symbol)) {
    const type_info* type = s.store().types().find(index_of(known));
    raise(errc::type, "two types are called ", symbol, ": one of ",
          std::to_string(type ? type->size : 0), " bytes, aligned to ",
          std::to_string(type ? type->alignment : 1), ", is registered, this one has ",
          std::to_string(desc.size), ", aligned to ", std::to_string(desc.alignment));
  }

  const auto remember = [&](entity_t e) {
    s.store().entities().at_index(index_of(e)).referenced = true;
    // A constructor may meet a new type while a text is applied.
    s.components.insert(slot, e, symbol, s.graph_.undo);
    return e;
  };
  // Names of types begin at the root, in every scope, unless a parent is given.
  std::vector<std::string> parts = scopes_of(desc.name);
  if (!name.empty()) {
    result<parsed_path> given = parse_path(name);
    if (!given) raise(given.error());
    parts = given->names;
  }
  entity_t existing = find_below(s.names_, parent, parts);
  if (existing && s.members_.find(existing) && !s.components.stands_for_type(existing)) {
    s.adopt_struct(existing, desc);
    return remember(existing);
  }
  if (existing && (is_builtin(existing) || s.components.stands_for_type(existing) ||
                   s.store().types().find(index_of(existing)))) {
    if (!name.empty()) raise(errc::constraint, s.text(existing), " is something else already");
    // Another type has the short name: two functions may each have a local type of that name.
    parts = {symbol};
    existing = find_below(s.names_, parent, parts);
  }
  entity_t e = existing;
  // What new entities get is not meant for types.
  std::vector<id_t> with;
  with.swap(s.with);
  const scope_exit restore([&] { with.swap(s.with); });
  s.bring_type([&](entity_t& made) {
    if (!e)
      e = made =
          create_named(concat(parent ? concat("#", std::to_string(parent)) : "", path_text(parts)));
    if (desc.size) s.give_type(e, desc);
    for (id_t trait : desc.traits) add(e, trait);
    std::vector<entity_t> constants;
    scope_exit undo([&] {
      if (s.graph_.undo) return;
      for (entity_t c : constants) {
        s.graph_.child_order.erase(index_of(e), c);
        s.names_.erase(c);
        s.unmake_entity(c);
      }
    });
    constants.reserve(desc.constants.size());
    for (const constant_desc& c : desc.constants)
      if (const std::string own(c.name); !s.names_.find(index_of(e), own))
        constants.push_back(create_path(e, {&own, 1}));
    remember(e);
    undo.dismiss();
  });
  return e;
}

entity_t engine::runtime_component(std::string_view name, const type_desc& desc) {
  engine_state& s = *state_;
  s.stages.check_open("a component cannot be registered");
  if (desc.alignment == 0 || (desc.alignment & (desc.alignment - 1)) != 0)
    raise(errc::type, "an alignment is a power of two, not ", std::to_string(desc.alignment));
  if (desc.size % desc.alignment != 0)
    raise(errc::type, "the size of a type is a multiple of its alignment");
  entity_t existing = 0;
  if (!name.empty()) {
    result<parsed_path> given = parse_path(name);
    if (!given) raise(given.error());
    existing = find_below(s.names_,
                          given->number      ? given->number
                          : given->from_root ? 0
                                             : scope(),
                          given->names);
  }
  if (existing) {
    if (const type_info* type = s.store().types().find(index_of(existing))) {
      if (type->size == desc.size && type->alignment == desc.alignment) return existing;
      raise(errc::type, s.text(existing), " is registered already with ",
            std::to_string(type->size), " bytes, aligned to ", std::to_string(type->alignment));
    }
  }
  entity_t e = 0;
  s.bring_type([&](entity_t& made) {
    e = name.empty() ? create() : create_named(name);
    if (!existing) made = e;
    if (desc.size) s.give_type(e, desc);
  });
  s.settle();
  return e;
}

// --- members ------------------------------------------------------------------------------------

void engine::add_member(entity_t component, const member_desc& desc) {
  engine_state& s = *state_;
  s.stages.check_open("a member cannot be described");
  s.alive(component);
  if (desc.name.empty()) raise(errc::type, "a member needs a name");
  member fresh{std::string(desc.name), desc.kind, desc.offset, desc.handle};
  if (desc.kind == member_kind::structure) {
    fresh.component = desc.component;
    fresh.members = s.members_.share(desc.component);
    if (!fresh.members)
      raise(errc::type, "the member '", desc.name, "' of ", s.text(component), " is of the type ",
            s.text(desc.component), ", whose members are not described");
  }
  const std::shared_ptr<const struct_members> known = s.members_.share(component);
  std::vector<member> list = known ? known->list() : std::vector<member>();
  if (const member* same = known ? known->find(desc.name) : nullptr) {
    if (same->kind == fresh.kind && same->offset == fresh.offset &&
        same->component == fresh.component)
      return;
    raise(errc::type, s.text(component), " has another member '", desc.name, "' already");
  }
  const type_info* type = s.store().types().find(index_of(component));
  if (!type || desc.offset + desc.size > type->size)
    raise(errc::type, s.text(component), " has no place for a member '", desc.name, "'");
  list.push_back(std::move(fresh));
  s.members_.set(component, std::make_shared<const struct_members>(std::move(list)), s.graph_.undo);
}

std::vector<member_info> engine::members(entity_t component) const {
  const engine_state& s = *state_;
  s.alive(component);
  std::vector<member_info> list;
  if (const struct_members* known = s.members_.find(component))
    for (const member& m : known->list()) {
      const bool is_struct = m.kind == member_kind::structure;
      list.push_back({m.name, is_struct ? s.text(m.component) : std::string(word_of(m.kind)),
                      m.kind, m.offset, m.component});
    }
  return list;
}

}  // namespace kith::core
