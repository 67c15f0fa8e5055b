// Results that are found by carrying out a plan.
#pragma once

#include <memory>
#include <vector>

#include "query/exec/prepared_query.hpp"
#include "query/exec/result_source.hpp"
#include "query/exec/run.hpp"

namespace kith::core {

class plan_source final : public result_source {
 public:
  plan_source(iteration& it, prepared_query& prepared) : result_source(it), prepared_(prepared) {}

  // `bound`: the slots that have values.
  void begin(const slot_list& bound);
  // Begins again with other values of the same slots; yields one result after the other.
  void begin_again();
  void end() override;

  bool next(batch& b) override;
  result_field find_field(std::size_t n) override;
  bool find_view(std::size_t n, field_view& out) override;
  void note_writes(std::size_t n) override;

 protected:
  bool side_by_side(id_t id) const override;

 private:
  bool find_alike();
  bool is_alike(std::size_t n, const checked_term& t, std::vector<const item*>& shown);

  prepared_query& prepared_;
  std::shared_ptr<plan> plan_;
  std::unique_ptr<plan_run> run_;           // apart, for it is large and most iterations have none
  const row_scan::block* block_ = nullptr;  // the rows of the batch; null if it has one
  bool done_ = false;
  // By field: the one id it can be, if it is on $this and just that; else 0.
  std::vector<id_t> plain_ids_;
  std::vector<entity_t> closed_relations_;  // Transitive ones that fields are pairs of
};

}  // namespace kith::core
