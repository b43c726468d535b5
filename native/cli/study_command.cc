#include <iostream>

#include "base/json_read.h"
#include "base/json_write.h"
#include "base/whole.h"
#include "cli/answer_format.h"
#include "cli/answer_lines.h"
#include "cli/carried_files.h"
#include "cli/claims.h"
#include "cli/command.h"
#include "cli/print_answer.h"
#include "study/exam.h"

namespace podwright::cli {
namespace {

struct StudyOptions {
  std::string objective;
  std::string template_id;
  double seed = 1;
  std::string exam{kExamWords.front()};
  std::string form{word_of(ExamForm::exam, kExamFormWords)};
  ClaimFilter claims;
  FormatOption format = {};
  bool json = false;
};

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

/// A question with its answer and worked solution, generated where the objective has a template, or a whole exam.
int ask(const Catalog& catalog, const StudyOptions& options, std::string_view kind) {
  JsonWriter request;
  request.begin_object();
  request.text("kind", kind);
  if (!options.objective.empty()) request.text("objective", options.objective);
  if (!options.template_id.empty()) request.text("template", options.template_id);
  request.number("seed", options.seed);
  if (kind == "exam") {
    request.text("exam", options.exam);
    request.text("form", options.form);
  }
  write_packs(request);
  request.end_object();
  const auto text = [](const JsonNode& answer) {
    const JsonNode* question = answer.find("question");
    return question == nullptr ? exam_text(answer) : question_text(*question);
  };
  const auto csv = [](const JsonNode& answer) {
    const JsonNode* question = answer.find("question");
    const std::vector<JsonNode> questions =
        question == nullptr ? items_of(answer, "questions") : std::vector<JsonNode>{*question};
    return csv_rows(row_columns(columns_of(questions)), questions);
  };
  return show_answer(answer_request(catalog, request.take()), options.format, {as_page(text), csv});
}

/// Claims of study material with their verdicts.
int list_claims(const StudyOptions& options) {
  const auto ledger = read_ledger();
  const auto claims = ledger ? choose_claims(*ledger, options.claims) : failure(ledger.error());
  if (!claims) {
    print_errors(claims.error());
    return kWrongInput;
  }
  std::cout << (options.json ? claims_json(*ledger, *claims) + "\n" : claims_text(*ledger, *claims));
  return kAnswer;
}

}  // namespace

void add_study_commands(CommandLine& line) {
  CLI::App* study = line.app.add_subcommand("study", "Questions for the exam, with numbers that the engine computes");
  study->footer("Example:\n  podwright study question --objective 2.7 --seed 7");
  study->require_subcommand(1);
  const auto options = std::make_shared<StudyOptions>();

  Command question(line, *study, "study question");
  question->add_option("--objective", options->objective, "Objective of the exam: 2.7");
  question->add_option("--template", options->template_id, "Template whose numbers are drawn: t.kv-cache");
  question->add_option("--seed", options->seed, "The same seed gives the same question")
      ->check(number_within(0, kMostSeed))
      ->capture_default_str();
  add_format(*question.operator->(), options->format);
  question.run([options](const Catalog& catalog) { return ask(catalog, *options, "question"); });

  Command exam(line, *study, "study exam");
  exam->add_option("--seed", options->seed, "The same seed gives the same exam")
      ->check(number_within(0, kMostSeed))
      ->capture_default_str();
  exam->add_option("--exam", options->exam, "Which exam")
      ->check(CLI::IsMember(std::vector<std::string>(kExamWords.begin(), kExamWords.end())))
      ->capture_default_str();
  exam->add_option("--form", options->form, "As the exam asks, or questions of every kind and level")
      ->check(CLI::IsMember(std::vector<std::string>(kExamFormWords.begin(), kExamFormWords.end())))
      ->capture_default_str();
  add_format(*exam.operator->(), options->format);
  exam.run([options](const Catalog& catalog) { return ask(catalog, *options, "exam"); });

  Command claims(line, *study, "claims", "Claims of study material, compared with what is correct, with the source",
                 "podwright study claims --verdict wrong");
  claims->add_option("--verdict", options->claims.verdict, "Only claims with this verdict: wrong");
  claims->add_option("--objective", options->claims.objective, "Only claims of this objective: 2.7");
  claims->add_option("--search", options->claims.words, "Only claims with these words");
  claims->add_flag("--json", options->json, "Print the claims for programs");
  claims.run([options](const Catalog&) { return list_claims(*options); });
}

}  // namespace podwright::cli
