// Steps that change ids and values.
#include "model/player.hpp"
#include "model/zoo.hpp"
#include "world/engine_state.hpp"

namespace kith_model {

using kith::errc;

namespace {

constexpr kind data_kinds[] = {kind::plain, kind::text, kind::unique,
                               kind::boxed, kind::wide, kind::strict};

kind data_kind(int pick) { return data_kinds[pick % 6]; }

// The C++ type that an entity stands for.
std::optional<kind> type_at(const naive_world& model, number n) {
  for (kind k : data_kinds)
    if (n && model.registered(k) == n) return k;
  return std::nullopt;
}

// Calls `f` with the C++ type of a kind that is no runtime component.
template <class F>
void with_component(kind k, F f) {
  with_type(k, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!std::is_same_v<T, int> && !std::is_same_v<T, zoo::Hooked> &&
                  !std::is_same_v<T, kith::component_info>)
      f(tag);
  });
}

bool makes_wildcard_a_kind(number e, const naive_id& id) {
  return is_wildcard(e) && id.first == kith::IsA;
}

std::string number_text(int n) { return std::to_string(n); }

}  // namespace

// --- adding and removing -------------------------------------------------------------------------

// The same call has several spellings; the value of the operation chooses one.
void player::add(number e, const naive_id& id) {
  if (makes_wildcard_a_kind(e, id)) return;
  say("add " + t_->text(e) + " " + t_->text(id));
  const kith::entity h = t_->handle(e);
  const kith::entity first = t_->handle(id.first), second = t_->handle(id.second);
  const std::optional<kind> type = type_at(t_->model, id.first);
  const int spelling = o_.value % 3;
  const outcome o = attempt([&] {
    if (spelling == 0 && type) {
      with_component(*type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        id.is_pair() ? h.add<T>(second) : h.add<T>();
      });
    } else if (spelling == 1 && id.first == kith::IsA) {
      h.is_a(second);
    } else if (spelling == 1 && id.is_pair()) {
      h.add(first, second);
    } else {
      h.add(t_->id_of(id));
    }
  });
  agree(o, t_->model.add(e, id));
}

void player::remove(number e, const naive_id& id) {
  say("remove " + t_->text(e) + " " + t_->text(id));
  const kith::entity h = t_->handle(e);
  const kith::entity first = t_->handle(id.first), second = t_->handle(id.second);
  const std::optional<kind> type = type_at(t_->model, id.first);
  const int spelling = o_.value % 3;
  const outcome o = attempt([&] {
    if (spelling == 0 && type) {
      with_component(*type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        id.is_pair() ? h.remove<T>(second) : h.remove<T>();
      });
    } else if (spelling == 1 && id.is_pair()) {
      h.remove(first, second);
    } else {
      h.remove(t_->id_of(id));
    }
  });
  agree(o, t_->model.remove(e, id));
}

void player::switch_id() {
  const number e = any_entity(o_.who);
  const naive_id id = likely_id(e, o_.first, o_.second);
  const bool on = o_.value % 3 == 0;
  say((on ? "enable " : "disable ") + t_->text(e) + " " + t_->text(id));
  const kith::entity h = t_->handle(e);
  const outcome o = attempt([&] { on ? h.enable(t_->id_of(id)) : h.disable(t_->id_of(id)); });
  agree(o, t_->model.enable(e, id, on));
}

void player::remove_all() {
  const naive_id id = o_.who % 3 ? some_id(o_.first, o_.second) : some_pattern(o_.first, o_.second);
  say("remove_all " + t_->text(id));
  const outcome o = attempt([&] { t_->real.remove_all(t_->id_of(id)); });
  agree(o, t_->model.remove_all(id));
}

void player::delete_with() {
  const naive_id id = o_.who % 6 ? some_id(o_.first, o_.second) : some_pattern(o_.first, o_.second);
  say("delete_with " + t_->text(id));
  const outcome o = attempt([&] { t_->real.delete_with(t_->id_of(id)); });
  agree(o, t_->model.delete_with(id));
}

// So many that they do not stay in tables.
void player::many_targets() {
  const number e = living_entity(o_.who);
  const int relations = o_.value % 4 == 0 ? 4 : 1;
  say("add " + t_->text(e) + " pairs of " + number_text(relations) + " relations with everything");
  for (int i = 0; i < relations; ++i) {
    const number relation = common_entity(o_.first + i);
    for (number target : living()) {
      const outcome o =
          attempt([&] { t_->handle(e).add(t_->handle(relation), t_->handle(target)); });
      agree(o, t_->model.add(e, {relation, target}));
    }
  }
}

// --- values --------------------------------------------------------------------------------------

void player::set() {
  const number e = any_entity(o_.who);
  const kind k = data_kind(o_.first);
  const number type = type_entity(k);
  if (!type) return;
  const int v = o_.value;
  const int spelling = o_.second % 3;
  say((spelling == 1 ? "emplace " : "set ") + t_->text(e) + " " + t_->text(type) + " = " +
      number_text(v));
  const kith::entity h = t_->handle(e);
  const outcome o = attempt([&] {
    with_component(k, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if (spelling == 1) {
        if constexpr (std::is_same_v<T, zoo::Plain>)
          h.emplace<T>(v, 2 * v);
        else
          h.emplace<T>(v);
        return;
      }
      T value = value_with<T>(v);
      if constexpr (std::is_copy_constructible_v<T>) {
        if (spelling == 2) {
          h.set(std::as_const(value));
          return;
        }
      }
      h.set(std::move(value));
    });
  });
  agree(o, t_->model.set(e, {type}, type, v));
}

void player::set_pair() {
  const number e = any_entity(o_.who);
  const kith::entity h = t_->handle(e);
  const int v = o_.value;
  const int way = o_.first % 8;
  if (way >= 6) {
    // Both parts are types: the value has the type of the first that has members.
    const kind first = way == 6 ? kind::text : kind::marker;
    const kind second = way == 6 ? kind::plain : kind::unique;
    const naive_id id{type_entity(first), type_entity(second)};
    if (!id.first || !id.second) return;
    const number type = way == 6 ? id.first : id.second;
    say("set " + t_->text(e) + " " + t_->text(id) + " = " + number_text(v));
    const outcome o = attempt([&] {
      if (way == 6)
        h.set<zoo::Text, zoo::Plain>(zoo::Text(v));
      else
        h.set<zoo::Marker, zoo::Unique>(zoo::Unique(v));
    });
    return agree(o, t_->model.set(e, id, type, v));
  }

  const kind k = data_kind(o_.first / 8);
  const number type = type_entity(k);
  if (!type) return;
  const bool second = way == 5;
  const number other = second ? common_entity(o_.second) : any_entity(o_.second);
  const naive_id id = second ? naive_id{other, type} : naive_id{type, other};
  if (!id.is_pair()) return;
  say("set " + t_->text(e) + " " + t_->text(id) + " = " + number_text(v));
  const outcome o = attempt([&] {
    with_component(k, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if (second)
        h.set_second<T>(t_->handle(other), value_with<T>(v));
      else
        h.set<T>(t_->handle(other), value_with<T>(v));
    });
  });
  agree(o, t_->model.set(e, id, type, v));
}

void player::set_raw() {
  const number e = any_entity(o_.who);
  const naive_id id = likely_id(e, o_.first, o_.second);
  if (id == naive_id{kith::Component}) return;
  const int v = o_.value;
  say("set_ptr " + t_->text(e) + " " + t_->text(id) + " = " + number_text(v));
  const std::optional<kind> k = t_->model.kind_of(id);
  const kith::entity h = t_->handle(e);
  const outcome o = attempt([&] {
    with_type(k.value_or(kind::raw), [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T value = value_with<T>(v);
      h.set_ptr(t_->id_of(id), &value);
    });
  });
  if (!k || can_copy(*k)) return agree(o, t_->model.set(e, id, 0, v));
  faults expected{errc::type};
  if (!t_->model.is_alive(e) || !is_known(id)) expected.insert(errc::not_alive);
  if (is_pattern(id)) expected.insert(errc::constraint);
  agree(o, expected);
}

void player::ensure() {
  const number e = any_entity(o_.who);
  const int way = o_.first % 3;
  naive_id id = likely_id(e, o_.first / 3, o_.second);
  number type = 0;
  if (way != 0) {
    type = type_entity(data_kind(o_.first / 3));
    if (!type) return;
    id = way == 1 ? naive_id{type} : naive_id{type, any_entity(o_.second)};
  }
  if (id == naive_id{kith::Component} || !t_->model.ensure_is_certain(e, id, type)) return;
  const int more = o_.value + 1;
  say("ensure " + t_->text(e) + " " + t_->text(id) + " += " + number_text(more));

  // The payload that a value written at once must have now; another one may wait.
  std::optional<int> before;
  if (!t_->model.anything_waits() && t_->model.is_alive(e)) {
    before = is_pattern(id) ? 0 : t_->model.first_value(e, id);
  }
  const std::optional<kind> k = type ? data_kind(o_.first / 3) : t_->model.kind_of(id);
  const kith::entity h = t_->handle(e);
  int seen = 0;
  const outcome o = attempt([&] {
    void* value = nullptr;
    if (type)
      with_component(*k, [&](auto tag) {
        using T = typename decltype(tag)::type;
        value = id.is_pair() ? &h.ensure<T>(t_->handle(id.second)) : &h.ensure<T>();
      });
    else
      value = h.ensure(t_->id_of(id));
    seen = payload_of(*k, value);
    set_payload(*k, value, seen + more);
  });
  const faults wrong = t_->model.ensure(e, id, type, more);
  agree(o, wrong);
  if (wrong.empty() && before && seen != *before)
    disagree("ensure found the value ", number_text(seen), ", the model ", number_text(*before));
}

void player::write() {
  const number e = any_entity(o_.who);
  const naive_id id = likely_id(e, o_.first, o_.second);
  if (id == naive_id{kith::Component} || is_pattern(id)) return;
  if (t_->model.is_alive(e) && t_->model.is_unsettled(e, id)) return;
  say("write " + t_->text(e) + " " + t_->text(id) + " = " + number_text(o_.value));
  void* value = nullptr;
  const outcome o = attempt([&] { value = t_->handle(e).get_mut(t_->id_of(id)); });
  faults wrong;
  if (!t_->model.is_alive(e) || !is_known(id)) wrong = {errc::not_alive};
  agree(o, wrong);
  if (!wrong.empty()) return;
  const std::optional<kind> k = t_->model.kind_of(id);
  if ((value != nullptr) != (t_->model.owns(e, id) && k.has_value()))
    disagree("get_mut found a value, or none, against the model");
  if (!value) return;
  set_payload(*k, value, o_.value);
  t_->model.write(e, id, o_.value);
}

// A constructor that throws leaves everything as it was.
void player::fail() {
  const number e = living_entity(o_.who);
  const bool boxed = o_.first % 2 == 0;
  if (!e || !type_entity(boxed ? kind::boxed : kind::strict)) return;
  say("emplace " + t_->text(e) + (boxed ? " Boxed" : " Strict") + ", which fails");
  const kith::entity h = t_->handle(e);
  const outcome o = attempt(
      [&] { boxed ? h.emplace<zoo::Boxed>(zoo::fail{}) : h.emplace<zoo::Strict>(zoo::fail{}); });
  // What is wrong with the use of the id is found first.
  const number type = type_entity(boxed ? kind::boxed : kind::strict);
  naive_world tried = t_->model;
  const faults wrong = tried.set(e, {type}, type, 0);
  wrong.empty() ? expect_failure(o) : agree(o, wrong);
}

// --- storage -------------------------------------------------------------------------------------

// Where a group of ids is kept must never be visible.
void player::migrate() {
  const number e = living_entity(o_.who);
  if (!e) return;
  const naive_id id = likely_id(e, o_.first, o_.second);
  if (!is_known(id) || is_pattern(id)) return;
  auto& store = t_->real.engine().state().store();
  const kith::id_t raw = t_->id_of(id).raw_id();
  const auto* known = store.ids().find_group(raw);
  if (!known || known->pinned) return;
  using place = kith::core::id_group::place;
  const place where = o_.value % 3 ? place::pools : place::tables;
  say("migrate the group of " + t_->text(id) +
      (where == place::pools ? " to pools" : " to tables"));
  store.place(store.ids().group_of(raw), where);
}

}  // namespace kith_model
