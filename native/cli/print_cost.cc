#include <algorithm>
#include <vector>

#include "base/number_text.h"
#include "cli/answer_lines.h"
#include "cli/print_answer.h"

namespace podwright::cli {
namespace {

void distribution(Page& out, const JsonNode* node) {
  if (node == nullptr) return;
  out.title("How certain");
  Rows rows{{"", "5 % are below", "median", "95 % are below"}};
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const JsonNode& item = node->items[i];
    if (!item.is_object()) continue;
    rows.push_back({words_of_key(node->keys[i]), shown(node->keys[i], item.find("p5")),
                    shown(node->keys[i], item.find("p50")), shown(node->keys[i], item.find("p95"))});
  }
  out.table(rows);
  if (const JsonNode* owning = node->find("probability_owning_is_cheaper")) {
    const double share = owning->number;
    out.line("  Owning all is cheaper than renting all in " +
             (share == 0   ? "none of the "
              : share == 1 ? "all "
                           : human_number(100 * share) + " % of ") +
             human_number(node->find("draws")->number, 7) + " draws.");
  }
}

void tornado(Page& out, const JsonNode* list) {
  if (list == nullptr || list->items.empty()) return;
  out.title("What moves the price of an owned GPU-hour in use, each alone from low to high");
  Rows rows{{"input", "at low", "at high", "swing"}};
  for (const JsonNode& bar : list->items) {
    const auto money = [&](std::string_view key) { return shown(key, bar.find(key)); };
    rows.push_back({words_of_key(shown(bar.find("input"))), money("usd_per_gpu_hour_used_at_low"),
                    money("usd_per_gpu_hour_used_at_high"), money("swing_usd_per_gpu_hour")});
  }
  out.table(rows);
}

// Those inside the range of their input.
void flips(Page& out, const JsonNode* list) {
  if (list == nullptr) return;
  Rows rows{{"input", "changes at"}};
  for (const JsonNode& flip : list->items) {
    const std::string input = shown(flip.find("input"));
    if (!flip.find("inside_range")->boolean && input != "rent_per_gpu") continue;
    const std::string unit = shown(flip.find("unit"));
    rows.push_back({words_of_key(input),
                    human_number(flip.find("value")->number, 4) + (unit.empty() || unit == "1" ? "" : " " + unit)});
  }
  out.title("What would change the decision, each alone");
  if (rows.size() > 1)
    out.table(rows);
  else
    out.line("  Nothing within its range.");
}

void ways(Page& out, const JsonNode* decision) {
  if (decision == nullptr) return;
  out.title("The options, cheapest first");
  out.table(text_rows(cost_columns(), items_of(*decision, "ways")));
}

void market(Page& out, const JsonNode* node) {
  if (node == nullptr) return;
  const std::vector<JsonNode>& terms = items_of(*node, "terms");
  out.title("List prices of " + shown(node->find("gpu")) + " per GPU-hour");
  out.table(rows_of(terms, {{"term", "term"},
                            {"offers", "offers"},
                            {"providers", "providers"},
                            {"lowest", "lowest_usd_per_gpu_hour"},
                            {"median", "median_usd_per_gpu_hour"},
                            {"highest", "highest_usd_per_gpu_hour"},
                            {"oldest", "oldest_as_of"},
                            {"newest", "newest_as_of"},
                            {"stale", "stale_offers"}}));
  for (const JsonNode& term : terms) {
    if (const auto& bands = items_of(term, "bands"); !bands.empty()) {
      out.title(term.find("term")->text + ", by kind of provider", 3);
      out.table(rows_of(bands));
      out.table(rows_of(items_of(term, "outliers")));
    }
    if (const auto& ranking = items_of(term, "ranking"); !ranking.empty()) {
      out.title(term.find("term")->text + ", smallest bill first", 3);
      out.table(rows_of(ranking));
    }
  }
  out.paragraph(shown(node->find("note")));
}

/// Purchases of each year and what buying in steps saves.
void growth(Page& out, const JsonNode* node) {
  if (node == nullptr) return;
  out.title("Buying as demand grows");
  out.table(rows_of(items_of(*node, "purchases")));
  for (const char* key : {"present_value_in_steps_usd", "at_once_usd", "saved_by_steps_usd"})
    if (const JsonNode* value = node->find(key)) out.line("  " + words_of_key(key) + "  " + shown(key, value));
}

}  // namespace

std::vector<RowColumn> cost_columns() {
  return row_columns({{"way", "way"}, {"in today's money", "npv_usd"}, {"level, a year", "usd_per_year"}});
}

Rows plan_ways_rows(const JsonNode& plan) {
  Rows rows{{"way", "USD/year", "per M output tokens"}};
  const auto add = [&](std::string_view name, const JsonNode* side, std::string_view total) {
    if (side == nullptr || side->find(total) == nullptr) return;
    rows.push_back(
        {std::string(name), dollars(side->find(total)), dollars(side->find("usd_per_million_output_tokens"))});
  };
  add("rent on demand, scaled", at(plan, {"cost", "cloud"}), "as_needed_usd_per_year");
  add("rent with a commitment", at(plan, {"cost", "committed"}), "usd_per_year");
  add("own", at(plan, {"cost", "on_premises"}), "annual_usd");
  add("own the base, rent the rest", at(plan, {"cost", "hybrid"}), "usd_per_year");
  const bool tokens = std::any_of(rows.begin() + 1, rows.end(), [](const auto& row) { return row.back() != "-"; });
  if (!tokens)
    for (std::vector<std::string>& row : rows) row.pop_back();
  return rows;
}

void quotes_text(Page& out, const JsonNode& plans) {
  Rows rows{{"quote", "provider", "plan", "price", "term", "state"}};
  for (const JsonNode& plan : plans.items) {
    const JsonNode* of_plan = at(plan, {"cost", "quotes"});
    if (of_plan == nullptr) continue;
    for (const JsonNode& quote : of_plan->items) {
      const std::string name = shown(quote.find("name"));
      // The first plan of its GPU says it; the others have other formats.
      if (std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.front() == name; })) continue;
      const std::string which = "#" + shown(plan.find("rank")) + ", " + shown(plan.find("gpu"));
      const JsonNode* hour = quote.find("usd_per_gpu_hour");
      rows.push_back({name, shown(quote.find("provider")), which,
                      hour != nullptr ? shown("usd_per_gpu_hour", hour) + " per GPU-hour"
                                      : shown("usd_per_system", quote.find("usd_per_system")) + " per server",
                      shown(quote.find("term")), shown(quote.find("state"))});
    }
  }
  if (rows.size() == 1) return;
  out.title("Quotes");
  out.table(rows);
}

namespace {

/// Is it a sentence, or a message, that one of the risks holds?
bool is_told(const JsonNode& said, const std::vector<JsonNode>& risks) {
  const std::string text = said.is_object() ? member_text(said, "message") : said.text;
  return std::any_of(risks.begin(), risks.end(), [&](const JsonNode& risk) {
    return member_text(risk, "message").find(text) != std::string::npos;
  });
}

/// A part of the answer without the cautions that stand among the risks.
JsonNode without_told(const JsonNode& part, const std::vector<JsonNode>& risks) {
  JsonNode left = part;
  left.items.clear();
  left.keys.clear();
  for (std::size_t i = 0; i < part.items.size(); ++i) {
    JsonNode item = part.items[i];
    if (part.keys[i] == "caution" && is_told(item, risks)) continue;
    if (part.keys[i] == "cautions")
      std::erase_if(item.items, [&](const JsonNode& caution) { return is_told(caution, risks); });
    left.keys.push_back(part.keys[i]);
    left.items.push_back(std::move(item));
  }
  return left;
}

}  // namespace

void plan_money_text(Page& out, const JsonNode& plan) {
  const JsonNode* whole = plan.find("cost");
  if (whole == nullptr) return;
  JsonNode told_once = *whole;
  for (JsonNode& part : told_once.items)
    if (part.is_object()) part = without_told(part, items_of(plan, "risks"));
  const JsonNode* cost = &told_once;
  section(out, "Owning all of it", cost->find("on_premises"));
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
}

void cost_text(Page& out, const JsonNode& answer) {
  if (const JsonNode* summary = answer.find("summary")) out.paragraph(summary->text);
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
  section(out, "Failures of the fleet", answer.find("fleet"));
  section(out, "Carbon", answer.find("carbon"));
  section(out, "What published break-evens say of the cloud's price", answer.find("published_break_evens"));
  market(out, answer.find("market"));
  sentences(out, "Missing, and therefore absent", answer.find("missing"));
  sentences(out, "Look out", answer.find("cautions"));
  sentences(out, "Not modelled yet, and therefore absent", answer.find("not_modelled"));
  assumed(out, answer);
}

}  // namespace podwright::cli
