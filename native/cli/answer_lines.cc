#include "cli/answer_lines.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "api/schema.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "base/units.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

constexpr std::size_t kValueColumn = 50;

bool is_money(std::string_view key) {
  const std::string bounded = "_" + std::string(key) + "_";
  return bounded.find("_usd_") != std::string::npos;
}

/// Whole dollars from 1,000 up: columns of parts can be added.
std::string money(double usd) {
  if (usd < 1000 && usd > -1000) return usd == 0 ? "$0" : dollars_text(usd);
  return (usd < 0 ? "-$" : "$") + fixed_number(usd < 0 ? -usd : usd, 0);
}

/// Empty where the words of the key are good enough.
std::string_view label_of(std::string_view key) {
  const auto known = answer_labels().find(key);
  if (known != answer_labels().end() && !known->second.label.empty()) return known->second.label;
  return "";
}

/// What follows a number: " GiB", "/s"; a day and a year are written out.
std::string unit_text(std::string_view key) {
  key = without_bound(key);
  const auto known = answer_labels().find(key);
  const DisplayUnit* ending = unit::of_key(key);
  std::string_view sign = ending == nullptr ? "" : ending->sign;
  if (known != answer_labels().end()) sign = known->second.unit;
  for (const DisplayUnit& written_out : {unit::kDays, unit::kYears})
    if (sign == written_out.sign) return " " + std::string(written_out.suffix).substr(1);
  if (sign.starts_with("1/")) return std::string(sign.substr(1));
  // "months of 730 h": the label says it.
  if (sign.find(' ') != std::string_view::npos) return "";
  return (sign.empty() ? "" : " ") + std::string(sign);
}

/// "kv_cache" as "KV cache".
std::string spaced(std::string_view key) {
  std::string words = " " + std::string(key) + " ";
  std::replace(words.begin(), words.end(), '_', ' ');
  for (const std::string_view short_form : {" gpu ", " gpus ", " kv ", " cpu ", " pue ", " mfu ", " hfu ", " it "})
    if (const std::size_t at = words.find(short_form); at != std::string::npos)
      for (std::size_t i = at; i < at + short_form.size(); ++i)
        if (words.compare(i, 2, "s ") != 0)
          words[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[i])));
  return words.substr(1, words.size() - 2);
}

bool is_scalar(const JsonNode& node) { return !node.is_list() && !node.is_object(); }

/// A table where every item has nothing but scalars that are short.
bool is_table(const JsonNode& list) {
  constexpr std::size_t kLongest = 60;
  const auto fits = [](const JsonNode& cell) { return is_scalar(cell) && cell.text.size() <= kLongest; };
  return std::all_of(list.items.begin(), list.items.end(), [&](const JsonNode& item) {
    return item.is_object() && std::all_of(item.items.begin(), item.items.end(), fits);
  });
}

}  // namespace

std::string shown(std::string_view key, const JsonNode* node, int digits) {
  if (node == nullptr || node->type == JsonType::null) return "-";
  if (node->is_number()) {
    if (is_money(key)) return money(node->number);
    const bool whole = node->number == std::floor(node->number);
    return human_number(node->number, whole ? 15 : digits) + unit_text(key);
  }
  if (node->type == JsonType::boolean) return node->boolean ? "yes" : "no";
  return node->is_text() ? node->text : json_text(*node);
}

std::string shown(const JsonNode* node, int digits) { return shown("", node, digits); }

std::string words_of_key(std::string_view key) {
  std::string words(label_of(key));
  if (const std::string_view number = without_bound(key); number != key && words.empty())
    return words_of_key(number) + ", " + std::string(key.substr(number.size() + 1));
  const DisplayUnit* unit = unit::of_key(key);
  const std::string_view suffix = unit == nullptr ? "" : unit->suffix;
  if (words.empty()) {
    constexpr std::string_view kPrice = "usd_per_";
    words = key.substr(0, key.size() - suffix.size());
    if (words.starts_with(kPrice)) words.erase(0, kPrice.size());
    words = spaced(words);
  }
  // "KV cache" as it is.
  if (words.size() > 1 && std::isupper(static_cast<unsigned char>(words[1])) == 0)
    words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  constexpr std::string_view kMoneyPer = "_usd_per_";
  if (!suffix.starts_with(kMoneyPer)) return words;
  const std::string_view per = suffix.substr(kMoneyPer.size());
  return words.find(per) == std::string::npos ? words + ", per " + std::string(per) : words;
}

const JsonNode* at(const JsonNode& node, std::initializer_list<std::string_view> path) {
  const JsonNode* here = &node;
  for (const std::string_view step : path)
    if (here != nullptr) here = here->find(step);
  return here;
}

const std::vector<JsonNode>& items_of(const JsonNode& node, std::string_view key) {
  static const std::vector<JsonNode> none;
  const JsonNode* list = node.find(key);
  return list == nullptr ? none : list->items;
}

std::string number_text(const JsonNode* node, double times) {
  return node == nullptr || !node->is_number() ? "-" : human_number(node->number * times);
}
std::string dollars(const JsonNode* node) { return node == nullptr ? "-" : dollars_text(node->number); }
std::string member_text(const JsonNode& node, std::string_view key) {
  const JsonNode* member = node.find(key);
  return member == nullptr ? "" : shown(member);
}
std::string paragraph(const std::string& text) { return wrapped(text, kTextWidth, 0) + "\n"; }

std::string short_json(const JsonNode& node) {
  constexpr std::size_t kMostItems = 4;
  if (!node.is_object() && !node.is_list()) return json_text(node);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < node.items.size(); ++i)
    parts.push_back((node.is_object() ? json_text({.type = JsonType::text, .text = node.keys[i]}) + ":" : "") +
                    short_json(node.items[i]));
  if (node.is_object()) return "{" + joined(parts, ",") + "}";
  return "[" + (parts.size() > kMostItems ? first_of(parts, kMostItems) : joined(parts, ",")) + "]";
}

std::vector<RowColumn> row_columns(const std::vector<Column>& columns, int digits) {
  std::vector<RowColumn> rows;
  for (const Column& column : columns)
    rows.push_back({.head = column.head,
                    .text = [key = column.key, digits](const JsonNode& item,
                                                       std::size_t) { return shown(key, item.find(key), digits); },
                    .fields = {{column.key, [key = column.key](const JsonNode& item) { return item.find(key); }}}});
  return rows;
}

namespace {

RowColumn column_of(const std::string& head, RowField field, std::string (*text)(const JsonNode*)) {
  return {.head = head,
          .text = [of = field.value, text](const JsonNode& item, std::size_t) { return text(of(item)); },
          .fields = {std::move(field)}};
}

}  // namespace

RowColumn place_column() {
  return {.head = "#",
          .text = [](const JsonNode&, std::size_t index) { return std::to_string(index + 1); },
          .text_name = "rank"};
}
RowColumn value_column(const std::string& head, std::string_view path) {
  return column_of(head, at_path(path), [](const JsonNode* value) { return shown(value); });
}
RowColumn word_column(const std::string& head, const std::string& key) {
  return column_of(head, at_path(key), [](const JsonNode* value) { return value == nullptr ? "" : shown(value); });
}
RowColumn number_column(const std::string& head, RowField field, double times) {
  return {.head = head,
          .text = [of = field.value, times](const JsonNode& item, std::size_t) { return number_text(of(item), times); },
          .fields = {std::move(field)}};
}
RowColumn money_column(const std::string& head, std::string_view path) {
  return column_of(head, at_path(path), [](const JsonNode* value) { return dollars(value); });
}

Rows rows_of(const std::vector<JsonNode>& list, const std::vector<Column>& columns, int digits) {
  return text_rows(row_columns(columns, digits), list);
}

std::vector<Column> columns_of(const std::vector<JsonNode>& list) {
  std::vector<Column> columns;
  for (const JsonNode& item : list)
    for (std::size_t i = 0; i < item.items.size(); ++i) {
      const auto same = [&](const Column& column) { return column.key == item.keys[i]; };
      if (is_scalar(item.items[i]) && std::none_of(columns.begin(), columns.end(), same))
        columns.push_back({item.keys[i] == "total_usd" ? "total" : words_of_key(item.keys[i]), item.keys[i]});
    }
  return columns;
}

void model_notes_text(Page& out, const JsonNode& estimate) {
  for (const JsonNode& note : items_of(estimate, "model_notes")) {
    out.paragraph(note.find("message")->text);
    out.gap();
  }
}

void batch_text(Page& out, const JsonNode& layout) {
  if (layout.find("sequence_length") == nullptr) return;
  out.line("Sequences of " + shown(layout.find("sequence_length")) + " tokens, " +
           shown(layout.find("global_batch_size")) + " in a batch (sequence_length, global_batch_size).");
  out.gap();
}

std::string csv_of_list(const JsonNode& answer, const std::vector<JsonNode>& list) {
  return list.empty() ? csv_of_values(answer) : csv_rows(row_columns(columns_of(list)), list);
}

Rows rows_of(const std::vector<JsonNode>& list, int digits) {
  const std::vector<Column> columns = columns_of(list);
  return columns.empty() ? Rows{} : rows_of(list, columns, digits);
}

namespace {

/// An id beside its name says nothing to a reader.
bool is_named(const JsonNode& object, const std::string& key) { return object.find(key + "_name") != nullptr; }

/// A sentence with the code and the values that it is made of.
bool is_message(const JsonNode& node) {
  return node.is_object() && node.find("message") != nullptr &&
         std::all_of(node.keys.begin(), node.keys.end(),
                     [](const std::string& key) { return key == "code" || key == "message" || key == "values"; });
}

/// An item of a list as a sentence: a message, or a value. A patch is for the request, not for reading.
bool is_said(const std::string& key, const JsonNode& item) {
  return !item.is_object() || key == "ways_out" || is_message(item);
}
std::string said(const std::string& key, const JsonNode& item, int digits) {
  return is_message(item) ? item.find("message")->text : shown(key, &item, digits);
}

/// A member on a terminal: its label and value in two columns, `depth` levels in.
void member_line(std::string& out, const std::string& key, const JsonNode& node, std::size_t depth, int digits) {
  const std::string label = std::string(2 * depth, ' ') + (key.empty() ? "-" : words_of_key(key));
  if (node.is_object()) {
    out += label + "\n";
    for (std::size_t i = 0; i < node.items.size(); ++i)
      if (!is_named(node, node.keys[i])) member_line(out, node.keys[i], node.items[i], depth + 1, digits);
  } else if (node.is_list() && node.items.empty()) {
    return;
  } else if (node.is_list() && is_table(node)) {
    if (!out.ends_with("\n\n")) out += "\n";
    out += (depth == 0 ? label + "\n" : "") + text_table(rows_of(node.items, digits)) + "\n";
  } else if (node.is_list()) {
    out += label + "\n";
    for (const JsonNode& item : node.items) {
      if (!is_said(key, item))
        member_line(out, "", item, depth + 1, digits);
      else
        out +=
            std::string(2 * depth, ' ') + "  - " + wrapped(said(key, item, digits), kTextWidth, 2 * depth + 4) + "\n";
    }
  } else {
    const std::string pad(label.size() < kValueColumn ? kValueColumn - label.size() : 1, ' ');
    out += label + pad + wrapped(shown(key, &node, digits), kTextWidth, kValueColumn) + "\n";
  }
}

/// A heading of what is inside another; Markdown has six levels.
int inside(int level) { return std::min(level + 1, 6); }

/// Members in Markdown: those of one value as a table, then each other one below its own heading of this level.
void member_blocks(Page& out, const JsonNode& object, int level, int digits) {
  Rows rows{{"", ""}};
  for (std::size_t i = 0; i < object.items.size(); ++i)
    if (is_scalar(object.items[i]) && !is_named(object, object.keys[i]))
      rows.push_back({words_of_key(object.keys[i]), shown(object.keys[i], &object.items[i], digits)});
  if (rows.size() > 1) out.table(rows);
  for (std::size_t i = 0; i < object.items.size(); ++i) {
    const std::string& key = object.keys[i];
    const JsonNode& node = object.items[i];
    if (node.items.empty() || is_named(object, key)) continue;
    out.title(words_of_key(key), level);
    if (node.is_object()) {
      member_blocks(out, node, inside(level), digits);
    } else if (is_table(node)) {
      out.table(rows_of(node.items, digits));
    } else {
      for (std::size_t at = 0; at < node.items.size(); ++at) {
        const JsonNode& item = node.items[at];
        if (is_said(key, item)) {
          out.bullet(said(key, item, digits));
          continue;
        }
        out.title(words_of_key(key) + " " + std::to_string(at + 1), inside(level));
        member_blocks(out, item, inside(inside(level)), digits);
      }
    }
  }
}

/// A copy without these members.
JsonNode without(const JsonNode& object, const auto& left_out) {
  JsonNode rest{.type = JsonType::object};
  for (std::size_t i = 0; i < object.items.size(); ++i) {
    if (left_out(object.keys[i], object.items[i])) continue;
    rest.keys.push_back(object.keys[i]);
    rest.items.push_back(object.items[i]);
  }
  return rest;
}

}  // namespace

void members(Page& out, const JsonNode& object, int digits) {
  if (out.is_markdown()) return member_blocks(out, object, 2, digits);
  for (std::size_t i = 0; i < object.items.size(); ++i)
    member_line(out.terminal_text(), object.keys[i], object.items[i], 0, digits);
}

void section(Page& out, std::string_view title, const JsonNode* node) {
  if (node == nullptr) return;
  out.title(title);
  if (node->is_list()) return out.table(rows_of(node->items));
  if (const JsonNode* summary = node->find("summary")) out.indented(summary->text);
  const auto is_nothing = [](const std::string& key, const JsonNode& item) {
    return item.is_number() && item.number == 0 && is_money(key);
  };
  const JsonNode rest = without(*node, [&](const std::string& key, const JsonNode& item) {
    return key == "summary" || is_named(*node, key) || is_nothing(key, item);
  });
  if (out.is_markdown())
    member_blocks(out, rest, 3, 4);
  else
    for (std::size_t i = 0; i < rest.items.size(); ++i)
      member_line(out.terminal_text(), rest.keys[i], rest.items[i], 1, 4);
  std::string nothing;
  for (std::size_t i = 0; i < node->items.size(); ++i)
    if (is_nothing(node->keys[i], node->items[i]) && !is_named(*node, node->keys[i]))
      nothing += (nothing.empty() ? "" : "; ") + words_of_key(node->keys[i]);
  if (nothing.empty()) return;
  if (!out.is_markdown())
    while (out.terminal_text().ends_with("\n\n")) out.terminal_text().pop_back();
  out.indented("Counted as 0: " + nothing);
}

void sentences(Page& out, std::string_view title, const JsonNode* list) {
  if (list == nullptr || list->items.empty()) return;
  out.title(title);
  for (const JsonNode& item : list->items) {
    if (!item.is_object()) {
      out.bullet(item.text);
      continue;
    }
    const std::string gpu = member_text(item, "gpu");
    out.bullet((gpu.empty() ? "" : gpu + ": ") + member_text(item, item.find("text") ? "text" : "message"));
  }
}

void assumed(Page& out, const JsonNode& answer) {
  const JsonNode* assumptions = answer.find("assumptions");
  if (assumptions == nullptr || assumptions->items.empty()) return;
  out.gap();
  out.line(std::to_string(assumptions->items.size()) +
           " assumptions replace what the request left out; --json lists them with their sources.");
}

}  // namespace podwright::cli
