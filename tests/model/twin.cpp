#include "model/twin.hpp"

namespace kith_model {

const std::vector<known_name>& known_names() {
  // Plain ones first: a shrunk sequence uses those. Then names of what is there already, then names
  // that need quotes.
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

twin::twin() {
  // The built-in entities are taken as they are; whether they are right is for other tests.
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
