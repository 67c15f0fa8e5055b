#include "oracle/comparison.hpp"

#include <algorithm>
#include <functional>

#include "oracle/query_writer.hpp"
#include "oracle/rows_text.hpp"

namespace kith_oracle {

namespace model = kith::core;

namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& l : lines) text += l + "\n";
  return text;
}

// Whether the rows of the library come in ascending order of depth.
bool is_in_order(const snapshot& world, const answer& expected, const answer& got) {
  std::map<std::string, int> rank;
  for (const row& r : expected.rows) rank[to_text(world, expected, r, false)] = r.rank;
  int last = -row::comes_last;
  for (const row& r : got.rows) {
    const auto known = rank.find(to_text(world, got, r, false));
    if (known == rank.end()) continue;
    if (known->second < last) return false;
    last = known->second;
  }
  return true;
}

std::vector<std::string> sorted_rows(const snapshot& world, const answer& a) {
  std::vector<std::string> lines;
  for (const row& r : a.rows) lines.push_back(to_text(world, a, r, true));
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace

std::string difference(const snapshot& world, const answer& expected, const answer& got) {
  if (expected.error.empty() != got.error.empty()) return "only one calls it an error";
  if (!expected.error.empty()) return "";
  if (expected.is_yes_no != got.is_yes_no) return "only one calls it a yes/no question";
  if (expected.columns != got.columns) return "columns";
  if (expected.is_true != got.is_true) return "is_true";
  if (expected.is_yes_no) return "";
  if (sorted_rows(world, expected) != sorted_rows(world, got)) return "rows";
  if (expected.is_ordered && !is_in_order(world, expected, got)) return "order";
  return "";
}

// --- asking --------------------------------------------------------------------------------------

namespace {

template <class Visit>
void each_name(model::expression& e, const Visit& visit) {
  for (model::chain& c : e.chains)
    for (model::term& t : c.alternatives) {
      for (model::ref* r : {&t.first, &t.source, &t.second}) {
        if (r->is == model::ref::kind::entity) visit(r->name);
        if (r->flags)
          for (model::walk& w : r->flags->walks) visit(w.relation);
      }
      each_name(t.scope, visit);
    }
}

std::string spelled(const trial& t, const scripted_world& world) {
  const model::expression e = with_paths(t.query.text, world);
  dice spelling(t.spelling);
  return t.spelling ? written(e, spelling) : written(e);
}

arguments arguments_of(const trial& t, const scripted_world& world) {
  arguments bound;
  for (const auto& [name, value] : t.query.with)
    if (const entity_t given = world.entity(value)) bound[name] = given;
  return bound;
}

}  // namespace

model::expression with_entities(model::expression e, const scripted_world& world) {
  each_name(e, [&](model::entity_name& name) {
    if (const auto found = world.facts().lookup(name.path)) name.entity = *found;
  });
  return e;
}

model::expression with_numbers(model::expression e) {
  each_name(e, [](model::entity_name& name) {
    if (name.entity && !is_builtin(name.entity)) name.path = "#" + std::to_string(name.entity);
  });
  return e;
}

bool names_only_the_living(const model::expression& e, kith::world& world) {
  bool all_alive = true;
  model::expression named = e;
  each_name(named, [&](const model::entity_name& name) {
    all_alive = all_alive && (!name.entity || world.engine().is_alive(name.entity));
  });
  return all_alive;
}

live_trial::live_trial(const trial& t, scripted_world& world)
    : world_(world),
      text_(spelled(t, world)),
      expression_(with_entities(with_paths(t.query.text, world), world)),
      bound_(arguments_of(t, world)),
      query_(world.world(), text_, bound_, t.mode) {}

verdict live_trial::compare() {
  verdict v;
  v.text = text_;
  const snapshot& world = world_.facts();
  const bool knows_arguments = std::ranges::all_of(
      bound_, [&](const auto& given) { return world.owned.contains(given.second); });
  if (!knows_arguments || !names_only_the_living(expression_, world_.world())) return v;

  facts known(world);
  const answer expected = evaluate(known, expression_, bound_);
  const answer got = query_.ask();
  v.problem = difference(world, expected, got);
  v.agrees = v.problem.empty();
  if (v.agrees) return v;
  const auto rows = [&](const answer& a) {
    if (!a.error.empty() || a.is_yes_no) return to_text(world, a);
    if (v.problem != "order") return joined(sorted_rows(world, a));
    std::vector<std::string> lines;
    for (const row& r : a.rows) lines.push_back(to_text(world, a, r, true));
    return joined(lines);
  };
  v.expected = rows(expected);
  v.got = rows(got);
  return v;
}

verdict compare(const trial& t) {
  scripted_world world(t.world, t.open);
  live_trial live(t, world);
  verdict v = live.compare();
  if (v.agrees) v = live.compare();
  if (!v.agrees || t.changes.empty()) return v;
  world.play(t.changes);
  return live.compare();
}

// --- shrinking -----------------------------------------------------------------------------------

namespace {

// Calls `visit` with every expression that is a little smaller than `e`.
void each_smaller(const model::expression& e,
                  const std::function<void(const model::expression&)>& visit);

void each_smaller_ref(const model::term& t, model::ref model::term::*which,
                      const std::function<void(const model::term&)>& visit) {
  const model::ref& r = t.*which;
  if (!r.flags) return;
  model::term smaller = t;
  (smaller.*which).flags.reset();
  visit(smaller);
  for (std::size_t i = 0; i < r.flags->walks.size(); ++i) {
    smaller = t;
    auto& walks = (smaller.*which).flags->walks;
    walks.erase(walks.begin() + static_cast<std::ptrdiff_t>(i));
    if (walks.empty() && !r.flags->self) continue;
    if (walks.empty()) (smaller.*which).flags->all = false;
    if (std::none_of(walks.begin(), walks.end(), [](const model::walk& w) { return w.cascade; }))
      (smaller.*which).flags->descending = false;
    visit(smaller);
  }
  for (bool model::substitution::*flag :
       {&model::substitution::all, &model::substitution::descending, &model::substitution::self}) {
    if (!((*r.flags).*flag)) continue;
    if (flag == &model::substitution::self && r.flags->walks.empty()) continue;
    smaller = t;
    (*(smaller.*which).flags).*flag = false;
    visit(smaller);
  }
  for (std::size_t i = 0; i < r.flags->walks.size(); ++i) {
    const model::walk& w = r.flags->walks[i];
    smaller = t;
    model::walk& changed = (smaller.*which).flags->walks[i];
    if (w.cascade) {
      changed.cascade = false;
      (smaller.*which).flags->descending = false;
      visit(smaller);
    }
    if (w.min != 1 || w.max != model::walk::no_limit) {
      changed = w;
      changed.min = 1;
      changed.max = model::walk::no_limit;
      visit(smaller);
    }
  }
}

void each_smaller(const model::term& t, const std::function<void(const model::term&)>& visit) {
  model::term smaller = t;
  if (t.op != model::term::oper::and_ && t.is != model::term::kind::scope) {
    smaller.op = model::term::oper::and_;
    visit(smaller);
  }
  if (t.rights != model::term::access::normal) {
    smaller = t;
    smaller.rights = model::term::access::normal;
    visit(smaller);
  }
  each_smaller_ref(t, &model::term::first, visit);
  each_smaller_ref(t, &model::term::source, visit);
  each_smaller_ref(t, &model::term::second, visit);
  if (t.is != model::term::kind::scope) return;
  each_smaller(t.scope, [&](const model::expression& inner) {
    smaller = t;
    smaller.scope = inner;
    visit(smaller);
  });
  // Replaces a scope with one term by that term.
  if (t.scope.chains.size() == 1 && t.scope.chains[0].alternatives.size() == 1) {
    smaller = t.scope.chains[0].alternatives[0];
    if (smaller.op == model::term::oper::and_) smaller.op = t.op;
    visit(smaller);
  }
}

void each_smaller(const model::expression& e,
                  const std::function<void(const model::expression&)>& visit) {
  for (std::size_t c = 0; c < e.chains.size(); ++c) {
    if (e.chains.size() > 1) {
      model::expression smaller = e;
      smaller.chains.erase(smaller.chains.begin() + static_cast<std::ptrdiff_t>(c));
      visit(smaller);
    }
    const auto& alternatives = e.chains[c].alternatives;
    for (std::size_t a = 0; a < alternatives.size(); ++a) {
      if (alternatives.size() > 1) {
        model::expression smaller = e;
        auto& list = smaller.chains[c].alternatives;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(a));
        visit(smaller);
      }
      each_smaller(alternatives[a], [&](const model::term& t) {
        model::expression smaller = e;
        smaller.chains[c].alternatives[a] = t;
        visit(smaller);
      });
    }
  }
}

// Tries one step of shrinking the query; true if one was found.
bool shrink_query(trial& t, const std::string& problem) {
  bool found = false;
  const model::expression now = t.query.text;
  each_smaller(now, [&](const model::expression& smaller) {
    if (found) return;
    trial next = t;
    next.query.text = smaller;
    const verdict v = compare(next);
    if (v.agrees || v.problem != problem) return;
    t = std::move(next);
    found = true;
  });
  return found;
}

bool shrink_script(trial& t, script trial::*which, const std::string& problem) {
  bool found = false;
  for (std::size_t i = (t.*which).size(); i-- > 0;) {
    trial next = t;
    (next.*which).erase((next.*which).begin() + static_cast<std::ptrdiff_t>(i));
    const verdict v = compare(next);
    if (v.agrees || v.problem != problem) continue;
    t = std::move(next);
    found = true;
  }
  return found;
}

}  // namespace

trial shrunk(trial t) {
  const std::string problem = compare(t).problem;
  trial plain = t;
  plain.spelling = 0;
  if (compare(plain).problem == problem) t = plain;
  bool smaller = true;
  while (smaller) {
    smaller = false;
    while (shrink_query(t, problem)) smaller = true;
    for (script trial::*which : {&trial::changes, &trial::world})
      if (shrink_script(t, which, problem)) smaller = true;
  }
  return t;
}

std::string report(const trial& t) {
  const verdict v = compare(t);
  std::string text = "world   " + to_text(t.world) + "query   " + v.text + "\n";
  if (!t.query.with.empty()) {
    text += "with   ";
    for (const auto& [name, value] : t.query.with) text += " " + name + "=" + value;
    text += "\n";
  }
  if (!t.changes.empty()) text += "then    " + to_text(t.changes);
  return text + "differ in " + v.problem + (t.mode == run_mode::uncached ? "" : " (cached)") +
         "\noracle\n" + v.expected + "engine\n" + v.got;
}

}  // namespace kith_oracle
