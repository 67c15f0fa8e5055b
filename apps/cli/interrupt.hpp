// Ctrl-C in the shell ends what is being printed, not the session.
#pragma once

namespace kith::cli {

// From now on an interrupt is remembered instead of ending the process.
void remember_interrupts();
bool is_interrupted();
void forget_interrupt();

}  // namespace kith::cli
