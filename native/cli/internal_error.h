#pragma once
/// An error of the program itself: a report and exit code 5 in place of a signal.

namespace podwright::cli {

/// From here on, assertions that do not hold and exceptions that nobody catches end so. `json`: the command answers
/// programs, which get an error answer on standard output besides the text on standard error.
void report_internal_errors(bool json);

/// Reports the exception that is being handled, and ends the program.
[[noreturn]] void end_with_exception();

}  // namespace podwright::cli
