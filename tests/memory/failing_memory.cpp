#include "memory/failing_memory.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace kith::test {

namespace {

// One thread at a time allocates while memory fails: a thread that deep_call starts is waited for.
std::atomic<bool> is_armed = false;
std::atomic<bool> has_failed = false;
std::atomic<bool> goes_on_failing = false;
std::atomic<long> first_failure = 0;
std::atomic<long> tried = 0;
std::atomic<long> alive = 0;
std::atomic<std::size_t> asked_for = 0;

bool fails_now() {
  if (!is_armed) return false;
  const long number = tried++;
  if (number < first_failure) return false;
  has_failed = true;
  return goes_on_failing || number == first_failure;
}

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (fails_now()) return nullptr;
  if (bytes == 0) bytes = 1;
  void* const memory =
      alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
          ? std::malloc(bytes)
          : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory) ++alive;
  asked_for += bytes;
  return memory;
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* const memory = allocate(bytes, alignment)) return memory;
  throw std::bad_alloc();
}

void release(void* memory) noexcept {
  if (!memory) return;
  --alive;
  std::free(memory);
}

constexpr std::size_t usual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

}  // namespace

void fail_memory(long n, failing how) {
  first_failure = n;
  tried = 0;
  has_failed = false;
  goes_on_failing = how == failing::from_then_on;
  is_armed = true;
}

bool allow_memory() {
  is_armed = false;
  return has_failed;
}

long allocations_tried() { return tried; }

long live_allocations() { return alive; }

std::size_t bytes_asked_for() { return asked_for; }

}  // namespace kith::test

using kith::test::allocate;
using kith::test::allocate_or_throw;
using kith::test::release;
using kith::test::usual;
using std::align_val_t;
using std::nothrow_t;
using std::size_t;

void* operator new(size_t n) { return allocate_or_throw(n, usual); }
void* operator new[](size_t n) { return allocate_or_throw(n, usual); }
void* operator new(size_t n, align_val_t a) { return allocate_or_throw(n, size_t(a)); }
void* operator new[](size_t n, align_val_t a) { return allocate_or_throw(n, size_t(a)); }
void* operator new(size_t n, const nothrow_t&) noexcept { return allocate(n, usual); }
void* operator new[](size_t n, const nothrow_t&) noexcept { return allocate(n, usual); }
void* operator new(size_t n, align_val_t a, const nothrow_t&) noexcept {
  return allocate(n, size_t(a));
}
void* operator new[](size_t n, align_val_t a, const nothrow_t&) noexcept {
  return allocate(n, size_t(a));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, size_t) noexcept { release(p); }
void operator delete[](void* p, size_t) noexcept { release(p); }
void operator delete(void* p, align_val_t) noexcept { release(p); }
void operator delete[](void* p, align_val_t) noexcept { release(p); }
void operator delete(void* p, size_t, align_val_t) noexcept { release(p); }
void operator delete[](void* p, size_t, align_val_t) noexcept { release(p); }
void operator delete(void* p, const nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const nothrow_t&) noexcept { release(p); }
void operator delete(void* p, align_val_t, const nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, align_val_t, const nothrow_t&) noexcept { release(p); }
