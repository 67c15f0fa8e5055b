// The tables whose rows are all results of a query, for queries that tables alone decide.
//
// Such a query asks $this for ids, each of them there, not there, optional, or one of several. The
// list stays right whatever entities do: they come to a table that is in it or to one that is not.
// It grows with tables that are made. It is made anew when tables vanish, ids move to other places,
// or a base changes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "query/exec/batch.hpp"
#include "query/exec/judge.hpp"
#include "storage/change_log.hpp"

namespace kith::core {

class table_list {
 public:
  struct match {
    const table* rows;
    std::uint32_t fields;  // its first one
  };

  table_list(std::shared_ptr<const checked_query> q, meaning& m);

  bool is_of(const checked_query& q) const { return q_.get() == &q; }
  const std::shared_ptr<const checked_query>& query() const { return q_; }
  // Brings it up to date. False: tables alone do not decide, as things are now.
  bool refresh();

  const std::vector<match>& matches() const { return matches_; }
  // Prefetches what a reader that has come to the match `at` needs a little later. (Always inlined,
  // see table::prefetch.)
  [[gnu::always_inline]] void expect(std::size_t at) const {
    if (at + table::fetch_table >= matches_.size()) return;
    const match& later = matches_[at + table::fetch_table];
    later.rows->prefetch();
    __builtin_prefetch(fields(later));
    const match& near = matches_[at + table::fetch_ids];
    near.rows->prefetch_rows();
    for (std::size_t n = 0; n < q_->fields.size(); ++n) __builtin_prefetch(fields(near)[n].in);
  }
  // One for each field of the query. That of a term about named entities has its term and no id.
  const result_field* fields(const match& m) const { return fields_.data() + m.fields; }
  // Do the terms hold that are the same for all rows, because they are about named entities?
  bool constants_hold() const;
  // Another number whenever a row of the tables came or went, or a value was written that is read.
  std::uint64_t state() const;

 private:
  using condition_kind = judge::condition::kind;
  // What is asked of $this: the terms are alternatives, in the order of the ids of the condition
  // that the judge has at the same place.
  struct asked {
    condition_kind is;
    std::vector<const checked_term*> terms;
    std::uint32_t field;
  };
  // A term about named entities.
  struct constant {
    const checked_term* term;
    condition_kind is;
    std::uint32_t field;
  };

  bool add(const item& i);
  // What of the world it was made for; anything else makes it anew.
  struct basis {
    std::uint64_t erasures = ~std::uint64_t{0}, placements = 0, bases = 0;
    friend bool operator==(const basis&, const basis&) = default;
  };
  basis now() const;
  bool rebuild();
  bool is_decided() const;
  void watch_ids();
  void look_at(const table& t);
  void show(const asked& a, judge::shown_id id, const table& t, std::span<result_field> out) const;
  void add_constant(const constant& c, std::uint64_t& sum) const;
  void add_value(entity_t e, id_t id, std::uint64_t& sum) const;

  std::shared_ptr<const checked_query> q_;
  meaning& m_;
  const graph& g_;
  bool simple_ = true;  // all terms are about fixed ids of $this, or about named entities
  std::vector<asked> asked_;
  std::vector<constant> constants_;
  judge judge_;  // its last conditions hide entities
  const slot_values no_values_ = slot_values(1);

  basis made_for_;
  bool decided_ = false;
  log_reader kinds_;  // entities that became a kind of something
  std::size_t tables_seen_ = 0;
  std::vector<match> matches_;
  std::vector<result_field> fields_;
  // Of named entities and bases.
  mutable hash_map<id_t, std::shared_ptr<const change_log>> shared_values_;
  // Tables without rows whose entities have bases: what they inherit is seen when there are some.
  std::vector<const table*> later_;
};

}  // namespace kith::core
