// Calls whose changes are taken back and carried out again, several times.
//
// A call of the library runs in a transaction. Then its changes are taken back: the world must look
// as before the call, to every part of it and to queries that keep results. They are carried out
// again: it must look as after the call. In the end they are kept; or they are taken back for good
// and the call is made once more, which must lead to the same world, with the same ids of entities.
#include <algorithm>

#include "model/player.hpp"
#include "model/zoo.hpp"
#include "relations/transaction.hpp"
#include "world/engine_state.hpp"

namespace kith_model {

namespace {

using kith::core::engine_state;

// The paths are those of the built-in relations, whatever entities of the world are called.
constexpr const char* kept_texts[] = {
    "(#4, $p)", "(#5, $b)", "Prefab", "Disabled", "(*, $t)", "(#4, $p), #4($p, $q)",
};

// All entities and all that is true of them, with the numbers of ids.
std::string text_of(kith::world& w) {
  engine_state& s = w.engine().state();
  const kith::core::graph& g = s.graph_;
  const kith::core::store& store = g.store;
  std::string text = concat(std::to_string(store.entities().size()), " entities\n");
  const auto value_text = [&](const kith::core::located_value& v) {
    // The entity of the type may have another name by now.
    const std::string_view name = v.type->name;
    for (int k = 0; k <= static_cast<int>(kind::hooked); ++k)
      if (name == name_of(static_cast<kind>(k)) ||
          name == concat("zoo::", name_of(static_cast<kind>(k))))
        return concat("=", std::to_string(payload_of(static_cast<kind>(k), v.value())));
    return concat(" of ", v.type->name);
  };
  store.entities().each([&](kith::entity_t e) {
    const kith::core::entity_record& r = *store.entities().find(e);
    const std::uint32_t index = kith::core::index_of(e);
    text += concat("#", std::to_string(e), " '", g.names.name_of(index), "' under ",
                   std::to_string(g.names.parent_of(index)), r.named ? " named" : "", " flags ",
                   std::to_string(g.traits.of(index)));
    if (const kith::core::type_info* type = store.types().find(index))
      text += concat(" type ", type->name);
    if (s.components.stands_for_type(e)) text += " of C++";
    for (kith::id_t id : store.owned_ids(r)) {
      text += concat(store.is_off(r, id) ? " -" : " ", std::to_string(id));
      if (const auto v = store.find_value(r, id)) text += value_text(v);
    }
    if (g.child_order.is_kept(index)) {
      text += " order";
      for (kith::entity_t child : g.child_order.children(index))
        text += concat(" ", std::to_string(child));
    }
    text += " sees";
    for (kith::id_t id : g.inherit.visible_ids(e, r, kith::Any))
      text += concat(" ", std::to_string(id));
    text += "\n";
  });
  return text;
}

void append_rows(std::string& text, const kith::query<>& q) {
  std::vector<std::string> rows;
  const std::vector<std::string> vars = q.vars();
  q.run([&](kith::iter& it) {
    while (it.next())
      for (auto i : it) {
        std::string row = std::to_string(it.entity(i).id());
        for (const std::string& name : vars)
          row += concat(" ", std::to_string(it.get_var(name).id()));
        rows.push_back(std::move(row));
      }
  });
  std::sort(rows.begin(), rows.end());
  for (const std::string& row : rows) text += row + "\n";
}

// The lines that are in one text only.
std::string lines_apart(const std::string& a, const std::string& b) {
  std::string text;
  const auto missing = [&](const std::string& from, const std::string& in, const char* mark) {
    for (std::size_t at = 0; at < from.size();) {
      const std::size_t end = from.find('\n', at);
      const std::string line = from.substr(at, end - at);
      if (in.find(line + "\n") == in.npos) text += concat("\n  ", mark, line);
      at = end + 1;
    }
  };
  missing(a, b, "- ");
  missing(b, a, "+ ");
  return text;
}

// Can the call be made twice? Its captures are not changed by it.
bool can_repeat(action a) {
  switch (a) {
    case action::create:
    case action::create_named:
    case action::create_with:
    case action::bulk:
    case action::destroy:
    case action::make_alive:
    case action::add:
    case action::remove:
    case action::remove_pattern:
    case action::set:
    case action::set_pair:
    case action::child_of:
    case action::unparent:
    case action::rename:
    case action::clear:
    case action::clone:
    case action::switch_id:
    case action::switch_entity:
    case action::remove_all:
    case action::delete_with:
    case action::give_trait:
    case action::take_trait:
    case action::pin:
    case action::is_a:
    case action::make_prefab:
    case action::order_children:
    case action::register_type:
    case action::runtime_component:
    case action::many_targets:
      return true;
    default:
      return false;
  }
}

}  // namespace

// Texts of the kept queries and of new ones, which must be the same.
void player::compare_kept_queries(const char* when) {
  std::vector<kith::query<>>& kept = kept_[t_];
  if (kept.empty())
    for (const char* q : kept_texts) kept.push_back(t_->real.query(q));
  for (std::size_t i = 0; i < std::size(kept_texts); ++i) {
    std::string found, expected;
    append_rows(found, kept[i]);
    append_rows(expected,
                t_->real.query({.expr = kept_texts[i], .cache = kith::cache_kind::never}));
    if (found != expected)
      disagree("the query ", kept_texts[i], " is wrong ", when, lines_apart(expected, found));
  }
}

player::outcome player::attempt_and_take_back(const std::function<void()>& call) {
  engine_state& state = t_->real.engine().state();
  const bool ends_deferral = o_.what == action::defer_end;
  if (state.graph_.undo || (state.stages.queueing() && !ends_deferral)) return attempt_once(call);
  // This call also writes through a reference, which is no change.
  if (o_.what == action::ensure) return attempt_once(call);

  const auto same = [](const std::string& found, const std::string& expected, const char* when) {
    if (found != expected) disagree("the world differs ", when, lines_apart(expected, found));
  };
  const std::string before = text_of(t_->real);
  compare_kept_queries("before");
  std::string after;
  outcome first;
  {
    kith::core::transaction t(state.graph_);
    first = attempt_once(call);
    // If one of several waiting changes fails, the others stay.
    const bool keeps_failure = ends_deferral || o_.what == action::visit;
    if ((first.raised || first.failed) && !keeps_failure) {
      // What is left of a failed call goes with the transaction.
    } else {
      after = text_of(t_->real);
      compare_kept_queries("after the change");
      for (int round = 0; round <= o_.value % 3; ++round) {
        t.take_back();
        same(text_of(t_->real), before, "when its changes are taken back");
        compare_kept_queries("when its changes are taken back");
        if (o_.second % 5 == 4 && round == 1 && can_repeat(o_.what)) break;
        t.carry_out_again();
        same(text_of(t_->real), after, "when its changes are carried out again");
        compare_kept_queries("when its changes are carried out again");
      }
      if (!t.is_taken_back() && (!can_repeat(o_.what) || o_.second % 2)) {
        t.keep();
        same(text_of(t_->real), after, "when its changes are kept");
        return first;
      }
      // Else the ids that the call made would not be used again.
      if (!t.is_taken_back()) t.take_back();
    }
  }
  same(text_of(t_->real), before, "when its changes are taken back for good");
  compare_kept_queries("when its changes are taken back for good");
  const bool failed = first.raised || first.failed;
  if (failed && !can_repeat(o_.what)) return first;
  const outcome second = attempt_once(call);
  if (second.raised != first.raised || second.failed != first.failed)
    disagree("the call ends otherwise when it is repeated: ", first.message, " / ", second.message);
  if (!failed) same(text_of(t_->real), after, "when the call is repeated");
  return second;
}

}  // namespace kith_model
