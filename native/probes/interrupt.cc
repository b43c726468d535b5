#include "probes/interrupt.h"

#include <signal.h>

namespace podwright::probes {
namespace {

volatile sig_atomic_t noted_signal = 0;
void note(int signal) { noted_signal = signal; }

}  // namespace

void note_interrupts() {
  struct sigaction action {};
  action.sa_handler = note;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is one that cannot be written
}

int interrupted_by() { return noted_signal; }

}  // namespace podwright::probes
