// One step of a random life of a world, as plain numbers.
//
// Which entities and ids the numbers stand for is decided when the step is played: they count, modulo
// what there is, among the entities and ids of that moment. So every sequence is valid, also one
// from which steps were taken out.
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

// What a life is mostly about.
enum class bias { all, pairs, hierarchy, deferred, lifetimes, inheritance, traits };

rc::Gen<std::vector<operation>> lives(bias b);

}  // namespace kith_model
