// Whether what a query reads has changed, and for which entities.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "query/cache/affected.hpp"
#include "query/exec/reads.hpp"
#include "storage/change_log.hpp"

namespace kith::core {

class read_watch {
 public:
  read_watch(reads what, meaning& m);

  // Has nothing changed since the last `mark`, or since it was made?
  bool unchanged() const;
  void mark();
  // The entities that changed since, each once.
  struct news {
    std::vector<entity_t> entities;
    bool kinds = false;  // some entity became or ceased to be a kind of another
  };
  // Nothing if something else changed, or more than `most` entities.
  std::optional<news> changes(std::size_t most) const;
  // The facts that came, went or were switched since, each once. Nothing in the same cases.
  std::optional<std::vector<changed_fact>> facts(std::size_t most) const;
  // It also depends on the values of these ids.
  void add_values(const std::vector<id_t>& ids);
  // The query turned out not to depend on which entities there are.
  void forget_life();
  // It does now.
  void watch_life();

 private:
  // Beyond the entities that its groups list.
  bool others_unchanged() const;

  struct watched_group {
    id_t group;
    log_reader log;
  };

  meaning* m_;
  reads what_;
  std::vector<watched_group> groups_;
  std::vector<log_reader> values_;
  std::vector<bool> alive_;  // of what_.named
  std::uint64_t store_version_ = 0;
  std::uint64_t names_version_ = 0;
};

}  // namespace kith::core
