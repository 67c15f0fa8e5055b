#include "world/stages.hpp"

#include <algorithm>
#include <utility>

#include <kith/detail/error.hpp>

#include "base/make_room.hpp"
#include "base/scope_exit.hpp"
#include "base/try_allocate.hpp"

namespace kith::core {

namespace {
// Counts the times of reading of all worlds.
std::atomic<std::uint64_t> last_session = 0;
}  // namespace

void stages::raise_ended() { raise(errc::not_alive, "the world has ended"); }

void stages::raise_closed(const char* what) const {
  check_not_ended();
  if (is_reading() && units_in_work_) {
    if (const command_gate* gate = stage_of_thread().queue.gate())
      gate->refuse("does more than queue changes");
    raise(errc::constraint, what,
          " while a system runs whose rows, or whose neighbours, may run on other threads");
  }
  if (is_reading()) raise(errc::constraint, what, " while several threads read the world");
  if (mode_ == mode::reporting) raise(errc::constraint, what, " while define reports its progress");
  if (main.queue.gate()) main.queue.gate()->refuse("does more than queue changes");
}

command_queue& stages::queue_elsewhere() {
  if (!is_reading()) raise_closed("the world cannot be changed");
  return here().queue;
}

bool stages::in_use() const {
  return graph_.store.busy() || main.in_use() || units_in_work_ != 0 ||
         std::ranges::any_of(of_threads_, [](const auto& t) { return t.own->in_use(); });
}

stage& stages::find_stage() const {
  // A visit that was under way when the world ended still finds its stage. Only the state that
  // stands for all ended worlds has never been visited.
  if (has_ended() && !in_use()) raise_ended();
  return session_ ? stage_of_thread() : const_cast<stage&>(main);
}

void stages::begin_reading() {
  check_not_ended();
  if (is_reading()) raise(errc::constraint, "the world is read by several threads already");
  if (queueing()) raise(errc::constraint, "the world is deferred; it cannot be shared now");
  next_promised_ = graph_.store.entities().limit();
  promised_record_.table = graph_.store.tables().root().id();
  graph_.inherit.freeze(true);
  // What queries keep was found out by the main stage.
  main.meaning.refresh();
  // Lists that are sorted when they are asked for must not be sorted by several threads.
  graph_.store.loose().settle();
  session_ = ++last_session;
  mode_ = mode::reading;
}

std::vector<command_queue> stages::end_reading(std::vector<entity_t>& begun) {
  check_not_ended();
  if (!is_reading()) raise(errc::constraint, "readonly_end without readonly_begin");
  mode_ = mode::open;
  session_ = 0;
  graph_.inherit.freeze(false);
  std::vector<command_queue> queues;
  for (thread_stage& t : std::exchange(of_threads_, {})) {
    const std::vector<entity_t>& promised = t.own->promised.all();
    for (entity_t e : promised) graph_.store.make_alive(e);
    begun.insert(begun.end(), promised.begin(), promised.end());
    queues.push_back(std::move(t.own->queue));
  }
  return queues;
}

stages::last_stage& stages::last_of_thread() {
  thread_local last_stage last;
  return last;
}

std::unique_ptr<stage> stages::make_stage() const {
  auto made = std::make_unique<stage>(graph_, open_, samples_);
  made->meaning.effort().watch(stop_);
  made->meaning.effort().limit(most_);
  return made;
}

stage& stages::stage_of_thread() const {
  last_stage& last = last_of_thread();
  if (last.session == session_) return *last.own;
  for (unit_scope* unit = last.unit; unit; unit = unit->outer_)
    if (&unit->s_ == this) {
      last.session = session_;
      last.own = unit->own_.get();
      return *last.own;
    }
  const std::lock_guard guard(guard_);
  const std::thread::id me = std::this_thread::get_id();
  auto known = std::ranges::find(of_threads_, me, &thread_stage::thread);
  if (known == of_threads_.end()) {
    of_threads_.push_back({me, make_stage()});
    known = of_threads_.end() - 1;
  }
  last.session = session_;
  last.own = known->own.get();
  return *last.own;
}

entity_t stages::make_elsewhere() {
  if (!is_reading()) {
    if (!is_open()) raise_closed("an entity cannot be made");
    if (main.queue.gate()) main.queue.gate()->check_creation();
    if (!beyond_) return graph_.store.create();
    const std::uint32_t index = std::max(beyond_, graph_.store.entities().limit());
    if (!graph_.store.make_alive(index)) raise(errc::out_of_range, "no entity index is left");
    return index;
  }
  stage& own = stage_of_thread();
  if (own.queue.gate()) own.queue.gate()->check_creation();
  if (own.is_of_unit) return own.promised.add_next();
  const std::lock_guard guard(guard_);
  own.promised.add(next_promised_);
  return next_promised_++;
}

void stages::unmake_entity(entity_t e) {
  if (is_reading()) {
    here().promised.erase(e);
    return;
  }
  const entity_record* r = graph_.store.entities().find(e);
  if (r && (!r->referenced || graph_.store.forget_if_unused(e))) graph_.store.destroy(e);
}

stages::unit_scope::unit_scope(stages& s, work_unit& unit, const command_gate* gate)
    : s_(s), unit_(unit) {
  {
    const std::lock_guard guard(s.guard_);
    if (!s.idle_.empty()) {
      own_ = std::move(s.idle_.back());
      s.idle_.pop_back();
    }
  }
  if (!own_) own_ = s.make_stage();
  ++s.units_in_work_;
  own_->meaning.refresh();
  own_->queue.swap(unit.queue);
  own_->queue.set_gate(gate);
  std::swap(own_->promised, unit.promised);
  own_->is_of_unit = true;
  last_stage& last = last_of_thread();
  session_before_ = last.session;
  stage_before_ = last.own;
  outer_ = last.unit;
  last = {s.session_, own_.get(), this};
}

stages::unit_scope::~unit_scope() {
  last_of_thread() = {session_before_, stage_before_, outer_};
  own_->queue.swap(unit_.queue);
  own_->queue.set_gate(nullptr);
  std::swap(own_->promised, unit_.promised);
  --s_.units_in_work_;
  const std::lock_guard guard(s_.guard_);
  // Where memory ends, it does not wait for the next unit.
  if (s_.idle_.size() < s_.idle_.capacity() || try_allocate([&] { make_room(s_.idle_); }))
    s_.idle_.push_back(std::move(own_));
}

void stages::forget_waiting() {
  session_ = 0;
  std::exchange(of_threads_, {}).clear();
  while (!main.queue.empty()) main.queue.clear();
}

}  // namespace kith::core
