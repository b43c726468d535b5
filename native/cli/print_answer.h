#pragma once
/// Answers as text for people. Nothing is computed here: figures are the answer's own, rounded for reading.
#include <string>

#include "base/json_read.h"

namespace podwright::cli {

/// The ranked plans as a table, the best one in full, then what was rejected and what is not modelled.
std::string plan_text(const JsonNode& answer);

/// Any other answer: every object a section, every number a line.
std::string answer_text(const JsonNode& answer);

}  // namespace podwright::cli
