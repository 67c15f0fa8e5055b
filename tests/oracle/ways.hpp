// The ways in which one term holds, when all its variables have values.
#pragma once

#include <map>

#include "oracle/question.hpp"

namespace kith_oracle {

// Values by variable; 0 is unset.
using assignment = std::vector<entity_t>;

// The id by which a term holds and its source. Not set for `!T`, equalities, scopes and From-lists.
struct field {
  kith_oracle::id id;
  entity_t source = 0;
  bool is_set = false;
  friend bool operator==(const field&, const field&) = default;
  friend auto operator<=>(const field&, const field&) = default;
};

// The slots of a result, and the field of the term.
struct way {
  std::map<slot, id> slots;
  kith_oracle::field field;
};

class term_ways {
 public:
  explicit term_ways(facts& world) : world_(world) {}

  // Each way once, in the order of section 3. Uses `op` only for From-lists. Requires: the term is
  // no scope, and each of its variables has a value.
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

  // The entity in a place, without its flags; 0 if a lookup finds nothing.
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
