#include "cli/print_cost.h"

#include <vector>

#include "cli/answer_lines.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

void ways(std::string& out, const JsonNode* decision) {
  if (decision == nullptr) return;
  Rows rows{{"way", "in today's money", "level, a year"}};
  for (const JsonNode& way : decision->find("ways")->items)
    rows.push_back({shown(way.find("way")), shown("npv_usd", way.find("npv_usd")),
                    shown("usd_per_year", way.find("usd_per_year"))});
  title_of(out, "The options, cheapest first");
  out += text_table(rows);
}

void market(std::string& out, const JsonNode* node) {
  if (node == nullptr) return;
  Rows rows{{"term", "offers", "providers", "lowest", "median", "highest", "oldest", "newest", "stale"}};
  for (const JsonNode& term : node->find("terms")->items)
    rows.push_back({shown(term.find("term")), shown(term.find("offers")), shown(term.find("providers")),
                    shown("usd_per_gpu_hour", term.find("lowest_usd_per_gpu_hour")),
                    shown("usd_per_gpu_hour", term.find("median_usd_per_gpu_hour")),
                    shown("usd_per_gpu_hour", term.find("highest_usd_per_gpu_hour")), shown(term.find("oldest_as_of")),
                    shown(term.find("newest_as_of")), shown(term.find("stale_offers"))});
  title_of(out, "List prices of " + shown(node->find("gpu")) + " per GPU-hour");
  out += text_table(rows);
  for (const JsonNode& term : node->find("terms")->items) {
    const JsonNode* ranking = term.find("ranking");
    if (ranking == nullptr || ranking->items.empty()) continue;
    out += "\n" + term.find("term")->text + ", smallest bill first\n" + table_of(*ranking);
  }
  out += paragraph(shown(node->find("note")));
}

}  // namespace

std::string cost_text(const JsonNode& answer) {
  std::string out;
  if (const JsonNode* summary = answer.find("summary")) out += paragraph(summary->text);
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
  return out;
}

}  // namespace podwright::cli
