#include "interrupt.hpp"

#include <csignal>

namespace kith::cli {

namespace {
volatile std::sig_atomic_t seen = 0;
volatile std::sig_atomic_t is_working = 0;

void handle(int signal) {
  if (seen && is_working) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  seen = 1;
}
}  // namespace

void remember_interrupts() {
  struct sigaction action {};
  action.sa_handler = handle;
  // Without SA_RESTART an interrupt also ends waiting for a key.
  sigaction(SIGINT, &action, nullptr);
}

bool is_interrupted() { return seen != 0; }

void forget_interrupt() { seen = 0; }

interruptible_work::interruptible_work() { is_working = 1; }
interruptible_work::~interruptible_work() { is_working = 0; }

}  // namespace kith::cli
