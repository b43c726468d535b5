#include "cli/print_answer.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/number_text.h"
#include "cli/cost_lines.h"
#include "cli/json_at.h"
#include "cli/print_plan_cost.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

/// "-" where the answer has no such value.
std::string value_text(const JsonNode* node, int digits = 3) {
  if (node == nullptr) return "-";
  // Counts of things keep all their digits.
  if (node->is_number()) return human_number(node->number, node->number == std::floor(node->number) ? 15 : digits);
  if (node->is_text()) return node->text;
  if (node->type == JsonType::boolean) return node->boolean ? "yes" : "no";
  return json_text(*node);
}

std::string layout_text(const JsonNode& layout) {
  const JsonNode* parallelism = layout.find("parallelism");
  if (parallelism == nullptr) return "-";
  std::string text;
  for (std::size_t i = 0; i < parallelism->items.size(); ++i) {
    const JsonNode& size = parallelism->items[i];
    if (!size.is_number() || size.number <= 1 || parallelism->keys[i] == "zero_stage") continue;
    text += (text.empty() ? "" : " x ") + parallelism->keys[i] + " " + value_text(&size);
  }
  if (text.empty()) text = "one GPU";
  const JsonNode* weights = layout.find("weight_precision");
  if (weights == nullptr) weights = layout.find("precision");
  return weights == nullptr ? text : text + ", " + weights->text;
}

void bullets(std::string& out, std::string_view title, const JsonNode* list) {
  if (list == nullptr || list->items.empty()) return;
  out += "\n" + std::string(title) + "\n";
  for (const JsonNode& item : list->items) {
    const JsonNode* message = item.is_object() ? item.find("message") : &item;
    if (message == nullptr) message = item.find("text");
    out += "  - " + wrapped(value_text(message), kTextWidth, 4) + "\n";
  }
}

/// Of the first workload of a kind; "-" where the plan has none.
std::string of_estimate(const JsonNode& plan, std::initializer_list<std::string_view> path, double times) {
  const JsonNode* estimates = plan.find("estimates");
  for (std::size_t i = 0; estimates != nullptr && i < estimates->items.size(); ++i)
    if (const JsonNode* value = at(estimates->items[i], path)) return human_number(value->number * times);
  return "-";
}

bool any_has(const JsonNode& plans, std::initializer_list<std::string_view> path) {
  return std::any_of(plans.items.begin(), plans.items.end(),
                     [&](const JsonNode& plan) { return of_estimate(plan, path, 1) != "-"; });
}

std::string plans_table(const JsonNode& plans) {
  const bool serves = any_has(plans, {"latency", "tpot_s"});
  const bool trains = any_has(plans, {"run", "time_days"});
  std::vector<std::vector<std::string>> rows{{"#", "GPUs", "nodes", "layout"}};
  if (serves) rows[0].insert(rows[0].end(), {"TTFT s", "ms/token"});
  if (trains) rows[0].emplace_back("days");
  rows[0].insert(rows[0].end(), {"rent/year", "own/year", "way"});
  for (const JsonNode& plan : plans.items) {
    std::vector<std::string> row{
        value_text(plan.find("rank")), value_text(plan.find("gpu_count")) + " x " + value_text(plan.find("gpu")),
        value_text(at(plan, {"architecture", "nodes"})),
        at(plan, {"layouts", "0"}) == nullptr ? "-" : layout_text(*at(plan, {"layouts", "0"}))};
    if (serves) {
      row.push_back(of_estimate(plan, {"latency", "ttft_s"}, 1));
      row.push_back(of_estimate(plan, {"latency", "tpot_s"}, 1e3));
    }
    if (trains) row.push_back(of_estimate(plan, {"run", "time_days"}, 1));
    row.push_back(dollars(at(plan, {"cost", "cloud", "as_needed_usd_per_year"})));
    row.push_back(dollars(at(plan, {"cost", "on_premises", "annual_usd"})));
    row.push_back(value_text(plan.find("way")));
    rows.push_back(std::move(row));
  }
  return text_table(rows);
}

std::string memory_lines(const JsonNode& estimate) {
  const JsonNode* memory = estimate.find("memory_per_gpu");
  if (memory == nullptr) return "";
  std::vector<std::vector<std::string>> rows{{"memory per GPU", "GiB"}};
  for (std::size_t i = 0; i < memory->items.size(); ++i) {
    std::string name = memory->keys[i];
    if (const std::size_t unit = name.find("_gib"); unit != std::string::npos) name.erase(unit, 4);
    std::replace(name.begin(), name.end(), '_', ' ');
    rows.push_back({name, value_text(&memory->items[i])});
  }
  return text_table(rows);
}

void section(std::string& out, const JsonNode& node, std::size_t depth) {
  const std::string indent(2 * depth, ' ');
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const JsonNode& item = node.items[i];
    const std::string key = node.is_object() ? node.keys[i] : "";
    if (key == "trace" || key == "assumptions") continue;
    if (item.is_object() || (item.is_list() && !item.items.empty() && item.items[0].is_object())) {
      out += indent + (key.empty() ? "-" : key) + "\n";
      section(out, item, depth + 1);
    } else if (item.is_list()) {
      if (item.items.empty()) continue;
      out += indent + key + "\n";
      for (const JsonNode& entry : item.items)
        out += indent + "  - " + wrapped(value_text(&entry), kTextWidth, indent.size() + 4) + "\n";
    } else {
      const std::string pad(key.size() < 34 - 2 * depth ? 34 - 2 * depth - key.size() : 1, ' ');
      out += indent + key + pad + wrapped(value_text(&item, 5), kTextWidth, 34) + "\n";
    }
  }
}

}  // namespace

std::string plan_text(const JsonNode& answer) {
  std::string out;
  const JsonNode* plans = answer.find("plans");
  if (plans->items.empty()) {
    out += "No plan fits.\n";
    bullets(out, "Why", answer.find("reasons"));
  } else {
    const JsonNode& best = plans->items[0];
    out += wrapped(value_text(best.find("summary")), kTextWidth, 0) + "\n\n" + plans_table(*plans);
    const JsonNode* estimates = best.find("estimates");
    for (std::size_t i = 0; estimates != nullptr && i < estimates->items.size(); ++i) {
      const std::string memory = memory_lines(estimates->items[i]);
      if (!memory.empty()) out += "\n" + value_text(estimates->items[i].find("workload")) + "\n" + memory;
    }
    if (const JsonNode* title = at(best, {"architecture", "title"}))
      out += "\n" + wrapped("Design: " + title->text, kTextWidth, 0) + "\n";
    if (const std::string ways = plan_ways_text(best); !ways.empty()) out += "\n" + ways;
    if (const JsonNode* decision = at(best, {"decision", "message"}))
      out += "\n" + wrapped(decision->text, kTextWidth, 0) + "\n";
    bullets(out, "What speaks for which way", best.find("decision_factors"));
    bullets(out, "No price, so no sum", at(best, {"cost", "missing"}));
    bullets(out, "Why this one", best.find("reasons"));
    out += plan_money_text(best);
    bullets(out, "Risks", best.find("risks"));
    bullets(out, "What would change the decision", answer.find("what_would_change_the_decision"));
  }
  bullets(out, "Rejected", answer.find("rejected"));
  bullets(out, "Not modelled yet, and therefore absent", answer.find("not_modelled"));
  const JsonNode* assumptions = answer.find("assumptions");
  if (assumptions != nullptr && !assumptions->items.empty())
    out += "\n" + std::to_string(assumptions->items.size()) +
           " assumptions replace what the request left out; --json lists them with their sources.\n";
  return out;
}

std::string answer_text(const JsonNode& answer) {
  std::string out;
  section(out, answer, 0);
  return out;
}

}  // namespace podwright::cli
