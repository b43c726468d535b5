#pragma once
/// What every command shares: the catalog with the user's overrides, input and output.
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

/// The built-in catalog, or with the files of `override_folder` on top. Empty after a message when they cannot be read.
const Catalog* load_catalog(const std::string& override_folder);

/// The file, ready to be read. Empty after a message when it is none or cannot be read.
std::optional<std::ifstream> open_file(const std::string& path);

/// The whole file, or standard input for "-". Empty after a message when it cannot be read.
std::optional<std::string> read_text(const std::string& path);

/// Tables with their names. Empty after a message when one cannot be read.
std::optional<std::vector<MeasuredFile>> read_tables(const std::vector<std::string>& paths);

int exit_code_of(Outcome outcome);

/// Prints an answer: as it is, or as `text` says it to people; errors go to standard error. The exit code.
int show_answer(const Answer& answer, bool json, const std::function<std::string(const JsonNode&)>& text);

/// Writes errors for people to standard error.
void print_errors(const Errors& errors);
/// The same from the text of an error answer.
void print_error_answer(std::string_view answer_json);

}  // namespace podwright::cli
