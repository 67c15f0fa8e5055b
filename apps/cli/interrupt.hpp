// In the shell Ctrl-C stops a query and does not end the session.
#pragma once

#include <atomic>

namespace kith::cli {

// After this call an interrupt only makes is_interrupted() true.
void remember_interrupts();
bool is_interrupted();
void forget_interrupt();
// For world::stop_queries_when.
const std::atomic<bool>* interrupt_flag();

}  // namespace kith::cli
