// The results of a query, batch by batch.
//
//     q.run([](kith::iter& it) {
//       while (it.next()) {
//         auto p = it.field<Position>(0);
//         for (auto i : it) std::cout << it.entity(i) << " " << p[i].x << "\n";
//       }
//     });
//
// The results of a batch differ in $this alone: ids, sources and variables are the same for all
// rows. Fields are the chains of the query as written, from 0. While an iteration lasts changes
// wait.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>

#include <kith/detail/query_run.hpp>
#include <kith/entity.hpp>

namespace kith {

namespace core {
// What a field of X has: of a pair of types the type that decides.
template <class X>
using field_value = std::conditional_t<std::is_const_v<X>, const value_type<X>, value_type<X>>;
}  // namespace core

// The values of a field, by row. It works the same wherever they are: in a table, apart, or shared.
template <class T>
class field {
 public:
  field(const core::field_view& view, std::size_t count) : view_(view), count_(count) {}

  T& operator[](std::size_t row) const { return *static_cast<T*>(view_.at(row)); }
  // Null if the field is not set.
  T* operator->() const { return static_cast<T*>(view_.at(0)); }
  T& operator*() const { return (*this)[0]; }
  explicit operator bool() const { return view_.data || view_.rows; }
  std::size_t size() const { return count_; }
  // All rows have the same value: that of a base, a parent or a fixed source.
  bool is_shared() const { return view_.data && !view_.rows && view_.stride == 0; }

 private:
  core::field_view view_;
  std::size_t count_;
};

// The same without a type: addresses.
class untyped_field {
 public:
  untyped_field(const core::field_view& view, std::size_t count) : view_(view), count_(count) {}
  void* operator[](std::size_t row) const { return view_.at(row); }
  explicit operator bool() const { return view_.data || view_.rows; }
  std::size_t size() const { return count_; }

 private:
  core::field_view view_;
  std::size_t count_;
};

class iter {
 public:
  explicit iter(core::query_run& run) : run_(&run) {}
  // Rows `first` to `first + count` of the current batch, as if they were all of it.
  iter(core::query_run& run, std::size_t first, std::size_t count)
      : run_(&run), first_(first), limit_(count) {}

  // The next batch, in `run`.
  bool next() {
    first_ = 0;
    limit_ = std::numeric_limits<std::size_t>::max();
    return !run_->is_over() && run_->next();
  }
  kith::world world() const;

  std::size_t count() const { return std::min(limit_, run_->count() - first_); }
  // The entity of a row: null if the query has no $this.
  kith::entity entity(std::size_t row) const {
    if (row >= count()) core::raise(errc::out_of_range, "the batch has no such row");
    const entity_t* all = run_->entities();
    return all ? kith::entity(&run_->world(), all[first_ + row]) : kith::entity();
  }

  // Where the entity of the first row is kept. Rows of one batch may be in several tables.
  kith::table table() const;
  kith::table_range range() const;
  kith::type type() const;
  // The targets that the source of a pair has for its relation: of `(Likes, _)` all of them.
  template <class Function>
  void targets(std::size_t n, Function visit) const;
  // The entities of the batch, by row.
  class entity_list {
   public:
    explicit entity_list(const iter& it) : it_(&it) {}
    kith::entity operator[](std::size_t row) const { return it_->entity(row); }
    std::size_t size() const { return it_->count(); }

   private:
    const iter* it_;
  };
  entity_list entities() const { return entity_list(*this); }
  // An iteration that is left early needs no call; this is for programs that make it.
  void fini() const {}

  // Row numbers, for `for (auto i : it)`.
  class rows {
   public:
    explicit rows(std::size_t row) : row_(row) {}
    std::size_t operator*() const { return row_; }
    rows& operator++() {
      ++row_;
      return *this;
    }
    friend bool operator==(const rows&, const rows&) = default;

   private:
    std::size_t row_;
  };
  rows begin() const { return rows(0); }
  rows end() const { return rows(count()); }

  // --- fields, from 0 ---

  std::size_t field_count() const { return core::field_count(run_->query()); }
  // The values of a field. A type error if it has values of another type.
  template <class T>
  kith::field<core::field_value<T>> field(std::size_t n) const {
    const auto type = [](core::engine& in) { return core::id_of<core::value_type<T>>(in); };
    return {batch().field(n, !std::is_const_v<T>, type).from(first_), count()};
  }
  untyped_field field(std::size_t n) const {
    return {batch().field(n, run_->writes(n)).from(first_), count()};
  }
  template <class T>
  core::field_value<T>& field_at(std::size_t n, std::size_t row) const {
    if (row >= count()) core::raise(errc::out_of_range, "the batch has no such row");
    const auto values = field<T>(n);
    if (!values) core::raise(errc::out_of_range, "field ", std::to_string(n), " is not set");
    return values[row];
  }
  // The address of a value; null if the field is not set.
  void* field_at(std::size_t n, std::size_t row) const {
    if (row >= count()) core::raise(errc::out_of_range, "the batch has no such row");
    return field(n)[row];
  }
  // How many bytes a value of a field has; 0 if it has none.
  std::size_t size(std::size_t n) const {
    const kith::id of = id(n);
    return of ? run_->world().size_of(run_->world().type_of(of.raw_id())) : 0;
  }
  // Does the query only read a field?
  bool is_readonly(std::size_t n) const { return !batch().writes(n); }
  // The id that was matched: of `Artwork` it may be `Portrait`. Null if the field has none.
  kith::id id(std::size_t n) const {
    const id_t raw = batch().id(n);
    return {raw ? &run_->world() : nullptr, raw};
  }
  // The same, which must be a pair.
  kith::id pair(std::size_t n) const {
    const kith::id found = id(n);
    if (!found.is_pair()) core::raise(errc::type, "field ", std::to_string(n), " is no pair");
    return found;
  }
  // Where it was found; null if on $this itself.
  kith::entity src(std::size_t n) const { return wrap(batch().source(n)); }
  bool is_self(std::size_t n) const { return is_set(n) && !batch().source(n); }
  // False for an optional term that did not match, a Not, a scope, an equality.
  bool is_set(std::size_t n) const { return batch().is_set(n); }

  // All fields: `for (auto f : it.fields()) std::cout << f.id() << "\n";`
  class field_range;
  field_range fields() const;

  // The group of the batch, of a query with groups: the target of the relation, or what the
  // function said.
  std::uint64_t group_id() const { return batch().group(); }

  // --- changes ---

  // Is a row new, or has a value it reads been written, since the last iteration? For queries that
  // detect_changes().
  bool changed(std::size_t row) const {
    if (row >= count()) core::raise(errc::out_of_range, "the batch has no such row");
    return batch().changed(first_ + row);
  }
  // The same for any row of the batch.
  bool changed() const {
    for (std::size_t row = 0; row < count(); ++row)
      if (changed(row)) return true;
    return false;
  }
  // Nothing of this batch was written, although values were taken that could be.
  void skip() const { batch().skip(); }

  // --- variables ---

  // Null if it is unset.
  kith::entity get_var(core::text_arg name) const {
    const int number = core::find_variable(run_->query(), name);
    if (number < 0) core::raise(errc::out_of_range, "the query has no variable $", name);
    return wrap(batch().variable(number));
  }
  kith::entity get_var(int number) const { return wrap(batch().variable(number)); }

  // --- events, in an observer ---

  // OnAdd, OnSet, OnRemove or an event of the user; null elsewhere.
  kith::entity event() const { return wrap(run_->event() ? run_->event()->event : 0); }
  // An id that changed and that the query reads. Null if it reads none in particular.
  kith::id event_id() const {
    const id_t raw = run_->event() ? run_->event()->id : 0;
    return {raw ? &run_->world() : nullptr, raw};
  }
  kith::event_cause event_cause() const {
    return run_->event() ? run_->event()->cause : kith::event_cause::changed;
  }
  // What an event of the user carries; null if it carries no T. In a system: what `run` was given.
  template <class T>
  T* param() const {
    if (run_->info()) return static_cast<T*>(run_->info()->param);
    const core::event_info* const told = run_->event();
    return told && told->payload && told->payload_type == core::id_of<T>(run_->world())
               ? static_cast<T*>(told->payload)
               : nullptr;
  }
  // An event of the user is not sent on to further entities (`propagate`).
  void stop() const {
    if (run_->event() && run_->event()->stopped) *run_->event()->stopped = true;
  }

  // --- systems ---

  // The scaled time of the frame, and the time since the system ran last, in seconds.
  float delta_time() const { return static_cast<float>(delta_of_frame()); }
  float delta_system_time() const {
    return static_cast<float>(run_->info() ? run_->info()->delta_system_time : delta_of_frame());
  }
  // The system whose callback this is; null elsewhere.
  kith::entity system() const { return wrap(run_->info() ? run_->info()->system : 0); }
  // What the system was given with `.ctx(...)`.
  void* ctx() const { return run_->info() ? run_->info()->ctx : nullptr; }
  template <class T>
  T* ctx() const {
    return static_cast<T*>(ctx());
  }

  // --- older names; terms count from 1, and each alternative of a chain counts ---

  template <class T>
  kith::field<core::field_value<T>> term(std::size_t n) const {
    return field<T>(field_of_term(n));
  }
  untyped_field term(std::size_t n) const { return field(field_of_term(n)); }
  kith::id term_id(std::size_t n) const { return id(field_of_term(n)); }
  std::size_t term_count() const { return core::term_count(run_->query()); }

  core::query_run& run() const { return *run_; }

 private:
  // The iteration, which must have a batch: it has begun and is not over.
  core::query_run& batch() const {
    if (run_->count() == 0) core::raise_past_the_end();
    return *run_;
  }
  kith::entity wrap(entity_t e) const { return {e ? &run_->world() : nullptr, e}; }
  double delta_of_frame() const {
    return run_->info() ? run_->info()->delta_time : core::delta_of_frame(run_->world());
  }
  std::size_t field_of_term(std::size_t n) const {
    if (n == 0) core::raise(errc::out_of_range, "terms count from 1");
    return core::field_of_term(run_->query(), n - 1);
  }

  core::query_run* run_;
  std::size_t first_ = 0;
  std::size_t limit_ = std::numeric_limits<std::size_t>::max();
};

// One field of a batch, for code that knows no types.
class any_field {
 public:
  any_field(const iter& it, std::size_t number) : it_(&it), number_(number) {}
  std::size_t number() const { return number_; }
  kith::id id() const { return it_->id(number_); }
  kith::entity src() const { return it_->src(number_); }
  bool is_set() const { return it_->is_set(number_); }
  void* operator[](std::size_t row) const { return it_->field(number_)[row]; }

 private:
  const iter* it_;
  std::size_t number_;
};

class iter::field_range {
 public:
  explicit field_range(const iter& it) : it_(&it) {}

  class iterator {
   public:
    iterator(const iter& it, std::size_t number) : it_(&it), number_(number) {}
    any_field operator*() const { return {*it_, number_}; }
    iterator& operator++() {
      ++number_;
      return *this;
    }
    friend bool operator==(const iterator& a, const iterator& b) { return a.number_ == b.number_; }

   private:
    const iter* it_;
    std::size_t number_;
  };
  iterator begin() const { return {*it_, 0}; }
  iterator end() const { return {*it_, size()}; }
  std::size_t size() const { return it_->field_count(); }

 private:
  const iter* it_;
};

inline iter::field_range iter::fields() const { return field_range(*this); }

}  // namespace kith
