// Where ids are kept changes speed and nothing else. Every test of this folder runs once for each
// way a relation or component can be kept, and expects the same answers from all of them:
//
//   tables, pools              not pinned; put in one place or the other
//   Fragment, DontFragment,    pinned by a trait
//   Sparse, Union
//   migrating                  moved to the other place before every single question and change
//
//     TEST_P(pairs_in_any_storage, removed_pair_is_gone) {
//       const thing likes = relation("Likes"), alice = entity("alice"), bob = entity("bob");
//       bob->add(likes, alice);
//       bob->remove(likes, alice);
//       EXPECT_FALSE(bob->has(likes, alice));
//     }
//
// `->` on a thing, and on the world, is what moves the ids.
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

// Without a name for their namespace the types are called just `Number` in a world.
namespace {

struct Number {
  int n = 0;
};
struct Other {
  int n = 7;
};
struct Eats {
  int n = 0;
};
struct Begin {};
struct End {};

}  // namespace

namespace storage_tests {

enum class storage { tables, pools, fragment, dont_fragment, sparse, union_, migrating };

inline constexpr std::array every_storage{storage::tables,   storage::pools,
                                          storage::fragment, storage::dont_fragment,
                                          storage::sparse,   storage::migrating};
// For relations that are Exclusive anyway.
inline constexpr std::array every_storage_and_union{
    storage::tables, storage::pools,  storage::fragment, storage::dont_fragment,
    storage::sparse, storage::union_, storage::migrating};

std::string name_of(storage s);
void PrintTo(storage s, std::ostream* out);
struct storage_name {
  std::string operator()(const ::testing::TestParamInfo<storage>& info) const {
    return name_of(info.param);
  }
};

// Keeps ids of a world in one of those ways.
class placement {
 public:
  placement(kith::world& world, storage how) : world_(world), how_(how) {}

  // From now on the entity as a tag or component, and all its pairs, are kept so.
  void keep(kith::entity e);
  // The same, and the relation is Exclusive.
  void keep_exclusive(kith::entity e);
  // Moves the ids to the storage of this run. Requires: no visit is under way.
  void shake();

 private:
  kith::world& world_;
  storage how_;
  std::vector<kith::entity> kept_;
  std::uint64_t step_ = 0;
};

// Everything a user can see of an entity, or of all that are not built in, one line each:
//   bob: Number=3, -(Likes, alice)        an id that is off has a minus
std::string line_of(kith::entity e);
std::string state_of(kith::world& world);

// "alice, bob"
template <class Range>
std::string names(const Range& range) {
  std::string text;
  for (const auto& each : range) text += (text.empty() ? "" : ", ") + each.str();
  return text;
}
std::string names(std::initializer_list<kith::entity> list);

class any_storage : public ::testing::TestWithParam<storage> {
 protected:
  class thing : public kith::entity {
   public:
    thing() = default;
    thing(any_storage& test, kith::entity e) : kith::entity(e), test_(&test) {}
    const kith::entity* operator->() const {
      test_->shake();
      return this;
    }

   private:
    any_storage* test_ = nullptr;
  };
  class shaken_world {
   public:
    explicit shaken_world(any_storage& test) : test_(test) {}
    kith::world* operator->() {
      test_.shake();
      return &test_.world_;
    }
    kith::world& operator*() { return test_.world_; }

   private:
    any_storage& test_;
  };

  any_storage() : any_storage(kith::world_options{}) {}
  explicit any_storage(const kith::world_options& options) : world_(options) {
    placement_.keep(world_.entity(kith::IsA));
  }

  thing entity() { return {*this, world_.entity()}; }
  thing entity(std::string_view name) { return {*this, world_.entity(name)}; }
  thing prefab(std::string_view name) { return {*this, world_.prefab(name)}; }
  thing as_thing(kith::entity e) { return {*this, e}; }
  // A relation, tag or component that is kept in the storage of this run.
  thing relation(std::string_view name) { return keep(world_.entity(name)); }
  thing exclusive(std::string_view name);
  thing tag(std::string_view name) { return relation(name); }
  template <class T>
  thing component() {
    return keep(world_.component<T>());
  }
  thing keep(kith::entity e);
  void shake() { placement_.shake(); }

  std::string state() { return state_of(world_); }
  // The message of the error that `action` raises; "" if it raises none.
  static std::string message_of(const std::function<void()>& action);
  // It must be an error of this kind whose message has all the words, and nothing may have changed.
  void expect_refused(kith::errc code, std::initializer_list<std::string_view> words,
                      const std::function<void()>& action);

 private:
  kith::world world_;
  placement placement_{world_, GetParam()};

 protected:
  shaken_world world{*this};
};

}  // namespace storage_tests
