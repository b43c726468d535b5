#pragma once
/// Commands of the study tool.
#include <string>

#include "catalog/catalog.h"

namespace podwright::cli {

struct StudyOptions {
  std::string objective;
  std::string template_id;
  double seed = 1;
  bool json = false;
};

/// One generated question with its answer and worked solution.
int study_question_command(const Catalog& catalog, const StudyOptions& options);
/// A whole exam of generated and written questions.
int study_exam_command(const Catalog& catalog, const StudyOptions& options);

}  // namespace podwright::cli
