// A small world with a type to look at: ann has nothing, bob has a value and a witness, both are
// children of ship, and a crowd has values too.
//
// The typed calls are behind virtual functions, so that a test is written and compiled once for all
// types. A value is made of an int; -9 stands for no value.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <kith/kith.hpp>

#include "support/lifecycle.hpp"
#include "support/world_text.hpp"
#include "world/engine_state.hpp"

namespace kith::test {

// A second value of bob, beside the one that is looked at.
struct witness {
  tracked part;
  int value() const { return part.value(); }
};
struct apples {};
struct pears {};
struct mark {};

class stage {
 public:
  static constexpr int none = -9;

  virtual ~stage() = default;

  // The entity that stands for the type; registered again if it was deleted.
  virtual kith::entity type() = 0;

  virtual void add(kith::entity e) = 0;
  virtual void emplace(kith::entity e, int value) = 0;
  virtual void set_by_copy(kith::entity e, int value) = 0;
  virtual void set_by_move(kith::entity e, int value) = 0;
  virtual void set_by_pointer(kith::entity e, int value) = 0;
  virtual void set_singleton(int value) = 0;
  virtual int ensure(kith::entity e) = 0;
  virtual void ensure_and_assign(kith::entity e, int value) = 0;
  // (type, apples), (type, pears), (apples, type)
  virtual void emplace_apples(kith::entity e, int value) = 0;
  virtual void emplace_pears(kith::entity e, int value) = 0;
  virtual void emplace_second(kith::entity e, int value) = 0;
  virtual kith::entity entity_with(int value, int witness_value) = 0;
  virtual std::vector<kith::entity> bulk(std::size_t n, int value, int witness_value) = 0;
  virtual std::vector<kith::entity> bulk_each(const std::vector<int>& values) = 0;

  // From a reference to the value of another entity, which is in the storage.
  virtual void set_from(kith::entity e, kith::entity other) = 0;
  virtual void emplace_from(kith::entity e, kith::entity other) = 0;
  virtual void emplace_apples_from(kith::entity e, kith::entity other) = 0;
  virtual void emplace_pears_from_apples(kith::entity e) = 0;
  virtual kith::entity entity_from(kith::entity other) = 0;
  virtual std::vector<kith::entity> bulk_from(std::size_t n, kith::entity other) = 0;
  virtual kith::entity bulk_from_span(kith::entity other) = 0;

  virtual int value_of(kith::entity e) = 0;
  // Of the pair (type, target).
  virtual int value_of(kith::entity e, kith::entity target) = 0;
  int witness_of(kith::entity e) {
    const witness* found = e.get<witness>();
    return found ? found->value() : none;
  }
  kith::entity the_apples() { return w.entity<apples>(); }
  kith::entity the_pears() { return w.entity<pears>(); }

  std::string seen() { return text.of(w); }
  // Values of tracked types that some entity has.
  std::size_t tracked_values();
  // Where the values of a type are kept from now on.
  void keep(kith::entity type, core::id_group::place where);

  // Ends the world before the stage; `w` is good until its last destructor has run.
  void end_world() { world_.reset(); }

 private:
  std::optional<kith::world> world_{std::in_place};

 public:
  kith::world& w = *world_;
  kith::entity ship, ann, bob;
  world_text text;

 protected:
  stage() = default;
  void set_up(core::id_group::place where, int crowd);

  bool is_tracked_ = true;
};

// Calls that a type cannot make do nothing: the test asks its kind before.
template <class T>
class stage_of : public stage {
 public:
  stage_of(core::id_group::place where, int crowd) {
    is_tracked_ = !std::is_trivially_copyable_v<T>;
    text.show<T>(w);
    set_up(where, crowd);
  }

  kith::entity type() override { return w.component<T>(); }

  void add(kith::entity e) override { e.add<T>(); }
  void emplace(kith::entity e, int value) override { e.emplace<T>(value); }
  void set_by_copy(kith::entity e, int value) override {
    if constexpr (copies) {
      const T original{value};
      e.set(original);
    }
  }
  void set_by_move(kith::entity e, int value) override {
    if constexpr (std::is_move_constructible_v<T>) e.set(T{value});
  }
  void set_by_pointer(kith::entity e, int value) override {
    const T original{value};
    e.set_ptr(type(), &original);
  }
  void set_singleton(int value) override {
    if constexpr (std::is_move_constructible_v<T>) w.set(T{value});
  }
  int ensure(kith::entity e) override { return e.ensure<T>().value(); }
  void ensure_and_assign(kith::entity e, int value) override {
    if constexpr (std::is_move_assignable_v<T>) e.ensure<T>() = T{value};
  }
  void emplace_apples(kith::entity e, int value) override {
    e.emplace<kith::pair<T, apples>>(value);
  }
  void emplace_pears(kith::entity e, int value) override { e.emplace<kith::pair<T, pears>>(value); }
  void emplace_second(kith::entity e, int value) override {
    e.emplace<kith::pair<apples, T>>(value);
  }
  kith::entity entity_with(int value, int witness_value) override {
    if constexpr (copies) {
      const T original{value};
      const witness other{witness_value};
      return w.entity(other, original, mark{});
    }
    return {};
  }
  std::vector<kith::entity> bulk(std::size_t n, int value, int witness_value) override {
    if constexpr (copies) return w.bulk(n, witness{witness_value}, T{value}, mark{});
    return {};
  }
  std::vector<kith::entity> bulk_each(const std::vector<int>& values) override {
    if constexpr (copies) {
      std::vector<T> originals;
      originals.reserve(values.size());
      for (int v : values) originals.push_back(T{v});
      return w.bulk(values.size(), originals, witness{3});
    }
    return {};
  }

  void set_from(kith::entity e, kith::entity other) override {
    if constexpr (copies) e.set(*other.get<T>());
  }
  void emplace_from(kith::entity e, kith::entity other) override {
    if constexpr (copies) e.emplace<T>(*other.get<T>());
  }
  void emplace_apples_from(kith::entity e, kith::entity other) override {
    if constexpr (copies) e.emplace<kith::pair<T, apples>>(*other.get<T>());
  }
  void emplace_pears_from_apples(kith::entity e) override {
    if constexpr (copies) e.emplace<kith::pair<T, pears>>(*e.get<T, apples>());
  }
  kith::entity entity_from(kith::entity other) override {
    if constexpr (copies) return w.entity(*other.get<T>(), witness{2});
    return {};
  }
  std::vector<kith::entity> bulk_from(std::size_t n, kith::entity other) override {
    if constexpr (copies) return w.bulk(n, *other.get<T>());
    return {};
  }
  kith::entity bulk_from_span(kith::entity other) override {
    if constexpr (copies) return w.bulk(1, std::span<const T>(other.get<T>(), 1)).front();
    return {};
  }

  int value_of(kith::entity e) override { return shown(e.get<T>()); }
  int value_of(kith::entity e, kith::entity target) override { return shown(e.get<T>(target)); }

 private:
  static constexpr bool copies = std::is_copy_constructible_v<T>;
  static int shown(const T* value) { return value ? value->value() : none; }
};

}  // namespace kith::test
