#include "query/cache/query_cache.hpp"

#include <algorithm>
#include <utility>

namespace kith::core {

void query_cache::begin(const std::shared_ptr<const checked_query>& q, bool lasting) {
  // While a constructor or destructor runs, the store is between two states.
  keeps_unordered_ =
      !m_.world().store.busy() && kind_ != cache_kind::never && !how_.arranges() && !watches_rows_;
  if (lasting && keeps_unordered_)
    used_before_ = std::exchange(shared_.used_before, true) || kind_ == cache_kind::always;
  if (q_ == q) return;
  q_ = q;
  tables_.reset();
  arguments_.clear();
  rows_.reset();
  before_.reset();
  watch_.reset();
}

std::shared_ptr<table_list> query_cache::tables() {
  if (!keeps_unordered_ || !m_.shortcuts().tables) return nullptr;
  if (!tables_)
    if (auto known = shared_.tables.lock(); known && known->is_of(*q_)) tables_ = std::move(known);
  if (!tables_) {
    if (!used_before_) return nullptr;
    tables_ = std::make_shared<table_list>(q_, m_);
    shared_.tables = tables_;
  }
  const bool decided = tables_->refresh();
  constexpr std::size_t few_tables = 64;
  const bool is_short = tables_->matches().size() <= few_tables;
  if (is_short != (shared_.short_list == tables_))
    shared_.short_list = is_short ? tables_ : nullptr;
  return decided ? tables_ : nullptr;
}

std::shared_ptr<argument_index> query_cache::arguments(const slot_list& given) {
  if (!keeps_unordered_ || !m_.shortcuts().index) return nullptr;
  auto known = std::ranges::find(arguments_, given, &argument_index::given);
  if (known == arguments_.end()) {
    const bool asked_before = given_before_ == given || kind_ == cache_kind::always;
    given_before_ = given;
    if (!asked_before) return nullptr;
    arguments_.push_back(std::make_shared<argument_index>(q_, given, m_));
    known = arguments_.end() - 1;
  }
  if (!(*known)->is_possible()) return nullptr;
  (*known)->refresh();
  return *known;
}

std::shared_ptr<recorded_rows> query_cache::rows() {
  if (!m_.shortcuts().rows || !rows_ || m_.world().store.busy()) return nullptr;
  if (!watch_->unchanged()) return nullptr;
  rows_used_ = true;
  next_wait_ = 1;
  if (how_.sorts() && q_->uses_this) keep_in_order();
  return rows_;
}

std::optional<std::vector<entity_t>> query_cache::outdated() {
  const graph& g = m_.world();
  const bool open = m_.shortcuts().rows && m_.shortcuts().upkeep;
  if (!open || !rows_ || g.store.busy() || !rows_->are_alike() || !q_->is_local)
    return std::nullopt;
  constexpr std::size_t many = 128;
  auto news = watch_->changes(many);
  // Where a base or a kind changed, the results of other entities may be others too.
  if (!news || news->kinds) return std::nullopt;
  for (entity_t e : news->entities)
    if (g.inherit.is_base(e)) return std::nullopt;
  // Finding all anew costs so much more per row than one of them costs for its way past all others.
  constexpr std::size_t rows_passed = 300, rows_per_batch = 160, at_least = 10'000;
  const std::size_t rows = rows_->rows();
  if (news->entities.size() * (rows + rows_per_batch * rows_->batches().size()) >
      rows_passed * rows + at_least)
    return std::nullopt;
  return std::move(news->entities);
}

// The rows, to be changed: an iteration may be going through them as they were.
recorded_rows& query_cache::own_rows() {
  if (rows_.use_count() > 1) rows_ = std::make_shared<recorded_rows>(*rows_);
  return *rows_;
}

std::shared_ptr<recorded_rows> query_cache::renew(std::span<const answered> entities) {
  recorded_rows& rows = own_rows();
  std::vector<bool> was_new;
  for (const answered& a : entities) {
    const std::size_t row = rows.find(a.entity, rows.rows());
    was_new.push_back(row == rows.rows() || rows.is_new(row));
    if (row != rows.rows()) rows.erase_row(row);
  }
  // Those that stay must be in order before others find their place among them.
  if (how_.sorts()) keep_in_order();
  for (std::size_t i = 0; i < entities.size(); ++i)
    if (entities[i].is_result) how_.insert(*rows_, entities[i].entity, watches_rows_ && was_new[i]);
  watch_->mark();
  rows_used_ = true;
  rows_differ_ = true;
  return rows_;
}

std::optional<std::vector<partial_result>> query_cache::affected() {
  const bool open = m_.shortcuts().rows && m_.shortcuts().repair;
  if (!open || !rows_ || m_.world().store.busy() || how_.arranges() || watches_rows_ ||
      q_->ordered || rows_->is_worn())
    return std::nullopt;
  // More than this are rarely cheaper than all.
  const std::size_t most = 256 + rows_->rows() / 16;
  const auto facts = watch_->facts(most);
  if (!facts) return std::nullopt;
  return affected_results(*q_, m_, *facts, most);
}

std::shared_ptr<recorded_rows> query_cache::repaired(bool differ, bool looked_at_all) {
  if (looked_at_all) watch_->watch_life();
  watch_->mark();
  rows_used_ = true;
  rows_differ_ = rows_differ_ || differ;
  values_stale_ = values_stale_ || differ;
  next_wait_ = 1;
  return rows_;
}

void query_cache::note_added(std::span<const result_field> fields) {
  if (!values_known_) return;
  const core::store& store = m_.world().store;
  for (std::size_t n = 0; n < fields.size(); ++n) {
    const id_t id = fields[n].id;
    if (!id || !reads_values(q_->fields[n]) || !store.types().type_of(id)) continue;
    if (std::ranges::find(values_, id, &read_value::id) == values_.end())
      values_.push_back({id, log_reader(store.value_logs().watch(id))});
  }
}

void query_cache::drop_rows() {
  if (!rows_) return;
  if (!rows_used_) {
    wait_ = next_wait_;
    next_wait_ = std::min(next_wait_ * 2, 64u);
  }
  // Which rows are new is to be found out yet.
  if (watches_rows_) before_ = rows_;
  rows_.reset();
  watch_.reset();
}

void query_cache::keep_in_order() {
  if (!sorted_values_ || !sorted_values_.has_news()) return;
  own_rows();
  const bool can_repair = sorted_values_.is_complete() && !q_->ordered;
  const auto written = can_repair ? sorted_values_.news() : std::span<const entity_t>();
  if (!can_repair || !how_.repair(*rows_, {written.begin(), written.end()})) how_.arrange(*rows_);
  sorted_values_.catch_up();
}

std::optional<read_watch> query_cache::wants_rows() {
  drop_rows();
  if (m_.world().store.busy()) return std::nullopt;
  if (!watches_rows_) {
    if (kind_ == cache_kind::never) return std::nullopt;
    if (!how_.arranges()) {
      if (!used_before_) return std::nullopt;
      if (wait_) {
        --wait_;
        return std::nullopt;
      }
    }
  }
  effort_before_ = m_.effort().done();
  reads what = reads_of(*q_, m_);
  what.life = true;
  if (const id_t id = how_.sorted_by()) what.add_group(group_key(id));
  if (how_.grouped_by()) what.add_group(make_pair(how_.grouped_by(), 0));
  return read_watch(std::move(what), m_);
}

void query_cache::keep(std::shared_ptr<recorded_rows> rows, read_watch watch) {
  if (!watch.unchanged()) return;
  full_effort_ = m_.effort().done() - effort_before_;
  if (watches_rows_ && before_)
    rows->find_new(*before_);
  else if (watches_rows_)
    rows->all_are_new();
  before_.reset();
  rows_differ_ = true;
  rows_ = std::move(rows);
  rows_used_ = false;
  if (how_.groups_by_function()) watch.add_values(rows_->ids(false));
  watch_.emplace(std::move(watch));
  if (const id_t id = how_.sorted_by())
    sorted_values_ = log_reader(m_.world().store.value_logs().watch(id));
  values_known_ = values_stale_ = false;
}

std::size_t query_cache::max_rows() const {
  constexpr std::size_t few = 1 << 16;
  return few + 4 * m_.world().store.entities().size();
}

std::string query_cache::kept() const {
  const auto number = [](std::size_t n, const char* what) {
    return concat(std::to_string(n), " ", what, n == 1 ? "" : "s");
  };
  if (rows_) return number(rows_->rows(), "result");
  if (tables_ && !tables_->matches().empty()) return number(tables_->matches().size(), "table");
  return arguments_.empty() ? "" : "an index by given values";
}

// --- changes -------------------------------------------------------------------------------------

void query_cache::end(bool by_tables) {
  const core::store& store = m_.world().store;
  iterated_ = true;
  rows_differ_ = false;
  version_ = store.version();
  writes_ = store.writes();
  names_ = m_.world().names.version();
  table_state_.reset();
  // Adding up what many tables say is left out until `changed` is called.
  constexpr std::size_t few_tables = 64;
  if (by_tables && (asked_ || tables_->matches().size() <= few_tables))
    table_state_ = tables_->state();
  if (rows_) watch_values();
}

void query_cache::watch_values() {
  if (!std::exchange(values_known_, true)) {
    change_logs& logs = m_.world().store.value_logs();
    values_.clear();
    for (id_t id : rows_->ids(true))
      values_.push_back({id, log_reader(watches_rows_ ? logs.watch_each(id) : logs.watch(id))});
  }
  for (read_value& v : values_) v.log.catch_up();
  rows_->none_is_new();
}

bool query_cache::changed(const std::shared_ptr<const checked_query>& q) {
  const core::store& store = m_.world().store;
  asked_ = true;
  m_.world().store.note_look();
  if (!iterated_ || q != q_) return true;
  if (store.version() == version_ && store.writes() == writes_ &&
      m_.world().names.version() == names_)
    return false;
  if (table_state_ && tables_ && tables_->refresh()) return tables_->state() != *table_state_;
  if (rows_ && !rows_differ_ && watch_->unchanged()) return was_written();
  return true;
}

// Has a value been written that some row shows?
bool query_cache::was_written() {
  const auto has_news = [](const read_value& v) { return v.log.has_news(); };
  if (std::ranges::none_of(values_, has_news)) return false;
  // Rows that went may have been the last to show an id.
  if (std::exchange(values_stale_, false)) {
    const std::vector<id_t> shown = rows_->ids(true);
    std::erase_if(values_,
                  [&](const read_value& v) { return !std::ranges::binary_search(shown, v.id); });
  }
  return std::ranges::any_of(values_, has_news);
}

bool query_cache::changed(const recorded_rows& rows, std::size_t b, std::size_t row) const {
  if (rows_.get() != &rows || rows.is_new(row)) return true;
  for (std::size_t n = 0; n < q_->fields.size(); ++n) {
    const result_field& m = rows.field_of(b, n);
    if (!m.id || !reads_values(q_->fields[n])) continue;
    if (!m_.world().store.types().type_of(m.id)) continue;  // it has no values
    const auto read = std::ranges::find(values_, m.id, &read_value::id);
    if (read == values_.end() || read->log.has_news_of(m.source ? m.source : rows.entities()[row]))
      return true;
  }
  return false;
}

}  // namespace kith::core
