// Calls that must fail: with entities and ids that are null or dead.
#include <string_view>

#include "model/player.hpp"
#include "model/zoo.hpp"

namespace kith_model {

using kith::errc;

namespace {

// The arguments that a function needs alive.
struct question {
  const char* name;
  bool about_entity;
  bool about_id;
  bool about_relation;
};

constexpr question questions[] = {
    {"has", true, true, false},
    {"owns", true, true, false},
    {"enabled", true, true, false},
    {"get", true, true, false},
    {"match", true, true, false},
    {"targets", true, false, true},
    {"target", true, false, true},
    {"target_for", true, true, true},
    {"parent", true, false, false},
    {"children", true, false, false},
    {"name", true, false, false},
    {"path", true, false, false},
    {"lookup", true, false, false},
    {"type", true, false, false},
    {"table", true, false, false},
    {"world.count", false, true, false},
    {"world.each", false, true, false},
    {"at", true, false, false},
    {"past the type", true, false, false},
};

}  // namespace

void player::ask() {
  const std::size_t which = static_cast<std::size_t>(o_.first) % std::size(questions);
  const question& q = questions[which];
  const std::vector<number> dead = t_->dead();
  const number lost = dead.empty() ? 0 : dead[static_cast<std::size_t>(o_.second) % dead.size()];
  const number e = o_.value % 2 ? lost : any_entity(o_.who);
  const naive_id id = o_.value % 4 >= 2 ? naive_id{lost} : some_id(o_.who, o_.second);
  if (!type_entity(kind::plain)) return;
  say(concat("ask ", t_->text(e), " ", q.name, " ", t_->text(id)));

  const kith::entity h = t_->handle(e);
  const kith::entity relation = t_->handle(id.first);
  const outcome o = attempt([&] {
    const auto nothing = [](const auto&) {};
    switch (which) {
      case 0:
        return void(h.has(t_->id_of(id)));
      case 1:
        return void(h.owns(t_->id_of(id)));
      case 2:
        return void(h.enabled(t_->id_of(id)));
      case 3:
        return void(h.get(t_->id_of(id)));
      case 4:
        return h.match(t_->id_of(id), nothing);
      case 5:
        return void(h.targets(relation));
      case 6:
        return void(h.target(relation));
      case 7:
        return void(h.target_for(relation, t_->id_of(id)));
      case 8:
        return void(h.parent());
      case 9:
        return void(h.children());
      case 10:
        return void(h.name());
      case 11:
        return void(h.path());
      case 12:
        return void(h.lookup("a"));
      case 13:
        return void(h.type());
      case 14:
        return void(h.table());
      case 15:
        return void(t_->real.count(t_->id_of(id)));
      case 16:
        return t_->real.each(t_->id_of(id), nothing);
      case 17:
        return void(h.at<zoo::Plain>());
      default:
        return void(h.type().get(h.type().count()));
    }
  });

  const naive_world& m = t_->model;
  faults wrong;
  // The name and the path of no entity are empty.
  const bool is_text = std::string_view(q.name) == "name" || std::string_view(q.name) == "path";
  if (q.about_entity && !m.is_alive(e) && (e || !is_text)) wrong.insert(errc::not_alive);
  if (q.about_id && !is_known(id)) wrong.insert(errc::not_alive);
  if (q.about_relation && !m.is_alive(id.first)) wrong.insert(errc::not_alive);
  if (which == 17 && m.is_alive(e) && !m.has(e, {m.registered(kind::plain)}))
    wrong.insert(errc::out_of_range);
  if (which == 18 && m.is_alive(e)) wrong.insert(errc::out_of_range);
  agree(o, wrong);
}

}  // namespace kith_model
