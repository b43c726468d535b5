#pragma once
/// The requests of the study tool: `question`, one question with fresh numbers, and `exam`, a whole practice exam.
#include <string>
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "study/exam.h"
#include "study/written.h"

namespace podwright {

struct QuestionRequest {
  std::string objective;  ///< empty where a template is named
  std::string template_id;
  double seed = 1;
  std::vector<WrittenQuestion> written;
};

struct ExamRequest {
  std::string exam{kBlueprints.front().id};
  double seed = 1;
  ExamForm form = ExamForm::exam;
  std::string seen;  ///< ids of questions that the learner knows, separated by spaces
  std::vector<WrittenQuestion> written;
};

void describe(FieldVisitor& visitor, const Catalog& catalog, QuestionRequest& request);
void describe(FieldVisitor& visitor, const Catalog& catalog, ExamRequest& request);

Answer answer_question(const Asked& asked, const QuestionRequest& request);
Answer answer_exam(const Asked& asked, const ExamRequest& request);

/// Their fields.
void describe_question_answer(AnswerShape& v);
void describe_exam_answer(AnswerShape& v);

}  // namespace podwright
