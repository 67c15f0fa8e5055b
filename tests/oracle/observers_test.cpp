// Observers of random queries live in a world that changes step by step. After each change the rows
// that they were told of are compared with the difference of two evaluations, OnSet with what was
// written, and the calls of hooks with what became of values.
//
//   KITH_ORACLE_STEPS=1000000   how many steps all tests together play (192,000, of which 100,000
//                               change something, or 4,000 under a sanitizer)
//   KITH_ORACLE_SEED=7          another seed
#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "oracle/closed_shortcuts.hpp"
#include "oracle/observed_query.hpp"
#include "oracle/query_writer.hpp"
#include "oracle/wanted.hpp"
#include "world/engine_state.hpp"

namespace kith_oracle {

namespace {

constexpr std::size_t steps_per_world = 100;
constexpr std::size_t queries_per_world = 24;
constexpr std::size_t naive_queries = 8;
// Each step evaluates all queries, so most of them cost little: rows, and units of work.
constexpr std::size_t most_rows = 40;
constexpr std::uint64_t most_work = 200;
constexpr std::size_t steps_together = 4;

struct Checked {};  // the event that follows each command of a queue

// How steps are played.
enum class playing {
  one_by_one,
  deferred,       // each is checked when its turn comes
  as_one_change,  // several in world.change
  as_text,        // several in world.define
  with_reactions  // one by one, and an observer asks for other steps, which wait
};

struct setting {
  playing how = playing::one_by_one;
  std::vector<observer_plan> plans;
  bool hooks = false;
  kith::core::shortcuts open = {};
  std::string to_text() const {
    constexpr const char* names[] = {"one by one", "deferred", "as one change", "as text",
                                     "with reactions"};
    return std::string(names[static_cast<int>(how)]) + (hooks ? ", with hooks" : "");
  }
};

// Switches the n-th observer off or on, or makes it anew.
constexpr const char* toggle_step = "toggle observer";
constexpr const char* renew_step = "renew observer";
bool is_about_observers(const step& s) { return s.first == toggle_step || s.first == renew_step; }

bool makes_entities(const step& s) {
  return s.is == step::kind::clone || s.is == step::kind::with || s.is == step::kind::bulk ||
         s.is == step::kind::make || s.is == step::kind::component;
}

class observed_world {
 public:
  observed_world(const script& made, const setting& how) : how_(how), world_(made, how.open) {
    marker_ = world_.world().entity("marker");
    marker_.observe<Checked>([this] { check_marked(); });
    if (how.hooks) set_hooks();
    for (const observer_plan& plan : how.plans)
      queries_.push_back(std::make_unique<observed_query>(world_, plan, log_));
    before_ = values_of(world_.world());
    for (const auto& q : queries_) q->forget();
    log_.calls.clear();
    hook_calls_.clear();
  }

  std::size_t changes() const { return changes_; }
  const std::string& problem() const { return problem_; }
  // The number of the observer with the problem; -1: it is of none.
  std::ptrdiff_t wrong() const { return wrong_; }

  // Returns the number of the first step after which something is wrong, or npos.
  std::size_t play(const script& steps) {
    reactions_ = &steps;
    log_.may_throw = false;
    if (how_.how == playing::with_reactions) {
      react();
      for (const auto& q : queries_) q->forget();
      log_.calls.clear();
    }
    log_.may_throw = true;
    for (std::size_t at = 0; at < steps.size();) {
      const std::size_t count =
          how_.how == playing::one_by_one || how_.how == playing::with_reactions
              ? 1
              : std::min(steps.size() - at, steps_together);
      const script some(steps.begin() + static_cast<std::ptrdiff_t>(at),
                        steps.begin() + static_cast<std::ptrdiff_t>(at + count));
      at_ = at;
      play_together(some);
      world_.world().deferred_errors();
      if (!problem_.empty()) return at;
      at += count;
    }
    return script::size_type(-1);
  }

 private:
  // The value that a step says was written.
  using modified_place = std::optional<value_place>;

  void play_together(const script& some) {
    for (const step& s : some) {
      if (is_about_observers(s)) return change_observer(s);
      make_names(s);
    }
    switch (how_.how) {
      case playing::one_by_one:
      case playing::with_reactions:
        return play_alone(some[0]);
      case playing::deferred:
        return play_deferred(some);
      case playing::as_one_change:
        return play_as_one_change(some);
      case playing::as_text:
        return play_as_text(some);
    }
  }

  void change_observer(const step& s) {
    observed_query& q = *queries_[std::stoul(s.subject) % queries_.size()];
    s.first == toggle_step ? q.toggle() : q.renew(++last_age_);
    check(false);
  }

  // Making an entity is a change of its own.
  void make_names(const step& s) {
    const bool subject_is_new = s.is == step::kind::with || s.is == step::kind::bulk ||
                                s.is == step::kind::component || s.is == step::kind::destroy;
    for (const std::string* name : {&s.subject, &s.first, &s.second}) {
      if (name->empty() || (name == &s.subject && subject_is_new) ||
          (name == &s.first && s.is == step::kind::clone) || world_.builder().find(*name))
        continue;
      world_.builder().play({step::kind::make, *name, "", ""});
      check(true);
    }
  }

  modified_place modified_by(const step& s) {
    if (s.is != step::kind::write) return {};
    const kith::entity e = world_.builder().find(s.subject);
    if (!e) return {};
    // What the entity does not own cannot be written, unless a change that waits gives it a value.
    const kith::id_t id = world_.builder().id_of(s);
    kith::core::engine& engine = world_.world().engine();
    if (!engine.owns(e.id(), id) && !engine.state().will_have_value(e.id(), id)) return {};
    return value_place{e.id(), id};
  }

  void play_alone(const step& s) {
    constexpr std::size_t reactions_of_one = 3;
    left_ = how_.how == playing::with_reactions ? reactions_of_one : 0;
    modified_ = modified_by(s);
    world_.builder().play(s);
    left_ = 0;
    marked_.clear();
    check(s.is != step::kind::component, std::exchange(modified_, {}));
  }

  void play_deferred(const script& some) {
    // Entities begin at once, and the rest of such a step waits.
    const bool is_exact = std::ranges::none_of(some, makes_entities);
    try {
      world_.world().defer([&] {
        for (const step& s : some) {
          if (is_exact) marked_.push_back(modified_by(s));
          world_.builder().play(s);
          if (is_exact) marker_.enqueue<Checked>();
        }
      });
    } catch (const kith::error&) {
      // Some of the steps were refused.
    }
    marked_.clear();
    check(is_exact);
  }

  void play_as_one_change(const script& some) {
    std::set<value_place> may;
    try {
      world_.world().change([&] {
        known_values last = before_;
        for (const step& s : some) {
          const modified_place modified = modified_by(s);
          world_.builder().play(s);
          known_values now = values_of(world_.world());
          may.merge(given_between(last, now));
          if (modified && last.contains(*modified)) may.insert(*modified);
          last = std::move(now);
        }
      });
    } catch (const kith::error&) {
    }
    check(true, {}, std::move(may));
  }

  // Steps that a text can say are played as one text, the others alone.
  void play_as_text(const script& some) {
    std::string text;
    std::set<value_place> may;
    for (const step& s : some)
      if (!is_statement(s)) {
        make_names(s);
        play_alone(s);
      }
    for (const step& s : some)
      if (is_statement(s)) make_names(s);
    for (const step& s : some) {
      const std::string statement = statement_of(s);
      if (statement.empty()) continue;
      text += statement + "\n";
      if (s.is == step::kind::set)
        may.insert({world_.builder().find(s.subject).id(), world_.builder().id_of(s)});
    }
    try {
      static_cast<void>(world_.world().try_define(text));
    } catch (const kith::error&) {
      // An observer threw.
    }
    check(true, {}, std::move(may));
  }

  static bool is_statement(const step& s) {
    return s.is == step::kind::add || s.is == step::kind::remove || s.is == step::kind::set;
  }

  std::string statement_of(const step& s) {
    if (!is_statement(s)) return "";
    const auto number = [&](const std::string& name) {
      const kith::entity e = world_.builder().find(name);
      return e ? "#" + std::to_string(e.id()) : "nothing";
    };
    std::string text = s.is == step::kind::remove ? "!" : "";
    text += number(s.first) + "(" + number(s.subject);
    if (!s.second.empty()) text += ", " + number(s.second);
    text += ")";
    if (s.is == step::kind::set) {
      if (!world_.world().engine().type_of(world_.builder().id_of(s))) return "";
      text += " {" + std::to_string(++last_number_) + "}";
    }
    return text;
  }

  // --- reactions to reactions ---

  // Each outer change leads to a few others, which an observer asks for.
  void react() {
    constexpr int last = 1000;
    auto made = world_.world().observer<>().expr(written(how_.plans[0].query)).priority(last);
    for (const kith::entity_t event : {kith::OnAdd, kith::OnSet, kith::OnRemove}) made.event(event);
    made.run([this](kith::iter& it) {
      while (it.next()) {
      }
      if (left_ > 0) ask_for((*reactions_)[(7 * at_ + 13 * left_--) % reactions_->size()]);
    });
  }

  void ask_for(const step& s) {
    const auto is_there = [&](const std::string& name) {
      return name.empty() || world_.builder().find(name);
    };
    if (makes_entities(s) || is_about_observers(s) || !is_there(s.subject) || !is_there(s.first) ||
        !is_there(s.second))
      return;
    // What was told so far belongs to the change before.
    marked_.push_back({});
    marker_.enqueue<Checked>();
    marked_.push_back(modified_by(s));
    world_.builder().play(s);
    marker_.enqueue<Checked>();
  }

  void check_marked() {
    modified_place modified = std::exchange(modified_, {});
    if (!marked_.empty()) {
      if (marked_.front()) modified = marked_.front();
      marked_.erase(marked_.begin());
    }
    check(true, modified);
  }

  // --- checks ---

  static std::set<value_place> given_between(const known_values& before,
                                             const known_values& after) {
    std::set<value_place> given;
    for (const auto& [place, value] : after) {
      const auto old = before.find(place);
      if (value.is_given && (old == before.end() || !old->second.is_same(value)))
        given.insert(place);
    }
    return given;
  }

  void check(bool is_one, const modified_place& modified = {}, std::set<value_place> may = {}) {
    const std::uint64_t version = world_.world().engine().state().store().version();
    if (version != std::exchange(version_, version) || modified) ++changes_;
    known_values after = values_of(world_.world());
    written_values values{before_, after, given_between(before_, after), std::move(may)};
    if (modified && before_.contains(*modified) && after.contains(*modified))
      values.must.insert(*modified);
    values.may.insert(values.must.begin(), values.must.end());
    for (const auto& q : queries_) {
      is_one ? q->check_one(values) : q->check_many();
      if (q->problem().empty() || !problem_.empty()) continue;
      problem_ = q->text() + "\nis told wrongly: " + q->problem();
      wrong_ = &q - queries_.data();
    }
    if (is_one && problem_.empty() && !std::ranges::is_sorted(log_.calls)) {
      problem_ = "functions are called in another order:";
      for (const called& c : log_.calls)
        problem_ += " " + std::to_string(static_cast<int>(c.at)) + "/" +
                    std::to_string(c.priority) + "/" + std::to_string(c.age);
    }
    if (is_one && how_.hooks && problem_.empty()) check_hooks(values);
    log_.calls.clear();
    hook_calls_.clear();
    before_ = std::move(after);
  }

  // --- hooks ---

  using hook_call = std::tuple<kith::core::hook_kind, kith::entity_t, kith::id_t>;

  void set_hooks() {
    kith::core::engine& engine = world_.world().engine();
    for (const char* name : {"Pos", "Num", "Clock", "Len"}) {
      const kith::entity component = world_.builder().find(name);
      if (!component || !engine.type_of(component.id())) continue;
      using kind = kith::core::hook_kind;
      const std::pair<kind, told_at> kinds[] = {{kind::remove, told_at::hook_remove},
                                                {kind::replace, told_at::hook_replace},
                                                {kind::add, told_at::hook_add},
                                                {kind::set, told_at::hook_set}};
      for (const auto& [k, at] : kinds)
        engine.set_hook(component.id(), k, [this, k = k, at = at](const kith::core::hook_call& c) {
          if (!c.value) return true;  // of a tag
          log_.calls.push_back({at, 0, 0});
          hook_calls_.emplace_back(k, c.entity, c.id);
          return true;
        });
    }
  }

  void check_hooks(const written_values& values) {
    using kind = kith::core::hook_kind;
    std::vector<hook_call> must, may;
    for (const auto& [place, value] : values.before)
      if (!values.after.contains(place)) must.emplace_back(kind::remove, place.first, place.second);
    for (const auto& [place, value] : values.after)
      if (!values.before.contains(place)) must.emplace_back(kind::add, place.first, place.second);
    for (const value_place& p : values.must) {
      must.emplace_back(kind::set, p.first, p.second);
      const auto old = values.before.find(p);
      if (old != values.before.end() && !old->second.is_same(values.after.at(p)))
        must.emplace_back(kind::replace, p.first, p.second);
    }
    may = must;
    for (const value_place& p : values.may) {
      if (values.must.contains(p)) continue;
      may.emplace_back(kind::set, p.first, p.second);
      may.emplace_back(kind::replace, p.first, p.second);
    }
    std::ranges::sort(must);
    std::ranges::sort(may);
    std::ranges::sort(hook_calls_);
    if (!std::ranges::includes(hook_calls_, must)) problem_ = "a hook was not called";
    if (!std::ranges::includes(may, hook_calls_)) problem_ = "a hook was called without a reason";
  }

  setting how_;
  const script* reactions_ = nullptr;
  // Observers and hooks hear of the end of the world, too.
  call_log log_;
  std::vector<hook_call> hook_calls_;
  std::vector<std::unique_ptr<observed_query>> queries_;
  std::vector<modified_place> marked_;  // by the markers that wait
  modified_place modified_;             // by the step that is played
  known_values before_;
  std::string problem_;
  std::ptrdiff_t wrong_ = -1;
  std::uint64_t version_ = 0;
  int last_age_ = static_cast<int>(queries_per_world);
  std::size_t at_ = 0;
  std::size_t left_ = 0;
  std::size_t changes_ = 0;
  std::int32_t last_number_ = 0;
  kith::entity marker_;
  scripted_world world_;
};

// A setting, a world and its steps, all made from a seed.
struct trial_of_observers {
  setting how;
  script made, steps;
};

bool costs_much(scripted_world& world, const kith::query<>& q) {
  const kith::core::effort& effort = world.world().engine().state().stages.main.meaning.effort();
  const std::uint64_t before = effort.done();
  return q.count() > most_rows || effort.done() - before > most_work;
}

trial_of_observers random_trial(std::uint64_t seed, const kith::core::shortcuts& open) {
  trial_of_observers t;
  dice random(seed);
  const std::size_t how = random.below(100);
  t.how.how = how < 40   ? playing::one_by_one
              : how < 60 ? playing::deferred
              : how < 75 ? playing::as_one_change
              : how < 85 ? playing::as_text
                         : playing::with_reactions;
  t.how.hooks = random.chance(30);
  t.how.open = open;
  t.made = random_script(random);
  const std::size_t by = random.below(100);
  const evaluator evaluates = by < 12   ? evaluator::naive
                              : by < 56 ? evaluator::cached_library
                                        : evaluator::library;
  const bool throws = random.chance(10);
  scripted_world world(t.made);
  std::vector<kith::query<>> asked;
  const bool is_naive = evaluates == evaluator::naive;
  const std::size_t queries = is_naive ? naive_queries : queries_per_world;
  for (std::size_t q = 0; q < queries; ++q) {
    const random_query made_up = random_query_about(world, random);
    observer_plan plan{with_paths(made_up.text, world)};
    const std::size_t to = random.below(8);
    plan.to = to < 4   ? listening::to_all
              : to < 6 ? listening::to_what_comes
              : to < 7 ? listening::to_what_goes
                       : listening::as_monitor;
    plan.priority = static_cast<int>(random.below(3)) - 1;
    plan.age = static_cast<int>(q);
    plan.by = evaluates;
    plan.throws = throws && random.chance(30);
    if (!made_up.with.empty()) continue;
    asked.push_back(world.world().filter(written(plan.query)));
    // The naive evaluation tries all values of all variables.
    const bool is_small = !costs_much(world, asked.back()) || random.chance(2);
    if (!is_small || (is_naive && asked.back().vars().size() > 1)) {
      asked.pop_back();
      continue;
    }
    t.how.plans.push_back(std::move(plan));
  }
  const std::size_t steps = is_naive ? steps_per_world / 2 : steps_per_world;
  while (t.steps.size() < steps) {
    const script more = random_changes_of_all_kinds(world, random);
    world.play(more);
    t.steps.insert(t.steps.end(), more.begin(), more.end());
    if (random.chance(8))
      t.steps.push_back({step::kind::make, std::to_string(random.below(queries_per_world)),
                         random.chance(50) ? toggle_step : renew_step, ""});
  }
  for (std::size_t q = t.how.plans.size(); q-- > 0;)
    if (costs_much(world, asked[q]) && !random.chance(2))
      t.how.plans.erase(t.how.plans.begin() + static_cast<std::ptrdiff_t>(q));
  return t;
}

struct outcome {
  std::size_t at = script::size_type(-1);
  std::size_t changes = 0;
  std::ptrdiff_t wrong = -1;
  std::string problem;
  bool is_wrong() const { return at != script::size_type(-1); }
};

outcome played(const trial_of_observers& t) {
  observed_world world(t.made, t.how);
  outcome result;
  result.at = world.play(t.steps);
  result.changes = world.changes();
  result.wrong = world.wrong();
  result.problem = world.problem();
  return result;
}

bool still_wrong(const trial_of_observers& t) {
  try {
    return played(t).is_wrong();
  } catch (const kith::error&) {
    return false;
  }
}

void shrink(trial_of_observers& t, std::ptrdiff_t wrong) {
  if (wrong >= 0) {
    trial_of_observers alone = t;
    alone.how.plans = {t.how.plans[static_cast<std::size_t>(wrong)]};
    if (still_wrong(alone)) t = alone;
  }
  for (std::size_t i = t.how.plans.size(); i-- > 0 && t.how.plans.size() > 1;) {
    trial_of_observers less = t;
    less.how.plans.erase(less.how.plans.begin() + static_cast<std::ptrdiff_t>(i));
    if (still_wrong(less)) t = less;
  }
  for (script trial_of_observers::*list :
       {&trial_of_observers::steps, &trial_of_observers::made, &trial_of_observers::steps})
    for (std::size_t i = (t.*list).size(); i-- > 0;) {
      trial_of_observers less = t;
      (less.*list).erase((less.*list).begin() + static_cast<std::ptrdiff_t>(i));
      if (still_wrong(less)) t = less;
    }
}

std::string queries_text(const setting& how) {
  std::string text;
  for (const observer_plan& plan : how.plans)
    text += std::to_string(plan.priority) + "/" + std::to_string(plan.age) + " " +
            (plan.by == evaluator::cached_library ? "(cached) " : "") + written(plan.query) + "\n";
  return text;
}

#ifdef KITH_SANITIZED
constexpr std::size_t default_steps = 4'000;
#else
constexpr std::size_t default_steps = 192'000;
#endif
constexpr int parts = 6;  // which run side by side

class observers : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(parts, observers, ::testing::Range(0, parts));

TEST_P(observers, are_told_the_difference_of_two_evaluations) {
  const std::size_t steps = wanted("KITH_ORACLE_STEPS", default_steps) / parts;
  const std::uint64_t first = wanted("KITH_ORACLE_SEED", 55'000) + 1'000'000u * GetParam();
  std::size_t changes = 0;
  for (std::uint64_t i = 0; i < steps / steps_per_world; ++i) {
    const closed_shortcuts without(first + i);
    trial_of_observers t = random_trial(first + i, without.open());
    if (t.how.plans.empty()) continue;
    const outcome result = played(t);
    changes += result.changes;
    if (!result.is_wrong()) continue;
    t.steps.resize(std::min(t.steps.size(), result.at + steps_together));
    shrink(t, result.wrong);
    const outcome last = played(t);
    FAIL() << "seed " << first + i << ", " << without.text() << ", " << t.how.to_text() << "\n"
           << to_text(t.made) << "\n-- then --\n"
           << to_text(t.steps) << "\n"
           << (last.problem.empty() ? result.problem : last.problem) << "\nqueries\n"
           << queries_text(t.how);
  }
  RecordProperty("changes", static_cast<int>(changes));
  std::cout << changes << " changes\n";
}

}  // namespace

}  // namespace kith_oracle
