#pragma once
/// Parts of answers about money as lines: what `podwright cost` and `podwright plan` print the same way.
#include <string>
#include <string_view>

#include "base/json_read.h"

namespace podwright::cli {

/// A value under its key: money in dollars, counts with all their digits, the rest to four; "-" where there is none.
std::string shown(std::string_view key, const JsonNode* node);
/// The key in words, without its unit.
std::string words_of(std::string key);
/// "-" where the answer has no such amount.
std::string dollars(const JsonNode* node);
/// A list of objects with the same scalar members.
std::string table_of(const JsonNode& list);
/// An empty line and the title.
void title_of(std::string& out, std::string_view title);
/// One side of a comparison: its sentence, then its members, those that cost nothing in one line. `node` may be null.
void section(std::string& out, std::string_view title, const JsonNode* node);
/// A list of texts, or of objects with a message. `list` may be null.
void sentences(std::string& out, std::string_view title, const JsonNode* list);
/// `distribution`, `tornado` and `decision_flips` of an answer; each may be null.
void distribution(std::string& out, const JsonNode* node);
void tornado(std::string& out, const JsonNode* list);
void flips(std::string& out, const JsonNode* list);

}  // namespace podwright::cli
