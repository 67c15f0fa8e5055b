// Steps about names, scopes, deferral, types and other worlds.
#include "model/player.hpp"
#include "model/zoo.hpp"

namespace kith_model {

using kith::errc;

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

// A handle of another world is an error in every function.
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
