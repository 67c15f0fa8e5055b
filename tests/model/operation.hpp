// One random step in the history of a world, as plain numbers.
//
// The numbers become entities and ids when the step is played: each is an index, modulo the size,
// into the entities or ids that exist then. So every sequence is valid, also one from which steps
// were removed.
#pragma once

#include <iosfwd>
#include <vector>

#include <rapidcheck.h>

namespace kith_model {

enum class action {
  create,
  create_named,
  create_with,
  bulk,
  destroy,
  make_alive,
  add,
  remove,
  remove_pattern,
  set,
  set_pair,
  set_raw,
  ensure,
  write,
  fail,
  child_of,
  unparent,
  rename,
  clear,
  clone,
  switch_id,
  switch_entity,
  set_scope,
  scoped,
  defer_begin,
  defer_end,
  remove_all,
  delete_with,
  delete_empty_tables,
  give_trait,
  take_trait,
  pin,
  is_a,
  make_prefab,
  order_children,
  reach,
  register_type,
  runtime_component,
  many_targets,
  visit,
  migrate,
  foreign,
  ask,
  count,
};

const char* to_text(action a);

struct operation {
  action what = action::create;
  int world = 0;
  int who = 0;
  int first = 0;
  int second = 0;
  int value = 0;
};

std::ostream& operator<<(std::ostream& out, const operation& o);

// The kind of steps that a history mostly has.
enum class bias { all, pairs, hierarchy, deferred, lifetimes, inheritance, traits };

rc::Gen<std::vector<operation>> lives(bias b);

}  // namespace kith_model
