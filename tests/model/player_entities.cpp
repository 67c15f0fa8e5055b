// Steps that create and delete entities.
#include "model/player.hpp"
#include "model/zoo.hpp"

namespace kith_model {

using kith::errc;

void player::bind_all(const std::vector<number>& made, kith::entity last) {
  if (made.size() == 1) t_->bind(made.front(), last);
}

void player::create() {
  if (living().size() >= max_entities) return destroy();
  const bool outside = o_.value % 10 == 9;
  say(outside ? "new_id" : "create");
  kith::entity e;
  const outcome o = attempt([&] { e = outside ? t_->real.new_id() : t_->real.entity(); });
  std::vector<number> made;
  if (outside)
    made.push_back(t_->model.create_id());
  else
    agree(o, t_->model.create(made));
  bind_all(made, e);
}

void player::create_named() {
  if (living().size() >= max_entities) return destroy();
  path names;
  const std::vector<known_name>& known = known_names();
  for (int i = 0, pick = o_.first; i <= o_.second % 3; ++i, pick /= 16)
    names.push_back(known[static_cast<std::size_t>(pick) % 16 % known.size()].name);
  const bool from_root = o_.value % 3 == 2;
  const std::string text = (from_root ? "::" : "") + written(names);
  say("entity " + text);
  kith::entity e;
  const outcome o = attempt([&] { e = t_->real.entity(text); });
  number found = 0;
  std::vector<number> made;
  const faults wrong = t_->model.create_named(names, from_root, found, made);
  agree(o, wrong);
  if (!wrong.empty()) return;
  for (number n : made) {
    kith::entity at = e;
    if (n != found) {
      // This is one of the parents that were created with it.
      const number under = t_->model.at(n).named_under;
      const std::string name = written({t_->model.at(n).name});
      at = under ? t_->handle(under).lookup(name) : t_->real.lookup(concat("::", name));
    }
    t_->bind(n, at);
  }
  if (t_->handle(found) != e) disagree("entity ", text, " is not ", t_->text(found));
}

void player::create_with() {
  if (living().size() >= max_entities) return destroy();
  const int v = o_.value;
  const bool fails = o_.second % 16 == 15;
  std::vector<naive_world::initial> values;
  switch (o_.first % 4) {
    case 0:
      values = {{kind::plain, v}};
      break;
    case 1:
      values = {{kind::text, v}, {kind::marker, 0}, {kind::wide, v + 1}};
      break;
    case 2:
      values = {{kind::unique, v}, {kind::strict, v + 1}};
      break;
    default:
      values = {{kind::wide, v}, {kind::boxed, v + 1}, {kind::plain, v + 2}};
  }
  for (const auto& each : values)
    if (!type_entity(each.what)) return;
  std::string text = "create with";
  for (const auto& each : values)
    text += " " + std::string(name_of(each.what)) + "=" + std::to_string(each.value);
  const bool fails_now = fails && o_.first % 4 == 3;
  say(text + (fails_now ? ", whose copies fail" : ""));

  kith::entity e;
  zoo::Boxed boxed(v + 1);
  zoo::Boxed::copies_fail = fails_now;
  const outcome o = attempt([&] {
    kith::world& w = t_->real;
    switch (o_.first % 4) {
      case 0:
        e = w.entity(value_with<zoo::Plain>(v));
        break;
      case 1:
        e = w.entity(zoo::Text(v), zoo::Marker{}, zoo::Wide{v + 1});
        break;
      case 2:
        e = w.entity(zoo::Unique(v), zoo::Strict(v + 1));
        break;
      default:
        e = w.entity(zoo::Wide{v}, std::as_const(boxed), value_with<zoo::Plain>(v + 2));
    }
  });
  zoo::Boxed::copies_fail = false;
  std::vector<number> made;
  if (fails_now && o.failed) return;
  const faults wrong = t_->model.create_with(values, made);
  if (fails_now && wrong.empty()) expect_failure(o);
  agree(o, wrong);
  bind_all(made, e);
}

void player::bulk() {
  const int v = o_.value;
  const std::size_t room = max_entities - std::min(max_entities, living().size());
  const std::size_t count = std::min<std::size_t>(room, static_cast<std::size_t>(o_.first % 6));
  const int variant = o_.second % 4;
  std::vector<std::vector<naive_world::initial>> values(count);
  std::vector<zoo::Text> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const int nth = v + static_cast<int>(i);
    texts.emplace_back(nth);
    if (variant == 1) values[i] = {{kind::marker, 0}, {kind::plain, v}};
    if (variant == 2) values[i] = {{kind::text, nth}, {kind::wide, v}};
    if (variant == 3) values[i] = {{kind::boxed, v}, {kind::strict, v}};
  }
  for (kind k : {kind::marker, kind::plain, kind::text, kind::wide, kind::boxed, kind::strict})
    if (!type_entity(k)) return;
  say("bulk " + std::to_string(count) + " of variant " + std::to_string(variant) + " with " +
      std::to_string(v));

  std::vector<kith::entity> created;
  const outcome o = attempt([&] {
    kith::world& w = t_->real;
    if (variant == 0) created = w.bulk(count);
    if (variant == 1) created = w.bulk(count, zoo::Marker{}, value_with<zoo::Plain>(v));
    if (variant == 2) created = w.bulk(count, texts, zoo::Wide{v});
    if (variant == 3) created = w.bulk(count, zoo::Boxed(v), zoo::Strict(v));
  });
  std::vector<number> made;
  agree(o, t_->model.create_many(values, made));
  if (created.size() != made.size()) disagree("bulk created another number of entities");
  for (std::size_t i = 0; i < made.size(); ++i) t_->bind(made[i], created[i]);

  texts.emplace_back(0);
  const outcome wrong_count = attempt([&] { t_->real.bulk(count, texts); });
  agree(wrong_count, {errc::out_of_range});
}

void player::destroy() {
  const number e = any_entity(o_.who);
  say("destroy " + t_->text(e));
  const outcome o = attempt([&] { t_->handle(e).destruct(); });
  agree(o, t_->model.destroy(e));
}

void player::make_alive() {
  // Indices that are alive, were alive, are not known yet, or are far away.
  const std::uint32_t near = 256 + static_cast<std::uint32_t>(o_.second % 48);
  const std::uint32_t index = o_.first % 16 == 5  ? near - 100
                              : o_.first % 5 == 4 ? near + 5000
                                                  : near;
  kith::entity_t raw = kith::core::make_entity(index, static_cast<std::uint32_t>(o_.value % 4));
  if (o_.first % 16 == 3) raw = 0;
  if (o_.first % 16 == 4) raw |= kith::core::pair_flag;
  const bool impossible = o_.first % 16 >= 3 && o_.first % 16 <= 5;
  const number other = t_->at_index(index);
  if (!other && !impossible && living().size() >= max_entities) return;
  say("make_alive index " + std::to_string(kith::core::index_of(raw)) + " generation " +
      std::to_string(kith::core::generation_of(raw)));

  kith::entity e;
  const outcome o = attempt([&] { e = t_->real.make_alive(raw); });
  const bool is_other = other && t_->handle(other).id() != raw;
  agree(o, impossible || is_other ? faults{errc::constraint} : faults{});
  if (impossible || other) return;
  t_->allow_old_ids_at(index);
  t_->bind(t_->model.create_id(), e);
}

void player::clear() {
  const number e = any_entity(o_.who);
  say("clear " + t_->text(e));
  const outcome o = attempt([&] { t_->handle(e).clear(); });
  agree(o, t_->model.clear(e));
}

namespace {

// Whether the clone would become a target of a OneOf relation before it becomes the required child.
bool mirrors_a_pair_to_a_certain_parent(const naive_world& model, number e) {
  if (!model.is_alive(e)) return false;
  for (const auto& [id, held] : model.at(e).owned)
    if (id.is_pair() && model.owns(id.first, {kith::Symmetric}) &&
        (model.owns(id.first, {kith::OneOf}) ||
         model.owns(id.first, {kith::OneOf, kith::Wildcard})))
      return true;
  return false;
}

}  // namespace

void player::clone() {
  const number e = any_entity(o_.who);
  const number into = o_.first % 3 == 0 ? any_entity(o_.second) : 0;
  if (!into && living().size() >= max_entities) return destroy();
  if (is_wildcard(into) || mirrors_a_pair_to_a_certain_parent(t_->model, e)) return;
  const bool with_values = o_.value % 3 != 0;
  const bool fails = o_.value % 7 == 6 && with_values && !t_->model.is_deferred();
  say("clone " + t_->text(e) + (with_values ? "" : " without values") +
      (into ? " into " + t_->text(into) : "") + (fails ? ", copies of Boxed fail" : ""));
  kith::entity copy;
  zoo::Boxed::copies_fail = fails;
  const outcome o = attempt([&] { copy = t_->handle(e).clone(with_values, t_->handle(into)); });
  zoo::Boxed::copies_fail = false;
  if (fails && o.failed) return;
  std::vector<number> made;
  agree(o, t_->model.clone(e, into, with_values, made));
  bind_all(made, copy);
}

}  // namespace kith_model
