// Finds the values of one id for many entities. Neighbours are mostly in the same table, so the
// column is looked up once for all of them. Invalidated by any change.
#pragma once

#include "storage/store.hpp"

namespace kith::core {

class value_finder {
 public:
  value_finder(const store& s, id_t id) : store_(&s), id_(id) {}

  located_value find(const entity_record& r) {
    if (r.table != table_) {
      table_ = r.table;
      column_ = store_->tables().at(r.table).find_column(id_);
    }
    if (column_) return {column_->type, column_->slot(r.row), &column_->writes};
    return r.loose ? store_->find_value(r, id_) : located_value();
  }

 private:
  const store* store_;
  id_t id_;
  table_id table_{};
  const column* column_ = nullptr;
};

}  // namespace kith::core
