#include "interrupt.hpp"

#include <csignal>

namespace kith::cli {

namespace {
std::atomic<bool> seen = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // so a signal handler may set it

void handle(int) { seen = true; }
}  // namespace

void remember_interrupts() {
  struct sigaction action {};
  action.sa_handler = handle;
  // Without SA_RESTART an interrupt also ends waiting for a key.
  sigaction(SIGINT, &action, nullptr);
}

bool is_interrupted() { return seen; }

void forget_interrupt() { seen = false; }

const std::atomic<bool>* interrupt_flag() { return &seen; }

}  // namespace kith::cli
