#include "cli/print_cost.h"

#include <algorithm>
#include <vector>

#include "base/number_text.h"
#include "cli/search_frame.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kValueColumn = 42;

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool is_money(std::string_view key) {
  return key.find("usd_per_") != std::string_view::npos || ends_with(key, "_usd") || key == "usd" ||
         ends_with(key, "usd_low") || ends_with(key, "usd_high");
}

/// "-" where the answer has no such value; money in dollars.
std::string shown(std::string_view key, const JsonNode* node) {
  if (node == nullptr || node->type == JsonType::null) return "-";
  if (node->is_number()) return is_money(key) ? dollars_text(node->number) : human_number(node->number, 4);
  if (node->type == JsonType::boolean) return node->boolean ? "yes" : "no";
  return node->is_text() ? node->text : json_text(*node);
}

std::string words_of(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

bool is_scalar(const JsonNode& node) { return !node.is_list() && !node.is_object(); }

/// Lists of objects with the same scalar members as tables.
std::string table_of(const JsonNode& list) {
  Rows rows{{}};
  for (std::size_t i = 0; i < list.items.front().items.size(); ++i)
    if (is_scalar(list.items.front().items[i])) rows[0].push_back(list.items.front().keys[i]);
  for (const JsonNode& item : list.items) {
    std::vector<std::string> row;
    for (const std::string& key : rows[0]) row.push_back(shown(key, item.find(key)));
    rows.push_back(std::move(row));
  }
  for (std::string& head : rows[0]) head = words_of(head);
  return text_table(rows);
}

void member(std::string& out, const std::string& key, const JsonNode& node, std::size_t depth) {
  const std::string indent(2 * depth, ' ');
  if (node.is_object()) {
    out += indent + words_of(key) + "\n";
    for (std::size_t i = 0; i < node.items.size(); ++i) member(out, node.keys[i], node.items[i], depth + 1);
    return;
  }
  if (node.is_list()) {
    if (node.items.empty()) return;
    if (node.items.front().is_object()) {
      out += "\n" + table_of(node) + "\n";
      return;
    }
    out += indent + words_of(key) + "\n";
    for (const JsonNode& item : node.items)
      out += indent + "  - " + wrapped(shown("", &item), kTextWidth, indent.size() + 4) + "\n";
    return;
  }
  const std::string label = indent + words_of(key);
  const std::string pad(label.size() < kValueColumn ? kValueColumn - label.size() : 1, ' ');
  out += label + pad + wrapped(shown(key, &node), kTextWidth, kValueColumn) + "\n";
}

/// A side of the comparison: its sentence, then its members.
void section(std::string& out, std::string_view title, const JsonNode* node) {
  if (node == nullptr) return;
  out += (out.empty() ? "" : "\n") + std::string(title) + "\n";
  if (const JsonNode* summary = node->find("summary")) out += "  " + wrapped(summary->text, kTextWidth, 2) + "\n";
  if (node->is_list()) {
    if (!node->items.empty() && node->items.front().is_object()) out += table_of(*node);
    return;
  }
  for (std::size_t i = 0; i < node->items.size(); ++i)
    if (node->keys[i] != "summary") member(out, node->keys[i], node->items[i], 1);
}

void market(std::string& out, const JsonNode* node) {
  if (node == nullptr) return;
  Rows rows{{"term", "offers", "providers", "lowest", "median", "highest", "oldest", "newest", "stale"}};
  for (const JsonNode& term : node->find("terms")->items)
    rows.push_back({shown("", term.find("term")), shown("", term.find("offers")), shown("", term.find("providers")),
                    shown("usd_per_gpu_hour", term.find("lowest_usd_per_gpu_hour")),
                    shown("usd_per_gpu_hour", term.find("median_usd_per_gpu_hour")),
                    shown("usd_per_gpu_hour", term.find("highest_usd_per_gpu_hour")),
                    shown("", term.find("oldest_as_of")), shown("", term.find("newest_as_of")),
                    shown("", term.find("stale_offers"))});
  out += "\nList prices of " + shown("", node->find("gpu")) + " per GPU-hour\n" + text_table(rows);
  for (const JsonNode& term : node->find("terms")->items) {
    const JsonNode* ranking = term.find("ranking");
    if (ranking == nullptr || ranking->items.empty()) continue;
    out += "\n" + term.find("term")->text + ", smallest bill first\n" + table_of(*ranking);
  }
  out += wrapped(shown("", node->find("note")), kTextWidth, 0) + "\n";
}

void sentences(std::string& out, std::string_view title, const JsonNode* list) {
  if (list == nullptr || list->items.empty()) return;
  out += "\n" + std::string(title) + "\n";
  for (const JsonNode& item : list->items)
    out += bullet(item.is_object() ? shown("", item.find("message")) : item.text);
}

}  // namespace

std::string cost_text(const JsonNode& answer) {
  std::string out;
  if (const JsonNode* summary = answer.find("summary")) out += wrapped(summary->text, kTextWidth, 0) + "\n";
  sentences(out, "This cannot be done", answer.find("reasons"));
  sentences(out, "What cannot be done", answer.find("rejected"));
  section(out, "Owning", answer.find("on_premises"));
  section(out, "Renting", answer.find("cloud"));
  section(out, "A hosted interface", answer.find("hosted_api"));
  section(out, "Owning some and renting the rest", answer.find("hybrid"));
  section(out, "Break-even", answer.find("break_even"));
  section(out, "How sure", answer.find("distribution"));
  section(out, "What moves the result", answer.find("tornado"));
  section(out, "Carbon", answer.find("carbon"));
  section(out, "What published break-evens say of the cloud's price", answer.find("published_break_evens"));
  market(out, answer.find("market"));
  sentences(out, "Missing, and therefore absent", answer.find("missing"));
  sentences(out, "Look out", answer.find("cautions"));
  sentences(out, "Not modelled yet, and therefore absent", answer.find("not_modelled"));
  if (const JsonNode* assumptions = answer.find("assumptions"); assumptions != nullptr && !assumptions->items.empty())
    out += "\n" + std::to_string(assumptions->items.size()) +
           " assumptions stand in for what the request left out; --json lists them with their sources.\n";
  return out;
}

}  // namespace podwright::cli
