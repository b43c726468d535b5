#pragma once
/// Commands of the study tool.
#include <string>

#include "catalog/catalog.h"
#include "cli/claims.h"

namespace podwright::cli {

struct StudyOptions {
  std::string objective;
  std::string template_id;
  double seed = 1;
  ClaimFilter claims;
  bool json = false;
};

/// One question with its answer and worked solution, generated where the objective has a template.
int study_question_command(const Catalog& catalog, const StudyOptions& options);
/// A whole exam of generated and written questions.
int study_exam_command(const Catalog& catalog, const StudyOptions& options);

/// Claims of study material with their verdicts.
int study_claims_command(const StudyOptions& options);

}  // namespace podwright::cli
