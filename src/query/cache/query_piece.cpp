#include "query/cache/query_piece.hpp"

#include <algorithm>

#include <kith/detail/builtins.hpp>

#include "base/hash_map.hpp"

namespace kith::core {

namespace {

// A piece is worth the way to another thread, and there are enough of them to share.
constexpr std::size_t most_pieces = 64, least_rows = 32, most_rows = 8192;

class splitter {
 public:
  explicit splitter(const query_piece& all) : all_(all) {
    if (all.tables)
      for (const table_list::match& m : all.tables->matches())
        lengths_.push_back(m.rows->entities().size());
    else
      for (const recorded_rows::run& r : all.rows->batches()) lengths_.push_back(r.count);
  }

  std::vector<query_piece> split() {
    if (all_.rows && lengths_.size() > 1) find_last_places();
    const std::size_t wanted = std::clamp(all_.count / most_pieces, least_rows, most_rows);
    std::size_t row = 0;  // of all that count
    for (std::size_t at = 0; at < lengths_.size(); ++at) {
      for (std::size_t in = 0; in < lengths_[at];) {
        if (!open_) begin_piece(at, in);
        // Without a border that must be found, the rest of the piece is one step.
        const std::size_t step =
            last_place_.empty() ? std::min(lengths_[at] - in, wanted - pieces_.back().count) : 1;
        if (!last_place_.empty()) reach_ = std::max(reach_, last_place_.at(entity_at(at, in)));
        in += step;
        row += step;
        pieces_.back().count += step;
        open_ = pieces_.back().count < wanted || (!last_place_.empty() && reach_ >= row);
      }
    }
    return std::move(pieces_);
  }

 private:
  entity_t entity_at(std::size_t batch, std::size_t row) const {
    return all_.rows->entities()[all_.rows->batches()[batch].first + row];
  }
  // Rows of one batch are about different entities.
  void find_last_places() {
    std::size_t row = 0;
    for (std::size_t at = 0; at < lengths_.size(); ++at)
      for (std::size_t in = 0; in < lengths_[at]; ++in) last_place_[entity_at(at, in)] = row++;
    if (last_place_.size() == row) last_place_.clear();
  }
  void begin_piece(std::size_t at, std::size_t in) {
    pieces_.push_back({all_.tables, all_.rows, at, in, 0});
    open_ = true;
  }

  const query_piece& all_;
  std::vector<std::size_t> lengths_;
  std::vector<query_piece> pieces_;
  bool open_ = false;
  // The last row about an entity, if some entity has more than one; and the last one that an entity
  // of the open piece has.
  hash_map<entity_t, std::size_t> last_place_;
  std::size_t reach_ = 0;
};

// Is a value of an exposed field of another entity than $this?
bool shares_values(const query_piece& all, std::span<const std::size_t> exposed) {
  const auto is_shared = [&](std::span<const result_field> fields) {
    return std::ranges::any_of(exposed, [&](std::size_t n) { return fields[n].source != 0; });
  };
  if (all.tables)
    return std::ranges::any_of(all.tables->matches(), [&](const table_list::match& m) {
      return is_shared({all.tables->fields(m), all.tables->query()->fields.size()});
    });
  for (std::size_t b = 0; b < all.rows->batches().size(); ++b)
    if (is_shared(all.rows->fields_of(b))) return true;
  return false;
}

}  // namespace

std::vector<query_piece> split(const query_piece& all, std::span<const std::size_t> exposed) {
  if (all.count == 0) return {};
  const std::shared_ptr<const checked_query>& q =
      all.tables ? all.tables->query() : all.rows->query();
  if (!q->uses_this || shares_values(all, exposed)) return {all};
  return splitter(all).split();
}

}  // namespace kith::core
