#include <algorithm>
#include <vector>

#include "base/number_text.h"
#include "cli/answer_lines.h"
#include "cli/print_answer.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

std::string sizes_text(const JsonNode* parallelism) {
  if (parallelism == nullptr) return "-";
  std::string text;
  for (std::size_t i = 0; i < parallelism->items.size(); ++i) {
    const JsonNode& size = parallelism->items[i];
    if (!size.is_number() || size.number <= 1 || parallelism->keys[i] == "zero_stage") continue;
    text += (text.empty() ? "" : " x ") + parallelism->keys[i] + " " + shown(&size);
  }
  return text.empty() ? "one GPU" : text;
}

std::string layout_text(const JsonNode& layout) {
  const JsonNode* pools = layout.find("pools");
  std::string text = sizes_text(layout.find("parallelism"));
  if (pools != nullptr)
    text = "prefill " + sizes_text(at(*pools, {"prefill", "parallelism"})) + " + decode " +
           sizes_text(at(*pools, {"decode", "parallelism"}));
  if (const JsonNode* drafted = layout.find("draft_tokens")) text += ", draft tokens " + shown(drafted);
  const JsonNode* weights = layout.find("weight_precision");
  if (weights == nullptr) weights = layout.find("precision");
  return weights == nullptr ? text : text + ", " + weights->text;
}

/// Of the first workload of a kind; "-" where the plan has none.
std::string of_estimate(const JsonNode& plan, std::initializer_list<std::string_view> path, double times) {
  for (const JsonNode& estimate : items_of(plan, "estimates"))
    if (const JsonNode* value = at(estimate, path)) return human_number(value->number * times);
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
  if (at(plans.items.front(), {"all_sites"}) != nullptr)
    rows[0].insert(rows[0].end(), {"scaled rent/year, a site", "own/year, a site", "ranked by, all sites", "way"});
  else
    rows[0].insert(rows[0].end(), {"scaled rent/year", "own/year", "ranked by", "way"});
  for (const JsonNode& plan : plans.items) {
    const std::vector<JsonNode>& layouts = items_of(plan, "layouts");
    std::vector<std::string> row{
        shown(plan.find("rank")), shown(plan.find("gpu_count")) + " x " + shown(plan.find("gpu")),
        shown(at(plan, {"architecture", "nodes"})), layouts.empty() ? "-" : layout_text(layouts.front())};
    if (serves) {
      row.push_back(of_estimate(plan, {"latency", "ttft_s"}, 1));
      row.push_back(of_estimate(plan, {"latency", "tpot_s"}, 1e3));
    }
    if (trains) row.push_back(of_estimate(plan, {"run", "time_days"}, 1));
    row.push_back(dollars(at(plan, {"cost", "cloud", "as_needed_usd_per_year"})));
    row.push_back(dollars(at(plan, {"cost", "on_premises", "annual_usd"})));
    row.push_back(dollars(plan.find("ranked_by_usd_per_year")));
    row.push_back(shown(plan.find("way")) + (items_of(plan, "unchecked").empty() ? "" : ", limits unchecked"));
    rows.push_back(std::move(row));
  }
  return text_table(rows);
}

/// What the plan is judged by, in the words that the page shows too.
std::string headlines_text(const JsonNode& plan) {
  std::vector<std::vector<std::string>> rows{{"", "", "90 % interval", "target", "kept with"}};
  const bool several = items_of(plan, "layouts").size() > 1;
  for (const JsonNode& headline : items_of(plan, "headlines")) {
    const auto text = [&](const char* key) {
      const JsonNode* found = at(headline, {key, "text"});
      return found == nullptr ? std::string() : found->text;
    };
    const std::string workload = member_text(headline, "workload");
    const std::string statistic = member_text(headline, "statistic");
    const std::string low = text("low");
    rows.push_back({(several && !workload.empty() ? workload + ": " : "") + words_of_key(member_text(headline, "id")) +
                        (statistic.empty() || statistic == "typical" ? "" : ", " + statistic),
                    text("value"), low.empty() ? "" : low + " to " + text("high"), text("target"),
                    text("probability")});
  }
  return text_table(rows);
}

std::string loads_text(const JsonNode& answer) {
  std::string out;
  for (const JsonNode& load : items_of(answer, "loads")) {
    const auto number = [&](const char* key) { return human_number(load.find(key)->number); };
    out += "Load of " + member_text(load, "workload") + ": " + number("peak_requests_per_s") +
           " requests/s at the peak, " + number("mean_requests_per_s") + " on average";
    if (load.find("users") != nullptr) out += "; " + number("users") + " users at once";
    const double tokens = load.find("tokens_per_day")->number;
    out +=
        "; " + (tokens >= 1e9 ? human_number(tokens / 1e9) + " billion" : human_number(tokens)) + " tokens per day\n";
  }
  return out;
}

std::string memory_lines(const JsonNode& estimate) {
  const JsonNode* memory = estimate.find("memory_per_gpu");
  if (memory == nullptr) return "";
  std::vector<std::vector<std::string>> rows{{"memory per GPU", "GiB"}};
  for (std::size_t i = 0; i < memory->items.size(); ++i)
    rows.push_back({words_of_key(memory->keys[i]), shown(&memory->items[i], 3)});
  return text_table(rows);
}

std::string day_lines(const JsonNode& estimate) {
  const JsonNode* day = estimate.find("day");
  return day == nullptr ? "" : table_of(items_of(*day, "hours_of_day"));
}

/// A reason, the GPUs that it is about, and patches that would lift it.
struct Reason {
  std::string gpus;
  std::string text;     ///< of a single GPU
  std::string general;  ///< of several
  std::vector<std::string> ways_out;
};

std::string general_text(std::string text, const std::string& gpu) {
  for (std::size_t at = 0; !gpu.empty() && (at = text.find(gpu, at)) != std::string::npos;)
    text.replace(at, gpu.size(), "the GPU");
  return text;
}

/// "/workloads/0/ttft_s_p95_max: 2.9 instead of 1.5" for each value that `to` changes; null for what is not there.
void changes_between(const JsonNode* from, const JsonNode& to, const std::string& at, std::string& out) {
  const bool inside = to.is_object() || (to.is_list() && from != nullptr && from->items.size() == to.items.size() &&
                                         !to.items.empty() && to.items.front().is_object());
  for (std::size_t i = 0; inside && i < to.items.size(); ++i) {
    const JsonNode* before = from == nullptr ? nullptr : to.is_object() ? from->find(to.keys[i]) : &from->items[i];
    changes_between(before, to.items[i], at + "/" + (to.is_object() ? to.keys[i] : std::to_string(i)), out);
  }
  if (inside || (from != nullptr && json_text(*from) == json_text(to))) return;
  out += (out.empty() ? "" : "; ") + at + ": " + json_text(to);
  if (from != nullptr) out += " instead of " + json_text(*from);
}

/// Reasons that are the same but for the name of the GPU stand once, in the order of the answer: nearest first.
std::string nothing_fits_text(const JsonNode& request, const JsonNode& answer) {
  std::vector<Reason> reasons;
  for (const JsonNode& item : items_of(answer, "rejected")) {
    const std::string gpu = member_text(item, "gpu_name");
    const std::string text = member_text(item, "message");
    const std::string general = general_text(text, gpu);
    auto same = std::find_if(reasons.begin(), reasons.end(), [&](const Reason& one) { return one.general == general; });
    if (same == reasons.end())
      same = reasons.insert(reasons.end(), {.gpus = gpu, .text = text, .general = general, .ways_out = {}});
    else
      *same = {.gpus = same->gpus + ", " + gpu, .text = general, .general = general, .ways_out = same->ways_out};
    for (const JsonNode& patch : items_of(item, "ways_out")) {
      std::string way_out;
      changes_between(&request, patch, "", way_out);
      if (std::find(same->ways_out.begin(), same->ways_out.end(), way_out) == same->ways_out.end())
        same->ways_out.push_back(way_out);
    }
  }
  std::string out = "No plan fits.\n";
  title_of(out, "Why, nearest first");
  for (const Reason& reason : reasons) {
    out += bullet((reason.gpus.empty() ? "" : reason.gpus + ": ") + reason.text);
    for (const std::string& way_out : reason.ways_out) out += "      way out: " + way_out + "\n";
  }
  return out;
}

}  // namespace

std::string plan_text(const JsonNode& request, const JsonNode& answer) {
  std::string out;
  const JsonNode* plans = answer.find("plans");
  if (plans->items.empty()) {
    out += nothing_fits_text(request, answer);
  } else {
    const JsonNode& best = plans->items[0];
    if (const JsonNode* most = at(answer, {"goal", "message"})) out += paragraph(most->text) + "\n";
    out += paragraph(member_text(best, "summary")) + "\n" + headlines_text(best) + loads_text(answer) + "\n" +
           plans_table(*plans);
    for (const JsonNode& estimate : items_of(best, "estimates"))
      if (const std::string memory = memory_lines(estimate); !memory.empty())
        out += "\n" + shown(estimate.find("workload")) + "\n" + memory + day_lines(estimate);
    if (const JsonNode* title = at(best, {"architecture", "title"})) out += "\n" + paragraph("Design: " + title->text);
    if (const std::string ways = plan_ways_text(best); !ways.empty()) out += "\n" + ways;
    if (const JsonNode* decision = at(best, {"decision", "message"})) out += "\n" + paragraph(decision->text);
    sentences(out, "What speaks for which way", best.find("decision_factors"));
    sentences(out, "No price, so no sum", at(best, {"cost", "missing"}));
    sentences(out, "Why this one", best.find("reasons"));
    out += plan_money_text(best);
    out += quotes_text(*plans);
    sentences(out, "Risks", best.find("risks"));
    sentences(out, "What would change the decision", answer.find("what_would_change_the_decision"));
  }
  if (!plans->items.empty()) sentences(out, "Rejected", answer.find("rejected"));
  sentences(out, "Not modelled yet, and therefore absent", answer.find("not_modelled"));
  assumed(out, answer);
  return out;
}

std::string answer_text(const JsonNode& answer) {
  std::string out;
  for (std::size_t i = 0; i < answer.items.size(); ++i)
    if (const std::string& key = answer.keys[i]; key != "trace" && key != "assumptions")
      member(out, key, answer.items[i], 0, 5);
  return out;
}

}  // namespace podwright::cli
