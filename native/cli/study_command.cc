#include "cli/study_command.h"

#include <iostream>

#include "base/json_read.h"
#include "base/json_write.h"
#include "cli/common.h"
#include "cli/exit_code.h"
#include "cli/print_question.h"
#include "cli/written_packs.h"

namespace podwright::cli {

int study_question_command(const Catalog& catalog, const StudyOptions& options) {
  JsonWriter request;
  request.begin_object();
  request.text("kind", "question");
  if (!options.objective.empty()) request.text("objective", options.objective);
  if (!options.template_id.empty()) request.text("template", options.template_id);
  request.number("seed", options.seed);
  request.end_object();
  const Answer answer = answer_request(catalog, request.take());
  if (options.json)
    std::cout << answer.text << '\n';
  else if (answer.outcome == Outcome::wrong_input)
    print_error_answer(answer.text);
  else if (const auto parsed = parse_json(answer.text))
    std::cout << question_text(*parsed->find("question"));
  return exit_code_of(answer.outcome);
}

int study_exam_command(const Catalog& catalog, const StudyOptions& options) {
  JsonWriter request;
  request.begin_object();
  request.text("kind", "exam");
  request.number("seed", options.seed);
  request.begin_object("written");
  for (const EmbeddedText& pack : written_packs()) {
    request.key(pack.path);
    request.verbatim(pack.text);
  }
  request.end_object();
  request.end_object();
  const Answer answer = answer_request(catalog, request.take());
  if (options.json)
    std::cout << answer.text << '\n';
  else if (answer.outcome == Outcome::wrong_input)
    print_error_answer(answer.text);
  else if (const auto parsed = parse_json(answer.text))
    std::cout << exam_text(*parsed);
  return exit_code_of(answer.outcome);
}

}  // namespace podwright::cli
