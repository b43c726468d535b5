#pragma once
/// Parts of answers as lines: what the texts of all kinds print the same way. A `node` or `list` may be null.
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_read.h"
#include "cli/answer_rows.h"
#include "cli/page.h"

namespace podwright::cli {

/// The node at a path of keys, or null.
const JsonNode* at(const JsonNode& node, std::initializer_list<std::string_view> path);
/// Items of a member; none where there is no such list.
const std::vector<JsonNode>& items_of(const JsonNode& node, std::string_view key);

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
/// A text, or a number as shown() has it without a unit; empty where there is no such member.
std::string member_text(const JsonNode& node, std::string_view key);
std::string paragraph(const std::string& text);
/// JSON for people: of a long list the first few items, and how many more there are.
std::string short_json(const JsonNode& node);
/// A column of a list of objects.
struct Column {
  std::string head;
  std::string key;
};
/// One for each scalar member.
std::vector<Column> columns_of(const std::vector<JsonNode>& list);
/// Head and rows of the list with all columns, or with these; no rows without a column.
Rows rows_of(const std::vector<JsonNode>& list, int digits = 4);
Rows rows_of(const std::vector<JsonNode>& list, const std::vector<Column>& columns, int digits = 4);
/// Columns of rows that are `columns` of each item.
std::vector<RowColumn> row_columns(const std::vector<Column>& columns, int digits = 4);
/// CSV with all scalar members of a list of the answer; of the answer's own values where the list is empty.
std::string csv_of_list(const JsonNode& answer, const std::vector<JsonNode>& list);
/// Columns of rows: the place in the list, called `rank`; a value without its unit, "-" where there is none; a word,
/// empty where there is none; a number `times` as large; an amount of money.
RowColumn place_column();
RowColumn value_column(const std::string& head, std::string_view path);
RowColumn word_column(const std::string& head, const std::string& key);
RowColumn number_column(const std::string& head, RowField field, double times = 1);
RowColumn money_column(const std::string& head, std::string_view path);
/// The members of an object with all that is in them.
void members(Page& out, const JsonNode& object, int digits = 4);
/// One side of a comparison: its sentence, then its members, those that cost nothing in one line.
void section(Page& out, std::string_view title, const JsonNode* node);
/// What a model's file was taken for, and what of it no formula reads.
void model_notes_text(Page& out, const JsonNode& estimate);
/// What a step of training is, where the object says it.
void batch_text(Page& out, const JsonNode& layout);
/// A list of texts, or of objects with a message or a text.
void sentences(Page& out, std::string_view title, const JsonNode* list);
/// What a text of an answer ends with: how many values of the request were assumed.
void assumed(Page& out, const JsonNode& answer);

}  // namespace podwright::cli
