#include "cli/print_plan_cost.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/number_text.h"
#include "cli/answer_lines.h"
#include "cli/json_at.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

/// Purchases of each year and what buying in steps saves.
void growth(std::string& out, const JsonNode* node) {
  if (node == nullptr) return;
  title_of(out, "Buying as demand grows");
  if (const JsonNode* purchases = node->find("purchases")) out += table_of(*purchases);
  for (const char* key : {"present_value_in_steps_usd", "at_once_usd", "saved_by_steps_usd"})
    if (const JsonNode* value = node->find(key)) out += "  " + words_of_key(key) + "  " + shown(key, value) + "\n";
}

}  // namespace

std::string plan_ways_text(const JsonNode& plan) {
  std::vector<std::vector<std::string>> rows{{"way", "USD/year", "per M output tokens"}};
  const auto add = [&](std::string_view name, const JsonNode* side, std::string_view total) {
    if (side == nullptr || side->find(total) == nullptr) return;
    rows.push_back(
        {std::string(name), dollars(side->find(total)), dollars(side->find("usd_per_million_output_tokens"))});
  };
  add("rent on demand, scaled", at(plan, {"cost", "cloud"}), "as_needed_usd_per_year");
  add("rent with a commitment", at(plan, {"cost", "committed"}), "usd_per_year");
  add("own", at(plan, {"cost", "on_premises"}), "annual_usd");
  add("own the base, rent the peaks", at(plan, {"cost", "hybrid"}), "usd_per_year");
  if (rows.size() == 1) return "";
  const bool tokens = std::any_of(rows.begin() + 1, rows.end(), [](const auto& row) { return row.back() != "-"; });
  if (!tokens)
    for (std::vector<std::string>& row : rows) row.pop_back();
  return text_table(rows);
}

std::string plan_money_text(const JsonNode& plan) {
  const JsonNode* cost = plan.find("cost");
  if (cost == nullptr) return "";
  std::string out;
  section(out, "Owning", cost->find("on_premises"));
  section(out, "Renting on demand", cost->find("cloud"));
  section(out, "Renting with a commitment", cost->find("committed"));
  section(out, "Owning some and renting the rest", cost->find("hybrid"));
  section(out, "Break-even of owning", cost->find("break_even"));
  distribution(out, cost->find("distribution"));
  tornado(out, cost->find("tornado"));
  flips(out, cost->find("decision_flips"));
  growth(out, cost->find("growth"));
  section(out, "Carbon of owning", at(plan, {"carbon", "own"}));
  section(out, "Carbon of renting on demand", at(plan, {"carbon", "rent_on_demand"}));
  section(out, "Carbon of renting with a commitment", at(plan, {"carbon", "rent_committed"}));
  section(out, "Failures of owned machines", plan.find("reliability"));
  sentences(out, "In none of these sums", cost->find("left_out"));
  return out.empty() ? out : "\n" + out;
}

}  // namespace podwright::cli
