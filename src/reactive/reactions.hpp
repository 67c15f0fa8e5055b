// Finds out what a change brings and takes for each observer: the difference of two evaluations of
// its query, around the change.
//
// Observers that listen to what goes are told while the world is as it was. So a change that some
// observer's query reads is carried out inside a transaction, and taken back for that time:
//
//   carry_out    the change happens; rows are found after it; it is taken back; rows are found
//                before it; if any row goes, the world stays as it was
//   leaving      what is to be reported now
//   go_on        the change is carried out again
//   coming       what is to be reported after it
//   finish       values that the change removed or replaced end
//
// Rows are found for the changed facts alone (query/cache/affected.hpp), so cost follows the rows
// that change. A change that no observer's query reads opens no transaction.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <kith/detail/event_desc.hpp>

#include "base/hash_map.hpp"
#include "reactive/hooked_changes.hpp"
#include "reactive/plain_changes.hpp"
#include "reactive/watcher.hpp"
#include "relations/transaction.hpp"

namespace kith::core {

class reactions final : change_sink, change_watch {
 public:
  reactions(graph& g, const shortcuts& open, statistics& samples, teller& tell);
  reactions(const reactions&) = delete;
  reactions& operator=(const reactions&) = delete;
  ~reactions();

  // --- observers ---
  void add(std::shared_ptr<watcher> w);
  // The observer is gone: it is told nothing more. Returns it; null if there is none.
  std::shared_ptr<watcher> remove(entity_t observer);
  watcher* find(entity_t observer) const;
  // Is the entity an observer, or a component with hooks?
  bool ends_with(entity_t e) const { return find(e) || hooks_.has_any(e); }
  // Are there observers, or hooks?
  bool any() const { return !watchers_.empty() || hooks_.any(); }
  void set_hook(engine& world, entity_t component, hook_kind kind, hook h) {
    hooks_.set(world, component, kind, std::move(h));
    ++comings_and_goings_;
  }
  // A component with hooks has ended.
  void forget_hooks(entity_t component) {
    hooks_.forget(component);
    ++comings_and_goings_;
  }
  // Another number whenever an observer or a hook comes or goes.
  std::uint64_t comings_and_goings() const { return comings_and_goings_; }
  // Is some observer, or a hook, told of changes of an id?
  bool reads(id_t id) const;
  // Adds the observers whose queries read a component.
  void add_readers(entity_t component, std::vector<entity_t>& observers) const;
  // Does it matter to a query which entities there are, or that this one is alive?
  bool reads_end_of(entity_t e) const;
  // Does some query depend on which entities there are? On names?
  bool reads_life() const { return any_reads_life_; }
  bool reads_names() const { return any_reads_names_; }
  // All rows of an observer, as the world is.
  std::shared_ptr<recorded_rows> rows_of(watcher& w);
  // What observers are told of an event about an entity: their rows that show one of the ids, or
  // all rows about the entity.
  std::vector<reaction> hearing(const event_call& call);

  // --- the change of one id of one entity, about which no rule is ---
  // Observers whose queries read a group of ids, in the order in which they are told.
  struct readers {
    std::vector<std::shared_ptr<watcher>> list;
    bool all_plain = true;  // each has plain terms
  };
  struct short_look {
    bool possible = false;          // the change can be told by looks at the entity
    const readers* read = nullptr;  // by whom; null if nobody reads the id
  };
  short_look look(id_t id);
  // While a change goes on that nobody reads, or that is told by looks at the entity.
  void mute(bool on) { g_.store.sinks().mute(bit_, on); }
  // Is the observer disabled?
  bool is_silent(const watcher& w) const;

  // --- one change ---
  // What can be taken back: all that a change does, the parts that observers read, or nothing.
  enum class way_back : std::uint8_t { whole, of_parts, none };
  // An exception of `change` takes back what can be. Returns whether there is something to report.
  bool carry_out(function_ref<void()> change, way_back way);
  // Entities that have begun, while nothing else has happened.
  struct births {
    std::vector<entity_t> entities;
    bool any_chosen = false;  // the store did not choose the id of each
  };
  bool carry_out_births(const births& born);
  // How much has happened so far; and a part of the change after that is taken back.
  struct facts_mark {
    std::size_t facts = 0, written = 0, hooked = 0;
  };
  facts_mark mark_facts() const { return {facts_.size(), written_.size(), hooks_.count_noted()}; }
  void forget_facts(const facts_mark& mark);
  // A value was written through a pointer.
  void note_modified(entity_t e, id_t id);
  std::vector<reaction> leaving() { return std::move(leaving_); }
  // Calls the hooks of what goes, when the observers were told, and of what has come, before.
  void tell_leaving_hooks() { hooks_.tell_leaving(transaction_ ? &*transaction_ : nullptr); }
  void tell_coming_hooks() { hooks_.tell_coming(); }
  // While the change is taken back: where entities may begin (transaction::beyond).
  std::uint32_t beyond() const { return taken_back_ ? transaction_->beyond() : 0; }
  void go_on();
  std::vector<reaction> coming() { return std::move(coming_); }
  void finish();

  // For the end of the world: all rows go.
  std::vector<reaction> all_leaving();
  void tell_hooks_of_end() { hooks_.tell_end(); }

 private:
  // Rows of one observer around the change.
  struct difference {
    std::shared_ptr<watcher> of;
    std::optional<std::vector<partial_result>> parts;
    id_t id = 0;  // a fact that concerns it
    result_list before, after;
  };

  bool takes_back(entity_t e, id_t id) const override;
  bool takes_back_end_of(entity_t e) const override { return reads_end_of(e); }
  void expect_change() override;
  void before(std::span<const delta> deltas) override;
  void after(std::span<const delta> deltas) noexcept override;
  void open(std::span<const delta> deltas);
  void note(const delta& d);

  void want(const std::shared_ptr<watcher>& w);
  void want_all_again();
  void list_concerned();
  bool names_one_that_ended(const watcher& w) const;
  bool needs_another_look() const;
  bool reads(const delta& d) const;
  bool is_watched(id_t id) const;
  bool look_plainly(std::span<const delta> deltas);
  bool is_plain_entity(entity_t e) const;
  bool look_ahead(std::span<const delta> deltas);
  void sort_coming();
  void find_parts();
  void find_after();
  void find_before();
  void find_before_births();
  bool can_take_back(std::span<const entity_t> born) const;
  void compare(difference& d);
  void compare_monitored(difference& d);
  bool was_written(entity_t e, id_t id) const;
  bool is_written(const difference& d, const recorded_rows::result& r,
                  const recorded_rows::result* old) const;
  event_cause cause() const;
  void sort_by_end(const result_list& found, std::vector<std::size_t>& rows) const;
  void drop_filtered(difference& d, std::vector<std::size_t>& gone, std::vector<std::size_t>& come);
  void drop_filtered(filtered_watch& f, const result_list& there, const result_list& in,
                     std::vector<std::size_t>& rows);
  void add_report(std::vector<reaction>& list, const difference& d, entity_t event,
                  const result_list& found, std::vector<std::size_t> rows);
  std::vector<std::shared_ptr<watcher>> in_order() const;

  graph& g_;
  reach reach_;
  meaning meaning_;
  change_sinks::mask bit_;
  hooked_changes hooks_;
  plain_changes plain_;
  // Of the parts of a change that are between the two points of the funnel, the innermost last.
  std::vector<std::vector<plain_changes::report>> coming_plainly_;
  std::vector<std::shared_ptr<watcher>> watchers_;  // in the order in which they are told
  // Never erased, so that what look() returned stays.
  hash_map<id_t, std::unique_ptr<readers>> by_group_;
  hash_map<entity_t, bool> named_;                // entities that queries name
  hash_map<id_t, bool> leading_;                  // groups whose changes change what queries read
  std::vector<std::shared_ptr<watcher>> of_all_;  // read everything, or names
  bool any_reads_names_ = false;
  bool any_reads_life_ = false;
  bool stale_ = false;  // what queries read is to be found anew
  std::uint64_t last_number_ = 0;
  std::uint64_t comings_and_goings_ = 0;

  // Of the current change.
  std::optional<transaction> transaction_;
  bool in_change_ = false;
  bool joined_late_ = false;  // the transaction was opened while a change was carried out
  bool taken_back_ = false;
  bool looked_ahead_ = false;  // rows before the change are known, and it is not taken back
  bool traits_changed_ = false;
  bool reads_changed_ = false;  // the queries may read other groups from now on
  std::uint64_t names_before_ = 0;
  std::vector<entity_t> born_;  // entities that began, and whose beginning cannot be taken back
  std::vector<entity_t> ended_;
  std::vector<changed_fact> facts_;
  std::vector<changed_fact> written_;
  bool any_lost_ = false, any_gained_ = false, any_off_ = false, any_replaced_ = false;
  std::vector<difference> differences_;
  hash_map<id_t, bool> shows_value_;  // ids that have values after the change
  std::vector<reaction> leaving_, coming_;
};

}  // namespace kith::core
