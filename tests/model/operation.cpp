#include "model/operation.hpp"

#include <array>
#include <ostream>

namespace kith_model {

namespace {

constexpr std::size_t actions = static_cast<std::size_t>(action::count);
// The steps of a sequence for each unit of the size that RapidCheck gives, which is 0 to 100.
constexpr double steps_per_size = 4;
// The range of a field, large enough for a way of choosing times something to choose.
constexpr int choices = 1 << 12;

struct weight {
  action what;
  int all, pairs, hierarchy, deferred, lifetimes, inheritance, traits;
};

constexpr weight weights[] = {
    {action::create, 20, 10, 20, 16, 20, 20, 16},
    {action::create_named, 16, 4, 30, 12, 8, 14, 8},
    {action::create_with, 10, 2, 4, 8, 20, 8, 2},
    {action::bulk, 4, 2, 2, 4, 6, 2, 2},
    {action::destroy, 12, 6, 12, 10, 16, 10, 14},
    {action::make_alive, 4, 2, 2, 2, 8, 2, 2},
    {action::add, 60, 90, 20, 50, 30, 40, 90},
    {action::remove, 18, 24, 8, 18, 16, 24, 24},
    {action::remove_pattern, 3, 4, 3, 3, 2, 3, 3},
    {action::set, 30, 8, 8, 30, 50, 30, 8},
    {action::set_pair, 16, 26, 2, 16, 26, 20, 12},
    {action::set_raw, 8, 6, 2, 8, 12, 6, 4},
    {action::ensure, 10, 8, 2, 18, 14, 14, 4},
    {action::write, 10, 6, 2, 8, 12, 10, 2},
    {action::fail, 2, 2, 1, 2, 6, 2, 2},
    {action::child_of, 14, 4, 44, 14, 6, 24, 14},
    {action::unparent, 4, 2, 12, 4, 2, 4, 2},
    {action::rename, 12, 2, 36, 12, 2, 12, 2},
    {action::clear, 4, 4, 5, 4, 5, 3, 6},
    {action::clone, 10, 8, 8, 10, 18, 10, 10},
    {action::switch_id, 14, 18, 10, 12, 10, 16, 8},
    {action::switch_entity, 2, 2, 2, 2, 1, 1, 1},
    {action::set_scope, 6, 1, 18, 6, 2, 3, 1},
    {action::scoped, 2, 1, 6, 2, 2, 2, 1},
    {action::defer_begin, 5, 3, 3, 20, 3, 4, 4},
    {action::defer_end, 10, 8, 8, 20, 10, 10, 10},
    {action::remove_all, 3, 3, 3, 5, 2, 3, 4},
    {action::delete_with, 2, 2, 3, 3, 2, 2, 3},
    {action::delete_empty_tables, 5, 8, 2, 4, 6, 4, 3},
    {action::give_trait, 8, 18, 3, 8, 4, 16, 50},
    {action::take_trait, 6, 12, 4, 6, 6, 10, 30},
    {action::pin, 6, 14, 2, 4, 8, 10, 14},
    {action::is_a, 14, 10, 4, 12, 14, 60, 14},
    {action::make_prefab, 4, 1, 4, 4, 4, 18, 3},
    {action::order_children, 2, 1, 10, 2, 1, 2, 2},
    {action::reach, 2, 3, 3, 1, 1, 3, 4},
    {action::register_type, 4, 2, 2, 4, 4, 2, 2},
    {action::runtime_component, 4, 2, 2, 3, 6, 2, 2},
    {action::many_targets, 2, 8, 1, 2, 2, 1, 2},
    {action::visit, 6, 6, 10, 14, 6, 6, 4},
    {action::migrate, 16, 36, 3, 10, 22, 24, 16},
    {action::foreign, 2, 2, 2, 2, 2, 1, 1},
    {action::ask, 6, 4, 6, 4, 4, 3, 3},
};
static_assert(std::size(weights) == actions);

int weight_for(const weight& w, bias b) {
  switch (b) {
    case bias::pairs:
      return w.pairs;
    case bias::hierarchy:
      return w.hierarchy;
    case bias::deferred:
      return w.deferred;
    case bias::lifetimes:
      return w.lifetimes;
    case bias::inheritance:
      return w.inheritance;
    case bias::traits:
      return w.traits;
    default:
      return w.all;
  }
}

}  // namespace

const char* to_text(action a) {
  static constexpr std::array<const char*, actions> names = {"create",
                                                             "create_named",
                                                             "create_with",
                                                             "bulk",
                                                             "destroy",
                                                             "make_alive",
                                                             "add",
                                                             "remove",
                                                             "remove_pattern",
                                                             "set",
                                                             "set_pair",
                                                             "set_raw",
                                                             "ensure",
                                                             "write",
                                                             "fail",
                                                             "child_of",
                                                             "unparent",
                                                             "rename",
                                                             "clear",
                                                             "clone",
                                                             "switch_id",
                                                             "switch_entity",
                                                             "set_scope",
                                                             "scoped",
                                                             "defer_begin",
                                                             "defer_end",
                                                             "remove_all",
                                                             "delete_with",
                                                             "delete_empty_tables",
                                                             "give_trait",
                                                             "take_trait",
                                                             "pin",
                                                             "is_a",
                                                             "make_prefab",
                                                             "order_children",
                                                             "reach",
                                                             "register_type",
                                                             "runtime_component",
                                                             "many_targets",
                                                             "visit",
                                                             "migrate",
                                                             "foreign",
                                                             "ask"};
  return names[static_cast<std::size_t>(a)];
}

std::ostream& operator<<(std::ostream& out, const operation& o) {
  return out << to_text(o.what) << '{' << o.world << ", " << o.who << ", " << o.first << ", "
             << o.second << ", " << o.value << '}';
}

rc::Gen<std::vector<operation>> lives(bias b) {
  std::vector<action> deck;
  for (const weight& w : weights)
    deck.insert(deck.end(), static_cast<std::size_t>(weight_for(w, b)), w.what);
  const auto below = [](int limit) {
    return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, limit));
  };
  auto step = rc::gen::build<operation>(rc::gen::set(&operation::what, rc::gen::elementOf(deck)),
                                        rc::gen::set(&operation::world, below(6)),
                                        rc::gen::set(&operation::who, below(choices)),
                                        rc::gen::set(&operation::first, below(choices)),
                                        rc::gen::set(&operation::second, below(choices)),
                                        rc::gen::set(&operation::value, below(100)));
  return rc::gen::scale(steps_per_size, rc::gen::container<std::vector<operation>>(step));
}

}  // namespace kith_model
