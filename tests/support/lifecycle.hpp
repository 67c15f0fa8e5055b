// Objects that record their constructions and destructions, to find values that are constructed
// twice, destroyed twice, copied byte by byte, used when dead, or never destroyed.
//
//     ledger::clear();
//     { tracked a(1); tracked b = a; }
//     ledger::living();    // 0
//     ledger::mistakes();  // ""
//
// After ledger::throw_at(n) the n-th chance to throw throws. Chances are the constructors, copies
// and assignments of tracked objects, and the moves of those whose move may throw.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <utility>

namespace kith::test {

struct planned_throw : std::exception {
  const char* what() const noexcept override { return "a planned throw"; }
};

class ledger {
 public:
  static void clear();
  static std::size_t living();
  // The mistakes since clear(), as text; empty if there were none.
  static std::string mistakes();

  // 0 means never.
  static void throw_at(std::size_t nth);
  // The number of chances since throw_at().
  static std::size_t chances();

  static void born(const void* object);
  static void died(const void* object);
  static void used(const void* object);
  static void chance_to_throw();
};

// A number that records its address. Moving it never throws; every other operation may.
class tracked {
 public:
  tracked() : tracked(0) {}
  tracked(int value) : value_(value) {
    ledger::chance_to_throw();
    ledger::born(this);
  }
  tracked(const tracked& other) : value_(other.value()) {
    ledger::chance_to_throw();
    ledger::born(this);
  }
  tracked(tracked&& other) noexcept : value_(other.value()) {
    ledger::born(this);
    other.value_ = -1;
  }
  tracked& operator=(const tracked& other) {
    ledger::used(this);
    ledger::chance_to_throw();
    value_ = other.value();
    return *this;
  }
  tracked& operator=(tracked&& other) {
    ledger::used(this);
    ledger::chance_to_throw();
    value_ = other.value();
    if (&other != this) other.value_ = -1;
    return *this;
  }
  ~tracked() { ledger::died(this); }

  int value() const {
    ledger::used(this);
    return value_;
  }

 private:
  int value_;
};

// --- kinds of component types; all are constructed from an int, which value() returns ------------

struct trivial {
  int number = 0;
  int value() const { return number; }
};

// Non-trivial, movable without throwing.
using movable = tracked;

struct move_only {
  tracked part;
  move_only() = default;
  move_only(int v) : part(v) {}
  move_only(move_only&&) noexcept = default;
  move_only& operator=(move_only&&) = default;
  int value() const { return part.value(); }
};

struct no_default {
  tracked part;
  no_default(int v) : part(v) {}
  int value() const { return part.value(); }
};

// Cannot be moved, so the storage keeps it in a box.
struct immovable {
  tracked part;
  immovable() = default;
  immovable(int v) : part(v) {}
  immovable(const immovable&) = delete;
  immovable& operator=(const immovable&) = delete;
  int value() const { return part.value(); }
};

// Its move may throw, so the storage keeps it in a box.
struct risky_move {
  tracked part;
  risky_move() = default;
  risky_move(int v) : part(v) {}
  risky_move(const risky_move&) = default;
  risky_move(risky_move&& other) : part(other.part) {}
  risky_move& operator=(const risky_move&) = default;
  risky_move& operator=(risky_move&&) = default;
  int value() const { return part.value(); }
};

template <std::size_t Alignment>
struct alignas(Alignment) aligned {
  tracked part;
  aligned() : aligned(0) {}
  aligned(int v);
  aligned(const aligned& other);
  aligned(aligned&& other) noexcept;
  aligned& operator=(const aligned&) = default;
  int value() const { return part.value(); }
};

// Points into itself, as short strings do: a copy byte by byte would point at the old object.
class self_pointing {
 public:
  self_pointing() : self_pointing(0) {}
  self_pointing(int v) : part_(v), number_(v) {}
  self_pointing(const self_pointing& other) : part_(other.part_), number_(*other.here_) {}
  self_pointing(self_pointing&& other) noexcept
      : part_(std::move(other.part_)), number_(*other.here_) {}
  self_pointing& operator=(const self_pointing& other) {
    part_ = other.part_;
    number_ = *other.here_;
    return *this;
  }
  int value() const { return here_ == &number_ && *here_ == part_.value() ? number_ : -2; }

 private:
  tracked part_;
  int number_;
  const int* here_ = &number_;
};

// No constructors.
struct aggregate {
  tracked part;
  int spare = 0;
  int value() const { return part.value(); }
};

// Cannot be assigned.
struct const_member {
  tracked part;
  const int number = 0;
  const_member() = default;
  const_member(int v) : part(v), number(v) {}
  int value() const { return number == part.value() ? number : -2; }
};

// Reports a wrong address of an over-aligned object.
void check_alignment(const void* object, std::size_t alignment);

template <std::size_t Alignment>
aligned<Alignment>::aligned(int v) : part(v) {
  check_alignment(this, Alignment);
}
template <std::size_t Alignment>
aligned<Alignment>::aligned(const aligned& other) : part(other.part) {
  check_alignment(this, Alignment);
}
template <std::size_t Alignment>
aligned<Alignment>::aligned(aligned&& other) noexcept : part(std::move(other.part)) {
  check_alignment(this, Alignment);
}

}  // namespace kith::test
