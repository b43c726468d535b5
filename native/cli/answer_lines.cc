#include "cli/answer_lines.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "api/schema.h"
#include "base/number_text.h"
#include "base/units.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kValueColumn = 42;

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
std::string bullet(const std::string& text) { return "  - " + wrapped(text, kTextWidth, 4) + "\n"; }
std::string paragraph(const std::string& text) { return wrapped(text, kTextWidth, 0) + "\n"; }

std::string table_of(const std::vector<JsonNode>& list, const std::vector<Column>& columns, int digits) {
  Rows rows{{}};
  for (const Column& column : columns) rows[0].push_back(column.head);
  for (const JsonNode& item : list) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const Column& column : columns) row.push_back(shown(column.key, item.find(column.key), digits));
  }
  return text_table(rows);
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

std::string table_of(const std::vector<JsonNode>& list, int digits) {
  const std::vector<Column> columns = columns_of(list);
  return columns.empty() ? "" : table_of(list, columns, digits);
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

}  // namespace

void member(std::string& out, const std::string& key, const JsonNode& node, std::size_t depth, int digits) {
  const std::string label = std::string(2 * depth, ' ') + (key.empty() ? "-" : words_of_key(key));
  if (node.is_object()) {
    out += label + "\n";
    for (std::size_t i = 0; i < node.items.size(); ++i)
      if (!is_named(node, node.keys[i])) member(out, node.keys[i], node.items[i], depth + 1, digits);
  } else if (node.is_list() && node.items.empty()) {
    return;
  } else if (node.is_list() && is_table(node)) {
    if (!out.ends_with("\n\n")) out += "\n";
    out += (depth == 0 ? label + "\n" : "") + table_of(node.items, digits) + "\n";
  } else if (node.is_list()) {
    out += label + "\n";
    for (const JsonNode& item : node.items) {
      // A patch is for the request, not for reading.
      if (item.is_object() && key != "ways_out" && !is_message(item)) {
        member(out, "", item, depth + 1, digits);
        continue;
      }
      const std::string text = is_message(item) ? item.find("message")->text : shown(key, &item, digits);
      out += std::string(2 * depth, ' ') + "  - " + wrapped(text, kTextWidth, 2 * depth + 4) + "\n";
    }
  } else {
    const std::string pad(label.size() < kValueColumn ? kValueColumn - label.size() : 1, ' ');
    out += label + pad + wrapped(shown(key, &node, digits), kTextWidth, kValueColumn) + "\n";
  }
}

void title_of(std::string& out, std::string_view title) {
  while (out.ends_with("\n\n")) out.pop_back();
  out += (out.empty() ? "" : "\n") + std::string(title) + "\n";
}

void section(std::string& out, std::string_view title, const JsonNode* node) {
  if (node == nullptr) return;
  title_of(out, title);
  if (node->is_list()) {
    out += table_of(node->items);
    return;
  }
  if (const JsonNode* summary = node->find("summary")) out += "  " + wrapped(summary->text, kTextWidth, 2) + "\n";
  std::string nothing;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const std::string& key = node->keys[i];
    if (key == "summary" || is_named(*node, key)) continue;
    const JsonNode& item = node->items[i];
    if (item.is_number() && item.number == 0 && is_money(key))
      nothing += (nothing.empty() ? "" : "; ") + words_of_key(key);
    else
      member(out, key, item, 1);
  }
  if (nothing.empty()) return;
  while (out.ends_with("\n\n")) out.pop_back();
  out += "  " + wrapped("Nothing: " + nothing, kTextWidth, 2) + "\n";
}

void sentences(std::string& out, std::string_view title, const JsonNode* list) {
  if (list == nullptr || list->items.empty()) return;
  title_of(out, title);
  for (const JsonNode& item : list->items) {
    if (!item.is_object()) {
      out += bullet(item.text);
      continue;
    }
    const std::string gpu = member_text(item, "gpu");
    out += bullet((gpu.empty() ? "" : gpu + ": ") + member_text(item, item.find("text") ? "text" : "message"));
  }
}

void assumed(std::string& out, const JsonNode& answer) {
  const JsonNode* assumptions = answer.find("assumptions");
  if (assumptions == nullptr || assumptions->items.empty()) return;
  out += "\n" + std::to_string(assumptions->items.size()) +
         " assumptions replace what the request left out; --json lists them with their sources.\n";
}

}  // namespace podwright::cli
