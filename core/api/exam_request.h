#pragma once
/// The `exam` request: a whole practice exam.
#include <optional>
#include <string>
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "study/written.h"

namespace podwright {

class AnswerShape;

struct ExamRequest {
  double seed = 1;
  std::vector<WrittenQuestion> written;
};

void describe(FieldVisitor& visitor, const Catalog& catalog, ExamRequest& request);

Answer answer_exam(const Catalog& catalog, const ExamRequest& request, const std::vector<Assumption>& assumptions);

/// Its fields.
void describe_exam_answer(AnswerShape& v);

}  // namespace podwright
