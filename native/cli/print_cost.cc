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

/// Whole dollars from 1,000 up: columns of parts can be added.
std::string money(double usd) {
  if (usd < 1000 && usd > -1000) return usd == 0 ? "$0" : dollars_text(usd);
  return (usd < 0 ? "-$" : "$") + fixed_number(usd < 0 ? -usd : usd, 0);
}

/// Units that end keys, and what stands behind the figure instead.
struct KeyUnit {
  std::string_view suffix;
  std::string_view sign;
};
constexpr KeyUnit kKeyUnits[] = {
    {"_kwh", " kWh"},   {"_kw", " kW"},      {"_s", " s"}, {"_kg", " kg"}, {"_kg_co2e_per_year", " kg"},
    {"_days", " days"}, {"_years", " years"}};

const KeyUnit* unit_of(std::string_view key) {
  for (const KeyUnit& unit : kKeyUnits)
    if (ends_with(key, unit.suffix)) return &unit;
  return nullptr;
}

/// "-" where the answer has no such value; money in dollars.
std::string shown(std::string_view key, const JsonNode* node) {
  if (node == nullptr || node->type == JsonType::null) return "-";
  if (node->is_number()) {
    if (is_money(key)) return money(node->number);
    const KeyUnit* unit = unit_of(key);
    return human_number(node->number, 4) + (unit == nullptr ? "" : std::string(unit->sign));
  }
  if (node->type == JsonType::boolean) return node->boolean ? "yes" : "no";
  return node->is_text() ? node->text : json_text(*node);
}

/// Keys whose words alone say too little.
struct Label {
  std::string_view key;
  std::string_view words;
};
constexpr Label kLabels[] = {{"capex_usd", "purchase"},
                             {"residual_usd", "left of the servers at the end"},
                             {"network_and_storage_residual_usd", "left of network and storage"},
                             {"annual_capital_usd", "purchase, a year"},
                             {"annual_opex_usd", "operation, a year"},
                             {"annual_usd", "all of it, a year"},
                             {"idle_usd_per_year", "of it for idle hours, a year"},
                             {"idle_gpu_hours_per_year", "idle GPU-hours a year"},
                             {"energy_per_year_kwh", "energy a year"},
                             {"energy_usd_per_year", "energy, a year"},
                             {"energy_first_year_usd_per_year", "energy, first year"},
                             {"usd_per_gpu_hour", "price of a GPU-hour"},
                             {"usd_per_gpu_hour_effective", "price of a GPU-hour of progress"},
                             {"usd_per_gpu_hour_available", "GPU-hour, used or not"},
                             {"usd_per_gpu_hour_available_straight_line", "the same with a straight line"},
                             {"usd_per_gpu_hour_used", "GPU-hour in use"},
                             {"npv_usd", "in today's money"},
                             {"usd_per_year", "all of it, a year"},
                             {"usd_per_month", "all of it, a month"},
                             {"total_usd", "all years"},
                             {"hours", "hours in full use"},
                             {"months", "months of 730 hours"}};

/// The key without its unit.
std::string words_of(std::string key) {
  for (const Label& label : kLabels)
    if (label.key == key) return std::string(label.words);
  if (ends_with(key, "_usd_per_year"))
    key.replace(key.size() - 13, 13, ", a year");
  else if (ends_with(key, "_usd"))
    key.resize(key.size() - 4);
  else if (const KeyUnit* unit = unit_of(key))
    key.resize(key.size() - unit->suffix.size());
  else if (key.rfind("usd_per_", 0) == 0)
    key.erase(0, 8);
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
  for (std::string& head : rows[0]) head = head == "total_usd" ? "total" : words_of(head);
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
      out += indent + "  - " + wrapped(shown(key, &item), kTextWidth, indent.size() + 4) + "\n";
    return;
  }
  const std::string label = indent + words_of(key);
  const std::string pad(label.size() < kValueColumn ? kValueColumn - label.size() : 1, ' ');
  out += label + pad + wrapped(shown(key, &node), kTextWidth, kValueColumn) + "\n";
}

void title_of(std::string& out, std::string_view title) {
  while (ends_with(out, "\n\n")) out.pop_back();
  out += (out.empty() ? "" : "\n") + std::string(title) + "\n";
}

/// A side of the comparison: its sentence, then its members. Parts that cost nothing are named in one line.
void section(std::string& out, std::string_view title, const JsonNode* node) {
  if (node == nullptr) return;
  title_of(out, title);
  if (const JsonNode* summary = node->find("summary")) out += "  " + wrapped(summary->text, kTextWidth, 2) + "\n";
  if (node->is_list()) {
    if (!node->items.empty() && node->items.front().is_object()) out += table_of(*node);
    return;
  }
  std::string nothing;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const std::string& key = node->keys[i];
    if (key == "summary") continue;
    const JsonNode& item = node->items[i];
    if (item.is_number() && item.number == 0 && is_money(key))
      nothing += (nothing.empty() ? "" : "; ") + words_of(key);
    else
      member(out, key, item, 1);
  }
  if (nothing.empty()) return;
  while (ends_with(out, "\n\n")) out.pop_back();
  out += "  " + wrapped("Nothing: " + nothing, kTextWidth, 2) + "\n";
}

void ways(std::string& out, const JsonNode* decision) {
  if (decision == nullptr) return;
  Rows rows{{"way", "in today's money", "level, a year"}};
  for (const JsonNode& way : decision->find("ways")->items)
    rows.push_back({shown("", way.find("way")), shown("npv_usd", way.find("npv_usd")),
                    shown("usd_per_year", way.find("usd_per_year"))});
  title_of(out, "The ways, the cheapest first");
  out += text_table(rows);
}

void distribution(std::string& out, const JsonNode* node) {
  if (node == nullptr) return;
  title_of(out, "How sure");
  Rows rows{{"", "10 % are below", "half are below", "90 % are below"}};
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const JsonNode& item = node->items[i];
    if (!item.is_object()) continue;
    const std::string& key = node->keys[i];
    const std::string_view words = key == "own_usd_per_year"              ? "owning, a year"
                                   : key == "rent_usd_per_year"           ? "renting, a year"
                                   : key == "own_minus_rent_usd_per_year" ? "owning less renting, a year"
                                                                          : "owned GPU-hour in use";
    rows.push_back(
        {std::string(words), shown(key, item.find("p10")), shown(key, item.find("p50")), shown(key, item.find("p90"))});
  }
  out += text_table(rows);
  if (const JsonNode* owning = node->find("probability_owning_is_cheaper"))
    out += "  Owning is cheaper in " + human_number(100 * owning->number) + " % of " +
           human_number(node->find("draws")->number, 7) + " draws.\n";
}

void tornado(std::string& out, const JsonNode* list) {
  if (list == nullptr || list->items.empty()) return;
  title_of(out, "What moves the price of an owned GPU-hour in use, each alone from low to high");
  Rows rows{{"input", "at low", "at high", "swing"}};
  for (const JsonNode& bar : list->items) {
    std::vector<std::string> row{words_of(shown("", bar.find("input")))};
    for (const char* key : {"usd_per_gpu_hour_used_at_low", "usd_per_gpu_hour_used_at_high", "swing_usd_per_gpu_hour"})
      row.push_back(shown(key, bar.find(key)));
    rows.push_back(std::move(row));
  }
  out += text_table(rows);
}

/// Those inside the range of their input.
void flips(std::string& out, const JsonNode* list) {
  if (list == nullptr) return;
  Rows rows{{"input", "changes at"}};
  for (const JsonNode& flip : list->items) {
    const std::string input = shown("", flip.find("input"));
    if (!flip.find("inside_range")->boolean && input != "rent_per_gpu") continue;
    const std::string unit = shown("", flip.find("unit"));
    rows.push_back({words_of(input),
                    human_number(flip.find("value")->number, 4) + (unit.empty() || unit == "1" ? "" : " " + unit)});
  }
  title_of(out, "What would change the decision, each alone");
  out += rows.size() > 1 ? text_table(rows) : "  Nothing inside its range.\n";
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
  title_of(out, "List prices of " + shown("", node->find("gpu")) + " per GPU-hour");
  out += text_table(rows);
  for (const JsonNode& term : node->find("terms")->items) {
    const JsonNode* ranking = term.find("ranking");
    if (ranking == nullptr || ranking->items.empty()) continue;
    out += "\n" + term.find("term")->text + ", smallest bill first\n" + table_of(*ranking);
  }
  out += wrapped(shown("", node->find("note")), kTextWidth, 0) + "\n";
}

void sentences(std::string& out, std::string_view title, const JsonNode* list) {
  if (list == nullptr || list->items.empty()) return;
  title_of(out, title);
  for (const JsonNode& item : list->items)
    out += bullet(item.is_object() ? shown("", item.find("message")) : item.text);
}

}  // namespace

std::string cost_text(const JsonNode& answer) {
  std::string out;
  if (const JsonNode* summary = answer.find("summary")) out += wrapped(summary->text, kTextWidth, 0) + "\n";
  sentences(out, "This cannot be done", answer.find("reasons"));
  sentences(out, "What cannot be done", answer.find("rejected"));
  ways(out, answer.find("decision"));
  section(out, "Owning", answer.find("on_premises"));
  section(out, "Renting", answer.find("cloud"));
  section(out, "A hosted interface", answer.find("hosted_api"));
  section(out, "Owning some and renting the rest", answer.find("hybrid"));
  section(out, "Break-even of owning", answer.find("break_even"));
  distribution(out, answer.find("distribution"));
  sentences(out, "Not drawn", answer.find("not_drawn"));
  tornado(out, answer.find("tornado"));
  flips(out, answer.find("decision_flips"));
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
