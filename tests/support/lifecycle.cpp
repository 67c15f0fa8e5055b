#include "support/lifecycle.hpp"

#include <cstdint>
#include <set>

namespace kith::test {

namespace {

struct book {
  std::set<const void*> living;
  std::string mistakes;
  std::size_t throw_at = 0;
  std::size_t chances = 0;
};

book& open_book() {
  static book b;
  return b;
}

void note(const char* mistake) {
  std::string& list = open_book().mistakes;
  list.append(list.empty() ? "" : ", ").append(mistake);
}

}  // namespace

void ledger::clear() { open_book() = {}; }
std::size_t ledger::living() { return open_book().living.size(); }
std::string ledger::mistakes() { return open_book().mistakes; }

void ledger::throw_at(std::size_t nth) {
  open_book().throw_at = nth;
  open_book().chances = 0;
}

std::size_t ledger::chances() { return open_book().chances; }

void ledger::born(const void* object) {
  if (!open_book().living.insert(object).second) note("constructed over a living object");
}

void ledger::died(const void* object) {
  if (!open_book().living.erase(object)) note("destroyed what does not live");
}

void ledger::used(const void* object) {
  if (!open_book().living.contains(object)) note("used what does not live");
}

void ledger::chance_to_throw() {
  book& b = open_book();
  if (++b.chances == b.throw_at) throw planned_throw();
}

void check_alignment(const void* object, std::size_t alignment) {
  if (reinterpret_cast<std::uintptr_t>(object) % alignment != 0) note("wrongly aligned");
}

}  // namespace kith::test
