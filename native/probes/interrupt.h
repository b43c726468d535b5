#pragma once
/// The wish of the user to end a run.

namespace podwright::probes {

/// From here on SIGINT and SIGTERM are noted instead of ending the program at once.
void note_interrupts();
/// A noted signal, 0 none.
int interrupted_by();

}  // namespace podwright::probes
