#include "model/player.hpp"

#include <cstdlib>
#include <iostream>

#include "model/zoo.hpp"

namespace kith_model {

using kith::errc;

namespace {

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

player::player(int worlds, kith::entity_t instantiate, calls how) : how_(how) {
  for (int i = 0; i < worlds; ++i) twins_.push_back(std::make_unique<twin>(instantiate));
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
  return how_ == calls::once ? attempt_once(call) : attempt_and_take_back(call);
}

player::outcome player::attempt_once(const std::function<void()>& call) {
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
      give_trait();
      break;
    case action::take_trait:
      take_trait();
      break;
    case action::pin:
      pin();
      break;
    case action::is_a:
      is_a();
      break;
    case action::make_prefab:
      make_prefab();
      break;
    case action::order_children:
      order_children();
      break;
    case action::reach:
      reach();
      break;
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
  t_->meet_new_entities();
  t_->compare(step_);
  compare_values_alive();
}

void player::finish() {
  for (const auto& twin : twins_) {
    t_ = twin.get();
    while (t_->model.is_deferred()) defer_end();
    t_->meet_new_entities();
    t_->compare(++step_);
  }
  compare_values_alive();
  kept_.clear();
  twins_.clear();
  compare_values_alive();
}

// Compares the number of living values of each kind with that of all models. Queued changes own
// values too, so this is only possible while none is queued.
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

}  // namespace kith_model
