#pragma once
/// Answers as text for people. Nothing is computed here: figures are the answer's own, rounded for reading.
#include <string>
#include <vector>

#include "base/json_read.h"
#include "cli/answer_rows.h"
#include "cli/page.h"

namespace podwright::cli {

/// The ranked plans as a table, the best one in full, then what was rejected and what is not modelled.
/// Ways out say what they change of the request.
void plan_text(Page& out, const JsonNode& request, const JsonNode& answer);
/// The plans as rows: their numbers, money and the way of paying.
std::vector<RowColumn> plan_columns(const JsonNode& answer);
/// The ways of paying for one plan side by side; the head alone without a sum.
Rows plan_ways_rows(const JsonNode& plan);
/// Owning, renting, both, break-even, certainty, growth and carbon of one plan.
void plan_money_text(Page& out, const JsonNode& plan);
/// Offers of the request with their prices, and which of them plans take; nothing without any.
void quotes_text(Page& out, const JsonNode& plans);

/// Each side of a cost as a section, years and offers as tables, then what is missing and what to look out for.
void cost_text(Page& out, const JsonNode& answer);
/// The ways of paying as rows.
std::vector<RowColumn> cost_columns();

/// A table of the layouts or deployments, why the first comes first, how it is started, and what was left out.
void search_text(Page& out, const JsonNode& answer);
/// The layouts or deployments as rows.
std::vector<RowColumn> search_columns(const JsonNode& answer);

/// The design in a sentence, its runners-up, networks, site and bill as tables, the rules, and what is missing.
void architecture_text(Page& out, const JsonNode& answer);
/// The designs as rows.
std::vector<RowColumn> design_columns();

/// Statements of study material and what the documents say to them.
std::string topic_text(const JsonNode& answer);

/// A question of the study tool with the fields of core/api/question_table.h: what is asked, then the answer, why, and
/// the worked solution.
std::string question_text(const JsonNode& question);
/// An exam: all questions, then all answers with their solutions.
std::string exam_text(const JsonNode& answer);

/// Any other answer: every object a section, every number a line.
void answer_text(Page& out, const JsonNode& answer);

}  // namespace podwright::cli
