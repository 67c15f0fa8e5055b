// Queries without C++ types: what the typed skin calls.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kith/detail/deferral.hpp>
#include <kith/detail/event_info.hpp>
#include <kith/detail/query_desc.hpp>
#include <kith/detail/run_statistics.hpp>

namespace kith::core {

// A query that is kept up to date with its world. Shared by all handles to it.
class live_query;
using query_ptr = std::shared_ptr<live_query>;

result<query_ptr> try_make_query(engine& world, const query_desc& desc);
query_ptr make_query(engine& world, const query_desc& desc);
// The short way for a list of ids.
struct listed_term {
  id_t id;
  oper_kind oper;
  inout_kind inout;
};
query_ptr make_query(engine& world, std::span<const listed_term> terms, cache_kind cache);
engine& world_of(const live_query& q);
std::string query_text(const live_query& q);
std::size_t field_count(const live_query& q);
// Terms are the alternatives of the chains, from 0.
std::size_t term_count(const live_query& q);
std::size_t field_of_term(const live_query& q, std::size_t n);
// A term as it was written. 0 stands for what is no entity: a variable, or nothing.
struct term_info {
  id_t id = 0;  // 0 if a place is a variable
  entity_t first = 0, src = 0, second = 0;
  oper_kind oper = And;
  inout_kind inout = InOutDefault;
};
term_info describe_term(const live_query& q, std::size_t n);
// The number of a variable, or -1.
int find_variable(const live_query& q, std::string_view name);
// The numbers of the parameters, in order of first appearance, and the world; an error if there are
// more or fewer.
engine& list_parameters(const live_query& q, std::span<int> variables);
// Is $this part of the results?
bool has_this(live_query& q);

// A value that the caller gives to a variable.
struct query_binding {
  int number;
  entity_t value;
};
// Not a variable: the one group that is asked for.
inline constexpr int group_binding = -2;

// The values that the caller gives to variables. Up to four need no allocation.
class query_bindings {
 public:
  void set(int number, entity_t value) {
    query_binding* const first = more_.empty() ? few_.data() : more_.data();
    query_binding* const known = std::find_if(
        first, first + count_, [&](const query_binding& b) { return b.number == number; });
    if (known != first + count_) {
      known->value = value;
      return;
    }
    if (more_.empty() && count_ == few_.size()) more_.assign(few_.begin(), few_.end());
    if (more_.empty())
      few_[count_] = {number, value};
    else
      more_.push_back({number, value});
    ++count_;
  }

  const query_binding* begin() const { return more_.empty() ? few_.data() : more_.data(); }
  const query_binding* end() const { return begin() + count_; }
  std::size_t size() const { return count_; }

 private:
  std::array<query_binding, 4> few_{};
  std::size_t count_ = 0;
  std::vector<query_binding> more_;  // all of them, if there are more than few_ has room for
};

// Has something changed since the last iteration: results, or values that they show?
bool has_changed(live_query& q);

// What it has done while the world measured.
run_statistics query_statistics(const live_query& q);

// The plan for an iteration with these values.
std::string query_plan(live_query& q, const query_bindings& bindings);
std::string query_storage(live_query& q);
// The parameters, in order of first appearance.
std::vector<std::string> parameter_names(const live_query& q);
// The variables that results have values for, but $this, in order of first appearance.
std::vector<std::string> variable_names(const live_query& q, const query_bindings& bindings);
// Neither $this nor a variable: the answer is yes or no.
bool is_question(live_query& q, const query_bindings& bindings);

// What an iteration is for.
enum class query_use : std::uint8_t {
  batches,  // every batch, with its ids, sources and variables
  values,   // the entities and values of all results; batches may be larger than they seem
  some,     // it may end early
};

// Where the values of a field are in a batch.
struct field_view {
  std::byte* data = nullptr;    // of the first row; null: there is none
  std::size_t stride = 0;       // from row to row; 0: all rows share one
  void* const* rows = nullptr;  // if not null: where the value of each row is
  bool gaps = false;            // some row has none

  void* at(std::size_t row) const {
    return rows ? rows[row] : data ? data + row * stride : nullptr;
  }
  // The view of the rows from `row` on.
  field_view from(std::size_t row) const {
    return {data && !rows ? data + row * stride : data, stride, rows ? rows + row : nullptr, gaps};
  }
  // How many rows from `row` on have their values side by side, up to `count` rows in all.
  std::size_t side_by_side(std::size_t row, std::size_t count, std::size_t size) const {
    if (!rows) return !data || stride == size ? count - row : 1;
    std::size_t n = 1;
    while (row + n < count && rows[row + n] == static_cast<std::byte*>(rows[row + n - 1]) + size)
      ++n;
    return n;
  }
};

// What a system is told about the run of its callback.
struct run_info {
  entity_t system = 0;
  double delta_time = 0;         // of the frame, scaled
  double delta_system_time = 0;  // since the system ran last
  void* ctx = nullptr;
  void* param = nullptr;
  std::uint64_t rows = 0;  // that the callback was given
  // Of an iteration whose rows are looked up again: the values of the slots of each.
  struct found_rows {
    std::vector<std::vector<id_t>> values;
    std::size_t at = 0;
  };
  std::unique_ptr<found_rows> found;
};

// The scaled time of the current frame.
double delta_of_frame(const engine& world);

class result_cursor;
class recorded_rows;
struct query_piece;

// One iteration. While it lives, changes of the world wait.
class query_run {
 public:
  query_run(const query_ptr& q, const query_bindings& bindings, query_use use = query_use::batches)
      : query_run(q, bindings, use, nullptr) {}
  // Goes through rows that were found earlier, for an observer.
  query_run(const query_ptr& q, std::shared_ptr<recorded_rows> rows, const event_info& event);
  // For a system: all rows, a part of them, or, if each change happens at once, rows that are
  // looked up again one by one.
  query_run(const query_ptr& q, query_use use, run_info& info)
      : query_run(q, query_bindings(), use, &info) {}
  query_run(const query_ptr& q, const query_piece& piece, query_use use, run_info& info);
  struct one_by_one {};
  query_run(const query_ptr& q, one_by_one, run_info& info);
  query_run(const query_run&) = delete;
  query_run& operator=(const query_run&) = delete;
  ~query_run();

  // The next batch: results that differ in $this alone. False: there is none, and the iteration is
  // over.
  bool next();

  std::size_t count() const { return count_; }
  // Null if the query has no $this.
  const entity_t* entities() const { return entities_; }

  // Of the current batch. Fields are outermost chains, from 0. `writes`: the caller may write
  // values.
  const field_view& field(std::size_t n, bool writes);
  // The same for values of a type, which is asked for if the field is set. An error if they are of
  // another.
  const field_view& field(std::size_t n, bool writes, entity_t (*type)(engine&));
  // Does the query say that it writes a field?
  bool writes(std::size_t n) const;
  bool is_set(std::size_t n);
  id_t id(std::size_t n);
  // Where the id was found; 0 if on $this.
  entity_t source(std::size_t n);
  // 0: unset.
  entity_t variable(int n) const;
  // Nothing of the batch was written, although fields were taken to be written.
  void skip();
  // Is a row new, or has a value of it been written that is read, since the last iteration?
  bool changed(std::size_t row) const;
  // The group of the batch, if the query has groups.
  std::uint64_t group() const;

  live_query& query() const { return query_; }
  engine& world() const { return *world_; }
  bool is_over() const { return !at_; }
  // Null: it is no observer that iterates.
  const event_info* event() const { return event_; }
  // Null: it is no system that iterates.
  run_info* info() const { return info_; }
  // The normal end: changes that waited are carried out, and the first error of them is raised.
  void end();

 private:
  query_run(const query_ptr& q, const query_bindings& bindings, query_use use, run_info* info);
  void begin_measuring();
  void note_run();
  bool next_of_system();
  bool next_one();

  live_query& query_;  // lives as long as the iteration
  engine* world_;
  deferral waiting_;
  std::unique_ptr<result_cursor> at_;
  const entity_t* entities_ = nullptr;
  std::size_t count_ = 0;
  std::uint64_t rows_ = 0;     // that were found
  std::int64_t began_at_ = 0;  // if the world measures: when
  const event_info* event_ = nullptr;
  run_info* info_ = nullptr;
};

// The entities of a question that differs from the last one in the values of its parameters alone.
// While nothing has changed, the query looks them up without an iteration. While this object lives,
// changes of the world wait.
class known_results {
 public:
  known_results(const query_ptr& q, std::span<const entity_t> parameters);
  // The most common number of them, faster.
  known_results(const query_ptr& q, std::span<const entity_t, 2> parameters);
  known_results(const query_ptr& q, const query_bindings& parameters);
  known_results(const known_results&) = delete;
  known_results& operator=(const known_results&) = delete;
  // False: it takes an iteration to find them.
  explicit operator bool() const { return world_ != nullptr; }
  engine& world() const { return *world_; }
  std::span<const entity_t> entities() const { return entities_; }
  ~known_results() {
    if (world_) abandon();
  }
  // The normal end, as of query_run.
  void end();

 private:
  void begin();
  void abandon();

  live_query& query_;
  engine* world_ = nullptr;
  std::span<const entity_t> entities_;
};

}  // namespace kith::core
