// One iteration over the results of a query, wherever they come from: a plan that is carried out, a list
// of tables, or results that were kept.
#pragma once

#include <array>
#include <mutex>
#include <optional>

#include <kith/detail/query_run.hpp>

#include "query/cache/query_cache.hpp"
#include "query/exec/prepared_query.hpp"
#include "query/exec/run.hpp"

namespace kith::core {

class result_cursor final : store::writer {
 public:
  result_cursor(prepared_query& prepared, query_cache& cache, const graph& g, core::store& store)
      : prepared_(prepared), cache_(cache), world_(g), store_(store) {}

  // Begins, once or again. If several threads read the world, `m` is that of this thread, and what queries
  // keep is guarded.
  void begin(const query_bindings& bindings, query_use use, meaning& m, std::mutex* guard);
  // The entities of the last question with other values for its parameters, if they are known at once.
  template <std::size_t Extent>
  bool find_again(std::span<const entity_t, Extent> parameters,
                  std::span<const entity_t>& found) const {
    if (!arguments_ || asked_at_ != store_.version() || !by_parameters_) return false;
    if (parameters.size() != bound_.size() || store_.busy()) return false;
    // Whoever is in the index is alive; of others that is still to be asked.
    found = arguments_->find_at_once(parameters);
    return !found.empty();
  }
  bool find_again(const query_bindings& bindings, std::span<const entity_t>& found) const {
    std::array<entity_t, 4> values;
    if (bindings.size() > values.size() || bindings.size() != bound_.size()) return false;
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      const query_binding& b = bindings.begin()[i];
      if (b.number != static_cast<int>(bound_[i])) return false;
      values[i] = b.value;
    }
    return find_again(std::span<const entity_t>(values.data(), bindings.size()), found);
  }
  // The next batch. False: there is none.
  bool next();
  // Lets go of what the iteration held.
  void end();

  std::size_t count() const { return count_; }
  // Null if the query has no $this.
  const entity_t* entities() const { return entities_; }

  // Of the batch.
  // `writes`: the caller may write values.
  const field_view& field(std::size_t n, bool writes) {
    const field_view* const found = guard_ ? nullptr : view_in_table(n);
    if (!found) return find_field_view(n, writes);
    if (writes && !fields_[n].written) begin_writing(n);
    return *found;
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
  bool is_set(std::size_t n) { return ask(n).term != nullptr; }
  id_t id(std::size_t n) { return ask(n).match.id; }
  // The type of its values; null if it has none.
  const type_info* type(std::size_t n) {
    const id_t id = ask(n).match.id;
    field_answer& f = fields_[n];
    if (f.typed_id != id) {
      f.typed_id = id;
      f.type = store_.types().type_of(id);
    }
    return f.type;
  }
  // Where the id was found; 0 if on $this.
  entity_t source(std::size_t n) { return ask(n).match.source; }
  id_t value(std::size_t slot) const { return values_[slot]; }
  std::size_t slot_count() const { return values_.size(); }
  std::uint64_t group() const;

 private:
  enum class from : std::uint8_t { plan, tables, rows, list };
  struct field_answer {
    enum class known : std::uint8_t { no, match, view };
    known is = known::no;
    bool in_tables = false;  // the list of tables says where it is
    bool written = false;    // it is among those that the caller may be writing
    recorded_rows::field match;
    field_view view;
    std::vector<void*> rows;
    // The id that was asked last for its type, in any batch.
    id_t typed_id = 0;
    const type_info* type = nullptr;
  };
  // Kept batches in which a field was written, one after the other.
  struct written_batches {
    std::size_t field;
    std::size_t first, last;
  };

  std::unique_lock<std::mutex> locked() const {
    return guard_ ? std::unique_lock(*guard_) : std::unique_lock<std::mutex>();
  }
  void bind(const query_bindings& bindings);
  void choose();
  void begin_plan();
  bool find_batches();
  void collect(bool keep, bool arranged);
  bool has_all() const;
  bool renew_rows();
  std::uint32_t depth();

  bool next_batch();
  bool next_of_plan();
  bool next_of_tables();
  bool next_of_rows();
  bool next_of_list();
  bool begin_list();
  bool begin_again(const query_bindings& bindings);
  void look_up();

  recorded_rows::field& ask(std::size_t n) {
    if (n < fields_.size() && fields_[n].is != field_answer::known::no) return fields_[n].match;
    return find_answer(n);
  }
  recorded_rows::field& find_answer(std::size_t n);
  recorded_rows::field find_field(std::size_t n);
  // What the list of tables says of a field; null if it is about a named entity, or there is no list.
  const table_list::found* find_in_table(std::size_t n) const {
    return n < table_fields_ && fields_[n].in_tables ? in_table_ + n : nullptr;
  }
  // Mostly a field is a column of a table; null if it is not.
  const field_view* view_in_table(std::size_t n) {
    const column* const in = n < table_fields_ ? in_table_[n].in : nullptr;
    if (!in || in->type->boxed) return nullptr;
    return &(fields_[n].view = {in->data + first_row_ * in->slot_size, in->slot_size});
  }
  const field_view& find_field_view(std::size_t n, bool writes);
  void begin_writing(std::size_t n);
  void forget_written() {
    for (std::size_t n : written_) fields_[n].written = false;
    written_.clear();
  }
  id_t plain_id(std::size_t n) const { return n < plain_ids_.size() ? plain_ids_[n] : 0; }
  const field_view& find_view(std::size_t n);
  const field_view& view_all(std::size_t n);
  void note_writes(std::size_t n);
  void leave_batch();
  void say_writes() override;
  void view(field_answer& f, std::size_t n);
  void view_kept(field_answer& f, std::size_t n);
  void view_own(field_answer& f, std::size_t n, id_t id);
  void find_fixed_ids();

  prepared_query& prepared_;
  query_cache& cache_;
  meaning* says_ = nullptr;
  std::mutex* guard_ = nullptr;
  const graph& world_;
  store& store_;  // of the world, to say that values are written
  std::shared_ptr<const checked_query> q_;
  slot_values values_;
  slot_list bound_;
  std::optional<std::uint64_t> group_;  // the only one that is asked for
  bool question_ = false;               // one result is all there is to know
  bool done_ = false;
  bool at_end_ = false;  // all were seen
  query_use use_ = query_use::batches;
  std::uint64_t begun_at_ = 0;  // the version of the facts then

  from from_ = from::plan;
  std::size_t at_ = 0;    // the next table, kept batch or entity of the list
  std::size_t last_ = 0;  // one behind the last kept batch
  const entity_t* entities_ = nullptr;
  std::size_t count_ = 0;
  std::vector<field_answer> fields_;
  std::vector<std::size_t> written_;     // fields of the batch that the caller may be writing
  std::vector<written_batches> unsaid_;  // what was written before, and nobody was told
  bool writes_ = false;                  // the store knows of it
  bool asked_ = false;                   // some field of the batch was asked for

  // Results of a plan.
  std::shared_ptr<plan> plan_;
  std::optional<plan_run> run_;
  const row_scan::block* block_ = nullptr;
  // The one id a field can be, if it is on $this and just that; else 0.
  std::vector<id_t> plain_ids_;
  std::vector<entity_t> closed_relations_;  // Transitive ones that fields are pairs of

  // Rows of tables.
  std::shared_ptr<table_list> tables_;
  // The fields of the batch, and how many they are; 0 if it is none of a table.
  const table_list::found* in_table_ = nullptr;
  std::size_t table_fields_ = 0;
  std::span<const entity_t> table_rows_;
  std::size_t first_row_ = 0;  // of the batch
  std::size_t at_row_ = 0;
  bool has_builtins_ = false;  // among the rows of the table
  std::vector<entity_t> copied_;

  // Entities that an index found.
  std::shared_ptr<argument_index> arguments_;
  std::uint64_t asked_at_ = 0;   // the version of the facts when the index was brought up to date
  std::vector<int> numbers_;     // of the variables that were given values
  bool any_value_ = false;       // no value is refused but for what the index says
  bool by_parameters_ = false;   // and what is given are the parameters, in their order
  bool uniform_ = false;         // the list is one batch
  std::size_t first_batch_ = 0;  // of the kept rows that are asked for
  bool all_at_once_ = false;     // kept rows come as if they were one batch
  std::span<const entity_t> list_;
  argument_index::answer answer_;  // that the list is; else it has no results
  std::vector<entity_t> given_;

  // Results that were kept, or are in an order.
  std::shared_ptr<recorded_rows> rows_;
};

}  // namespace kith::core
