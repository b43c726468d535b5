#include <algorithm>
#include <vector>

#include "api/one_run.h"
#include "base/number_text.h"
#include "cli/answer_lines.h"
#include "cli/print_answer.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

/// In the words of the search: copies of a model that serves are replicas; in training `data` says it.
std::string sizes_text(const JsonNode* parallelism, bool serves) {
  if (parallelism == nullptr) return "-";
  std::string text;
  for (std::size_t i = 0; i < parallelism->items.size(); ++i) {
    const JsonNode& size = parallelism->items[i];
    if (!size.is_number() || size.number <= 1 || parallelism->keys[i] == "zero_stage") continue;
    const std::string& key = parallelism->keys[i];
    text += (text.empty() ? ""
             : serves     ? ", "
                          : " x ") +
            (serves && key == "data" ? "replicas" : key) + " " + shown(&size);
  }
  return text.empty() ? "one GPU" : text;
}

std::string layout_text(const JsonNode& layout) {
  const JsonNode* pools = layout.find("pools");
  const bool serves = layout.find("weight_precision") != nullptr || pools != nullptr;
  std::string text = sizes_text(layout.find("parallelism"), serves);
  if (pools != nullptr)
    text = "prefill " + sizes_text(at(*pools, {"prefill", "parallelism"}), serves) + " + decode " +
           sizes_text(at(*pools, {"decode", "parallelism"}), serves);
  if (const JsonNode* drafted = layout.find("draft_tokens")) text += ", draft tokens " + shown(drafted);
  const JsonNode* weights = layout.find("weight_precision");
  if (weights == nullptr) weights = layout.find("precision");
  return weights == nullptr ? text : text + ", " + weights->text;
}

/// Of the first workload of a kind; null where the plan has none.
RowField of_estimate(const std::string& path) {
  RowField field = at_path(path);
  return {.name = path, .value = [of = field.value](const JsonNode& plan) -> const JsonNode* {
            for (const JsonNode& estimate : items_of(plan, "estimates"))
              if (const JsonNode* value = of(estimate)) return value;
            return nullptr;
          }};
}

/// What the plan is judged by, in the words that the page shows too.
Rows headlines_rows(const JsonNode& plan) {
  Rows rows{{"", "", "90 % interval", "target", "kept with"}};
  const bool several = items_of(plan, "layouts").size() > 1;
  for (const JsonNode& headline : items_of(plan, "headlines")) {
    const auto text = [&](const char* key) {
      const JsonNode* found = at(headline, {key, "text"});
      return found == nullptr ? std::string() : found->text;
    };
    const std::string workload = member_text(headline, "workload");
    const std::string statistic = member_text(headline, "statistic");
    const std::string low = text("low");
    const std::string id = member_text(headline, "id");
    const JsonNode* owned = member_text(plan, "way") == "hybrid" ? at(plan, {"cost", "hybrid", "own_gpus"}) : nullptr;
    const std::string name = id == "cost_per_year" && is_one_run(plan) ? "cost of the run"
                             : id == "purchase" && owned != nullptr
                                 ? "purchase of " + human_number(owned->number, 12) + " GPUs"
                                 : words_of_key(id);
    rows.push_back({(several && !workload.empty() ? workload + ": " : "") + name +
                        (statistic.empty() || statistic == "typical" ? "" : ", " + statistic),
                    text("value"), low.empty() ? "" : low + " to " + text("high"), text("target"),
                    text("probability")});
  }
  return rows;
}

bool has_chance_of_latency(const JsonNode& plan) {
  const std::vector<JsonNode>& headlines = items_of(plan, "headlines");
  return std::any_of(headlines.begin(), headlines.end(), [](const JsonNode& headline) {
    return member_text(headline, "id").ends_with("_token") && headline.find("probability") != nullptr;
  });
}

void loads_text(Page& out, const JsonNode& answer) {
  for (const JsonNode& load : items_of(answer, "loads")) {
    const auto number = [&](const char* key) { return human_number(load.find(key)->number); };
    std::string text = "Load of " + member_text(load, "workload") + ": " + number("peak_requests_per_s") +
                       " requests/s at the peak, " + number("mean_requests_per_s") + " on average";
    if (load.find("users") != nullptr) text += "; " + number("users") + " users at once";
    const double tokens = load.find("tokens_per_day")->number;
    out.line(text + "; " + (tokens >= 1e9 ? human_number(tokens / 1e9) + " billion" : human_number(tokens)) +
             " tokens per day");
  }
}

constexpr std::string_view kFitProbability = "fit_probability";

void memory_text(Page& out, const JsonNode& estimate) {
  const JsonNode* memory = estimate.find("memory_per_gpu");
  if (memory == nullptr || memory->items.empty()) return;
  const std::string workload = shown(estimate.find("workload"));
  out.title(workload, 3);
  Rows rows{{"memory per GPU", "GiB"}};
  for (std::size_t i = 0; i < memory->items.size(); ++i)
    if (memory->keys[i] != kFitProbability)
      rows.push_back({words_of_key(memory->keys[i]), shown(&memory->items[i], 3)});
  out.table(rows);
  if (const JsonNode* fits = memory->find(kFitProbability))
    out.line("It fits with a probability of " + percent_text(fits->number) + ".");
  if (const JsonNode* day = estimate.find("day")) out.table(rows_of(items_of(*day, "hours_of_day")));
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
  out += (out.empty() ? "" : "; ") + at + ": " + short_json(to);
  if (from != nullptr) out += " instead of " + short_json(*from);
}

/// Reasons that are the same but for the name of the GPU stand once, in the order of the answer: nearest first.
void nothing_fits_text(Page& out, const JsonNode& request, const JsonNode& answer) {
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
  out.line("No plan fits.");
  out.title("Why, nearest first");
  for (const Reason& reason : reasons) {
    out.bullet((reason.gpus.empty() ? "" : reason.gpus + ": ") + reason.text);
    for (const std::string& way_out : reason.ways_out) out.below_bullet("way out: " + way_out);
  }
}

}  // namespace

std::vector<RowColumn> plan_columns(const JsonNode& answer) {
  const std::vector<JsonNode>& plans = items_of(answer, "plans");
  const auto any_has = [&](const std::string& path) {
    return std::any_of(plans.begin(), plans.end(),
                       [of = of_estimate(path)](const JsonNode& plan) { return of.value(plan) != nullptr; });
  };
  const auto layout = [](const JsonNode& plan, std::size_t) {
    const std::vector<JsonNode>& layouts = items_of(plan, "layouts");
    return layouts.empty() ? "-" : layout_text(layouts.front());
  };
  std::vector<RowColumn> columns{
      value_column("#", "rank"),
      {.head = "GPUs",
       .text = [](const JsonNode& plan,
                  std::size_t) { return shown(plan.find("gpu_count")) + " x " + shown(plan.find("gpu")); },
       .fields = {at_path("gpu_count"), at_path("gpu")}},
      value_column("nodes", "architecture.nodes"),
      {.head = "layout", .text = layout, .text_name = "layout"}};
  if (any_has("latency.tpot_s")) {
    columns.push_back(number_column("TTFT s", of_estimate("latency.ttft_s"), 1));
    columns.back().fields.push_back(of_estimate("latency.ttft_s_p95"));
    columns.push_back(number_column("ms/token", of_estimate("latency.tpot_s"), 1e3));
    columns.back().fields.push_back(of_estimate("latency.tpot_s_p95"));
  }
  if (any_has("run.time_days")) columns.push_back(number_column("days", of_estimate("run.time_days"), 1));
  const bool sites = !plans.empty() && plans.front().find("all_sites") != nullptr;
  const std::string site = sites ? ", a site" : "";
  const bool one_run = !plans.empty() && std::all_of(plans.begin(), plans.end(), is_one_run);
  columns.push_back(
      money_column((one_run ? "rent of the run" : "rent/year") + site, "cost.cloud.as_needed_usd_per_year"));
  columns.push_back(money_column("own/year" + site, "cost.on_premises.annual_usd"));
  columns.back().fields.push_back(at_path("cost.on_premises.capex_usd"));
  columns.push_back(money_column(sites ? "ranked by, all sites" : "ranked by", "ranked_by_usd_per_year"));
  const auto way = [](const JsonNode& plan, std::size_t) {
    return shown(plan.find("way")) + (items_of(plan, "unchecked").empty() ? "" : ", limits unchecked");
  };
  columns.push_back({.head = "way", .text = way, .fields = {at_path("way")}});
  return columns;
}

void plan_text(Page& out, const JsonNode& request, const JsonNode& answer) {
  const JsonNode* plans = answer.find("plans");
  if (plans->items.empty()) {
    nothing_fits_text(out, request, answer);
  } else {
    const JsonNode& best = plans->items[0];
    if (const JsonNode* most = at(answer, {"goal", "message"})) {
      out.paragraph(most->text);
      out.gap();
    }
    out.paragraph(member_text(best, "summary"));
    out.gap();
    for (const JsonNode& estimate : items_of(best, "estimates")) model_notes_text(out, estimate);
    for (const JsonNode& layout : items_of(best, "layouts")) batch_text(out, layout);
    out.table(headlines_rows(best));
    if (has_chance_of_latency(best))
      out.line("The chances also count that the GPUs may not complete the whole load; the intervals do not.");
    loads_text(out, answer);
    out.gap();
    out.table(text_rows(plan_columns(answer), plans->items));
    for (const JsonNode& estimate : items_of(best, "estimates")) memory_text(out, estimate);
    if (const JsonNode* title = at(best, {"architecture", "title"})) {
      out.gap();
      out.paragraph("Design: " + title->text);
    }
    if (const Rows ways = plan_ways_rows(best); ways.size() > 1) {
      out.gap();
      out.table(ways);
    }
    if (const JsonNode* decision = at(best, {"decision", "message"})) {
      out.gap();
      out.paragraph(decision->text);
    }
    sentences(out, "What speaks for which way", best.find("decision_factors"));
    sentences(out, "No price, so no sum", at(best, {"cost", "missing"}));
    sentences(out, "Why this one", best.find("reasons"));
    plan_money_text(out, best);
    quotes_text(out, *plans);
    const bool trains = std::any_of(items_of(best, "layouts").begin(), items_of(best, "layouts").end(),
                                    [](const JsonNode& one) { return one.find("global_batch_size") != nullptr; });
    if (trains && items_of(answer, "exports").empty()) {
      out.gap();
      out.paragraph(
          "Files that start the training (Slurm, Kubeflow, torchrun) and prove its memory: add --export all -o "
          "FOLDER.");
    }
    sentences(out, "Risks", best.find("risks"));
    sentences(out, "What would change the decision", answer.find("what_would_change_the_decision"));
  }
  if (!plans->items.empty()) sentences(out, "Rejected", answer.find("rejected"));
  sentences(out, "Not modelled yet, and therefore absent", answer.find("not_modelled"));
  assumed(out, answer);
}

void answer_text(Page& out, const JsonNode& answer) {
  model_notes_text(out, answer);
  JsonNode told{.type = JsonType::object};
  for (std::size_t i = 0; i < answer.items.size(); ++i) {
    if (answer.keys[i] == "trace" || answer.keys[i] == "assumptions" || answer.keys[i] == "unread_model_fields" ||
        answer.keys[i] == "model_notes")
      continue;
    told.keys.push_back(answer.keys[i]);
    told.items.push_back(answer.items[i]);
  }
  members(out, told, 5);
}

}  // namespace podwright::cli
