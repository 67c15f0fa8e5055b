// One iteration over the results of a query.
//
// It chooses a source when it begins. From then on it sees batches, whichever source they come
// from.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "query/cache/lookup_source.hpp"
#include "query/cache/part_source.hpp"
#include "query/cache/query_cache.hpp"
#include "query/cache/recorded_source.hpp"
#include "query/cache/table_source.hpp"
#include "query/exec/plan_source.hpp"

namespace kith::core {

class result_cursor final : store::writer {
 public:
  result_cursor(prepared_query& prepared, query_cache& cache, const graph& g, core::store& store)
      : prepared_(prepared), cache_(cache), it_(g, store) {}

  // In a list of cursors that nobody uses.
  std::unique_ptr<result_cursor> next_idle;

  // Begins, once or again. If several threads read the world, `m` is that of this thread, and what
  // queries keep is guarded.
  void begin(const query_bindings& bindings, query_use use, meaning& m, std::mutex* guard);
  // Begins with results that were found earlier, in their order.
  void begin(std::shared_ptr<recorded_rows> rows, meaning& m);
  // Begins with a part of the results.
  void begin(const query_piece& piece, query_use use, meaning& m, std::mutex* guard);
  // All results of the iteration that has begun, for several threads. It counts as having seen
  // them.
  query_piece find_all();
  // Looks up one result by the values of its slots, in an iteration that has begun. What is written
  // of it is reported at once, so that the world may change at any time. False: it is none now.
  bool look_up(const slot_values& values, meaning& m);
  // Of all slots, for the first row of the batch.
  const slot_values& values() const { return it_.values; }
  // The entities of the last question with other values for its parameters, if they are known at
  // once.
  template <class Values>
  bool find_again(const Values& parameters, std::span<const entity_t>& found) const {
    return lookup_ && lookup_->find_again(parameters, found);
  }
  // The next batch. False: there is none.
  bool next();
  // Lets go of what the iteration held.
  void end();

  // --- of the batch ---
  std::size_t count() const { return it_.now.count; }
  // Null if the query has no $this.
  const entity_t* entities() const { return it_.now.entities; }
  // `writes`: the caller may write values.
  const field_view& field(std::size_t n, bool writes) {
    const batch& b = it_.now;
    const column* const in = n < b.fields.size() ? b.fields[n].in : nullptr;
    // Mostly a field is a column of a table.
    if (!in || in->type->boxed || guard_) return find_field_view(n, writes);
    if (writes && !it_.fields[n].written) begin_writing(n);
    return it_.fields[n].view = {in->data + b.first_row * in->slot_size, in->slot_size};
  }
  // Does the query say that it writes a field?
  bool writes(std::size_t n);
  // Nothing of the batch was written after all.
  void skip() {
    const auto lock = locked();
    forget_written();
  }
  // Is a row new, or has a value of it been written that is read, since the last iteration?
  bool changed(std::size_t row) const;
  bool is_set(std::size_t n) { return source_->field(n).term != nullptr; }
  id_t id(std::size_t n) { return source_->field(n).id; }
  // The type of its values; null if it has none.
  const type_info* type(std::size_t n) { return it_.type_of(n, source_->field(n).id); }
  // Where the id was found; 0 if on $this.
  entity_t source(std::size_t n) { return source_->field(n).source; }
  id_t value(std::size_t slot) const { return it_.values[slot]; }
  std::size_t slot_count() const { return it_.values.size(); }
  std::uint64_t group() const { return it_.now.group; }

 private:
  // An iteration without results, or one that has not begun.
  struct no_results final : result_source {
    using result_source::result_source;
    bool next(batch&) override { return false; }
    result_field find_field(std::size_t) override { return {}; }
  };

  std::unique_lock<std::mutex> locked() const {
    return guard_ ? std::unique_lock(*guard_) : std::unique_lock<std::mutex>();
  }
  // A source that is made when it is first needed.
  template <class Source, class... Parts>
  Source& made(std::unique_ptr<Source>& source, Parts&... parts) {
    if (!source) source = std::make_unique<Source>(it_, parts...);
    return *source;
  }
  void go_on();
  void count_rows();
  bool has_twins(const slot_list& slots) const;
  void begin_found(std::shared_ptr<const checked_query> query, meaning& m);
  // False: there can be no results.
  bool bind(const query_bindings& bindings);
  result_source& choose(const query_bindings& bindings);
  result_source& choose_plan(bool lasting);
  std::shared_ptr<recorded_rows> renew_rows();
  std::shared_ptr<recorded_rows> repair_rows();
  bool bind(const partial_result& part);
  bool replace(recorded_rows& rows, const std::vector<std::uint32_t>& old,
               std::vector<recorded_rows::result>& fresh);

  const field_view& find_field_view(std::size_t n, bool writes);
  void begin_writing(std::size_t n);
  void note_writes();
  void forget_written() {
    for (std::size_t n : written_) it_.fields[n].written = false;
    written_.clear();
  }
  void say_writes() override;

  prepared_query& prepared_;
  query_cache& cache_;
  std::mutex* guard_ = nullptr;
  iteration it_;
  std::optional<std::uint64_t> group_;  // the only one that is asked for
  bool at_end_ = false;                 // all results were seen
  // Of a world that limits its queries: when the iteration must end, how many results it has given,
  // and whether rows of its batch were left out.
  bool is_limited_ = false;
  bool is_cut_ = false;
  effort::clock::time_point deadline_{};
  std::size_t given_ = 0;
  std::vector<std::size_t> written_;  // fields of the batch that the caller may be writing
  bool says_at_once_ = false;         // that it writes them
  bool is_writer_ = false;            // the store knows of it

  // The sources keep their memory from one iteration to the next. Some are made when they are
  // needed: a program may make many queries that it uses once.
  no_results nothing_{it_};
  table_source tables_{it_};
  std::unique_ptr<plan_source> plan_;
  std::unique_ptr<lookup_source> lookup_;
  std::unique_ptr<arranged_source> arranged_;
  std::unique_ptr<part_source> part_;
  std::unique_ptr<recording_source> recording_;
  result_source* source_ = &nothing_;
};

}  // namespace kith::core
