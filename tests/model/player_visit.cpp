// Changes during visits: the library queues them until the outermost visit ends.
#include "model/player.hpp"
#include "model/zoo.hpp"

namespace kith_model {

void player::visit() {
  const number e = living_entity(o_.who);
  const number tag = common_entity(o_.second);
  const number plain = type_entity(kind::plain);
  if (!e || !tag || !plain) return;
  const naive_id id = likely_id(e, o_.first / 4, o_.second);
  if (!is_known(id)) return;
  const number relation = id.is_pair() ? id.first : tag;
  const int way = o_.first % 4;
  const int change = o_.value % 8;
  const std::size_t limit = 1 + static_cast<std::size_t>(o_.value / 8 % 4);
  static constexpr const char* ways[] = {"each with", "the children of", "the targets of",
                                         "some children of"};
  static constexpr const char* changes[] = {"destroy",   "add a tag", "remove an id",  "clear",
                                            "re-parent", "set Plain", "disable an id", "call it a"};
  say(std::string("visit ") + ways[way] + " " +
      (way == 0   ? t_->text(id)
       : way == 2 ? t_->text(e) + " along " + t_->text(relation)
                  : t_->text(e)) +
      ": " + changes[change] + " (" + t_->text(tag) + ", " + t_->text(id) + ")");

  const auto change_real = [&](kith::entity v) {
    switch (change) {
      case 0:
        return v.destruct();
      case 1:
        return void(v.add(t_->handle(tag)));
      case 2:
        return void(v.remove(t_->id_of(id)));
      case 3:
        return void(v.clear());
      case 4:
        return void(v.child_of(t_->handle(tag)));
      case 5:
        return void(v.set(value_with<zoo::Plain>(7)));
      case 6:
        return void(v.disable(t_->id_of(id)));
      default:
        return void(v.set_name("a"));
    }
  };
  const auto change_model = [&](number v) {
    naive_world& m = t_->model;
    switch (change) {
      case 0:
        return m.destroy(v);
      case 1:
        return m.add(v, {tag});
      case 2:
        return m.remove(v, id);
      case 3:
        return m.clear(v);
      case 4:
        return m.add(v, {kith::ChildOf, tag});
      case 5:
        return m.set(v, {plain}, plain, 7);
      case 6:
        return m.enable(v, id, false);
      default:
        return m.set_name(v, "a");
    }
  };

  std::vector<kith::entity> visited;
  bool left_early = false;
  const kith::entity h = t_->handle(e);
  const outcome o = attempt([&] {
    const auto visit_one = [&](kith::entity v) {
      visited.push_back(v);
      change_real(v);
    };
    const auto visit_some = [&](const auto& range) {
      for (kith::entity v : range) {
        visit_one(v);
        if (visited.size() == limit) {
          left_early = true;
          break;
        }
      }
    };
    if (way == 0) t_->real.each(t_->id_of(id), visit_one);
    if (way == 1) h.children(visit_one);
    if (way == 2) visit_some(h.targets(t_->handle(relation)));
    if (way == 3) visit_some(h.children());
  });

  // The model makes the changes in the order in which the library visited.
  t_->model.defer_begin();
  for (kith::entity v : visited)
    if (!change_model(t_->number_of(v)).empty()) disagree("a change while visiting was refused");
  const std::vector<faults> failed = t_->model.defer_end();
  if (!left_early) return agree(o, failed.empty() ? faults{} : failed.front());

  agree(o, {});
  const std::vector<kith::error> errors = t_->real.deferred_errors();
  if (errors.size() != failed.size())
    disagree(std::to_string(errors.size()), " deferred errors, the model says ",
             std::to_string(failed.size()));
  for (std::size_t i = 0; i < errors.size(); ++i)
    agree({.raised = errors[i].code(), .message = errors[i].what()}, failed[i]);
}

}  // namespace kith_model
