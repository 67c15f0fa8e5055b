// A query as the planner sees it.
#pragma once

#include <string>
#include <utility>

#include <kith/kith.hpp>

#include "world/live_query.hpp"

namespace kith::test {

class checked {
 public:
  checked(kith::world& world, std::string text)
      : query_(core::make_query(world.engine(), {.expr = std::move(text)})) {
    query_->prepared.refresh();
  }

  const core::checked_query& operator*() const { return *query_->prepared.checked(); }
  const core::checked_query* operator->() const { return query_->prepared.checked().get(); }
  const std::shared_ptr<const core::checked_query>& shared() const {
    return query_->prepared.checked();
  }
  core::live_query& live() { return *query_; }

 private:
  core::query_ptr query_;
};

inline core::meaning& meaning_of(kith::world& world) {
  core::meaning& m = world.engine().state().stages.main.meaning;
  m.refresh();
  return m;
}

}  // namespace kith::test
