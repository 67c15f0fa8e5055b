// The results of a query, batch by batch.
//
//     q.run([](kith::iter& it) {
//       while (it.next()) {
//         auto p = it.field<Position>(0);
//         for (auto i : it) std::cout << it.entity(i) << " " << p[i].x << "\n";
//       }
//     });
//
// The results of a batch differ in $this alone: ids, sources and variables are the same for all rows.
// Fields are the chains of the query as written, from 0. While an iteration lasts changes wait.
#pragma once

#include <cstddef>
#include <string_view>

#include <kith/detail/query_run.hpp>
#include <kith/entity.hpp>

namespace kith {

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

  // The next batch, in `run`.
  bool next() { return run_->next(); }
  kith::world world() const;

  std::size_t count() const { return run_->count(); }
  // The entity of a row: null if the query has no $this.
  kith::entity entity(std::size_t row) const {
    if (row >= count()) core::raise(errc::out_of_range, "the batch has no such row");
    const entity_t* all = run_->entities();
    return all ? kith::entity(&run_->world(), all[row]) : kith::entity();
  }

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
  kith::field<T> field(std::size_t n) const {
    check_type<T>(n);
    return {run_->field(n), count()};
  }
  untyped_field field(std::size_t n) const { return {run_->field(n), count()}; }
  template <class T>
  T& field_at(std::size_t n, std::size_t row) const {
    if (row >= count()) core::raise(errc::out_of_range, "the batch has no such row");
    const auto values = field<T>(n);
    if (!values) core::raise(errc::out_of_range, "field ", std::to_string(n), " is not set");
    return values[row];
  }
  // The id that was matched: of `Artwork` it may be `Portrait`. Null if the field has none.
  kith::id id(std::size_t n) const {
    const id_t raw = run_->id(n);
    return {raw ? &run_->world() : nullptr, raw};
  }
  // The same, which must be a pair.
  kith::id pair(std::size_t n) const {
    const kith::id found = id(n);
    if (!found.is_pair()) core::raise(errc::type, "field ", std::to_string(n), " is no pair");
    return found;
  }
  // Where it was found; null if on $this itself.
  kith::entity src(std::size_t n) const { return wrap(run_->source(n)); }
  bool is_self(std::size_t n) const { return is_set(n) && !run_->source(n); }
  // False for an optional term that did not match, a Not, a scope, an equality.
  bool is_set(std::size_t n) const { return run_->is_set(n); }

  // --- variables ---

  // Null if it is unset.
  kith::entity get_var(std::string_view name) const {
    const int number = core::find_variable(run_->query(), name);
    if (number < 0) core::raise(errc::out_of_range, "the query has no variable $", name);
    return wrap(run_->variable(number));
  }
  kith::entity get_var(int number) const { return wrap(run_->variable(number)); }

  // --- older names; terms count from 1 ---

  template <class T>
  kith::field<T> term(std::size_t n) const {
    return field<T>(from_one(n));
  }
  untyped_field term(std::size_t n) const { return field(from_one(n)); }
  kith::id term_id(std::size_t n) const { return id(from_one(n)); }
  std::size_t term_count() const { return field_count(); }

  core::query_run& run() const { return *run_; }

 private:
  kith::entity wrap(entity_t e) const { return {e ? &run_->world() : nullptr, e}; }
  static std::size_t from_one(std::size_t n) {
    if (n == 0) core::raise(errc::out_of_range, "terms count from 1");
    return n - 1;
  }
  template <class T>
  void check_type(std::size_t n) const {
    const id_t raw = run_->id(n);
    if (!raw) return;
    const entity_t has = run_->world().type_of(raw);
    using value = core::value_type<std::remove_const_t<T>>;
    const entity_t wanted = core::id_of<value>(run_->world());
    if (has && has != wanted)
      core::raise(errc::type, "field ", std::to_string(n), " has values of type ",
                  run_->world().text_of(has), ", not ", run_->world().text_of(wanted));
  }

  core::query_run* run_;
};

}  // namespace kith
