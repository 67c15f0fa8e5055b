// Compares everything that the public API shows of a world with its model.
#include <algorithm>

#include "model/twin.hpp"
#include "model/zoo.hpp"

namespace kith_model {

namespace {

// If there are more ids than this, each step asks for a part of them.
constexpr std::size_t max_ids = 40;
constexpr std::size_t max_patterns = 16;
constexpr std::size_t reach_questions = 3;

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

// Keeps `limit` elements of the list; each step keeps others.
template <class T>
void rotate_and_cut(std::vector<T>& list, std::size_t step, std::size_t limit) {
  if (list.size() <= limit) return;
  const std::size_t first = step * limit % list.size();
  std::rotate(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(first), list.end());
  list.resize(limit);
}

}  // namespace

// `what` describes the question, in parts: texts, entities and ids. They are printed only after a
// mismatch.
template <class A, class B, class... What>
void twin::same(const A& found, const B& expected, const What&... what) const {
  if (found == expected) return;
  const auto part = [&](const auto& p) {
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

std::vector<kith::entity_t> twin::handles(const std::vector<number>& list) const {
  std::vector<kith::entity_t> found;
  for (number n : list) found.push_back(handle(n).id());
  return found;
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

  // Compares owned ids in every step and visible ids in some. Built-in entities rarely change.
  for (const auto& [n, entity] : model.entities()) {
    const bool is_due = (n + step) % (is_builtin(n) ? 32 : 4) == 0;
    if (is_due || !is_builtin(n)) compare_entity(n, is_due);
  }
  compare_holders();
  compare_reach(step);
}

// Collects the ids that entities own, the ids of types, and patterns made from them.
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
  std::set<number> relations{kith::ChildOf, kith::IsA};
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

void twin::compare_entity(number n, bool all) {
  const kith::entity e = handle(n);
  try {
    compare_type(n, e);
    compare_values(n, e);
    compare_names(n, e);
    if (!all) return;
    compare_ids(n, e);
    compare_patterns(n, e);
    compare_graph(n, e);
  } catch (const kith::error& error) {
    disagree("asking for ", text(n), " raised: ", error.what());
  } catch (const std::logic_error& error) {
    disagree(text(n), ": ", error.what());
  }
}

void twin::compare_type(number n, kith::entity e) {
  std::vector<kith::id_t> expected, found;
  for (const auto& [id, held] : model.at(n).owned) expected.push_back(raw(id));
  std::sort(expected.begin(), expected.end());
  for (kith::id id : e.type()) found.push_back(id.raw_id());
  same(found, expected, "the type of ", n);
}

void twin::compare_ids(number n, kith::entity e) {
  for (const auto& [id, real_id] : ids_) {
    same(e.owns(real_id), model.owns(n, id), n, " owns ", id);
    same(e.enabled(real_id), model.is_on(n, id), n, " enabled ", id);
    const number owner = model.owner(n, id);
    same(e.has(real_id), owner != 0, n, " has ", id);
    if (model.owns(n, id) || id == naive_id{kith::Component}) continue;
    // An inherited value is the value of the base, at the same address.
    const void* inherited = owner ? handle(owner).get_mut(real_id) : nullptr;
    same(e.get(real_id) == inherited, true, "that ", n, " inherits the value of ", id);
    same(e.get_mut(real_id) == nullptr, true, "that ", n, " cannot write to ", id);
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

    // The typed function returns the same value.
    if (*k == kind::info || is_runtime(*k) || model.type_of(id) != id.first) continue;
    const void* typed = with_type(*k, [&, id = id](auto tag) -> const void* {
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
  for (number relation : relations_) {
    const std::vector<kith::entity_t> expected = handles(model.targets(n, relation));
    std::vector<kith::entity_t> found;
    const kith::entity r = handle(relation);
    for (kith::entity target : e.targets(r)) found.push_back(target.id());
    same(found, expected, "the list of targets ", relation, " of ", n);
    same(e.targets(r).count(), expected.size(), "the number of targets ", relation, " of ", n);
    for (std::size_t i = 0; i <= expected.size(); ++i)
      same(e.target(r, i).id(), i < expected.size() ? expected[i] : 0, "a single target ", relation,
           " of ", n);
  }
  const number parent = model.parent(n);
  const bool visible = parent && model.has(n, {kith::ChildOf, parent});
  same(e.parent().id(), visible ? handle(parent).id() : 0, "the parent of ", n);
  compare_children(n, e);
}

void twin::compare_children(number n, kith::entity e) {
  std::vector<kith::entity_t> children, expected;
  for (kith::entity child : e.children()) children.push_back(child.id());
  for (number child : model.children(n))
    if (model.is_on(child, {kith::ChildOf, n})) expected.push_back(handle(child).id());
  if (!model.owns(n, {kith::OrderedChildren})) {
    std::sort(children.begin(), children.end());
    std::sort(expected.begin(), expected.end());
  }
  same(children, expected, "the children of ", n);
}

void twin::compare_reach(std::size_t step) {
  std::vector<number> all, sources;
  for (const auto& [n, entity] : model.entities())
    if (!is_builtin(n)) all.push_back(n);
  if (all.empty()) return;
  const auto nth = [](const auto& list, std::size_t n) { return list[n % list.size()]; };
  for (std::size_t i = 0; i < reach_questions; ++i) {
    const number from = nth(all, step + 5 * i), relation = nth(relations_, step / 3 + i);
    const number to = nth(all, step / 2 + 7 * i);
    const kith::entity e = handle(from), r = handle(relation), t = handle(to);
    const auto listed = [](const std::vector<kith::entity>& list) {
      std::vector<kith::entity_t> ids;
      for (kith::entity each : list) ids.push_back(each.id());
      return ids;
    };
    const std::vector<number> reached = model.reached(from, relation);
    const bool reaches = std::find(reached.begin(), reached.end(), to) != reached.end();
    same(listed(e.reached(r)), handles(reached), "what ", from, " reaches by ", relation);
    same(e.reaches(r, t), reaches, "that ", from, " reaches ", to, " by ", relation);
    same(listed(t.reached_by(r)), handles(model.reached_by(to, relation)), "what reaches ", to,
         " by ", relation);
    same(e.related(r, t), model.related(from, relation, to), "that ", from, " is related to ", to,
         " by ", relation);
    const auto& [id, real_id] = nth(ids_, step + i);
    same(e.target_for(r, real_id).id(), handle(model.target_for(from, relation, id)).id(), relation,
         " target_for of ", from, " with ", id);
    same(e.related(r), model.related(from, relation), "that ", from, " is related to ", relation);
    const number predicate = nth(all, step / 5 + i);
    same(e.related(handle(predicate)), model.related(from, predicate), "that ", from,
         " is related to ", predicate);
  }
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
