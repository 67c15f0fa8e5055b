// A query with an observer, and what the observer was told since the last check.
//
// After a change the rows before and after it are compared. The difference must be what was told,
// each row once: no more and no less. Rows come from the library, or from the naive evaluation.
#pragma once

#include <compare>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "oracle/comparison.hpp"
#include "oracle/stamps.hpp"

namespace kith_oracle {

enum class listening { to_all, to_what_comes, to_what_goes, as_monitor };
enum class evaluator { library, cached_library, naive };

// The points of a change at which a function of the user is called, in their order.
enum class told_at { on_remove, hook_remove, hook_replace, hook_add, hook_set, on_add, on_set };

struct called {
  told_at at;
  int priority = 0;
  int age = 0;
  friend auto operator<=>(const called&, const called&) = default;
};

// All calls since the last check, of all observers and hooks.
struct call_log {
  std::vector<called> calls;
  bool may_throw = false;  // not while observers are made
};

struct observer_plan {
  kith::core::expression query;
  listening to = listening::to_all;
  int priority = 0;
  int age = 0;
  evaluator by = evaluator::library;
  bool throws = false;  // now and then
};

// What one change did to values. A value may be written and then replaced in it, so two sets say
// which values must, and which may have been written.
struct written_values {
  const known_values& before;
  const known_values& after;
  std::set<value_place> must, may;
};

class observed_query {
 public:
  observed_query(scripted_world& world, const observer_plan& plan, call_log& log);
  observed_query(const observed_query&) = delete;

  const std::string& text() const { return text_; }
  const std::string& problem() const { return problem_; }

  // Called after one change, or after several: then only their sum is compared.
  void check_one(const written_values& values);
  void check_many();

  // --- the observer as an entity ---
  // Switches it off or on.
  void toggle();
  // Deletes it and makes another one, which is told of all rows that are there.
  void renew(int age);
  // What was told counts for nothing.
  void forget();

 private:
  struct shown_field {
    kith::id_t id = 0;
    kith::entity_t source = 0;
    friend auto operator<=>(const shown_field&, const shown_field&) = default;
  };
  struct shown_row {
    std::vector<kith::id_t> columns;
    std::vector<shown_field> fields;
    friend auto operator<=>(const shown_row&, const shown_row&) = default;
  };
  using rows = std::vector<shown_row>;
  // By what makes a row this one.
  using evaluation = std::map<std::vector<kith::id_t>, shown_row>;
  struct told_value {
    value_place place;
    std::int64_t stamp;
  };
  struct told {
    told_at event;
    rows shown;
    std::vector<told_value> values;
    std::optional<evaluation> at_this_time;
  };

  void listen(bool yields);
  void hear(kith::iter& it);
  shown_row read(kith::iter& it, std::size_t row) const;
  std::string text_of(const shown_row& r) const;
  evaluation evaluate() const;
  evaluation evaluate_naively() const;
  bool hears(told_at event) const;
  rows told_of(told_at event) const;
  bool shows_written(const shown_row& now, const shown_row* before,
                     const std::set<value_place>& written) const;
  void compare(told_at event, rows expected, const char* what);
  void compare_monitored(const evaluation& after);
  void compare_set(const evaluation& after, const written_values& values);
  void compare_values(const written_values& values);
  void compare_looks(const evaluation& after);
  bool is_silent();
  void note(std::string what);

  scripted_world& world_;
  observer_plan plan_;
  std::string text_;
  call_log& log_;
  kith::query<> asked_;
  std::size_t slots_ = 0;
  std::vector<std::string> columns_;
  std::vector<bool> shows_value_;  // by field
  evaluation before_;
  std::vector<told> told_;
  std::size_t heard_ = 0;
  bool is_off_ = false;
  // An entity that the query names has ended: nothing is compared any more.
  bool is_over_ = false;
  std::string problem_;
  kith::entity observer_;
};

}  // namespace kith_oracle
