#pragma once
/// Answers as text for people. Nothing is computed here: figures are the answer's own, rounded for reading.
#include <string>

#include "base/json_read.h"

namespace podwright::cli {

/// The ranked plans as a table, the best one in full, then what was rejected and what is not modelled.
/// Ways out say what they change of the request.
std::string plan_text(const JsonNode& request, const JsonNode& answer);
/// The ways of paying for one plan side by side; empty without a sum.
std::string plan_ways_text(const JsonNode& plan);
/// Owning, renting, both, break-even, certainty, growth and carbon of one plan.
std::string plan_money_text(const JsonNode& plan);
/// Offers of the request with their prices, and which of them plans take; empty without any.
std::string quotes_text(const JsonNode& plans);

/// Each side of a cost as a section, years and offers as tables, then what is missing and what to look out for.
std::string cost_text(const JsonNode& answer);

/// A table of the layouts or deployments, why the first comes first, how it is started, and what was left out.
std::string search_text(const JsonNode& answer);

/// The design in a sentence, its runners-up, networks, site and bill as tables, the rules, and what is missing.
std::string architecture_text(const JsonNode& answer);

/// Statements of study material and what the documents say to them.
std::string topic_text(const JsonNode& answer);

/// A question of the study tool with the fields of core/api/question_table.h: what is asked, then the answer, why, and
/// the worked solution.
std::string question_text(const JsonNode& question);
/// An exam: all questions, then all answers with their solutions.
std::string exam_text(const JsonNode& answer);

/// Any other answer: every object a section, every number a line.
std::string answer_text(const JsonNode& answer);

}  // namespace podwright::cli
