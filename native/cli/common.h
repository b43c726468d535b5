#pragma once
/// What every command shares: the catalog with the user's overrides, input and output.
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/answer.h"
#include "base/characters.h"
#include "base/json_read.h"
#include "calibration/measured_table.h"
#include "catalog/catalog.h"
#include "cli/exit_codes.h"

namespace podwright::cli {

/// "Exit codes:" and a line for each, without a line break at the end.
std::string exit_codes_text();

/// The built-in catalog, or with the files of `override_folder` on top. Empty after a message when they cannot be read.
const Catalog* load_catalog(const std::string& override_folder);

/// `catalog` with the rates of the file that `calibrate PROFILE -o FILE` wrote. Null after a message when it is none.
const Catalog* load_calibrated(const Catalog& catalog, const std::string& file);

/// The file, ready to be read. Empty after a message when it is none or cannot be read.
std::optional<std::ifstream> open_file(const std::string& path);

/// All that is left, without a byte order mark. Empty when it is longer or cannot be read.
std::optional<std::string> whole_text(std::istream& in, std::size_t limit = kMostTextBytes);

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

/// Says that an answer of the engine's is beyond the limits of reading: all else that it writes can be read.
int refuse_size_of_answer();

/// Prints an answer: as it is, or as `text` says it to people; errors go to standard error. The exit code.
int show_answer(const Answer& answer, bool json, const std::function<std::string(const JsonNode&)>& text,
                const PathNotes& notes = {});

/// Writes errors for people to standard error, behind a line that says what has them.
void print_errors(const Errors& errors, const std::string& of = "");
/// The same from the text of an error answer.
void print_error_answer(std::string_view answer_json, const PathNotes& notes = {});

}  // namespace podwright::cli
