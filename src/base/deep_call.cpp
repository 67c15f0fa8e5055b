#include "base/deep_call.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>

#if __has_include(<pthread.h>)
#include <pthread.h>
#else
#include <thread>
#endif

namespace kith::core::deep {

namespace {

// How much is used of a stack that the library did not create. This fits into the smallest stack
// that a thread gets by default.
constexpr std::size_t foreign_room = std::size_t{64} << 10;

struct stack_use {
  std::uintptr_t start = 0;  // the address at the first deep_call; 0 if none is running
  std::size_t room = foreign_room;
};
thread_local stack_use stack;

std::uintptr_t top_of_stack() {
#if defined(__GNUC__)
  // The address of a variable would be wrong: a sanitizer may place variables outside the stack.
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
#else
  const volatile char here = 0;
  return reinterpret_cast<std::uintptr_t>(&here);
#endif
}

struct errand {
  void (*call)(void*);
  void* argument;
  std::size_t room;
  std::exception_ptr thrown = nullptr;

  void run() {
    stack.room = room;
#if defined(__cpp_exceptions)
    try {
      call(argument);
    } catch (...) {
      thrown = std::current_exception();
    }
#else
    call(argument);
#endif
  }
};

}  // namespace

mark::mark() : is_first_(stack.start == 0) {
  if (is_first_) stack.start = top_of_stack();
}

mark::~mark() {
  if (is_first_) stack.start = 0;
}

bool has_room() {
  const std::uintptr_t top = top_of_stack();
  // A stack may grow in either direction.
  return (top < stack.start ? stack.start - top : top - stack.start) < stack.room;
}

void call_elsewhere(void (*call)(void*), void* argument) {
#if __has_include(<pthread.h>)
  // The system provides a page of the stack when it is first touched, so a large stack costs only
  // as much memory as the call uses.
  constexpr std::size_t size = std::size_t{64} << 20;
  errand what{call, argument, size - size / 4};
  pthread_attr_t attributes;
  pthread_t other;
  pthread_attr_init(&attributes);
  const auto run = [](void* it) -> void* {
    static_cast<errand*>(it)->run();
    return nullptr;
  };
  const bool started = pthread_attr_setstacksize(&attributes, size) == 0 &&
                       pthread_create(&other, &attributes, run, &what) == 0;
  pthread_attr_destroy(&attributes);
  if (started) {
    pthread_join(other, nullptr);
    if (what.thrown) std::rethrow_exception(what.thrown);
    return;
  }
  // No thread could be started. The rest of this stack may still be enough.
  call(argument);
#else
  errand what{call, argument, foreign_room};
  std::thread([&] { what.run(); }).join();
  if (what.thrown) std::rethrow_exception(what.thrown);
#endif
}

}  // namespace kith::core::deep
