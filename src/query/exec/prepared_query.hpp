// A query that lives in a world: its expression, and what was worked out from it.
//
// Names are looked up once. What depends on traits is worked out anew when a trait came or went;
// plans are made per set of variables the caller gives, and made anew when counts have changed
// much.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "query/check/check.hpp"
#include "query/exec/meaning.hpp"
#include "query/exec/run.hpp"
#include "query/plan/plan.hpp"

namespace kith::core {

class prepared_query {
 public:
  prepared_query(const graph& g, const shortcuts& open, statistics& samples, expression resolved)
      : g_(g), counts_(g, open), samples_(samples), written_(std::move(resolved)) {
    refresh();
  }

  const expression& written() const { return written_; }
  const std::shared_ptr<const checked_query>& checked() const { return checked_; }

  // Brings what depends on traits up to date.
  void refresh();
  // The plan for a set of bound slots. Valid until the next refresh.
  std::shared_ptr<plan> plan_for(const slot_list& bound);
  // A plan of the caller alone.
  std::shared_ptr<plan> make_plan(const slot_list& bound) const {
    return std::make_shared<plan>(*checked_, checked_->root, set_of(bound), bit_set(), counts_,
                                  samples_);
  }

 private:
  struct made_plan {
    slot_list bound;
    bit_set with;  // the same slots
    std::shared_ptr<plan> steps;
    double rows;  // what the first step was thought to give
  };

  const graph& g_;
  estimates counts_;
  statistics& samples_;
  expression written_;
  std::shared_ptr<const checked_query> checked_;
  std::uint64_t traits_version_ = ~std::uint64_t{0};
  std::vector<made_plan> plans_;
};

}  // namespace kith::core
