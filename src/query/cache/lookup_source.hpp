// Results that an index finds by the values that the caller gives to variables.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "query/cache/query_cache.hpp"
#include "query/exec/result_source.hpp"

namespace kith::core {

class lookup_source final : public result_source {
 public:
  using result_source::result_source;

  // False: there is no index.
  bool begin(query_cache& cache, const query_bindings& bindings);
  // The same for a question that is the same as the last but for its values. False: it is not, or
  // something has changed since.
  bool begin_again(const query_bindings& bindings);
  // Lets go of the index, so that no question is the same as the last.
  void forget() { index_.reset(); }

  // The entities of the last question with other values for its parameters, if they are known at
  // once.
  template <std::size_t Extent>
  bool find_again(std::span<const entity_t, Extent> parameters,
                  std::span<const entity_t>& found) const {
    if (!index_ || asked_at_ != it_.store.version() || !by_parameters_) return false;
    if (parameters.size() != it_.bound.size() || it_.store.busy()) return false;
    // An entity that the index has is alive; values that it does not have may not be.
    found = index_->find_at_once(parameters);
    return !found.empty();
  }
  bool find_again(const query_bindings& bindings, std::span<const entity_t>& found) const {
    std::array<entity_t, 4> values;
    const slot_list& bound = it_.bound;
    if (bindings.size() > values.size() || bindings.size() != bound.size()) return false;
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      const query_binding& b = bindings.begin()[i];
      if (b.number != static_cast<int>(bound[i])) return false;
      values[i] = b.value;
    }
    return find_again(std::span<const entity_t>(values.data(), bindings.size()), found);
  }

  bool next(batch& b) override;
  result_field find_field(std::size_t n) override;
  bool find_view(std::size_t n, field_view& out) override;

 protected:
  std::vector<void*>& places(std::size_t n) override;

 private:
  void find_plain_ids();
  void look_up();

  std::shared_ptr<argument_index> index_;
  std::uint64_t asked_at_ = 0;   // the version of the store when the index was brought up to date
  std::vector<int> numbers_;     // of the variables that were given values
  bool any_value_ = false;       // no value is refused but for what the index says
  bool by_parameters_ = false;   // and what is given are the parameters, in their order
  bool uniform_ = false;         // all results are one batch
  std::vector<id_t> plain_ids_;  // by field: the id, if it is the same for all values; else 0

  std::span<const entity_t> list_;
  std::size_t at_ = 0;
  argument_index::answer answer_;  // that the list is; without entities if the list was tested
  std::vector<entity_t> given_, tested_;
};

}  // namespace kith::core
