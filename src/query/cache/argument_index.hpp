// Finds the results of a query by the values that the caller gives to its variables.
//
//   (OnTeam, @team), (InVehicle, @vehicle)
//
//   red,  car   ->  [ e7 | e2 ]
//   red,  bus   ->  [ e4 ]
//   blue, car   ->  [ e2 | e9 ]         e2 is on two teams: it is filed under both
//
// For local queries (checked_query::is_local) all of whose variables are given. The index watches
// what the query reads: an entity that changed is filed anew when the next question is asked. An
// entity that would be filed under many combinations is filed under the value of the first variable
// alone, and is tested when it is asked for. Parameters that mean the same, as in (OnTeam, @a),
// (OnTeam, @b), are filed in ascending order only.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "query/cache/read_watch.hpp"
#include "query/exec/run.hpp"

namespace kith::core {

class argument_index {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  // Where the values of fields are, as long as nothing moves.
  struct located {
    std::uint64_t version = 0;
    std::vector<std::vector<void*>> pointers;  // by field
  };
  // What a question finds.
  struct answer {
    std::span<const entity_t> entities;  // results
    std::span<const entity_t> more;      // these have to be tested
    std::uint32_t bucket = none;         // that the results are
  };

  // `given`: the slots whose values are given.
  argument_index(std::shared_ptr<const checked_query> q, slot_list given, meaning& m);

  const slot_list& given() const { return given_; }

  // Can this query have an index at all?
  bool is_possible() const { return possible_; }
  // Are the ids and sources of all fields the same for all results, as things are now?
  bool is_uniform() const;
  // Brings it up to date.
  void refresh();
  // The entities of a combination of values, one per given slot. Valid until the next refresh.
  answer find(std::span<const entity_t> values) {
    return alike_.empty() ? look_up(values) : find_sorted(values);
  }
  // The entities of an answer, if one look finds all there are; else none. Faster if the number of
  // values is known when this is compiled.
  template <std::size_t Extent>
  std::span<const entity_t> find_at_once(std::span<const entity_t, Extent> values) {
    if (!alike_.empty()) {
      const answer found = find_sorted(values);
      return found.more.empty() ? found.entities : std::span<const entity_t>();
    }
    if (tested_) return {};
    const asked_key<Extent> key = key_of(values);
    const auto found = by_key_.find(key, key.hash);
    return found == by_key_.end() ? std::span<const entity_t>() : buckets_[*found].entities();
  }
  // Of the results of an answer that has some.
  located& values_of(const answer& a);
  // Is an entity a result, for values of all other slots?
  bool is_result(entity_t e, slot_values& values);

 private:
  // An entity with more combinations than this is tested instead.
  static constexpr std::size_t max_combinations = 16;

  // Its key is as long as there are given slots; that of entities that have to be tested is the
  // first value alone. It fills a line of the memory's cache.
  struct alignas(64) bucket {
    static constexpr std::size_t key_start = 3;
    std::uint32_t hash = 0;  // of the key
    std::uint32_t key_length = 0;
    std::array<entity_t, key_start> key{};  // the rest of a longer one is in long_keys_
    entity_t one = 0;                       // its entity, as long as there is not more than one
    std::vector<entity_t> several;

    std::span<const entity_t> entities() const {
      return several.empty() ? std::span(&one, one ? 1 : 0) : std::span(several);
    }
    void push_back(entity_t e) {
      if (!one) {
        one = e;
        return;
      }
      if (several.empty()) several.push_back(one);
      several.push_back(e);
    }
    void erase(std::size_t position);
  };
  // Buckets are found by their keys.
  template <std::size_t Extent = std::dynamic_extent>
  struct asked_key {
    std::span<const entity_t, Extent> values;
    std::uint32_t hash;
  };
  struct key_hash {
    const argument_index* of;
    std::size_t operator()(std::uint32_t bucket) const { return of->buckets_[bucket].hash; }
    template <std::size_t Extent>
    std::size_t operator()(const asked_key<Extent>& key) const {
      return key.hash;
    }
  };
  struct key_equal {
    using is_transparent = void;
    const argument_index* of;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
    template <std::size_t Extent>
    bool operator()(const asked_key<Extent>& key, std::uint32_t bucket) const {
      return of->has_key(bucket, key);
    }
    template <std::size_t Extent>
    bool operator()(std::uint32_t bucket, const asked_key<Extent>& key) const {
      return of->has_key(bucket, key);
    }
  };
  struct place {
    std::uint32_t bucket;
    std::uint32_t position;
  };

  const checked_term* find_anchor(slot_index slot) const;
  void find_alike();
  slot_list all_slots() const;
  bool has_kinds() const;

  void rebuild();
  // Adds the kinds of the entities that are listed.
  void add_heirs(std::vector<entity_t>& changed) const;
  void file(entity_t e);
  void find_places(entity_t e);
  void unfile(entity_t e);
  void put(entity_t e, std::span<const entity_t> values);
  template <std::size_t Extent>
  std::uint32_t find_bucket(const asked_key<Extent>& key) const {
    const auto found = by_key_.find(key, key.hash);
    return found == by_key_.end() ? none : *found;
  }
  answer look_up(std::span<const entity_t> values) const {
    answer found;
    if (tested_)
      if (const std::uint32_t first = find_bucket(key_of(values.first(1))); first != none)
        found.more = buckets_[first].entities();
    found.bucket = find_bucket(key_of(values));
    if (found.bucket != none) found.entities = buckets_[found.bucket].entities();
    return found;
  }
  // For parameters that are alike.
  answer find_sorted(std::span<const entity_t> values);
  std::size_t rest_of_key() const {
    return given_.size() - std::min(given_.size(), bucket::key_start);
  }
  template <std::size_t Extent>
  bool has_key(std::uint32_t number, const asked_key<Extent>& key) const {
    const auto& [values, hash] = key;
    const bucket& b = buckets_[number];
    if (b.hash != hash || b.key_length != values.size()) return false;
    for (std::size_t i = 0; i < std::min(values.size(), bucket::key_start); ++i)
      if (b.key[i] != values[i]) return false;
    for (std::size_t i = bucket::key_start; i < values.size(); ++i)
      if (long_keys_[number * rest_of_key() + i - bucket::key_start] != values[i]) return false;
    return true;
  }
  void set_key(std::uint32_t number, const asked_key<>& key);
  // The values that a slot can have for an entity, ascending.
  void list_values(entity_t e, const checked_term& anchor, std::vector<entity_t>& out) const;
  // In the order in which parameters that are alike are filed; false if two of them are the same.
  bool sort_alike(std::vector<entity_t>& key) const;
  template <std::size_t Extent>
  static asked_key<Extent> key_of(std::span<const entity_t, Extent> values) {
    return {values, static_cast<std::uint32_t>(mix_all(values))};
  }

  std::shared_ptr<const checked_query> q_;
  slot_list given_;
  meaning& m_;
  bool possible_;
  std::vector<const checked_term*> anchors_;  // by given slot: the term whose target it is
  // Sets of parameters, by their numbers, that can be exchanged.
  std::vector<std::vector<std::uint32_t>> alike_;

  estimates counts_;
  plan test_;  // of an entity and values of all slots

  std::optional<read_watch> watch_;  // nothing is filed while there is none
  bool had_kinds_ = false;
  std::uint64_t bases_ = 0;
  std::vector<bucket> buckets_;
  std::vector<entity_t> long_keys_;  // by bucket, what does not fit into its key
  std::vector<located> located_;     // by bucket; grows when values are asked for
  std::size_t tested_ = 0;           // how many buckets have entities to be tested
  std::vector<std::uint32_t> free_;
  hash_set<std::uint32_t, key_hash, key_equal> by_key_{0, key_hash{this}, key_equal{this}};
  // Where an entity is filed, by ascending bucket.
  hash_map<entity_t, std::vector<place>> filed_;
  std::vector<entity_t> asked_;  // the key that is looked for
};

}  // namespace kith::core
