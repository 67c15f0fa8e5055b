#include "model/twin.hpp"

#include <algorithm>

namespace kith_model {

namespace {

// No test makes an entity with an index beyond this.
constexpr std::uint32_t index_limit = 6000;

}  // namespace

const std::vector<known_name>& known_names() {
  // Plain names come first, because a shrunk sequence uses them. Then come names of existing
  // entities, then names that need quotes.
  static const std::vector<known_name> names = {
      {"a", "a"},         {"b", "b"},
      {"c", "c"},         {"zoo", "zoo"},
      {"Plain", "Plain"}, {"Marker", "Marker"},
      {"Raw", "Raw"},     {"ChildOf", "ChildOf"},
      {"kith", "kith"},   {"7", "7"},
      {"x.y", "\"x.y\""}, {"p::q", "\"p::q\""},
      {"#5", "\"#5\""},   {"say \"hi\"", "\"say \\\"hi\\\"\""},
      {":d", "\":d\""},
  };
  return names;
}

std::string written(const path& names) {
  std::string text;
  for (const std::string& name : names) {
    std::string part = name.find(':') == name.npos ? name : concat("\"", name, "\"");
    for (const known_name& known : known_names())
      if (known.name == name) part = known.written;
    text += concat(text.empty() ? "" : "::", part);
  }
  return text;
}

twin::twin(kith::entity_t instantiate) : real({.instantiate = instantiate}) {
  model.instantiate_by_default(instantiate);
  // Copies the built-in entities from the library; other tests check them.
  for (number n = 1; n < kith::core::first_user_index; ++n) {
    if (!real.is_alive(n)) continue;
    const kith::entity e = real.entity(n);
    std::set<naive_id> ids;
    for (kith::id id : e.type())
      ids.insert(id.is_pair() ? naive_id{id.first().id(), id.second().id()}
                              : naive_id{id.raw_id()});
    model.begin_with(n, std::string(e.name()), ids);
    handles_[n] = e;
    numbers_[n] = n;
  }
}

kith::entity twin::handle(number n) const {
  auto found = handles_.find(n);
  return found == handles_.end() ? kith::entity() : found->second;
}

kith::id twin::id_of(const naive_id& id) {
  return id.is_pair() ? real.pair(handle(id.first), handle(id.second)) : handle(id.first);
}

void twin::bind(number n, kith::entity e) {
  if (!e || !e.is_alive()) disagree("a new entity is null or not alive");
  if (numbers_.contains(e.id()) && !revived_.contains(kith::core::index_of(e.id())))
    disagree("the id #", std::to_string(e.id()), " was handed out before, as ",
             text(numbers_.at(e.id())));
  handles_[n] = e;
  numbers_[e.id()] = n;
  model.put_at(n, kith::core::index_of(e.id()));
}

// The same name and the same ids.
bool twin::looks_like(number n, kith::entity e) {
  const naive_entity& m = model.at(n);
  std::set<kith::id_t> expected, found;
  for (const auto& [id, held] : m.owned) {
    if (!is_met(id.first) || (id.is_pair() && !is_met(id.second))) return false;
    expected.insert(id_of(id).raw_id());
  }
  for (kith::id id : e.type()) found.insert(id.raw_id());
  return e.name() == m.name && found == expected;
}

void twin::meet_new_entities() {
  std::set<number> unmet;
  for (const auto& [n, entity] : model.entities())
    if (!is_met(n)) unmet.insert(n);
  std::vector<kith::entity> strangers;
  for (std::uint32_t i = kith::core::first_user_index; !unmet.empty() && i < index_limit; ++i) {
    const kith::entity_t id = real.engine().alive_at(i);
    auto known = numbers_.find(id);
    if (id && (known == numbers_.end() || !model.is_alive(known->second)))
      strangers.push_back(real.entity(id));
  }
  // Entities that look the same are the same. Parents are found before their children.
  for (bool progress = true; progress && !unmet.empty();) {
    progress = false;
    for (number n : unmet) {
      auto match = std::find_if(strangers.begin(), strangers.end(),
                                [&](kith::entity e) { return looks_like(n, e); });
      if (match == strangers.end()) continue;
      bind(n, *match);
      strangers.erase(match);
      unmet.erase(n);
      progress = true;
      break;
    }
  }
  if (!unmet.empty()) disagree("the library has no entity like ", text(*unmet.begin()));

  for (const auto& [n, entity] : model.entities()) {
    if (!entity.order_is_open) continue;
    std::vector<number> order;
    for (kith::entity_t child : real.engine().children_of(handle(n).id()))
      order.push_back(number_of(real.entity(child)));
    if (!std::is_permutation(order.begin(), order.end(), entity.order.begin(), entity.order.end()))
      disagree("the children of ", text(n), " are others than those of the model");
    model.close_order(n, order);
  }
}

std::vector<number> twin::dead() const {
  std::vector<number> found;
  for (const auto& [n, e] : handles_)
    if (!model.is_alive(n) && numbers_.at(e.id()) == n) found.push_back(n);
  return found;
}

number twin::number_of(kith::entity e) const {
  auto found = numbers_.find(e.id());
  if (found == numbers_.end() || !model.is_alive(found->second))
    disagree("the model knows no living entity #", std::to_string(e.id()));
  return found->second;
}

number twin::at_index(std::uint32_t index) const {
  for (const auto& [n, entity] : model.entities())
    if (kith::core::index_of(handle(n).id()) == index) return n;
  return 0;
}

std::string twin::text(number n) const {
  if (n == 0) return "null";
  if (is_builtin(n)) return model.at(n).name;
  auto type = model.types().find(n);
  const bool is_type = type != model.types().end();
  return concat("e", std::to_string(n - first_number), is_type ? "=" : "",
                is_type ? name_of(type->second) : "");
}

std::string twin::text(const naive_id& id) const {
  if (!id.is_pair()) return text(id.first);
  return concat("(", text(id.first), ", ", text(id.second), ")");
}

}  // namespace kith_model
