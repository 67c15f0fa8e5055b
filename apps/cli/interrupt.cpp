#include "interrupt.hpp"

#include <csignal>

namespace kith::cli {

namespace {
volatile std::sig_atomic_t seen = 0;
}

void remember_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { seen = 1; };
  // Without SA_RESTART: waiting for a key ends too.
  sigaction(SIGINT, &action, nullptr);
}

bool is_interrupted() { return seen != 0; }

void forget_interrupt() { seen = 0; }

}  // namespace kith::cli
