// A term, or a chain of alternatives, as the search for an order sees it: how many values it lists
// for its variables, and which share of the values that another term lists it lets through.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "query/plan/estimate.hpp"
#include "query/plan/statistics.hpp"

namespace kith::core {

class piece {
 public:
  static constexpr std::size_t max_places = 3;
  static constexpr double cannot_list = -1;

  // `bound`: the slots that have values already.
  piece(const checked_query& q, const checked_term& t, const bit_set& bound,
        const estimates& counts, statistics& samples);

  // A chain. It lists values for all its variables at once, or for none.
  piece(const checked_query& q, const item& chain, const bit_set& bound, const estimates& counts,
        statistics& samples);

  // Null: it is a chain.
  const checked_term* term() const { return term_; }
  // Its variables without values, in no order.
  const slot_list& open() const { return open_; }
  std::size_t place_of(slot_index slot) const;

  // How many values it lists for a place, if the places in the set `known` have values.
  double list(std::size_t place, unsigned known) const { return lists_[place][known]; }
  // How many different combinations of values its places in a set can have.
  double combinations(unsigned places) const { return combinations_[places]; }
  // A term that lists nothing lets this share of all values through.
  double share() const { return share_; }

  // Does the table of an entity say whether the entity fits as the value of `slot`, once the other
  // variables have values?
  bool is_decided_by_tables(slot_index slot) const;

  // Of the values that a row of another piece has for a slot: which share of them has any row here,
  // and how many rows have they on average? Negative: not known.
  struct meeting {
    double share = -1;
    double rows = -1;
  };
  meeting meet(const piece& other, slot_index slot) const;

 private:
  void count_relation(statistics& samples);
  void count_lists(const bit_set& bound);
  double counted(std::size_t place, unsigned known, const bit_set& bound) const;
  double rows_at(entity_t value, bool as_source) const;
  struct short_walk {
    std::vector<entity_t> reached;
    bool ended;  // there is no more
  };
  short_walk follow(entity_t start, const std::vector<entity_t>& relations, bool upwards) const;
  double reached_from(entity_t start, const std::vector<entity_t>& relations, bool upwards) const;
  std::optional<bool> leads(entity_t source, entity_t target) const;
  double share_of_own_targets() const;
  void count_walk(statistics& samples);

  const graph& g_;
  const estimates& counts_;
  const checked_term* term_ = nullptr;
  slot_list open_;
  std::array<std::array<double, 8>, max_places> lists_{};
  std::array<double, 8> combinations_{};
  double share_ = 1;
  // Of a term about a named relation or id without flags: its rows.
  std::shared_ptr<const id_sample> sample_;
  std::vector<entity_t> predicates_;  // its predicate and the kinds of it
  std::vector<id_sample::row> rows_;
  double all_ = 0, sources_ = 0, targets_ = 0;
  bool closes_ = false;                     // a closure: more pairs hold than its rows say
  std::vector<std::vector<piece>> bodies_;  // of a chain: the terms of each alternative
};

}  // namespace kith::core
