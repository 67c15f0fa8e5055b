#include "model/player.hpp"

#include <cstdlib>
#include <iostream>

#include "model/zoo.hpp"

namespace kith_model {

using kith::errc;

namespace {

// Worlds stay small, so that few things meet often.
constexpr std::size_t max_entities = 30;
constexpr int max_depth = 3;

std::string shown(const faults& f) {
  if (f.empty()) return "no error";
  std::string text;
  for (errc code : f) text += (text.empty() ? "" : " or ") + std::string(to_text(code));
  return text;
}

bool traces() {
  static const bool on = std::getenv("KITH_MODEL_TRACE") != nullptr;
  return on;
}

}  // namespace

player::player(int worlds) {
  for (int i = 0; i < worlds; ++i) twins_.push_back(std::make_unique<twin>());
}

player::~player() = default;

std::string player::log() const {
  std::string text;
  for (const std::string& line : log_) text += line + "\n";
  return text;
}

void player::say(const std::string& what) {
  std::size_t world = 0;
  while (twins_[world].get() != t_) ++world;
  log_.push_back("w" + std::to_string(world) + ": " + what);
  if (traces()) std::cerr << log_.back() << std::endl;
}

player::outcome player::attempt(const std::function<void()>& call) {
  try {
    call();
    return {};
  } catch (const kith::error& e) {
    return {.raised = e.code(), .message = e.what()};
  } catch (const zoo::failure& e) {
    return {.failed = true, .message = e.what()};
  }
}

void player::agree(const outcome& o, const faults& expected) {
  const std::string found = o.failed   ? "a constructor failed"
                            : o.raised ? shown({*o.raised}) + " (" + o.message + ")"
                                       : "no error";
  if (traces()) std::cerr << "  " << found << std::endl;
  const bool fits = !o.failed && (o.raised ? expected.contains(*o.raised) : expected.empty());
  if (!fits) disagree("the library raised ", found, ", the model expects ", shown(expected));
}

void player::expect_failure(const outcome& o) {
  if (!o.failed) disagree("the error of the constructor did not come through");
}

void player::play(const operation& o) {
  o_ = o;
  t_ = twins_[static_cast<std::size_t>(o.world) % twins_.size()].get();
  ++step_;
  switch (o.what) {
    case action::create:
      create();
      break;
    case action::create_named:
      create_named();
      break;
    case action::create_with:
      create_with();
      break;
    case action::bulk:
      bulk();
      break;
    case action::destroy:
      destroy();
      break;
    case action::make_alive:
      make_alive();
      break;
    case action::add: {
      const number e = any_entity(o.who);
      add(e, o.first % 40 == 39 ? some_pattern(o.second, o.value) : some_id(o.first, o.second));
      break;
    }
    case action::remove: {
      const number e = any_entity(o.who);
      remove(e, likely_id(e, o.first, o.second));
      break;
    }
    case action::remove_pattern:
      remove(any_entity(o.who), some_pattern(o.first, o.second));
      break;
    case action::set:
      set();
      break;
    case action::set_pair:
      set_pair();
      break;
    case action::set_raw:
      set_raw();
      break;
    case action::ensure:
      ensure();
      break;
    case action::write:
      write();
      break;
    case action::fail:
      fail();
      break;
    case action::child_of:
      child_of();
      break;
    case action::unparent:
      remove(any_entity(o.who), {kith::ChildOf, kith::Wildcard});
      break;
    case action::rename:
      rename();
      break;
    case action::clear:
      clear();
      break;
    case action::clone:
      clone();
      break;
    case action::switch_id:
      switch_id();
      break;
    case action::switch_entity: {
      const number e = any_entity(o.who);
      const bool on = o.value % 2 != 0;
      say((on ? "enable " : "disable ") + t_->text(e));
      const kith::entity h = t_->handle(e);
      const outcome result = attempt([&] { on ? h.enable() : h.disable(); });
      agree(result,
            on ? t_->model.remove(e, {kith::Disabled}) : t_->model.add(e, {kith::Disabled}));
      break;
    }
    case action::set_scope:
      set_scope();
      break;
    case action::scoped:
      scoped();
      break;
    case action::defer_begin:
      if (t_->model.depth() == max_depth) break;
      say("defer_begin");
      t_->real.defer_begin();
      t_->model.defer_begin();
      break;
    case action::defer_end:
      defer_end();
      break;
    case action::remove_all:
      remove_all();
      break;
    case action::delete_with:
      delete_with();
      break;
    case action::delete_empty_tables:
      say("delete_empty_tables");
      t_->real.delete_empty_tables();
      break;
    case action::give_trait:
    case action::take_trait: {
      const number traits[] = {kith::Exclusive, kith::Acyclic, kith::PairIsTag};
      const number e = o.who % 8 ? common_entity(o.who) : any_entity(o.who / 8);
      const naive_id trait{traits[o.first % 3]};
      o.what == action::give_trait ? add(e, trait) : remove(e, trait);
      break;
    }
    case action::register_type:
      register_type();
      break;
    case action::runtime_component:
      runtime_component();
      break;
    case action::many_targets:
      many_targets();
      break;
    case action::visit:
      visit();
      break;
    case action::migrate:
      migrate();
      break;
    case action::foreign:
      foreign();
      break;
    case action::ask:
      ask();
      break;
    case action::count:
      break;
  }
  t_->compare(step_);
  compare_values_alive();
}

void player::finish() {
  for (const auto& twin : twins_) {
    t_ = twin.get();
    while (t_->model.is_deferred()) defer_end();
    t_->compare(++step_);
  }
  compare_values_alive();
  twins_.clear();
  compare_values_alive();
}

// Each value lives once: as many of each kind as all worlds together should have. Waiting changes hold
// values of their own, so this is known only when none wait.
void player::compare_values_alive() {
  for (const auto& twin : twins_)
    if (twin->model.is_deferred()) return;
  for (kind k : {kind::text, kind::unique, kind::boxed, kind::strict, kind::hooked}) {
    long expected = 0;
    for (const auto& twin : twins_) expected += twin->model.values_of(k);
    if (alive_values(k) != expected)
      disagree(std::to_string(alive_values(k)), " values of ", std::string(name_of(k)),
               " are alive, the model says ", std::to_string(expected));
  }
  if (stray_values()) disagree("a value was destroyed elsewhere than where it was constructed");
}

// --- entities ------------------------------------------------------------------------------------

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
      // One of the parents that were made with it.
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

void player::clone() {
  const number e = any_entity(o_.who);
  const number into = o_.first % 3 == 0 ? any_entity(o_.second) : 0;
  if (!into && living().size() >= max_entities) return destroy();
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

// --- names ---------------------------------------------------------------------------------------

void player::child_of() {
  const number e = any_entity(o_.who);
  add(e, {kith::ChildOf, any_entity(o_.first)});
}

void player::rename() {
  const number e = any_entity(o_.who);
  const std::vector<known_name>& known = known_names();
  const std::string name =
      o_.value % 8 == 7 ? "" : known[static_cast<std::size_t>(o_.first) % known.size()].name;
  say("set_name " + t_->text(e) + " '" + name + "'");
  const outcome o = attempt([&] { t_->handle(e).set_name(name); });
  agree(o, t_->model.set_name(e, name));
}

void player::set_scope() {
  const number e = o_.value % 2 ? any_entity(o_.who) : 0;
  say("set_scope " + t_->text(e));
  kith::entity previous;
  const outcome o = attempt([&] { previous = t_->real.set_scope(t_->handle(e)); });
  const number expected = t_->model.scope();
  const faults wrong = t_->model.set_scope(e);
  agree(o, wrong);
  if (wrong.empty() && previous.id() != t_->handle(expected).id())
    disagree("set_scope returned another scope than the previous one");
}

void player::scoped() {
  if (living().size() >= max_entities) return;
  const number e = any_entity(o_.who);
  say("create in the scope of " + t_->text(e));
  kith::entity created;
  const outcome o = attempt([&] { t_->handle(e).scope([&] { created = t_->real.entity(); }); });
  const number outer = t_->model.scope();
  std::vector<number> made;
  faults wrong = t_->model.is_alive(e) ? t_->model.set_scope(e) : faults{errc::not_alive};
  if (wrong.empty()) wrong = t_->model.create(made);
  t_->model.restore_scope(outer);
  agree(o, wrong);
  bind_all(made, created);
}

// --- deferral ------------------------------------------------------------------------------------

void player::defer_end() {
  say("defer_end");
  const outcome o = attempt([&] { t_->real.defer_end(); });
  if (!t_->model.is_deferred()) return agree(o, {errc::constraint});
  const std::vector<faults> failed = t_->model.defer_end();
  agree(o, failed.empty() ? faults{} : failed.front());
}

// --- types ---------------------------------------------------------------------------------------

void player::register_type() {
  const kind k = static_cast<kind>(o_.first % typed_kinds);
  say("register " + std::string(name_of(k)));
  type_entity(k);
}

void player::runtime_component() {
  if (living().size() >= max_entities) return;
  const kind k = o_.first % 2 ? kind::hooked : kind::raw;
  const std::string name = o_.second % 3 == 0 ? "" : std::string(name_of(k));
  if (!name.empty() && !t_->model.registering_is_certain(t_->model.scope(), {name})) return;
  say("component " + std::string(name_of(k)) + (name.empty() ? ", nameless" : ""));
  kith::entity e;
  const outcome o = attempt([&] { e = t_->real.component(describe(k, name)); });
  number found = 0;
  std::vector<number> made;
  const faults wrong = t_->model.runtime_component(k, name, found, made);
  agree(o, wrong);
  if (!wrong.empty()) return;
  bind_all(made, e);
  if (t_->handle(found) != e) disagree("component ", name, " is not ", t_->text(found));
}

// A handle of another world as an argument is an error, whatever it is given to.
void player::foreign() {
  if (twins_.size() < 2) return;
  const number e = living_entity(o_.who);
  if (!e) return;
  const twin* mine = t_;
  const twin& other = *twins_[static_cast<std::size_t>(o_.world + 1) % twins_.size()];
  number alien = 0;
  for (const auto& [n, entity] : other.model.entities()) alien = n;
  const kith::entity h = mine->handle(e), f = other.handle(alien);
  if (!type_entity(kind::plain)) return;
  say("use " + other.text(alien) + " of another world with " + mine->text(e) + " in way " +
      std::to_string(o_.first % 12));
  const outcome o = attempt([&] {
    kith::world& w = t_->real;
    switch (o_.first % 12) {
      case 0:
        return void(h.add(f));
      case 1:
        return void(h.add(h, f));
      case 2:
        return void(h.add(f, h));
      case 3:
        return void(h.child_of(f));
      case 4:
        return void(h.set<zoo::Plain>(f, value_with<zoo::Plain>(1)));
      case 5:
        return void(h.clone(true, f));
      case 6:
        return void(w.set_scope(f));
      case 7:
        return w.delete_with(f);
      case 8:
        return w.remove_all(f);
      case 9:
        return void(h.has(h, f));
      case 10:
        return void(h.targets(f));
      default:
        return void(h.disable(f));
    }
  });
  agree(o, {errc::not_alive});
  if (mine->real.is_alive(f)) disagree("an entity of another world is alive here");
}

}  // namespace kith_model
