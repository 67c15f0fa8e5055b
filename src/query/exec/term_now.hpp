// What the present world adds to the shape of a term.
//
// A shape says what a term asks. Whether the ids it names are all there is to look at also depends
// on facts that come and go: kinds of its predicate, instances that inherit, ids that are switched
// off.
#pragma once

#include "query/exec/meaning.hpp"

namespace kith::core {

class term_now {
 public:
  // Requires: the shape of the term names its first part.
  term_now(meaning& m, const checked_term& t) : m_(m), t_(t) {}

  // Is the predicate alive? Another entity may have the index of one that is not.
  bool is_alive() const { return m_.alive(t_.first.entity); }
  // Does another predicate count as this one?
  bool has_kinds() const { return m_.has_kinds(t_.first.entity); }
  // May an entity show such an id without owning it?
  bool is_inherited() const {
    return m_.world().inherit.hands_on(t_.pair ? make_pair(t_.first.entity, Wildcard)
                                               : t_.first.entity);
  }
  // Is such an id switched off somewhere, or was it?
  bool was_off() const { return m_.world().store.was_toggled(index_of(t_.first.entity)); }

 private:
  meaning& m_;
  const checked_term& t_;
};

}  // namespace kith::core
