// The tables whose rows are all results of a query, for queries that tables alone decide.
//
// Such a query asks $this for ids, each of them there, not there, optional, or one of several. The list
// stays right whatever entities do: they come to a table that is in it or to one that is not. It grows
// with tables that are made, and is made anew when tables vanish, ids move to other places, or a base of
// something changes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "query/check/checked_query.hpp"
#include "query/exec/meaning.hpp"
#include "storage/change_log.hpp"

namespace kith::core {

class table_list {
 public:
  // A field of a table: which term, which id, and where it is.
  struct found {
    const checked_term* term = nullptr;  // null: not set
    id_t id = 0;
    entity_t source = 0;         // a base; 0: the rows themselves
    const column* in = nullptr;  // null if it has no values, or those of a base
  };
  struct match {
    const table* rows;
    std::uint32_t fields;  // its first one
  };

  table_list(std::shared_ptr<const checked_query> q, meaning& m);

  bool is_of(const checked_query& q) const { return q_.get() == &q; }
  // Brings it up to date. False: tables alone do not decide, as things are now.
  bool refresh();

  const std::vector<match>& matches() const { return matches_; }
  // The matches from there on will be gone through: fetches ahead what comes a little later. (Always inlined, see
  // table::prefetch.)
  [[gnu::always_inline]] void expect(std::size_t at) const {
    if (at + table::fetch_table >= matches_.size()) return;
    const match& later = matches_[at + table::fetch_table];
    later.rows->prefetch();
    __builtin_prefetch(fields(later));
    const match& near = matches_[at + table::fetch_ids];
    near.rows->prefetch_rows();
    for (std::size_t n = 0; n < q_->fields.size(); ++n) __builtin_prefetch(fields(near)[n].in);
  }
  // One for each field of the query.
  const found* fields(const match& m) const { return fields_.data() + m.fields; }
  // The terms that are the same for all rows: about named entities.
  bool constants_hold() const;
  // Another number whenever a row of the tables came or went, or a value was written that is read.
  std::uint64_t state() const;

 private:
  // What is asked of $this: one of some ids, or none.
  struct condition {
    enum class kind : std::uint8_t { required, refused, optional };
    kind is;
    std::vector<const checked_term*> terms;
    std::uint32_t field;
  };
  enum class verdict : std::uint8_t { no, yes, later };

  bool add(const item& i);
  bool add(const item& i, condition::kind kind);
  bool is_simple(const checked_term& t) const;
  bool is_decided(id_t id) const;
  static id_t id_of(const checked_term& t);
  // What of the world it was made for; anything else makes it anew.
  struct basis {
    std::uint64_t erasures = ~std::uint64_t{0}, placements = 0, bases = 0;
    friend bool operator==(const basis&, const basis&) = default;
  };
  basis now() const;
  bool rebuild();
  void look_at(const table& t);
  verdict judge(const table& t, std::vector<found>& fields) const;
  found find(const condition& c, const table& t) const;

  std::shared_ptr<const checked_query> q_;
  meaning& m_;
  const graph& g_;
  bool simple_ = true;
  std::vector<condition> conditions_;
  struct constant {
    const checked_term* term;
    condition::kind is;
    std::uint32_t field;
  };
  std::vector<constant> constants_;
  const slot_values no_values_ = slot_values(1);

  basis made_for_;
  bool decided_ = false;
  log_reader kinds_;  // who became a kind of something
  std::size_t tables_seen_ = 0;
  std::vector<match> matches_;
  std::vector<found> fields_;
  mutable hash_map<id_t, std::shared_ptr<const change_log>>
      shared_values_;  // of named entities and bases
  // Tables without rows whose entities have bases: what they inherit is seen when there are some.
  std::vector<const table*> later_;
};

}  // namespace kith::core
