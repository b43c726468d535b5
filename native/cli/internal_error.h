#pragma once
/// An error of the program itself: a report and exit code 5 in place of a signal.

namespace podwright::cli {

/// What standard output is for: an answer to a program, or a line for each of several, gets the report as an error
/// answer besides the text on standard error.
enum class Reader { person, program, program_by_line };

/// From here on, assertions that do not hold and exceptions that nobody catches end so.
void report_internal_errors(Reader reader);

/// Reports the exception that is being handled, and ends the program.
[[noreturn]] void end_with_exception();

}  // namespace podwright::cli
