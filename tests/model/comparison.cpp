// Everything the public API tells of a world, compared with its model.
#include <algorithm>

#include "model/twin.hpp"
#include "model/zoo.hpp"

namespace kith_model {

namespace {

// More ids than this are not all asked for in each step, but a few after another.
constexpr std::size_t max_ids = 40;
constexpr std::size_t max_patterns = 16;

std::string shown(bool b) { return b ? "true" : "false"; }
std::string shown(std::size_t n) { return std::to_string(n); }
std::string shown(int n) { return std::to_string(n); }
std::string shown(std::string_view text) { return concat("'", text, "'"); }
template <class T>
std::string shown(const std::vector<T>& list) {
  std::string text;
  for (const T& each : list) text += concat(text.empty() ? "#" : ", #", std::to_string(each));
  return concat("[", text, "]");
}

// Keeps `limit` of the list, other ones in each step.
template <class T>
void rotate_and_cut(std::vector<T>& list, std::size_t step, std::size_t limit) {
  if (list.size() <= limit) return;
  const std::size_t first = step * limit % list.size();
  std::rotate(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(first), list.end());
  list.resize(limit);
}

}  // namespace

// `what` says what was asked for, in parts: texts, entities and ids. They are written only if they are
// needed.
template <class A, class B, class... What>
void twin::same(const A& found, const B& expected, const What&... what) const {
  if (found == expected) return;
  const auto part = [this](const auto& p) {
    if constexpr (std::is_convertible_v<decltype(p), std::string_view>)
      return std::string(p);
    else
      return text(p);
  };
  disagree(part(what)..., " is ", shown(found), ", the model says ", shown(expected));
}

kith::id_t twin::raw(const naive_id& id) {
  auto [place, is_new] = raw_ids_.try_emplace(id, 0);
  if (is_new) place->second = id_of(id).raw_id();
  return place->second;
}

std::vector<kith::id_t> twin::raw(const std::set<naive_id>& ids) {
  std::vector<kith::id_t> list;
  for (const naive_id& id : ids) list.push_back(raw(id));
  std::sort(list.begin(), list.end());
  return list;
}

// Targets come in ascending order of their pairs, which know no generations.
bool twin::before(number a, number b) const {
  return kith::core::index_of(handle(a).id()) < kith::core::index_of(handle(b).id());
}

void twin::compare(std::size_t step) {
  find_known_ids(step);

  for (const auto& [n, e] : handles_) {
    if (numbers_.at(e.id()) != n) continue;
    same(e.is_alive(), model.is_alive(n), "is_alive of ", n);
    same(real.is_alive(e), model.is_alive(n), "world.is_alive of ", n);
  }
  std::size_t users = 0;
  for (const auto& [n, entity] : model.entities()) users += !is_builtin(n);
  same(real.entity_count(), users, "entity_count");
  same(real.is_deferred(), model.is_deferred(), "is_deferred");
  if (model.scope() == 0 || model.is_alive(model.scope()))
    same(real.get_scope().id(), handle(model.scope()).id(), "the scope");

  // The built-in entities hardly ever change: a few of them in each step.
  for (const auto& [n, entity] : model.entities())
    if (!is_builtin(n) || (n + step) % 16 == 0) compare_entity(n);
  compare_holders();
}

// The ids that somebody owns, those of the types, and patterns made of them.
void twin::find_known_ids(std::size_t step) {
  std::set<naive_id> ids;
  for (const auto& [n, entity] : model.entities())
    for (const auto& [id, held] : entity.owned) ids.insert(id);
  for (const auto& [n, kind] : model.types()) ids.insert({n});
  std::set<naive_id> patterns{{kith::Wildcard},
                              {kith::Any},
                              {kith::Wildcard, kith::Wildcard},
                              {kith::Any, kith::Wildcard},
                              {kith::ChildOf, kith::Wildcard}};
  std::set<number> relations{kith::ChildOf};
  for (const naive_id& id : ids) {
    if (!id.is_pair()) continue;
    patterns.insert({id.first, kith::Wildcard});
    patterns.insert({id.first, kith::Any});
    patterns.insert({kith::Wildcard, id.second});
    relations.insert(id.first);
  }
  const auto choose = [&](const std::set<naive_id>& from, std::size_t limit) {
    std::vector<question> chosen;
    for (const naive_id& id : from) chosen.push_back({id, kith::id(&real.engine(), raw(id))});
    rotate_and_cut(chosen, step, limit);
    return chosen;
  };
  ids_ = choose(ids, max_ids);
  patterns_ = choose(patterns, max_patterns);
  relations_.assign(relations.begin(), relations.end());
}

void twin::compare_entity(number n) {
  const kith::entity e = handle(n);
  try {
    compare_ids(n, e);
    compare_values(n, e);
    compare_names(n, e);
    compare_patterns(n, e);
    compare_graph(n, e);
  } catch (const kith::error& error) {
    disagree("asking for ", text(n), " raised: ", error.what());
  } catch (const std::logic_error& error) {
    disagree(text(n), ": ", error.what());
  }
}

void twin::compare_ids(number n, kith::entity e) {
  const naive_entity& m = model.at(n);
  std::vector<kith::id_t> expected, found;
  for (const auto& [id, held] : m.owned) expected.push_back(raw(id));
  std::sort(expected.begin(), expected.end());
  for (kith::id id : e.type()) found.push_back(id.raw_id());
  same(found, expected, "the type of ", n);

  for (const auto& [id, real_id] : ids_) {
    auto held = m.owned.find(id);
    const bool owned = held != m.owned.end();
    const bool visible = owned && !held->second.off;
    same(e.owns(real_id), owned, n, " owns ", id);
    same(e.has(real_id), visible, n, " has ", id);
    same(e.enabled(real_id), visible, n, " enabled ", id);
  }
}

void twin::compare_values(number n, kith::entity e) {
  for (const auto& [id, held] : model.at(n).owned) {
    const kith::id real_id(e.engine(), raw(id));
    const std::optional<kind> k = model.kind_of(id);
    const void* read = e.get(real_id);
    const void* write = e.get_mut(real_id);
    same(write != nullptr, k.has_value(), "that there is a value of ", id, " of ", n);
    same(read != nullptr, k.has_value() && !held.off, "that a value is visible of ", id, " of ", n);
    if (!k || id == naive_id{kith::Component}) continue;
    const int payload = payload_of(*k, write);
    if (!model.is_unsettled(n, id)) same(payload, *held.value, "the value of ", id, " of ", n);
    same(!read || read == write, true, "get and get_mut find the same place for ", id, " of ", n);

    // The typed way to the same value.
    if (*k == kind::info || is_runtime(*k) || model.type_of(id) != id.first) continue;
    const void* typed = with_type(*k, [&](auto tag) -> const void* {
      using T = typename decltype(tag)::type;
      if constexpr (std::is_class_v<T>) {
        if (id.is_pair()) return e.get<T>(handle(id.second));
        return e.get<T>();
      } else {
        return nullptr;
      }
    });
    same(typed == read, true, "the typed get finds the same place for ", id, " of ", n);
  }
}

void twin::compare_patterns(number n, kith::entity e) {
  for (const auto& [pattern, real_pattern] : patterns_) {
    same(e.owns(real_pattern), model.owns(n, pattern), n, " owns ", pattern);
    same(e.has(real_pattern), model.has(n, pattern), n, " has ", pattern);
    std::vector<kith::id_t> found;
    e.match(real_pattern, [&](kith::id id) { found.push_back(id.raw_id()); });
    same(found, raw(model.matching(n, pattern)), "match of ", n, " with ", pattern);
  }
}

void twin::compare_graph(number n, kith::entity e) {
  const auto ascending = [this](number a, number b) { return before(a, b); };
  for (number relation : relations_) {
    const std::set<number> targets = model.targets(n, relation);
    std::vector<number> ordered(targets.begin(), targets.end());
    std::sort(ordered.begin(), ordered.end(), ascending);
    std::vector<kith::entity_t> expected, found;
    for (number target : ordered) expected.push_back(handle(target).id());
    const kith::entity r = handle(relation);
    for (kith::entity target : e.targets(r)) found.push_back(target.id());
    same(found, expected, "the list of targets ", relation, " of ", n);
    same(e.targets(r).count(), expected.size(), "the number of targets ", relation, " of ", n);
    for (std::size_t i = 0; i <= expected.size(); ++i)
      same(e.target(r, i).id(), i < expected.size() ? expected[i] : 0, "a single target ", relation,
           " of ", n);
    const auto& [sought, real_id] = ids_[(n + relation) % ids_.size()];
    same(e.target_for(r, real_id).id(),
         handle(model.target_for(n, relation, sought, ascending)).id(), relation, " target_for of ",
         n, " with ", sought);
  }

  const number parent = model.parent(n);
  const bool visible = parent && model.has(n, {kith::ChildOf, parent});
  same(e.parent().id(), visible ? handle(parent).id() : 0, "the parent of ", n);
  std::vector<kith::entity_t> children, expected;
  for (kith::entity child : e.children()) children.push_back(child.id());
  for (number child : model.children(n)) expected.push_back(handle(child).id());
  std::sort(children.begin(), children.end());
  std::sort(expected.begin(), expected.end());
  same(children, expected, "the children of ", n);
}

void twin::compare_names(number n, kith::entity e) {
  const naive_entity& m = model.at(n);
  same(e.name(), std::string_view(m.name), "the name of ", n);
  if (m.named_under && !m.name.empty())
    same(handle(m.named_under).lookup(written({m.name})).id(), e.id(), "the child called ", m.name,
         " of ", m.named_under);

  const naive_world::route way = model.route_to(n);
  std::string expected = written(way.names);
  if (way.from)
    expected =
        concat("#", std::to_string(handle(way.from).id()), way.names.empty() ? "" : "::", expected);
  same(e.path(), expected, "the path of ", n);
  const number found = way.from ? n : model.lookup(way.names);
  same(real.lookup(expected).id(), handle(found).id(), "lookup of ", expected);
  if (!way.from && !is_builtin(n))
    same(real.lookup(concat("::", expected)).id(), e.id(), "lookup of ::", expected);
}

void twin::compare_holders() {
  std::vector<question> all = ids_;
  all.insert(all.end(), patterns_.begin(), patterns_.end());
  for (const auto& [id, real_id] : all) {
    std::vector<kith::entity_t> expected, found;
    for (number n : model.holders(id)) expected.push_back(handle(n).id());
    real.each(real_id, [&](kith::entity e) { found.push_back(e.id()); });
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    same(found, expected, "each with ", id);
    same(real.count(real_id), expected.size(), "count of ", id);
  }
}

}  // namespace kith_model
