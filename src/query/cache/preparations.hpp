// What queries of the same description have in common, however many of them are made.
//
// Code that makes the same query each time it needs it pays only once for checking and planning it.
// Only descriptions that are lists of ids are recognised: such code mostly writes these, and they
// are cheap to compare.
#pragma once

#include <memory>
#include <vector>

#include "query/cache/table_list.hpp"
#include "query/exec/prepared_query.hpp"

namespace kith::core {

struct preparation {
  preparation(const graph& g, const shortcuts& open, statistics& samples, expression resolved)
      : query(g, open, samples, std::move(resolved)) {}

  prepared_query query;
  bool used_before = false;
  // Of the checked query, once one of the queries has made it. A short one outlives them.
  std::weak_ptr<table_list> tables;
  std::shared_ptr<table_list> short_list;
};

class preparations {
 public:
  // The ids of a description, each with what is said of it.
  using key = std::vector<std::uint64_t>;

  std::shared_ptr<preparation> find(const key& k) const {
    const auto known = known_.find(k);
    return known == known_.end() ? nullptr : known->second;
  }
  void insert(const key& k, std::shared_ptr<preparation> p) {
    constexpr std::size_t many = 256;
    if (known_.size() == many) known_.clear();
    known_.insert_or_assign(k, std::move(p));
  }

 private:
  struct hash {
    std::size_t operator()(const key& k) const { return mix_all(std::span(k)); }
  };
  hash_map<key, std::shared_ptr<preparation>, hash> known_;
};

}  // namespace kith::core
