#pragma once
/// Parts of answers as lines: what the texts of all kinds print the same way. A `node` or `list` may be null.
#include <string>
#include <string_view>

#include "base/json_read.h"

namespace podwright::cli {

/// The key in words, as inside a sentence: its label, else its own words without the unit.
std::string words_of_key(std::string_view key);
/// A value under its key: money in dollars, counts with all their digits, other numbers to `digits`, each with its
/// unit; "-" where there is none.
std::string shown(std::string_view key, const JsonNode* node, int digits = 4);
/// The same without a unit.
std::string shown(const JsonNode* node, int digits = 4);
/// To three digits; "-" where there is no number.
std::string number_text(const JsonNode* node, double times = 1);
/// "-" where the answer has no such amount.
std::string dollars(const JsonNode* node);
/// Empty where there is none.
std::string word_text(const JsonNode* node);
/// One item of a list, broken into lines.
std::string bullet(const std::string& text);
std::string paragraph(const std::string& text);
/// A list of objects: a column for each scalar member.
std::string table_of(const JsonNode& list, int digits = 4);
/// An empty line and the title.
void title_of(std::string& out, std::string_view title);
/// A member of an answer with all that is in it.
void member(std::string& out, const std::string& key, const JsonNode& node, std::size_t depth, int digits = 4);
/// One side of a comparison: its sentence, then its members, those that cost nothing in one line.
void section(std::string& out, std::string_view title, const JsonNode* node);
/// A list of texts, or of objects with a message or a text.
void sentences(std::string& out, std::string_view title, const JsonNode* list);
/// What a text of an answer ends with: how many values of the request were assumed.
void assumed(std::string& out, const JsonNode& answer);
/// `distribution`, `tornado` and `decision_flips` of an answer.
void distribution(std::string& out, const JsonNode* node);
void tornado(std::string& out, const JsonNode* list);
void flips(std::string& out, const JsonNode* list);

}  // namespace podwright::cli
