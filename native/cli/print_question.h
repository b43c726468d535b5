#pragma once
/// A question of the study tool for people: what is asked, then the answer, why, and the worked solution.
#include <string>

#include "base/json_read.h"

namespace podwright::cli {

/// `question` has the fields of core/api/question_table.h.
std::string question_text(const JsonNode& question);
/// An exam: all questions, then all answers with their solutions.
std::string exam_text(const JsonNode& answer);

}  // namespace podwright::cli
