#include "cli/cost_lines.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/number_text.h"
#include "cli/search_frame.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kValueColumn = 42;

bool is_money(std::string_view key) {
  return key.find("usd_per_") != std::string_view::npos || key.ends_with("_usd") || key == "usd" ||
         key.ends_with("usd_low") || key.ends_with("usd_high");
}

/// Whole dollars from 1,000 up: columns of parts can be added.
std::string money(double usd) {
  if (usd < 1000 && usd > -1000) return usd == 0 ? "$0" : dollars_text(usd);
  return (usd < 0 ? "-$" : "$") + fixed_number(usd < 0 ? -usd : usd, 0);
}

/// Units that end keys, and what follows the figure instead.
struct KeyUnit {
  std::string_view suffix;
  std::string_view sign;
};
constexpr KeyUnit kKeyUnits[] = {{"_kwh", " kWh"},        {"_hours", " h"},
                                 {"_kw", " kW"},          {"_s", " s"},
                                 {"_kg", " kg"},          {"kg_co2e_per_year", " kg"},
                                 {"_kg_per_year", " kg"}, {"_days", " days"},
                                 {"_years", " years"}};

const KeyUnit* unit_of(std::string_view key) {
  for (const KeyUnit& unit : kKeyUnits)
    if (key.ends_with(unit.suffix)) return &unit;
  return nullptr;
}

/// Keys whose words alone say too little.
struct Label {
  std::string_view key;
  std::string_view words;
};
constexpr Label kLabels[] = {{"capex_usd", "purchase"},
                             {"residual_usd", "residual value of the servers"},
                             {"network_and_storage_residual_usd", "residual value of network and storage"},
                             {"annual_capital_usd", "purchase, per year"},
                             {"annual_opex_usd", "operation, per year"},
                             {"annual_usd", "total per year"},
                             {"idle_usd_per_year", "of which for idle hours, per year"},
                             {"idle_gpu_hours_per_year", "idle GPU-hours per year"},
                             {"energy_per_year_kwh", "energy per year"},
                             {"energy_usd_per_year", "energy, per year"},
                             {"energy_first_year_usd_per_year", "energy, first year"},
                             {"usd_per_gpu_hour", "price of a GPU-hour"},
                             {"usd_per_gpu_hour_median", "median price of a GPU-hour"},
                             {"usd_per_hour", "total per hour"},
                             {"usd_per_million_output_tokens", "per million output tokens"},
                             {"usd_per_gpu_hour_effective", "price of a GPU-hour of progress"},
                             {"usd_per_gpu_hour_available", "GPU-hour, used or not"},
                             {"usd_per_gpu_hour_available_straight_line", "the same, straight-line depreciation"},
                             {"usd_per_gpu_hour_used", "GPU-hour in use"},
                             {"npv_usd", "in today's money"},
                             {"usd_per_year", "total per year"},
                             {"usd_per_month", "total per month"},
                             {"total_usd", "all years"},
                             {"servers_usd", "servers"},
                             {"servers_usd_low", "servers, low"},
                             {"servers_usd_high", "servers, high"},
                             {"network_basis", "basis of the network price"},
                             {"facility_power_mean_kw", "mean power at the meter"},
                             {"as_needed_usd_per_year", "scaled to demand, per year"},
                             {"as_of", "price as of"},
                             {"own_gpus", "owned GPUs"},
                             {"rented_gpus_mean", "rented GPUs on average"},
                             {"rented_gpus_peak", "rented GPUs at most"},
                             {"rented_instances_mean", "rented instances on average"},
                             {"rented_instances_peak", "rented instances at most"},
                             {"all_rented_usd_per_year", "renting everything, per year"},
                             {"all_owned_usd_per_year", "owning everything, per year"},
                             {"kg_co2e_per_year", "CO2 equivalent per year"},
                             {"operation_kg_per_year", "of which from electricity, per year"},
                             {"embodied_kg", "in making the machines"},
                             {"embodied_kg_per_year", "of which per year"},
                             {"failures_per_year", "failures per year"},
                             {"server_mean_time_between_failures_hours", "between failures of a server"},
                             {"availability", "share of time a server is up"},
                             {"servers_working_mean", "servers up, on average"},
                             {"servers_in_repair_mean", "servers under repair, on average"},
                             {"spares", "spare servers"},
                             {"spares_suffice", "share of time they suffice"},
                             {"spares_usd", "price of the spares"},
                             {"run", "one run"},
                             {"mean_time_between_failures_hours", "between failures"},
                             {"checkpoint_interval_s", "between checkpoints"},
                             {"goodput", "productive share of its time"},
                             {"lost_usd_per_year", "paid without progress, per year"},
                             {"usd_per_gpu_hour_of_progress", "GPU-hour of progress"},
                             {"on_premises", "owned"},
                             {"cloud", "rented"},
                             {"cautions", "caution"},
                             {"hours", "hours in full use"},
                             {"months", "months of 730 hours"}};

bool is_scalar(const JsonNode& node) { return !node.is_list() && !node.is_object(); }

}  // namespace

std::string shown(std::string_view key, const JsonNode* node) {
  if (node == nullptr || node->type == JsonType::null) return "-";
  if (node->is_number()) {
    if (is_money(key)) return money(node->number);
    const KeyUnit* unit = unit_of(key);
    const bool whole = node->number == std::floor(node->number);
    return human_number(node->number, whole ? 15 : 4) + (unit == nullptr ? "" : std::string(unit->sign));
  }
  if (node->type == JsonType::boolean) return node->boolean ? "yes" : "no";
  return node->is_text() ? node->text : json_text(*node);
}

std::string words_of(std::string key) {
  for (const Label& label : kLabels)
    if (label.key == key) return std::string(label.words);
  if (key.ends_with("_usd_per_year"))
    key.replace(key.size() - 13, 13, ", a year");
  else if (key.ends_with("_usd"))
    key.resize(key.size() - 4);
  else if (const KeyUnit* unit = unit_of(key))
    key.resize(key.size() - unit->suffix.size());
  else if (key.rfind("usd_per_", 0) == 0)
    key.erase(0, 8);
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

std::string dollars(const JsonNode* node) { return node == nullptr ? "-" : dollars_text(node->number); }

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

namespace {

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

}  // namespace

void title_of(std::string& out, std::string_view title) {
  while (out.ends_with("\n\n")) out.pop_back();
  out += (out.empty() ? "" : "\n") + std::string(title) + "\n";
}

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
  while (out.ends_with("\n\n")) out.pop_back();
  out += "  " + wrapped("Nothing: " + nothing, kTextWidth, 2) + "\n";
}

void sentences(std::string& out, std::string_view title, const JsonNode* list) {
  if (list == nullptr || list->items.empty()) return;
  title_of(out, title);
  for (const JsonNode& item : list->items)
    out += bullet(item.is_object() ? shown("", item.find("message")) : item.text);
}

void distribution(std::string& out, const JsonNode* node) {
  if (node == nullptr) return;
  title_of(out, "How certain");
  Rows rows{{"", "10 % are below", "median", "90 % are below"}};
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const JsonNode& item = node->items[i];
    if (!item.is_object()) continue;
    const std::string& key = node->keys[i];
    const std::string_view words = key == "own_usd_per_year"              ? "owning, per year"
                                   : key == "rent_usd_per_year"           ? "renting, per year"
                                   : key == "own_minus_rent_usd_per_year" ? "owning minus renting, per year"
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

// Those inside the range of their input.
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
  out += rows.size() > 1 ? text_table(rows) : "  Nothing within its range.\n";
}

}  // namespace podwright::cli
