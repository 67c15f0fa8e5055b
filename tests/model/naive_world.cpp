#include "model/naive_world.hpp"

#include <algorithm>

namespace kith_model {

using kith::errc;

namespace {

bool is_trait(const naive_id& id) {
  return !id.is_pair() &&
         (id.first == kith::Exclusive || id.first == kith::Acyclic || id.first == kith::PairIsTag);
}

faults operator|(faults a, const faults& b) {
  a.insert(b.begin(), b.end());
  return a;
}

faults constraint_if(bool broken) { return broken ? faults{errc::constraint} : faults{}; }

}  // namespace

bool is_wildcard(number n) { return n == kith::Wildcard || n == kith::Any; }
bool is_pattern(const naive_id& id) { return is_wildcard(id.first) || is_wildcard(id.second); }
bool is_builtin(number n) { return n != 0 && n < first_number; }

bool matches(const naive_id& id, const naive_id& pattern) {
  if (id.is_pair() != pattern.is_pair()) return false;
  return (id.first == pattern.first || is_wildcard(pattern.first)) &&
         (id.second == pattern.second || is_wildcard(pattern.second));
}

// --- looking -------------------------------------------------------------------------------------

std::set<naive_id> naive_world::matching(number e, const naive_id& pattern) const {
  std::set<naive_id> found;
  for (const auto& [id, held] : at(e).owned)
    if (matches(id, pattern)) found.insert(id);
  return found;
}

std::set<naive_id> naive_world::pairs_of(number e, number relation) const {
  std::set<naive_id> found;
  for (const auto& [id, held] : at(e).owned)
    if (id.is_pair() && id.first == relation) found.insert(id);
  return found;
}

bool naive_world::owns(number e, const naive_id& id) const {
  if (!is_pattern(id)) return at(e).owned.contains(id);
  for (const auto& [each, held] : at(e).owned)
    if (matches(each, id)) return true;
  return false;
}

bool naive_world::has(number e, const naive_id& id) const {
  if (!is_pattern(id)) {
    auto found = at(e).owned.find(id);
    return found != at(e).owned.end() && !found->second.off;
  }
  for (const auto& [each, held] : at(e).owned)
    if (matches(each, id) && !held.off) return true;
  return false;
}

std::set<number> naive_world::holders(const naive_id& pattern) const {
  std::set<number> found;
  for (const auto& [e, entity] : entities_)
    if (!is_builtin(e) && owns(e, pattern)) found.insert(e);
  return found;
}

std::set<number> naive_world::targets(number e, number relation) const {
  std::set<number> found;
  for (const auto& [id, held] : at(e).owned)
    if (id.is_pair() && id.first == relation && !held.off) found.insert(id.second);
  return found;
}

std::set<number> naive_world::children(number e) const {
  std::set<number> found;
  for (const auto& [child, entity] : entities_)
    if (parent(child) == e && !entity.owned.at({kith::ChildOf, e}).off) found.insert(child);
  return found;
}

number naive_world::parent(number e) const {
  const std::set<naive_id> pairs = pairs_of(e, kith::ChildOf);
  return pairs.empty() ? 0 : pairs.begin()->second;
}

number naive_world::target_for(number e, number relation, const naive_id& id,
                               const std::function<bool(number, number)>& before) const {
  std::set<number> seen;
  const std::function<number(number)> visit = [&](number here) -> number {
    if (!seen.insert(here).second) return 0;
    if (has(here, id)) return here;
    const std::set<number> found = targets(here, relation);
    std::vector<number> ordered(found.begin(), found.end());
    std::sort(ordered.begin(), ordered.end(), before);
    for (number next : ordered)
      if (number answer = visit(next)) return answer;
    return 0;
  };
  return visit(e);
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
  // Digits that nobody is called are a number. The test uses them for built-in entities only.
  const std::string& name = names.front();
  const bool digits = names.size() == 1 && name.find_first_not_of("0123456789") == name.npos;
  const number n = digits ? std::stoull(name) : 0;
  return is_builtin(n) && is_alive(n) ? n : 0;
}

naive_world::route naive_world::route_to(number e) const {
  if (is_builtin(e) && !child_named(0, at(e).name)) return {0, {at(e).name}};
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

// --- what can be wrong ---------------------------------------------------------------------------

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

faults naive_world::taken_name(number e, number new_parent) const {
  const number other = child_named(new_parent, at(e).name);
  return constraint_if(is_builtin(e) || (other && other != e));
}

bool naive_world::has_trait(number relation, number trait) const {
  auto found = entities_.find(relation);
  return found != entities_.end() && found->second.owned.contains({trait});
}

bool naive_world::leads(number from, number to, number relation) const {
  std::set<number> seen;
  std::vector<number> open{from};
  while (!open.empty()) {
    const number here = open.back();
    open.pop_back();
    if (here == to) return true;
    if (!seen.insert(here).second) continue;
    for (const naive_id& pair : pairs_of(here, relation)) open.push_back(pair.second);
  }
  return false;
}

// Giving a trait, or taking it, that what is there does not allow.
faults naive_world::contradicted_trait(number relation, number trait, bool on) const {
  for (const auto& [e, entity] : entities_) {
    const std::set<naive_id> pairs = pairs_of(e, relation);
    if (trait == kith::Exclusive && on && pairs.size() > 1) return {errc::constraint};
    for (const naive_id& pair : pairs) {
      const bool values = types_.contains(relation) || types_.contains(pair.second);
      if (trait == kith::PairIsTag && values) return {errc::constraint};
      if (trait == kith::Acyclic && on && leads(pair.second, e, relation))
        return {errc::constraint};
    }
  }
  return {};
}

faults naive_world::unremovable(number e, const naive_id& id) const {
  if (id == naive_id{kith::Component}) return {errc::constraint};
  if (is_builtin(e) && (is_trait(id) || born_with_.at(e).contains(id))) return {errc::constraint};
  if (id.is_pair() && id.first == kith::ChildOf) return taken_name(e, 0);
  return is_trait(id) ? contradicted_trait(e, id.first, false) : faults{};
}

// An entity that others have as a tag cannot become a type: what would the values be?
faults naive_world::in_use_as_tag(number e) const {
  for (const auto& [holder, entity] : entities_) {
    for (const auto& [id, held] : entity.owned) {
      const bool as_id = id == naive_id{e};
      const bool as_relation = id.is_pair() && id.first == e && !has_trait(e, kith::PairIsTag);
      const bool as_target =
          id.is_pair() && id.second == e && !held.value && !has_trait(id.first, kith::PairIsTag);
      if (as_id || as_relation || as_target) return {errc::type};
    }
  }
  return {};
}

// --- ids and values ------------------------------------------------------------------------------

faults naive_world::add_now(number e, naive_id id, std::optional<int> value) {
  faults wrong = dead(e) | unaddable(id);
  if (!wrong.empty() || owns(e, id)) return wrong;
  if (id == naive_id{kith::Component}) wrong = {errc::constraint};
  if (is_trait(id)) wrong = contradicted_trait(e, id.first, true);
  if (id.is_pair() && id.first == kith::ChildOf) wrong = wrong | taken_name(e, id.second);
  if (id.is_pair() && has_trait(id.first, kith::Acyclic) && leads(id.second, e, id.first))
    wrong.insert(errc::constraint);
  const std::optional<kind> k = kind_of(id);
  if (k && !value && !has_default(*k)) wrong.insert(errc::type);
  if (!wrong.empty()) return wrong;

  std::map<naive_id, holding>& owned = entities_.at(e).owned;
  if (id.is_pair() && has_trait(id.first, kith::Exclusive))
    for (const naive_id& old : pairs_of(e, id.first)) owned.erase(old);
  owned[id] = {k ? std::optional(value.value_or(0)) : std::nullopt, false};
  if (id.is_pair() && id.first == kith::ChildOf) entities_.at(e).named_under = id.second;
  return {};
}

void naive_world::drop(number e, const naive_id& id) {
  entities_.at(e).owned.erase(id);
  if (id.is_pair() && id.first == kith::ChildOf) entities_.at(e).named_under = 0;
}

faults naive_world::remove_now(number e, naive_id id) {
  faults wrong = dead(e);
  if (!wrong.empty()) return wrong;
  std::set<naive_id> going = matching(e, id);
  if (is_pattern(id)) going.erase({kith::Component});
  for (const naive_id& each : going) wrong = wrong | unremovable(e, each);
  if (!wrong.empty()) return wrong;
  for (const naive_id& each : going) drop(e, each);
  return {};
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
  const faults wrong = dead(e);
  if (!wrong.empty()) return wrong;
  auto found = entities_.at(e).owned.find(id);
  if (found == entities_.at(e).owned.end()) return {errc::constraint};
  found->second.off = !on;
  return {};
}

faults naive_world::remove_all_now(naive_id id) {
  faults wrong;
  std::set<std::string> names_at_root;
  for (number e : holders(id)) {
    for (const naive_id& each : matching(e, id)) {
      if (each == naive_id{kith::Component}) continue;
      wrong = wrong | unremovable(e, each);
      const bool loses_parent = each.is_pair() && each.first == kith::ChildOf;
      if (loses_parent && !at(e).name.empty())
        wrong = wrong | constraint_if(!names_at_root.insert(at(e).name).second);
    }
  }
  if (!wrong.empty()) return wrong;
  for (number e : holders(id))
    for (const naive_id& each : matching(e, id))
      if (each != naive_id{kith::Component}) drop(e, each);
  return {};
}

faults naive_world::delete_with_now(naive_id id) {
  for (number e : holders(id))
    if (is_alive(e)) destroy_now(e);
  return {};
}

// --- entities ------------------------------------------------------------------------------------

faults naive_world::clear_now(number e) {
  faults wrong = dead(e);
  if (!wrong.empty()) return wrong;
  wrong = taken_name(e, 0);
  for (const auto& [id, held] : at(e).owned)
    if (is_trait(id)) wrong = wrong | contradicted_trait(e, id.first, false);
  if (!wrong.empty()) return wrong;
  const std::map<naive_id, holding> owned = at(e).owned;
  for (const auto& [id, held] : owned)
    if (id != naive_id{kith::Component}) drop(e, id);
  return {};
}

faults naive_world::clone_now(number from, number to, bool with_values) {
  faults wrong = dead(from) | dead(to);
  if (!wrong.empty()) return wrong;
  if (!at(to).owned.empty()) return {errc::constraint};

  naive_world after = *this;
  naive_entity& copy = after.entities_.at(to);
  copy.owned = at(from).owned;
  copy.owned.erase({kith::Component});
  for (auto& [id, held] : copy.owned) {
    if (!held.value) continue;
    const kind k = *kind_of(id);
    if (with_values ? !can_copy(k) : !has_default(k)) wrong.insert(errc::type);
    if (!with_values) held.value = 0;
  }
  if (parent(from)) {
    wrong = wrong | taken_name(to, parent(from));
    copy.named_under = parent(from);
  }
  for (const auto& [id, held] : copy.owned) {
    if (is_trait(id)) wrong = wrong | after.contradicted_trait(to, id.first, true);
    if (id.is_pair() && after.has_trait(id.first, kith::Acyclic))
      wrong = wrong | constraint_if(after.leads(id.second, to, id.first));
  }
  if (wrong.empty()) *this = std::move(after);
  return wrong;
}

faults naive_world::destroy_now(number e) {
  faults wrong = dead(e);
  if (is_builtin(e)) wrong.insert(errc::constraint);
  if (!wrong.empty()) return wrong;

  std::set<number> going{e};
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [child, entity] : entities_)
      if (going.contains(parent(child))) grown |= going.insert(child).second;
  }
  for (number each : going) {
    entities_.erase(each);
    types_.erase(each);
  }
  std::erase_if(registered_, [&](const auto& entry) { return going.contains(entry.second); });
  for (auto& [left, entity] : entities_) {
    std::erase_if(entity.owned, [&](const auto& entry) {
      return going.contains(entry.first.first) || going.contains(entry.first.second);
    });
  }
  return {};
}

// Of an entity made by its path whose parent went before it could become its parent: it stays, at the
// root, and loses its name if that is taken there.
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
