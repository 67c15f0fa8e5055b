// What a query keeps between two iterations, so that the next need not match.
//
// In this order: a list of tables, if tables alone decide; an index of the results by the values
// that are given, if each result depends on one entity alone; else the results themselves, as long
// as nothing the query reads has changed and they are not out of proportion to the facts. Results
// that were outdated before an iteration used them again are not kept for a while: a query of a
// world that changes all the time is answered anew each time, as without a cache.
#pragma once

#include <memory>
#include <optional>

#include <kith/detail/query_desc.hpp>

#include "query/cache/argument_index.hpp"
#include "query/cache/arrangement.hpp"
#include "query/cache/preparations.hpp"
#include "query/cache/read_watch.hpp"
#include "query/cache/recorded_rows.hpp"
#include "query/cache/table_list.hpp"

namespace kith::core {

class query_cache {
 public:
  // `watches_rows`: the caller will ask which rows have changed.
  query_cache(meaning& m, preparation& shared, cache_kind kind, arrangement how, bool watches_rows)
      : m_(m), shared_(shared), kind_(kind), how_(std::move(how)), watches_rows_(watches_rows) {}

  const arrangement& how() const { return how_; }
  bool watches_rows() const { return watches_rows_; }

  // An iteration begins, of this query. Forgets what was kept for another form of it. `lasting`:
  // its results do not depend on given values, so that they can serve the next iteration.
  void begin(const std::shared_ptr<const checked_query>& q, bool lasting);
  // The tables, up to date; null if it takes more than that.
  std::shared_ptr<table_list> tables();
  // The results in their order, if they are kept and still right.
  std::shared_ptr<recorded_rows> rows();
  // If results are kept that are outdated because a few entities changed: these entities. The
  // caller asks the query about each of them and calls `renew`.
  std::optional<std::vector<entity_t>> outdated();
  // Would a result be like all that are kept?
  bool is_like_rows(const slot_values& values, std::span<const result_field> fields) const {
    return rows_->are_like(values, fields);
  }
  // What the query says of an entity: it is a result, like all that are kept, or it is none.
  struct answered {
    entity_t entity;
    bool is_result;
  };
  std::shared_ptr<recorded_rows> renew(std::span<const answered> entities);
  // If results are kept that are outdated, and finding them anew would take more than finding those
  // that changed: what to look for. The caller changes `rows_to_repair` accordingly, and calls
  // `repaired`.
  std::optional<std::vector<partial_result>> affected();
  recorded_rows& rows_to_repair() { return own_rows(); }
  // Rows that were added show these fields.
  void note_added(std::span<const result_field> fields);
  // `differ`: a row came or went. `looked_at_all`: it mattered which entities there are.
  std::shared_ptr<recorded_rows> repaired(bool differ, bool looked_at_all);
  void forget_rows() {
    rows_.reset();
    watch_.reset();
  }
  // Repairing may take this much effort before it is given up.
  std::uint64_t repair_effort() const { return full_effort_ / 2 + 1000; }
  // Lets go of results that are outdated. If it is worth while to keep those of this iteration,
  // returns a watch on what they depend on. It also watches which entities there are; a caller that
  // finds that this does not matter calls forget_life.
  std::optional<read_watch> wants_rows();
  // The index of results by the values of these slots, up to date; null if there is none.
  std::shared_ptr<argument_index> arguments(const slot_list& given);
  // Must an iteration find all results before it yields the first? Otherwise it records them while
  // it yields them.
  bool collects_first() const { return watches_rows_ || kind_ == cache_kind::always; }
  // Keeps results, unless something they depend on has changed since the watch began.
  void keep(std::shared_ptr<recorded_rows> rows, read_watch watch);
  // More results than this are not kept.
  std::size_t max_rows() const;

  // What is kept, in words; empty if nothing is.
  std::string kept() const;

  // An iteration has seen all results.
  void end(bool by_tables);
  // Has a result come or gone, or a value been written that is read, since the last iteration
  // ended?
  bool changed(const std::shared_ptr<const checked_query>& q);
  // The same for one row. Requires: watches_rows.
  bool changed(const recorded_rows& rows, std::size_t batch, std::size_t row) const;

 private:
  struct read_value {
    id_t id;
    log_reader log;
  };

  void keep_in_order();
  recorded_rows& own_rows();
  void drop_rows();
  void watch_values();
  bool was_written();

  meaning& m_;
  preparation& shared_;
  cache_kind kind_;
  std::shared_ptr<const checked_query> q_;
  // In this iteration anything but results in their order can be kept.
  bool keeps_unordered_ = false;
  // The query, or another one of the same description, was used before this iteration, or is to be
  // cached from the first use on: it pays to keep something.
  bool used_before_ = false;
  std::shared_ptr<table_list> tables_;
  slot_list given_before_;  // the slots whose values were given last
  std::vector<std::shared_ptr<argument_index>> arguments_;
  std::shared_ptr<recorded_rows> rows_;
  std::optional<read_watch> watch_;  // on what the rows depend on
  // Rows that were kept, to be compared with those that will be.
  std::shared_ptr<recorded_rows> before_;
  bool rows_used_ = false;
  unsigned wait_ = 0;                // so many iterations go by without keeping results
  std::uint64_t effort_before_ = 0;  // when the last iteration began that may keep results
  std::uint64_t full_effort_ = 0;    // what it took to find all
  unsigned next_wait_ = 1;           // how many it will be when results are outdated unused again

  arrangement how_;
  bool watches_rows_;
  log_reader sorted_values_;

  // What there was when the last iteration ended.
  bool iterated_ = false;
  bool asked_ = false;        // whether something changed
  bool rows_differ_ = false;  // results were found since
  std::uint64_t version_ = 0;
  std::uint64_t writes_ = 0;
  std::uint64_t names_ = 0;
  std::optional<std::uint64_t> table_state_;
  bool values_known_ = false;  // they are those of the rows
  bool values_stale_ = false;  // or of rows that went since
  std::vector<read_value> values_;
};

}  // namespace kith::core
