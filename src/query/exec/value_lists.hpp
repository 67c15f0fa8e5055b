// The values of a slot that several terms allow, found by going through sorted lists side by side.
//
// Where pairs of a relation are just there (it has no kinds, is neither Transitive nor Reflexive,
// and none of them is inherited or switched off), R(s, $z) says that $z is among the targets of s,
// which are kept in order, and R($z, t) that it is among the owners of (R, t). Those are put in
// order when that pays, and kept as long as t stays the same.
//
//   Likes($y, $z), Likes($z, $x)      targets of y           3 7 9 12
//                                     owners of (Likes, x)   7 8 12           $z is 7 or 12
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/exec/meaning.hpp"
#include "query/plan/estimate.hpp"

namespace kith::core {

class value_lists {
 public:
  // Takes those of the terms that can be answered so, where all their other slots are set.
  value_lists(meaning& m, slot_index slot, std::span<const checked_term* const> terms,
              const slot_values& values);

  // How many of the terms; and does one of them name the targets of something?
  std::size_t size() const { return by_target_.size() + by_source_.size(); }
  bool names_targets() const { return !by_target_.empty(); }

  bool takes(const checked_term& t) const;

  // What the terms have in common, ascending, appended to `out`. False: they cannot say, this time.
  // Requires: names_targets.
  bool find(const slot_values& values, std::vector<id_t>& out);
  // Does the term hold for all values that were found last?
  bool proves(const checked_term& t) const;

 private:
  struct targets {
    const checked_term* term;
    std::uint32_t relation;
    bool handed_on;
    std::span<const id_t> pairs;
  };
  struct owners {
    const checked_term* term;
    std::uint32_t relation;
    id_t id = ~id_t{0};  // none yet; 0 if no entity can own it
    bool sorted = false;
    bool used = false;
    std::size_t asked = 0;  // of how many values it was, or would have been, asked
    std::vector<std::uint32_t> list{};
  };

  bool has_plain_pairs(const checked_term& t) const;
  bool is_known(const checked_ref& r, const slot_values& values) const;
  id_t id_of(const owners& o, const slot_values& values) const;
  double rows_of(const owners& o, const slot_values& values) const;
  void begin(owners& o, id_t id);
  void list_owners(owners& o);
  void keep_owners(owners& o, const slot_values& values);

  meaning& m_;
  estimates counts_;
  bool impossible_ = false;  // a source that is written is gone; values of slots are always alive
  std::vector<targets> by_target_;
  std::vector<owners> by_source_;
  std::vector<std::uint32_t> common_;
};

}  // namespace kith::core
