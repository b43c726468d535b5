#pragma once
/// In which format an answer is printed.
#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "api/outcome.h"
#include "cli/common.h"
#include "cli/page.h"

namespace podwright::cli {

struct FormatOption {
  std::string word = "text";  ///< text, json, csv or markdown
  bool json = false;          ///< --json

  bool is_json() const { return json || word == "json"; }
};

/// --format and --json.
void add_format(CLI::App& command, FormatOption& format);

/// How a kind of answer is written.
struct AnswerForms {
  std::function<void(Page&, const JsonNode&)> page;
  std::function<std::string(const JsonNode&)> csv;
};

/// A text that has one form alone: Markdown shows it as it is.
std::function<void(Page&, const JsonNode&)> as_page(std::function<std::string(const JsonNode&)> text);

/// Prints an answer in its format; errors go to standard error, or with JSON to standard output. The exit code.
int show_answer(const Answer& answer, const FormatOption& format, const AnswerForms& forms,
                const PathNotes& notes = {});

}  // namespace podwright::cli
