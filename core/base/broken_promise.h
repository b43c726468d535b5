#pragma once
/// Who reports a PODWRIGHT_ASSERT that does not hold.

namespace podwright {

/// Takes the expression, the file and the line, and does not return.
using BrokenPromiseReport = void (*)(const char* expression, const char* file, int line);

/// Where a program reports bugs in its own way. Without a report, or where it returns after all, the error stream gets
/// a line and the program is aborted, which in the browser is a trap.
void report_broken_promises(BrokenPromiseReport report);

}  // namespace podwright
