// One of each: the parts that make a world, and the two things that need several of them: checks of
// what the caller gives, and carrying out changes that waited.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <kith/detail/engine.hpp>
#include <kith/detail/observer_desc.hpp>

#include "base/function_ref.hpp"
#include "base/scope_exit.hpp"
#include "entity/describe.hpp"
#include "meta/members.hpp"
#include "query/cache/preparations.hpp"
#include "reactive/reactions.hpp"
#include "relations/graph.hpp"
#include "world/components.hpp"
#include "world/stages.hpp"

namespace kith::core {

struct engine_state {
  engine_state();
  engine_state(const engine_state&) = delete;
  engine_state& operator=(const engine_state&) = delete;
  ~engine_state();

  // --- checks ---
  // The record of an entity that must be alive; one that is promised has nothing yet.
  entity_record& alive(entity_t e) {
    if (entity_record* r = store().entities().find(e)) return *r;
    return promised_or_raise(e);
  }
  const entity_record& alive(entity_t e) const { return const_cast<engine_state*>(this)->alive(e); }
  bool is_alive(entity_t e) const {
    return store().entities().is_alive(e) || stages.is_promised(e);
  }
  // Does `e` own or inherit an id that fits, and is that id on?
  bool sees(entity_t e, id_t id) const {
    const entity_record& r = alive(e);
    return has_wildcard(id) ? graph_.inherit.any_visible(e, r, id)
                            : graph_.inherit.is_visible(e, r, id);
  }
  // A pair of entities that must be alive.
  id_t pair(entity_t relation, entity_t target) const {
    const entity_index& entities = store().entities();
    if (entities.is_alive(relation) && entities.is_alive(target))
      return make_pair(relation, target);
    return promised_pair(relation, target);
  }
  // As those of the graph, and parts of an id may be promised.
  void check_known(id_t id) const {
    if (!has_promised_part(id)) graph_.check_known(id);
  }
  void check_addable(id_t id) const {
    if (!has_promised_part(id)) graph_.check_addable(id);
  }
  void check_exact(id_t id) const {
    if (!has_promised_part(id)) graph_.check_exact(id);
  }
  // The type of the values of an id. Raises an error if it has none, or if `value_type` is another
  // type (0: any type).
  const type_info& check_has_value(id_t id, entity_t value_type) const;
  // Ids that a new entity can start with: each once.
  template <class New>
  void check_new_ids(std::span<const New> ids) const {
    std::vector<id_t> sorted;
    for (const New& n : ids) {
      check_addable(n.id);
      if (n.id == Component) raise_becomes_component();
      sorted.push_back(n.id);
    }
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end()) raise(errc::constraint, text(*twice), " is given twice");
  }
  [[noreturn]] static void raise_becomes_component();
  std::string text(id_t id) const { return describe_id(store(), names_, id); }

  // --- changes (deferred.cpp) ---
  // Makes a change, and then the changes that constructors and destructors of values asked for.
  template <class Change>
  void carry(Change change) {
    scope_exit quietly([&] { settle_quietly(); });
    if (has_observers())
      react_to(change);
    else
      change();
    quietly.dismiss();
    settle();
  }
  // The same, but if changes wait, `change` queues it.
  template <class Change>
  void carry_or_queue(Change change) {
    if (stages.queueing())
      change();
    else
      carry(change);
  }
  // The same for a change of one id of an entity.
  enum class one_change : std::uint8_t { add, set, remove };
  template <class Change>
  void carry_one(entity_t e, id_t id, one_change what, Change change) {
    if (!has_observers()) return carry(change);
    scope_exit quietly([&] { settle_quietly(); });
    if (!react_plainly(e, id, what, change)) react_to(change);
    quietly.dismiss();
    settle();
  }
  // The same for a change of these ids alone, about which no rule is, and of entities with them
  // that begin or end. `id_of` reads the id of an element of `ids`.
  template <class Ids, class Change, class IdOf = std::identity>
  void carry_ids(const Ids& ids, bool reads_life, Change change, IdOf id_of = {}) {
    if (!has_observers() || reads_life || !nobody_reads(ids, id_of)) return carry(change);
    carry_unseen(change);
  }
  // A part of a change that may fail while the rest goes on: it is taken back unless keep() was
  // called, and nobody hears of it. Requires: a transaction is open.
  class part_of_change {
   public:
    explicit part_of_change(engine_state& s) : s_(s), point_(std::in_place, s.graph_) {
      if (s.reactions) mark_ = s.reactions->mark_facts();
    }
    part_of_change(const part_of_change&) = delete;
    part_of_change& operator=(const part_of_change&) = delete;
    ~part_of_change() {
      if (keeps_) return;
      if (s_.reactions) s_.reactions->mute(true);
      point_.reset();
      if (!s_.reactions) return;
      s_.reactions->mute(false);
      s_.reactions->forget_facts(mark_);
    }
    void keep() {
      keeps_ = true;
      point_->keep();
    }

   private:
    engine_state& s_;
    std::optional<savepoint> point_;
    core::reactions::facts_mark mark_;
    bool keeps_ = false;
  };
  class coming_type;
  // Carries out what was queued, unless it has to wait further. What fails is skipped; the first
  // error is raised at the end.
  void settle() {
    if (!stages.main.queue.empty() && !stages.queueing()) flush();
  }
  // The same, but errors go to `deferred_errors`.
  void settle_quietly() noexcept {
    if (!stages.main.queue.empty() && !stages.queueing()) flush_into(deferred_errors);
  }
  // Several threads have read: carries out what units queued, in their order, and what other
  // threads queued. Returns the first error; the others go to `deferred_errors`.
  std::exception_ptr end_reading(std::span<work_unit* const> units);
  // Carries out what waits, and returns the first error in the same way.
  std::exception_ptr settle_all();
  // A visit is over, and something is queued or the world has ended meanwhile.
  [[gnu::cold]] void finish_visit();
  [[gnu::cold]] void finish_visit_quietly() noexcept;
  // A value was written, or is about to be.
  void note_write(const located_value& value, entity_t e, id_t id) {
    if (!stages.is_reading()) return store().note_write(value, e, id);
    const std::lock_guard guard(stages.kept_by_queries);
    store().note_write(value, e, id);
  }
  void destroy(entity_t e);
  void delete_with(id_t id);

  // Modules that have been imported.
  std::vector<entity_t> modules;
  // An error if a module would end with `e` although something outside of it uses its components.
  void check_modules_unused(entity_t e) const;

  // --- reactions (reacting.cpp) ---
  template <class Ids, class IdOf>
  bool nobody_reads(const Ids& ids, IdOf id_of) {
    const auto unread = [&](id_t id) {
      const core::reactions::short_look look = reactions->look(id);
      return look.possible && !look.read;
    };
    return !in_change_ && std::ranges::all_of(ids, unread, id_of);
  }
  // Carries out a change that no observer and no hook is to see.
  template <class Change>
  void carry_unseen(Change change) {
    scope_exit quietly([&] { settle_quietly(); });
    {
      reactions->mute(true);
      scope_exit end([&] { reactions->mute(false); });
      change();
    }
    quietly.dismiss();
    settle();
  }
  // How often an error of an observer or a hook was raised. The change before it stays.
  std::uint64_t raised_reactions_ = 0;
  bool has_observers() const { return reactions && reactions->any(); }
  // Carries a change out, and tells the observers that it concerns. `whole`: it may consist of many
  // changes of the store. Inside another change it is a part of that.
  void react_to(function_ref<void()> change, bool whole = false);
  void change_whole(function_ref<void()> change);
  bool may_fail(const command& c);
  bool needs_way_back(command_queue& queue, std::size_t first, std::size_t last);
  // The same for one id, if nothing else follows from the change and all observers that read the id
  // have plain terms. Else returns false, and has done nothing (plain_reactions.cpp).
  bool react_plainly(entity_t e, id_t id, one_change what, function_ref<void()> change);
  // The same for a command.
  bool react_plainly(const command& c, function_ref<void()> change);
  // Must it be watched that an entity begins?
  bool watches_births() const { return watches_life() || stages.makes_elsewhere(); }
  // Does some query depend on which entities there are, or on their names?
  bool watches_life() const {
    return has_observers() && (reactions->reads_life() || reactions->reads_names());
  }
  // A new entity. If changes wait, it begins at once, and observers hear of it before these.
  entity_t make_entity() {
    const entity_t e = stages.make_entity();
    if (watches_births()) note_birth(e);
    return e;
  }
  // `is_chosen`: the caller chose the id.
  void note_birth(entity_t e, bool is_chosen = false);
  // The way back; 0 is nothing.
  void unmake_entity(entity_t e);
  // A value was written through a pointer.
  void note_modified(entity_t e, id_t id);
  // Do the changes that wait give `id` of `e` a value?
  bool will_have_value(entity_t e, id_t id);
  void emit(const event_call& call);
  // An error if there is no such event or entity.
  void check_event(const event_call& call) const;
  void begin_reactions();
  entity_t make_observer(const observer_desc& desc);
  void check_events(const std::vector<entity_t>& events) const;
  // The world ends: all rows go, and then all observers.
  void end_reactions() noexcept;

  // --- types (components.cpp) ---
  // Makes an entity stand for a type with data. An error if it is in use as a tag.
  void give_type(entity_t e, const type_desc& desc);
  template <class Bring>
  void bring_type(const Bring& bring);
  // `e` is a struct that a text defined; now it stands for a C++ type too. An error if they differ.
  void adopt_struct(entity_t e, const type_desc& desc);

  // --- life (engine_life.cpp) ---
  // The engine that handles point to. Null in the state that stands for all ended worlds.
  engine* shell = nullptr;
  // The world itself has a share, and so has each query. The last one to go deletes the state.
  void share() { ++shares_; }
  void release() noexcept {
    if (--shares_ == 0) delete this;
  }
  // The owner of the world is gone.
  void end() noexcept;
  void bury() noexcept;

  // Values may ask for their component while they are destroyed, so `components` outlives the
  // graph.
  class components components;
  graph graph_;
  core::store& store() { return graph_.store; }
  const core::store& store() const { return graph_.store; }
  names& names_ = graph_.names;
  struct shortcuts shortcuts;  // all are open but in tests
  statistics samples{graph_};
  class stages stages {
    graph_, shortcuts, samples
  };
  preparations prepared;
  member_table members_;
  std::size_t builtin_count = 0;
  entity_t scope = 0;
  // What new entities get besides: the inner lists of `with` come last.
  std::vector<id_t> with;
  std::vector<error> deferred_errors;
  std::unique_ptr<class reactions> reactions;  // null: there has been no observer
  unsigned max_reactions = 0;
  bool measures = false;                 // systems and queries count their runs
  std::unique_ptr<class frames> frames;  // null: there has been no system, timer or frame
  class frames& begin_frames();

 private:
  friend struct ended_worlds;

  entity_record& promised_or_raise(entity_t e);
  bool has_promised_part(id_t id) const {
    if (!stages.is_reading()) return false;
    return is_pair(id) ? stages.is_promised(relation_of(id)) || stages.is_promised(target_of(id))
                       : stages.is_promised(id);
  }
  // The same as `pair` if not both are alive: one may be promised. Else it is an error.
  [[gnu::cold]] id_t promised_pair(entity_t relation, entity_t target) const;

  std::exception_ptr keep_others(std::exception_ptr first, std::vector<error> errors);
  void flush();
  // Collects the errors, and returns the first as it was thrown.
  std::exception_ptr flush_into(std::vector<error>& errors);
  // Has an entity that the command names died since it was queued?
  bool is_outdated(const command& c, const command_queue& from) const;
  void carry_out(command& c, const command_queue& from);
  // Carries out each command, and gives `fail` what commands throw.
  void carry_out_each(command_queue& queue, const std::function<void(std::exception_ptr)>& fail);
  void carry_out_alive(command& c, const command_queue& from);
  void forget_component(entity_t e);
  // What goes with an entity.
  void forget_parts_of(entity_t e);

  // Changes that observers asked for, by the change that they reacted to.
  struct waiting_reactions {
    command_queue queue;
    unsigned depth;                   // reactions that led here
    std::vector<entity_t> observers;  // some of those on the way
    core::reactions::births born;     // of which observers have not heard
    bool tells_no_birth() const { return born.entities.empty(); }
  };
  class reporting;
  static constexpr std::size_t most_plain_values = 8;
  void tell_plainly(const watcher& w, const event_info& what, std::span<const entity_t> entities);
  void tell_plainly(const watcher& w, entity_t e);
  // Calls functions of the user for `reactions`.
  class state_teller final : public teller {
   public:
    explicit state_teller(engine_state& s) : s_(s) {}
    void call(function_ref<void()> function) noexcept override;
    void tell_rows(watcher& w, const event_info& what,
                   std::span<const entity_t> rows) noexcept override;

   private:
    engine_state& s_;
  };
  state_teller telling_{*this};
  void react(function_ref<bool()> work);
  void report_change();
  void tell_births(const core::reactions::births& born);
  void report_all(const std::vector<reaction>& list);
  void report(function_ref<void()> tell);
  std::exception_ptr loop_error(const waiting_reactions& batch) const;
  void tell(const reaction& r);
  void end_dead_observers();
  void carry_out_reactions();
  void note_reaction_error(std::exception_ptr thrown);

  bool in_change_ = false;  // a change is being carried out and watched
  bool in_report_ = false;  // observers are being told
  bool reacting_ = false;   // changes that observers asked for are being carried out
  unsigned depth_ = 0;
  std::vector<entity_t> way_;     // observers that led to the current change
  core::reactions::births born_;  // began while changes wait, and no observer was told
  std::list<waiting_reactions> waiting_;
  std::vector<entity_t> dying_observers_;
  std::exception_ptr reaction_error_;
  // What engine::observe was given, by the entity that is observed. Those of entities that have
  // ended are erased when they have become half of all.
  struct listener {
    entity_t event;
    std::shared_ptr<const event_visit> visit;
  };
  hash_map<entity_t, std::vector<listener>> listeners_;
  std::size_t sweep_at_ = 16;
  friend class engine;

  std::atomic<int> shares_ = 1;
  engine_state* next_ended_ = nullptr;  // in the list of worlds that ended while they were in use
  command_queue mark_of_end_ = queue_of_one();
  static command_queue queue_of_one();
};

// Calls `call`, and gives what it throws to `fail`.
template <class Call, class Fail>
void attempt(const Call& call, [[maybe_unused]] const Fail& fail) {
#if defined(__cpp_exceptions)
  try {
    call();
  } catch (...) {
    fail(std::current_exception());
  }
#else
  call();
#endif
}

// Adds what was thrown to the errors. Where memory ends, it is lost.
void note_error(const std::exception_ptr& thrown, std::vector<error>& errors) noexcept;

// --- changes at once (at_once.cpp) ---

void set_name(graph& g, entity_t e, std::string_view name);
void set_child_order(graph& g, entity_t parent, std::span<const entity_t> children);
// Removes all ids but Component.
void clear(graph& g, entity_t e);
// Copies the ids of `from` to `to`, which must have none.
void copy_ids(graph& g, entity_t from, entity_t to, bool with_values);
void set_enabled(graph& g, entity_t e, id_t id, bool on);
// Gives an id a value, and adds it if it is not there.
void set_value(graph& g, entity_t e, id_t id, const value_source& source);
void remove_from_all(graph& g, id_t id);
// New entities with ids that mean more than themselves; all or none.
void create_each(graph& g, std::size_t count, std::span<const bulk_id> ids,
                 std::vector<entity_t>& created);
// The entities that have an id or match a pattern, each once, without those that are built in.
std::vector<entity_t> entities_with(const graph& g, id_t id);
// The entity that is reached from `start` (0: the root) by names, or 0.
entity_t find_below(const names& all, entity_t start, std::span<const std::string> path);

// --- what is built in (bootstrap.cpp) ---

// Fills the world with the built-in entities.
void bootstrap(engine_state& state);
// Where its name is.
entity_t scope_of_builtin(entity_t e);
// Has a built-in entity this id without having been given it?
bool is_born_with(entity_t e, id_t id);

}  // namespace kith::core
