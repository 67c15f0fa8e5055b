// Turns the numbers of an operation into entities, ids and names.
#include <array>

#include "model/player.hpp"
#include "model/zoo.hpp"

namespace kith_model {

namespace {

constexpr std::size_t common_entities = 5;

// Built-in entities that the model can use as an id or a target.
constexpr std::array<number, 9> neutral_builtins = {
    kith::Wildcard,  kith::Any,     kith::Component, kith::ChildOf,     kith::Disabled,
    kith::PairIsTag, kith::Acyclic, kith::Exclusive, kith::BuiltinScope};

// A pick contains a way of choosing and an index.
struct split {
  int how;
  std::size_t which;
  split(int pick, int ways) : how(pick % ways), which(static_cast<std::size_t>(pick / ways)) {}
};

template <class List>
auto nth(const List& list, std::size_t n) {
  return *std::next(list.begin(), static_cast<std::ptrdiff_t>(n % list.size()));
}

}  // namespace

std::vector<number> player::living() const {
  std::vector<number> found;
  for (const auto& [n, entity] : t_->model.entities())
    if (!is_builtin(n)) found.push_back(n);
  return found;
}

number player::any_entity(int pick) const {
  const split s(pick, 20);
  if (s.how < 17) return living_entity(static_cast<int>(s.which));
  if (s.how == 17) {
    const std::vector<number> dead = t_->dead();
    return dead.empty() ? 0 : nth(dead, dead.size() - 1 - s.which % dead.size());
  }
  return s.how == 18 ? nth(neutral_builtins, s.which) : 0;
}

number player::living_entity(int pick) const {
  const std::vector<number> all = living();
  return all.empty() ? 0 : nth(all, static_cast<std::size_t>(pick));
}

number player::common_entity(int pick) const {
  std::vector<number> found;
  for (number n : living()) {
    bool is_type = t_->model.types().contains(n);
    for (int k = 0; k < typed_kinds; ++k)
      is_type |= t_->model.registered(static_cast<kind>(k)) == n;
    if (!is_type && found.size() < common_entities) found.push_back(n);
  }
  return found.empty() ? 0 : nth(found, static_cast<std::size_t>(pick));
}

number player::type_entity(kind k) {
  if (const number known = t_->model.registered(k)) return known;
  const path names{"zoo", std::string(name_of(k))};
  if (!t_->model.registering_is_certain(0, names)) return 0;
  // The first use of a type registers it at the root, whatever the scope.
  const outcome o = attempt([&] {
    if (k == kind::marker)
      t_->real.id<zoo::Marker>();
    else
      with_type(k, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_class_v<T>) t_->real.id<T>();
      });
  });
  std::vector<number> made;
  agree(o, t_->model.register_type(k, made));
  for (number n : made)
    t_->bind(n, t_->real.lookup(concat("::", written(t_->model.route_to(n).names))));
  return t_->model.registered(k);
}

naive_id player::some_id(int first, int second) {
  const split s(first, 12);
  const int which = static_cast<int>(s.which);
  const auto kind_at = [](int n) { return static_cast<kind>(n % typed_kinds); };
  switch (s.how) {
    case 0:
    case 1:
    case 2:
      return {common_entity(second)};
    case 3:
    case 4:
      return {type_entity(kind_at(second))};
    case 5:
    case 6:
    case 7:
      return {common_entity(which), living_entity(second)};
    case 8:
      return {type_entity(kind_at(which)), living_entity(second)};
    case 9:
      return {type_entity(kind_at(which)), type_entity(kind_at(second))};
    case 10:
      return {common_entity(which), type_entity(kind_at(second))};
    default:
      return unusual_id(which, second);
  }
}

naive_id player::unusual_id(int how, int which) {
  std::vector<number> runtime;
  for (const auto& [n, k] : t_->model.types())
    if (is_runtime(k)) runtime.push_back(n);
  const std::vector<number> dead = t_->dead();
  const std::size_t n = static_cast<std::size_t>(which);
  switch (how % 12) {
    case 0:
      return {kith::Disabled};
    case 1:
      return {kith::Component};
    case 2:
      return {dead.empty() ? 0 : nth(dead, n)};
    case 3:
      return {common_entity(how), dead.empty() ? number{kith::Disabled} : nth(dead, n)};
    case 4:
      return {kith::Disabled, living_entity(which)};
    case 5:
    case 6:
      return {runtime.empty() ? common_entity(which) : nth(runtime, n)};
    case 7:
      return {runtime.empty() ? common_entity(which) : nth(runtime, n), living_entity(how)};
    case 8:
      return {living_entity(which)};
    case 9:
      return {living_entity(how), living_entity(which)};
    case 10:
      return {kith::Component, living_entity(which)};
    default:
      return {common_entity(which), kith::Component};
  }
}

naive_id player::some_pattern(int first, int second) {
  const split s(first, 8);
  const number relation = common_entity(static_cast<int>(s.which));
  switch (s.how) {
    case 0:
      return {kith::Wildcard};
    case 1:
      return {kith::Wildcard, kith::Wildcard};
    case 2:
      return {kith::Wildcard, living_entity(second)};
    case 3:
      return {relation, kith::Any};
    case 4:
      return {kith::ChildOf, kith::Wildcard};
    default:
      return {relation, kith::Wildcard};
  }
}

naive_id player::likely_id(number e, int first, int second) {
  const split s(first, 5);
  if (s.how == 4 || !t_->model.is_alive(e) || t_->model.at(e).owned.empty())
    return some_id(static_cast<int>(s.which), second);
  return nth(t_->model.at(e).owned, static_cast<std::size_t>(second)).first;
}

number player::holder_of(const naive_id& id, int pick) const {
  const std::set<number> holders = t_->model.holders(id);
  return holders.empty() ? 0 : nth(holders, static_cast<std::size_t>(pick));
}

bool player::is_known(const naive_id& id) const {
  return t_->model.is_alive(id.first) && (!id.is_pair() || t_->model.is_alive(id.second));
}

}  // namespace kith_model
