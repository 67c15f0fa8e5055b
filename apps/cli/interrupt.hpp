// In the shell Ctrl-C stops the output of a query and does not end the session.
#pragma once

namespace kith::cli {

// After this call an interrupt only makes is_interrupted() true.
void remember_interrupts();
bool is_interrupted();
void forget_interrupt();

// While an object of this class lives, a second interrupt ends the process: a query that finds no
// results for a long time does not look at is_interrupted().
class interruptible_work {
 public:
  interruptible_work();
  ~interruptible_work();
  interruptible_work(const interruptible_work&) = delete;
  interruptible_work& operator=(const interruptible_work&) = delete;
};

}  // namespace kith::cli
