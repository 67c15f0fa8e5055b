// Code without an ECS: entities are numbers, and each component has a sparse set.
//
//   place    entity -> the index of its value, or none
//   owners   e7 | e2 | e9      values side by side, in the same order
//   values   v7 | v2 | v9
//
// It checks nothing, removes nothing when an entity is deleted, and has no queries.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bench::by_hand {

using number = std::uint32_t;
inline constexpr number none = ~number{0};

class entities {
 public:
  number create() {
    if (free_.empty()) {
      alive_.push_back(true);
      return static_cast<number>(alive_.size() - 1);
    }
    const number e = free_.back();
    free_.pop_back();
    alive_[e] = true;
    return e;
  }
  void destroy(number e) {
    alive_[e] = false;
    free_.push_back(e);
  }
  bool is_alive(number e) const { return alive_[e]; }

 private:
  std::vector<char> alive_;
  std::vector<number> free_;
};

template <class T>
class sparse_set {
 public:
  void set(number e, const T& value) {
    if (e >= place_.size()) place_.resize(e + std::size_t{1}, none);
    if (place_[e] != none) {
      values_[place_[e]] = value;
      return;
    }
    place_[e] = static_cast<number>(owners_.size());
    owners_.push_back(e);
    values_.push_back(value);
  }
  void erase(number e) {
    const number at = place_[e], last = owners_.back();
    owners_[at] = last;
    values_[at] = std::move(values_.back());
    place_[last] = at;
    place_[e] = none;
    owners_.pop_back();
    values_.pop_back();
  }
  T* find(number e) {
    return e < place_.size() && place_[e] != none ? &values_[place_[e]] : nullptr;
  }
  T& at(number e) { return values_[place_[e]]; }
  const std::vector<number>& owners() const { return owners_; }
  std::vector<T>& values() { return values_; }
  std::size_t size() const { return owners_.size(); }

 private:
  std::vector<number> place_, owners_;
  std::vector<T> values_;
};

// A relation with one target per entity; finds the target of an entity and the entities of a target
// in O(1).
class relation {
 public:
  void add(number e, number target) {
    auto& list = by_target_[target];
    edges_.set(e, {target, static_cast<number>(list.size())});
    list.push_back(e);
  }
  void remove(number e) {
    const edge at = edges_.at(e);
    auto& list = by_target_[at.target];
    list[at.place] = list.back();
    edges_.at(list.back()).place = at.place;
    list.pop_back();
    edges_.erase(e);
  }
  number target(number e) { return edges_.at(e).target; }
  bool has(number e, number target) {
    const edge* found = edges_.find(e);
    return found && found->target == target;
  }
  const std::vector<number>& who_has(number target) { return by_target_[target]; }
  std::size_t size() const { return edges_.size(); }

 private:
  struct edge {
    number target, place;
  };
  sparse_set<edge> edges_;
  std::unordered_map<number, std::vector<number>> by_target_;
};

}  // namespace bench::by_hand
