#include <kith/detail/query_run.hpp>

#include "world/live_query.hpp"

namespace kith::core {

query_run::query_run(const query_ptr& q, const query_bindings& bindings, query_use use,
                     run_info* info)
    : query_(*q), world_(&q->world()), waiting_(q->state()), at_(q->take_cursor()), info_(info) {
  stages& s = q->state().stages;
  // A callback may drop the last handle of the query.
  query_.pin();
  scope_exit undo([&] {
    at_.reset();
    query_.unpin();
  });
  at_->begin(bindings, use, s.here().meaning, s.is_reading() ? &s.kept_by_queries : nullptr);
  undo.dismiss();
  if (q->state().measures && !info) begin_measuring();
}

query_run::query_run(const query_ptr& q, std::shared_ptr<recorded_rows> rows,
                     const event_info& event)
    : query_(*q), world_(&q->world()), waiting_(q->state()), at_(q->take_cursor()), event_(&event) {
  query_.pin();
  scope_exit undo([&] {
    at_.reset();
    query_.unpin();
  });
  at_->begin(std::move(rows), q->state().stages.main.meaning);
  undo.dismiss();
}

query_run::query_run(const query_ptr& q, const query_piece& piece, query_use use, run_info& info)
    : query_(*q), world_(&q->world()), waiting_(q->state()), at_(q->take_cursor()), info_(&info) {
  stages& s = q->state().stages;
  query_.pin();
  scope_exit undo([&] {
    at_.reset();
    query_.unpin();
  });
  at_->begin(piece, use, s.here().meaning, s.is_reading() ? &s.kept_by_queries : nullptr);
  undo.dismiss();
}

query_run::query_run(const query_ptr& q, one_by_one, run_info& info)
    : query_run(q, query_bindings(), query_use::batches, &info) {
  info.found = std::make_unique<run_info::found_rows>();
  std::vector<std::vector<id_t>>& values = info.found->values;
  while (at_->next())
    for (std::size_t row = 0; row < at_->count(); ++row) {
      values.push_back(at_->values());
      if (at_->entities()) values.back()[this_slot] = at_->entities()[row];
    }
  // From here on, changes happen at once.
  waiting_.end();
}

// The next row that is still one.
bool query_run::next_one() {
  stages& s = query_.state().stages;
  run_info::found_rows& rows = *info_->found;
  while (rows.at < rows.values.size() && !s.has_ended())
    if (at_->look_up(rows.values[rows.at++], s.main.meaning)) return true;
  return false;
}

void query_run::begin_measuring() {
  began_at_ = run_record::clock::now().time_since_epoch().count();
}

void query_run::note_run() {
  const run_record::clock::duration since(began_at_);
  query_.note_run(run_record::clock::time_point(since), rows_);
}

query_run::~query_run() {
  if (began_at_) note_run();
  if (at_) query_.give_back(std::move(at_));
  query_.unpin();
}

known_results::known_results(const query_ptr& q, std::span<const entity_t> parameters)
    : query_(*q) {
  if (query_.find_again(parameters, entities_)) begin();
}

known_results::known_results(const query_ptr& q, std::span<const entity_t, 2> parameters)
    : query_(*q) {
  if (query_.find_again(parameters, entities_)) begin();
}

known_results::known_results(const query_ptr& q, const query_bindings& parameters) : query_(*q) {
  if (query_.find_again(parameters, entities_)) begin();
}

void known_results::begin() {
  world_ = &query_.world();
  ++query_.state().stages.main.defer_depth;
  query_.pin();
}

void known_results::abandon() {
  engine_state& s = query_.state();
  query_.unpin();
  visit_end_quietly(s);
}

void known_results::end() {
  engine_state& s = query_.state();
  query_.unpin();
  world_ = nullptr;
  --s.stages.main.defer_depth;
  if (!s.stages.main.queue.empty()) s.finish_visit();
}

bool query_run::next() {
  if (info_) return next_of_system();
  const bool found = at_->next();
  count_ = at_->count();
  rows_ += count_;
  entities_ = at_->entities();
  return found;
}

bool query_run::next_of_system() {
  const bool found = info_->found ? next_one() : at_->next();
  count_ = found ? at_->count() : 0;
  entities_ = at_->entities();
  info_->rows += count_;
  return found;
}

void query_run::end() {
  query_.give_back(std::move(at_));
  waiting_.end();
}

const field_view& query_run::field(std::size_t n, bool writes) { return at_->field(n, writes); }

const field_view& query_run::field(std::size_t n, bool writes, entity_t (*type)(engine&)) {
  if (at_->id(n)) {
    const type_info* has = at_->type(n);
    const entity_t wanted = type(*world_);
    if (!has || has->component != wanted)
      raise(errc::type, "field ", std::to_string(n), " has ",
            has ? concat("values of type ", world_->text_of(has->component)) : "no values",
            ", not ", world_->text_of(wanted));
  }
  return at_->field(n, writes);
}

bool query_run::writes(std::size_t n) const { return at_->writes(n); }

std::uint64_t query_run::group() const { return at_->group(); }

bool query_run::is_set(std::size_t n) { return at_->is_set(n); }

id_t query_run::id(std::size_t n) { return at_->id(n); }

entity_t query_run::source(std::size_t n) { return at_->source(n); }

void query_run::skip() { at_->skip(); }

bool query_run::changed(std::size_t row) const { return at_->changed(row); }

entity_t query_run::variable(int n) const {
  if (n < 0 || static_cast<std::size_t>(n) >= at_->slot_count())
    raise(errc::out_of_range, "the query has no such variable");
  return at_->value(static_cast<std::size_t>(n));
}

}  // namespace kith::core
