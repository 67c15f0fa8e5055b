// Where the results of an iteration come from.
//
// A source yields batches, and says of the batch that it yielded last what its fields are and where
// their values are. These are the sources:
//
//   plan_source        carries a plan out                            exec/plan_source.hpp
//   table_source       goes through the tables of a table_list       cache/table_source.hpp
//   lookup_source      looks results up by given values              cache/lookup_source.hpp
//   recorded_source    goes through recorded rows                    cache/recorded_source.hpp
//   arranged_source    sorts and groups the results of another one   cache/recorded_source.hpp
//   recording_source   passes on the results of another one and records them, in the same file
//   part_source        yields a piece of the results of another one  cache/part_source.hpp
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <kith/detail/query_run.hpp>

#include "query/exec/batch.hpp"
#include "query/exec/meaning.hpp"

namespace kith::core {

// What the sources of an iteration share.
struct iteration {
  // What is known of a field of the current batch.
  struct field_answer {
    bool matched = false;  // `match` is known
    bool viewed = false;   // `view` is known
    bool written = false;  // the caller may be writing its values
    result_field match;
    field_view view;
    std::vector<void*> rows;  // memory for the view
    // The id that was asked last for its type, in any batch.
    id_t typed_id = 0;
    const type_info* type = nullptr;
  };

  iteration(const graph& g, core::store& s) : world(g), store(s) {}

  const graph& world;
  core::store& store;  // of the world; writes of values are reported to it
  std::shared_ptr<const checked_query> query;
  meaning* says = nullptr;       // of this thread
  bool several_readers = false;  // several threads read the world
  bool is_question = false;      // one result is all there is to know
  query_use use = query_use::batches;
  std::uint64_t begun_at = 0;  // the version of the store then
  slot_list bound;             // slots whose values are given
  slot_values values;          // of all slots, for the current batch
  batch now;                   // the current batch
  std::vector<field_answer> fields;
  bool asked = false;  // some field of the current batch is matched or viewed

  // The type of the values of an id that a field shows; null if it has none.
  const type_info* type_of(std::size_t n, id_t id) {
    field_answer& f = fields[n];
    if (f.typed_id != id) {
      f.typed_id = id;
      f.type = store.types().type_of(id);
    }
    return f.type;
  }
};

class result_source {
 public:
  explicit result_source(iteration& it) : it_(it) {}
  virtual ~result_source() = default;
  result_source(const result_source&) = delete;

  // The next batch, which becomes `it.now`. False: there is none.
  virtual bool next(batch& b) = 0;

  // The iteration is over: lets go of what it held.
  virtual void end() {}

  // --- of the current batch ---
  // An error if the query has no such field.
  const result_field& field(std::size_t n) {
    if (n < it_.fields.size() && it_.fields[n].matched) return it_.fields[n].match;
    return ask_field(n);
  }
  // Finds out what a field is, where the batch does not say it.
  virtual result_field find_field(std::size_t n);
  // Where the values of a field are. Requires: the query has this field.
  const field_view& view(std::size_t n) {
    iteration::field_answer& f = it_.fields[n];
    if (!f.viewed) {
      f.view = {};
      f.viewed = find_view(n, f.view);
      it_.asked = it_.asked || f.viewed;
    }
    return f.view;
  }
  // False: finding it again costs nothing, so that the view need not be remembered.
  virtual bool find_view(std::size_t n, field_view& out);
  // Reports that the values of a field were written: at once, or when `say_writes` is called.
  virtual void note_writes(std::size_t n);
  virtual void say_writes() {}
  // Is a row new, or was a value written that it reads, since the last iteration? True: or not
  // known.
  virtual bool changed(std::size_t) const { return true; }

 protected:
  // What a term of a field shows for the values of the batch.
  result_field field_of(const field_info& info, const checked_term& t) const;
  // Where each row has its own value of an id.
  void view_each(std::size_t n, id_t id, field_view& out);
  // Memory for the places of values; those that it has already are right.
  virtual std::vector<void*>& places(std::size_t n) {
    it_.fields[n].rows.clear();
    return it_.fields[n].rows;
  }
  // Are the values of an id side by side, in the order of the rows?
  virtual bool side_by_side(id_t) const { return false; }

  iteration& it_;

 private:
  const result_field& ask_field(std::size_t n);
};

}  // namespace kith::core
