#pragma once
/// The `question` request: one question of the study tool with fresh numbers.
#include <string>
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "study/written.h"

namespace podwright {

class AnswerShape;

struct QuestionRequest {
  std::string objective;  ///< empty where a template is named
  std::string template_id;
  double seed = 1;
  std::vector<WrittenQuestion> written;
};

void describe(FieldVisitor& visitor, const Catalog& catalog, QuestionRequest& request);

Answer answer_question(const Catalog& catalog, const QuestionRequest& request,
                       const std::vector<Assumption>& assumptions);

/// Its fields.
void describe_question_answer(AnswerShape& v);

}  // namespace podwright
