#include "cli/study_command.h"

#include <iostream>

#include "base/json_read.h"
#include "base/json_write.h"
#include "cli/common.h"
#include "cli/exit_code.h"
#include "cli/print_question.h"
#include "cli/study_files.h"

namespace podwright::cli {
namespace {

constexpr std::string_view kWritten = "written/";
constexpr std::string_view kEnding = ".json";

/// All packs, each under its objective.
void write_packs(JsonWriter& request) {
  request.begin_object("written");
  for (const EmbeddedText& file : study_files()) {
    if (file.path.substr(0, kWritten.size()) != kWritten) continue;
    request.key(file.path.substr(kWritten.size(), file.path.size() - kWritten.size() - kEnding.size()));
    request.verbatim(file.text);
  }
  request.end_object();
}

Result<CsvTable> read_ledger() {
  for (const EmbeddedText& file : study_files())
    if (file.path == "claims.csv") return parse_csv(file.text);
  return failure({"missing", "claims.csv", "The program carries no ledger.", ""});
}

/// The claims that the options ask for, as text or JSON.
Result<std::string> chosen_claims(const StudyOptions& options) {
  const auto ledger = read_ledger();
  if (!ledger) return failure(ledger.error());
  const auto claims = choose_claims(*ledger, options.claims);
  if (!claims) return failure(claims.error());
  return options.json ? claims_json(*ledger, *claims) + "\n" : claims_text(*ledger, *claims);
}

/// Asks, and prints the answer as it is or as `text` says it to people.
template <class Text>
int print_answer(const Catalog& catalog, const std::string& request, const StudyOptions& options, Text text) {
  const Answer answer = answer_request(catalog, request);
  if (options.json)
    std::cout << answer.text << '\n';
  else if (answer.outcome == Outcome::wrong_input)
    print_error_answer(answer.text);
  else if (const auto parsed = parse_json(answer.text))
    std::cout << text(*parsed);
  return exit_code_of(answer.outcome);
}

}  // namespace

int study_question_command(const Catalog& catalog, const StudyOptions& options) {
  JsonWriter request;
  request.begin_object();
  request.text("kind", "question");
  if (!options.objective.empty()) request.text("objective", options.objective);
  if (!options.template_id.empty()) request.text("template", options.template_id);
  request.number("seed", options.seed);
  write_packs(request);
  request.end_object();
  return print_answer(catalog, request.take(), options,
                      [](const JsonNode& answer) { return question_text(*answer.find("question")); });
}

int study_exam_command(const Catalog& catalog, const StudyOptions& options) {
  JsonWriter request;
  request.begin_object();
  request.text("kind", "exam");
  request.number("seed", options.seed);
  write_packs(request);
  request.end_object();
  return print_answer(catalog, request.take(), options, exam_text);
}

int study_claims_command(const StudyOptions& options) {
  const auto text = chosen_claims(options);
  if (!text) {
    print_errors(text.error());
    return exit_code_of(Outcome::wrong_input);
  }
  std::cout << *text;
  return exit_code_of(Outcome::answer);
}

}  // namespace podwright::cli
