#include "world/stages.hpp"

#include <algorithm>
#include <utility>

#include <kith/detail/error.hpp>

namespace kith::core {

namespace {
// Counts the times of reading of all worlds.
std::atomic<std::uint64_t> last_session = 0;
}  // namespace

void stages::raise_ended() { raise(errc::not_alive, "the world has ended"); }

void stages::raise_closed(const char* what) const {
  check_not_ended();
  if (is_reading()) raise(errc::constraint, what, " while several threads read the world");
  if (mode_ == mode::reporting) raise(errc::constraint, what, " while define reports its progress");
}

command_queue& stages::queue_elsewhere() {
  if (!is_reading()) raise_closed("the world cannot be changed");
  return here().queue;
}

bool stages::in_use() const {
  return graph_.store.busy() || main.in_use() ||
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
    for (entity_t e : t.own->promised) graph_.store.make_alive(e);
    begun.insert(begun.end(), t.own->promised.begin(), t.own->promised.end());
    queues.push_back(std::move(t.own->queue));
  }
  return queues;
}

stage& stages::stage_of_thread() const {
  thread_local struct {
    std::uint64_t session = 0;
    stage* own = nullptr;
  } last;
  if (last.session == session_) return *last.own;
  const std::lock_guard guard(guard_);
  const std::thread::id me = std::this_thread::get_id();
  auto known = std::ranges::find(of_threads_, me, &thread_stage::thread);
  if (known == of_threads_.end()) {
    of_threads_.push_back({me, std::make_unique<stage>(graph_, open_, samples_)});
    known = of_threads_.end() - 1;
    known->own->meaning.effort().watch(stop_);
    known->own->meaning.effort().limit(most_);
  }
  last = {session_, known->own.get()};
  return *last.own;
}

entity_t stages::make_elsewhere() {
  if (!is_reading()) {
    raise_closed("an entity cannot be made");
    if (!beyond_) return graph_.store.create();
    const std::uint32_t index = std::max(beyond_, graph_.store.entities().limit());
    if (!graph_.store.make_alive(index)) raise(errc::out_of_range, "no entity index is left");
    return index;
  }
  stage& own = stage_of_thread();
  const std::lock_guard guard(guard_);
  // Ids only grow, so each list of promised entities is sorted.
  own.promised.push_back(next_promised_);
  return next_promised_++;
}

void stages::unmake_entity(entity_t e) {
  if (is_reading()) {
    std::erase(here().promised, e);
    return;
  }
  const entity_record* r = graph_.store.entities().find(e);
  if (r && (!r->referenced || graph_.store.forget_if_unused(e))) graph_.store.destroy(e);
}

void stages::forget_waiting() {
  session_ = 0;
  std::exchange(of_threads_, {}).clear();
  while (!main.queue.empty()) main.queue.clear();
}

}  // namespace kith::core
