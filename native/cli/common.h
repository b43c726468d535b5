#pragma once
/// What every command shares: the catalog with the user's overrides, input and output.
#include <array>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/answer.h"
#include "base/json_read.h"
#include "calibration/measured_table.h"
#include "catalog/catalog.h"

namespace podwright::cli {

/// Exit codes of the command line, as the contract fixes them.
enum ExitCode : int {
  kAnswer = 0,
  kInfeasible = 1,  ///< also: a verdict is low
  kWrongInput = 2,
  kEnvironment = 3,  ///< unusable
  kFault = 4,        ///< a probe found a fault
  kInternal = 5,
};

/// What each of them means, for the end of --help, the manual and docs/commands.md.
struct ExitMeaning {
  ExitCode code;
  std::string_view meaning;
};
inline constexpr std::array<ExitMeaning, 6> kExitMeanings{
    {{kAnswer, "an answer"},
     {kInfeasible,
      "infeasible; also: a claim that is impossible, a machine that does not keep what a plan assumes, a verdict that "
      "is low, a device that is slower than its peers, a fit that is refused or finds no rate"},
     {kWrongInput, "wrong input or wrong options; also: a file that was asked for and cannot be made of the answer"},
     {kEnvironment,
      "the environment cannot be used: a file or standard output that cannot be written, no driver, no device that can "
      "be measured"},
     {kFault, "a probe found a fault: a wrong result, a failed device, a lost rank, or a run that was ended early"},
     {kInternal, "an internal error"}}};
/// "Exit codes:" and a line for each, without a line break at the end.
std::string exit_codes_text();

/// The built-in catalog, or with the files of `override_folder` on top. Empty after a message when they cannot be read.
const Catalog* load_catalog(const std::string& override_folder);

/// `catalog` with the rates of the file that `calibrate PROFILE -o FILE` wrote. Null after a message when it is none.
const Catalog* load_calibrated(const Catalog& catalog, const std::string& file);

/// The file, ready to be read. Empty after a message when it is none or cannot be read.
std::optional<std::ifstream> open_file(const std::string& path);

/// The most that is read of a text, and of a line of a stream.
inline constexpr std::size_t kTextLimit = std::size_t{64} << 20;

/// What some editors put before UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// All that is left, without that mark. Empty when it is longer or cannot be read.
std::optional<std::string> whole_text(std::istream& in, std::size_t limit = kTextLimit);

/// The whole file, or standard input for "-", which can be read once. Empty after a message when it cannot be read.
std::optional<std::string> read_text(const std::string& path);

/// A JSON document. Empty after a message when it cannot be read or is none.
std::optional<JsonNode> read_document(const std::string& path);

/// Tables with their names. Empty after a message when one cannot be read.
std::optional<std::vector<MeasuredFile>> read_tables(const std::vector<std::string>& paths);

/// Whole or not at all; false after a message when it cannot be written.
bool write_file(const std::string& path, const std::string& text);

/// A line on a terminal that the next one replaces; an empty one clears it. Silent in a pipe.
void show_progress(const std::string& line);
/// What of a long fit is being done: everything, or all but a group.
void show_fit(const std::string& left_out);

int exit_code_of(Outcome outcome);

/// What is added to a message for people about the field at a JSON Pointer: who gave it, and how to give it.
struct PathNotes {
  std::function<std::string(std::string_view)> given_by = {};  ///< " (--rate)"
  std::function<std::string(std::string_view)> flags_of = {};  ///< "--rate", of a field
};

/// Prints an answer: as it is, or as `text` says it to people; errors go to standard error. The exit code.
int show_answer(const Answer& answer, bool json, const std::function<std::string(const JsonNode&)>& text,
                const PathNotes& notes = {});

/// Writes errors for people to standard error, behind a line that says what has them.
void print_errors(const Errors& errors, const std::string& of = "");
/// The same from the text of an error answer.
void print_error_answer(std::string_view answer_json, const PathNotes& notes = {});

}  // namespace podwright::cli
