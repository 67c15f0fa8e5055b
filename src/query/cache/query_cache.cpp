#include "query/cache/query_cache.hpp"

#include <algorithm>
#include <utility>

namespace kith::core {

void query_cache::begin(const std::shared_ptr<const checked_query>& q) {
  if (q_ == q) return;
  q_ = q;
  tables_.reset();
  rows_.reset();
  reads_.reset();
}

std::shared_ptr<table_list> query_cache::tables() {
  // While a constructor or destructor runs, the store is between two states.
  if (m_.world().facts.busy() || kind_ == cache_kind::never) return nullptr;
  if (!tables_) {
    if (!std::exchange(used_before_, true) && kind_ != cache_kind::always) return nullptr;
    tables_ = std::make_shared<table_list>(q_, m_);
  }
  return tables_->refresh() ? tables_ : nullptr;
}

std::shared_ptr<recorded_rows> query_cache::rows() {
  if (!rows_ || m_.world().facts.busy()) return nullptr;
  if (reads_->unchanged()) {
    rows_used_ = true;
    next_wait_ = 1;
    return rows_;
  }
  if (!rows_used_) {
    wait_ = next_wait_;
    next_wait_ = std::min(next_wait_ * 2, 64u);
  }
  rows_.reset();
  reads_.reset();
  return nullptr;
}

bool query_cache::wants_rows() {
  if (!tables_ || m_.world().facts.busy()) return false;
  if (wait_) {
    --wait_;
    return false;
  }
  return true;
}

void query_cache::keep(std::shared_ptr<recorded_rows> rows, bool life) {
  rows_ = std::move(rows);
  rows_used_ = false;
  reads_.emplace(*q_, m_);
  if (life) reads_->read_life();
}

std::size_t query_cache::max_rows() const {
  constexpr std::size_t few = 1 << 16;
  return few + 4 * m_.world().facts.entities().size();
}

}  // namespace kith::core
