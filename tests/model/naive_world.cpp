#include "model/naive_world.hpp"

#include <algorithm>

#include "model/naive_change.hpp"

namespace kith_model {

using kith::errc;

bool is_wildcard(number n) { return n == kith::Wildcard || n == kith::Any; }
bool is_pattern(const naive_id& id) { return is_wildcard(id.first) || is_wildcard(id.second); }
bool is_builtin(number n) { return n != 0 && n < first_number; }

bool matches(const naive_id& id, const naive_id& pattern) {
  if (id.is_pair() != pattern.is_pair()) return false;
  return (id.first == pattern.first || is_wildcard(pattern.first)) &&
         (id.second == pattern.second || is_wildcard(pattern.second));
}

// --- lookups -------------------------------------------------------------------------------------

std::set<naive_id> naive_world::matching(number e, const naive_id& pattern) const {
  std::set<naive_id> found;
  for (const auto& [id, held] : at(e).owned)
    if (matches(id, pattern)) found.insert(id);
  return found;
}

std::set<naive_id> naive_world::pairs_of(number e, number relation) const {
  std::set<naive_id> found;
  const std::map<naive_id, holding>& owned = at(e).owned;
  for (auto i = owned.lower_bound({relation, 1}); i != owned.end() && i->first.first == relation;
       ++i)
    found.insert(i->first);
  return found;
}

bool naive_world::owns(number e, const naive_id& id) const {
  if (!is_pattern(id)) return at(e).owned.contains(id);
  for (const auto& [each, held] : at(e).owned)
    if (matches(each, id)) return true;
  return false;
}

std::set<number> naive_world::holders(const naive_id& pattern) const {
  std::set<number> found;
  for (const auto& [e, entity] : entities_)
    if (!is_builtin(e) && owns(e, pattern)) found.insert(e);
  return found;
}

number naive_world::parent(number e) const {
  const std::set<naive_id> pairs = pairs_of(e, kith::ChildOf);
  return pairs.empty() ? 0 : pairs.begin()->second;
}

std::vector<number> naive_world::children(number e) const {
  if (has_trait(e, kith::OrderedChildren)) return at(e).order;
  std::vector<number> found;
  for (const auto& [child, entity] : entities_)
    if (parent(child) == e) found.push_back(child);
  return found;
}

void naive_world::close_order(number e, const std::vector<number>& order) {
  entities_.at(e).order = order;
  entities_.at(e).order_is_open = false;
}

number naive_world::child_named(number parent, const std::string& name) const {
  if (name.empty()) return 0;
  for (const auto& [e, entity] : entities_)
    if (entity.named_under == parent && entity.name == name) return e;
  return 0;
}

number naive_world::below(number start, const path& names) const {
  number here = start;
  for (const std::string& name : names)
    if (here = child_named(here, name); !here) return 0;
  return here;
}

number naive_world::lookup(const path& names) const {
  for (number from = scope_; from && is_alive(from); from = parent(from))
    if (number found = below(from, names)) return found;
  if (number found = below(0, names)) return found;
  if (number found = below(kith::BuiltinScope, names)) return found;
  // Digits that are not the name of an entity are a number. The test uses them for built-in
  // entities only.
  const std::string& name = names.front();
  const bool digits = names.size() == 1 && name.find_first_not_of("0123456789") == name.npos;
  const number n = digits ? std::stoull(name) : 0;
  return is_builtin(n) && is_alive(n) ? n : 0;
}

naive_world::route naive_world::route_to(number e) const {
  const bool is_bare = is_builtin(e) && at(e).named_under == kith::BuiltinScope;
  if (is_bare && !child_named(0, at(e).name)) return {0, {at(e).name}};
  route way{0, {}};
  for (; e; e = at(e).named_under) {
    if (at(e).name.empty()) {
      way.from = e;
      break;
    }
    way.names.insert(way.names.begin(), at(e).name);
  }
  return way;
}

number naive_world::type_of(const naive_id& id) const {
  if (id.is_pair() && has_trait(id.first, kith::PairIsTag)) return 0;
  if (types_.contains(id.first)) return id.first;
  return types_.contains(id.second) ? id.second : 0;
}

std::optional<kind> naive_world::kind_of(const naive_id& id) const {
  const number type = type_of(id);
  return type ? std::optional(types_.at(type)) : std::nullopt;
}

number naive_world::registered(kind k) const {
  auto found = registered_.find(k);
  return found == registered_.end() ? 0 : found->second;
}

long naive_world::values_of(kind k) const {
  long count = 0;
  for (const auto& [e, entity] : entities_)
    for (const auto& [id, held] : entity.owned) count += held.value && kind_of(id) == k;
  return count;
}

// --- errors --------------------------------------------------------------------------------------

faults naive_world::dead(number e) const {
  return is_alive(e) ? faults{} : faults{errc::not_alive};
}

faults naive_world::dead(const naive_id& id) const {
  return dead(id.first) | (id.is_pair() ? dead(id.second) : faults{});
}

faults naive_world::unaddable(const naive_id& id) const {
  return dead(id) | constraint_if(is_pattern(id));
}

faults naive_world::wrong_type(const naive_id& id, number type) const {
  const number found = type_of(id);
  return !found || (type && found != type) ? faults{errc::type} : faults{};
}

// An entity that others have as a tag cannot become a type, because they have no values for it. And
// types are Final.
faults naive_world::untypable(number e) const {
  const faults wrong = contradiction(e, {kith::Final});
  for (const auto& [holder, entity] : entities_) {
    for (const auto& [id, held] : entity.owned) {
      const bool as_id = id == naive_id{e};
      const bool as_relation = id.is_pair() && id.first == e && !has_trait(e, kith::PairIsTag);
      const bool as_target =
          id.is_pair() && id.second == e && !held.value && !has_trait(id.first, kith::PairIsTag);
      if (as_id || as_relation || as_target) return wrong | faults{errc::type};
    }
  }
  return wrong;
}

// --- ids and values ------------------------------------------------------------------------------

faults naive_world::add_now(number e, naive_id id, std::optional<int> value) {
  const faults wrong = dead(e) | unaddable(id);
  if (!wrong.empty() || owns(e, id)) return wrong;
  naive_change c(*this);
  c.include(e, id, {.value = value});
  return c.finish();
}

faults naive_world::remove_now(number e, naive_id id) {
  const faults wrong = dead(e) | dead(id);
  if (!wrong.empty()) return wrong;
  naive_change c(*this);
  for (const naive_id& each : matching(e, id))
    if (!is_pattern(id) || each != naive_id{kith::Component}) c.exclude(e, each);
  return c.finish();
}

faults naive_world::set_now(number e, naive_id id, number type, int value) {
  const faults wrong = dead(e) | unaddable(id) | wrong_type(id, type);
  if (!wrong.empty()) return wrong;
  if (!owns(e, id)) return add_now(e, id, value);
  entities_.at(e).owned.at(id).value = value;
  return {};
}

faults naive_world::ensure_now(number e, naive_id id, number type, int more) {
  faults wrong = dead(e) | unaddable(id) | wrong_type(id, type);
  if (wrong.empty()) wrong = add_now(e, id, std::nullopt);
  if (wrong.empty()) *entities_.at(e).owned.at(id).value += more;
  return wrong;
}

faults naive_world::enable_now(number e, naive_id id, bool on) {
  const faults wrong = dead(e) | dead(id);
  if (!wrong.empty()) return wrong;
  auto found = entities_.at(e).owned.find(id);
  if (found == entities_.at(e).owned.end()) return {errc::constraint};
  found->second.off = !on;
  return {};
}

faults naive_world::remove_all_now(naive_id id) {
  if (const faults wrong = dead(id); !wrong.empty()) return wrong;
  naive_change c(*this);
  for (number e : holders(id))
    for (const naive_id& each : matching(e, id))
      if (each != naive_id{kith::Component}) c.exclude(e, each);
  return c.finish();
}

// --- entities ------------------------------------------------------------------------------------

faults naive_world::clear_now(number e) {
  const faults wrong = dead(e) | constraint_if(is_builtin(e));
  if (!wrong.empty()) return wrong;
  naive_change c(*this);
  for (const auto& [id, held] : at(e).owned)
    if (id != naive_id{kith::Component}) c.exclude(e, id);
  return c.finish();
}

faults naive_world::clone_now(number from, number to, bool with_values) {
  const faults wrong = dead(from) | dead(to);
  if (!wrong.empty()) return wrong;
  if (!at(to).owned.empty()) return {errc::constraint};
  const std::map<naive_id, holding> owned = at(from).owned;
  naive_change c(*this);
  for (const auto& [id, held] : owned)
    if (id != naive_id{kith::Component})
      c.include(to, id,
                {.copy_of = with_values ? from : 0, .overrides = false, .instantiates = false});
  const faults failed = c.finish();
  if (failed.empty())
    for (auto& [id, held] : entities_.at(to).owned)
      if (auto original = owned.find(id); original != owned.end()) held.off = original->second.off;
  return failed;
}

faults naive_world::destroy_now(number e) {
  const faults wrong = dead(e);
  return wrong.empty() ? delete_now({e}) : wrong;
}

faults naive_world::delete_with_now(naive_id id) {
  const faults wrong = dead(id);
  return wrong.empty() ? delete_now(holders(id)) : wrong;
}

// An entity that uses a deleted one is deleted too, prevents the deletion, or loses the id.
faults naive_world::delete_now(std::set<number> going) {
  const auto is_told = [&](const naive_id& id, number policy) {
    return (going.contains(id.first) && owns(id.first, {kith::OnDelete, policy})) ||
           (going.contains(id.second) && owns(id.first, {kith::OnDeleteTarget, policy}));
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [user, entity] : entities_)
      for (const auto& [id, held] : entity.owned)
        if (is_told(id, kith::Delete)) grown |= going.insert(user).second;
  }
  for (number e : going)
    if (is_builtin(e)) return {errc::constraint};
  for (const auto& [user, entity] : entities_)
    for (const auto& [id, held] : entity.owned)
      if (is_told(id, kith::Panic) && !going.contains(user)) return {errc::constraint};

  for (number each : going) {
    entities_.erase(each);
    types_.erase(each);
  }
  std::erase_if(registered_, [&](const auto& entry) { return going.contains(entry.second); });
  for (auto& [left, entity] : entities_) {
    std::erase_if(entity.owned, [&](const auto& entry) {
      return going.contains(entry.first.first) || going.contains(entry.first.second);
    });
    std::erase_if(entity.order, [&](number child) { return going.contains(child); });
  }
  return {};
}

// For an entity made by its path whose parent was deleted before the queue added the parent: it
// stays at the root, and loses its name if another entity has it there.
void naive_world::leave_lost_parent(number e) {
  if (!is_alive(e) || parent(e) == at(e).named_under) return;
  const number other = child_named(parent(e), at(e).name);
  if (other) entities_.at(e).name.clear();
  entities_.at(e).named_under = parent(e);
}

faults naive_world::set_name_now(number e, const std::string& name) {
  faults wrong = dead(e);
  if (!wrong.empty()) return wrong;
  const number other = child_named(parent(e), name);
  if (is_builtin(e) || (other && other != e)) return {errc::constraint};
  entities_.at(e).name = name;
  entities_.at(e).named_under = parent(e);
  return {};
}

}  // namespace kith_model
