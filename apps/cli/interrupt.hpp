// Ctrl-C in the shell ends what is being printed, not the session.
#pragma once

namespace kith::cli {

// From now on an interrupt is remembered instead of ending the process.
void remember_interrupts();
bool is_interrupted();
void forget_interrupt();

// While it lives, a second interrupt ends the process: a search that finds nothing does not see the first.
class interruptible_work {
 public:
  interruptible_work();
  ~interruptible_work();
  interruptible_work(const interruptible_work&) = delete;
  interruptible_work& operator=(const interruptible_work&) = delete;
};

}  // namespace kith::cli
