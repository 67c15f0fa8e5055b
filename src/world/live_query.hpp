// A query of a world: what the handles of the public API share.
#pragma once

#include <kith/detail/query_run.hpp>

#include "query/exec/prepared_query.hpp"
#include "world/engine_state.hpp"

namespace kith::core {

class live_query {
 public:
  live_query(engine& world, expression resolved)
      : world_(world), prepared(world.state().graph_, std::move(resolved)) {}

  engine& world() const { return world_; }
  engine_state& state() const { return world_.state(); }

 private:
  engine& world_;

 public:
  prepared_query prepared;
};

}  // namespace kith::core
