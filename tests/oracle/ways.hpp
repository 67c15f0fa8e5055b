// The ways in which one term holds, all its variables having values.
#pragma once

#include <map>

#include "oracle/question.hpp"

namespace kith_oracle {

// Values by variable; 0 is unset.
using assignment = std::vector<entity_t>;

// What the term was found by: none for a term that finds nothing (`!T`, an equality, a scope, a
// From-list).
struct field {
  kith_oracle::id id;
  entity_t source = 0;
  bool is_set = false;
  friend bool operator==(const field&, const field&) = default;
  friend auto operator<=>(const field&, const field&) = default;
};

// The part of a result that is not in the variables, and what the field shows.
struct way {
  std::map<slot, id> slots;
  kith_oracle::field field;
};

class term_ways {
 public:
  explicit term_ways(facts& world) : world_(world) {}

  // Each way once, in the order of section 3. Requires: not a scope; `op` is not looked at except for
  // From-lists; every variable of the term has a value.
  std::vector<way> of(const part& p, const assignment& values);

 private:
  struct source_item {
    entity_t entity;
    bool owned_only;
  };
  struct match {
    found_id found;
    entity_t source, predicate, target;
  };

  // The entity that stands in a place before flags; 0 if a lookup finds nothing.
  entity_t entity_at(const place& at, const assignment& values);
  std::vector<entity_t> reached_at(const place& at, entity_t e);
  std::vector<source_item> sources_at(const place& at, const assignment& values);
  const std::vector<found_id>& ids_of(const source_item& s);

  std::vector<way> ways_of_predicate(const part& p, const assignment& values);
  std::vector<way> ways_of_wild(const part& p, const assignment& values);
  std::vector<way> ways_of_list(const part& p, const assignment& values);
  std::vector<way> ways_of_equality(const part& p, const assignment& values);

  // P(s) or R(s, T) without flags.
  std::optional<found_id> find(const source_item& s, entity_t predicate, entity_t target);
  void matches_of(const source_item& s, const std::vector<entity_t>& predicates,
                  const std::vector<entity_t>& targets, bool pair, std::vector<match>& result);

  facts& world_;
  std::map<std::tuple<entity_t, bool, entity_t, entity_t>, std::optional<found_id>> found_;
};

}  // namespace kith_oracle
