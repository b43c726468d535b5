#include <algorithm>
#include <vector>

#include "base/number_text.h"
#include "cli/answer_lines.h"
#include "cli/print_answer.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

std::vector<RowColumn> layout_columns() {
  const auto gpus = [](const JsonNode& layout, std::size_t) {
    return shown(layout.find("gpu_count")) + " x " + member_text(layout, "gpu") + " " +
           member_text(layout, "precision");
  };
  return {place_column(),
          {.head = "GPUs", .text = gpus, .fields = {at_path("gpu_count"), at_path("gpu"), at_path("precision")}},
          value_column("t", "parallelism.tensor"),
          value_column("p", "parallelism.pipeline"),
          value_column("v", "parallelism.virtual_pipeline"),
          value_column("c", "parallelism.context"),
          value_column("e", "parallelism.expert"),
          value_column("d", "parallelism.data"),
          number_column("b", at_path("micro_batch_size")),
          value_column("ZeRO", "parallelism.zero_stage"),
          word_column("recompute", "activation_recompute"),
          number_column("step s", at_path("step.time_s")),
          number_column("MFU %", at_path("throughput.mfu"), 100),
          number_column("GiB", at_path("memory_per_gpu.total_gib")),
          number_column("days", at_path("run.time_days")),
          money_column("cost", "run.cost_usd"),
          number_column("MWh", at_path("run.energy_kwh"), 1e-3)};
}

/// A latency that the table shows: at the percentile of the first limit on it, else at the 95th.
struct ShownLatency {
  std::string key;   ///< of `latency`: "ttft_s_p99"
  std::string head;  ///< "ttft p99 s"
  double times = 1;
};

ShownLatency shown_latency(const JsonNode& deployment, const std::string& kind, double times, const std::string& unit) {
  std::string percentile = "_p95";
  for (const JsonNode& limit : items_of(deployment, "limits")) {
    // "ttft_s_p99_max", of the mean "ttft_s_max".
    const std::string& key = limit.find("limit")->text;
    if (!key.starts_with(kind + "_s")) continue;
    percentile = key.substr(kind.size() + 2, key.size() - kind.size() - 2 - 4);
    break;
  }
  return {.key = kind + "_s" + percentile,
          .head = kind + " " + (percentile.empty() ? "mean" : percentile.substr(1)) + " " + unit,
          .times = times};
}

/// The probability of the least sure of its limits.
const JsonNode* least_sure(const JsonNode& deployment) {
  const JsonNode* least = nullptr;
  for (const JsonNode& limit : items_of(deployment, "limits")) {
    const JsonNode* share = limit.find("probability");
    if (share != nullptr && (least == nullptr || share->number < least->number)) least = share;
  }
  return least;
}

/// The same in percent.
std::string sure_text(const JsonNode& deployment) {
  const JsonNode* least = least_sure(deployment);
  if (least == nullptr) return "-";
  return least->number > 0.99 ? ">99" : fixed_number(100 * least->number, 0);
}

/// "16 x b200-sxm"; of slices "2 x 1g.10gb of h100-sxm5-80gb".
std::string gpus_text(const JsonNode& d) {
  const JsonNode* slice = d.find("slice");
  if (slice == nullptr) return shown(d.find("gpu_count")) + " x " + member_text(d, "gpu");
  return shown(slice->find("count")) + " x " + member_text(*slice, "profile") + " of " + member_text(d, "gpu");
}

std::vector<RowColumn> deployment_columns(const std::vector<JsonNode>& deployments) {
  const JsonNode none;
  const JsonNode& first = deployments.empty() ? none : deployments.front();
  const ShownLatency ttft = shown_latency(first, "ttft", 1, "s");
  const ShownLatency tpot = shown_latency(first, "tpot", 1e3, "ms");
  const bool slices = first.find("slice") != nullptr;
  return {place_column(),
          {.head = slices ? "slices" : "GPUs",
           .text = [](const JsonNode& d, std::size_t) { return gpus_text(d); },
           .fields = {at_path("gpu_count"), at_path("gpu")}},
          word_column("engine", "engine"),
          number_column(ttft.head, at_path("latency." + ttft.key), ttft.times),
          number_column(tpot.head, at_path("latency." + tpot.key), tpot.times),
          {.head = "P(limit) %",
           .text = [](const JsonNode& d, std::size_t) { return sure_text(d); },
           .fields = {{"limits.probability", [](const JsonNode& d) { return least_sure(d); }}}},
          number_column(slices ? "tokens/s/slice" : "tokens/s/GPU", at_path("throughput.output_tokens_per_s_per_gpu")),
          number_column("most req/s", at_path("max_requests_per_s")),
          money_column("USD/h", "cost.usd_per_hour"),
          money_column("USD/M out", "cost.usd_per_million_output_tokens"),
          word_column("layout", "layout")};
}

void whys_text(Page& out, const std::vector<JsonNode>& found) {
  out.title("Why the first");
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i == 1) out.title("What the others lack");
    for (const JsonNode& sentence : items_of(found[i], "why"))
      out.bullet((i == 0 ? "" : "#" + std::to_string(i + 1) + ": ") + sentence.text);
  }
}

/// A command over several lines, as a shell takes it.
std::string shell_lines(const std::string& command, const std::vector<JsonNode>& arguments) {
  std::string out = "  " + command;
  std::size_t column = display_width(out);
  for (const JsonNode& argument : arguments) {
    const std::size_t width = display_width(argument.text);
    if (column + 1 + width + 2 > kTextWidth) {
      out += " \\\n   ";
      column = 3;
    }
    out += " " + argument.text;
    column += 1 + width;
  }
  return out + "\n";
}

/// ", the prefill pool" or ", the router" of a program whose environment says what it is.
std::string pool_of(const std::vector<JsonNode>& environment) {
  constexpr std::string_view kPool = "POOL=";
  if (environment.empty() || !environment.front().text.starts_with(kPool)) return "";
  const std::string name = environment.front().text.substr(kPool.size());
  return name == "router" ? ", the router in front of the pools" : ", the " + name + " pool";
}

/// A program with its arguments, as lines for a shell or of a file.
void launch_text(Page& out, const JsonNode& program) {
  const std::string name = member_text(program, "program");
  const std::vector<JsonNode>& environment = items_of(program, "environment");
  out.title("Start: " + name + pool_of(environment));
  for (const JsonNode& sentence : items_of(program, "cannot")) out.bullet("cannot start it: " + sentence.text);
  std::string lines;
  for (const JsonNode& variable : environment) lines += "  export " + variable.text + "\n";
  const std::vector<JsonNode>& arguments = items_of(program, "arguments");
  // Arguments of Megatron-LM are those of its script.
  if (!arguments.empty() && member_text(program, "form") == "command-line")
    lines += shell_lines(name == "megatron-lm" ? "pretrain_gpt.py" : name, arguments);
  else
    for (const JsonNode& line : arguments) lines += "  " + line.text + "\n";
  if (!lines.empty()) out.code(lines);
}

void rejected_text(Page& out, const std::vector<JsonNode>& rejected) {
  std::vector<const JsonNode*> reasons;
  for (const JsonNode& reason : rejected) reasons.push_back(&reason);
  std::stable_sort(reasons.begin(), reasons.end(), [](const JsonNode* a, const JsonNode* b) {
    return a->find("count")->number > b->find("count")->number;
  });
  for (const JsonNode* reason : reasons) {
    std::string code = member_text(*reason, "code");
    std::replace(code.begin(), code.end(), '-', ' ');
    out.bullet(shown(reason->find("count")) + " " + code + "; nearest " + member_text(*reason, "nearest") + ": " +
               member_text(*reason, "message"));
  }
}

void reasons_text(Page& out, const JsonNode& answer) {
  out.title("Why");
  for (const JsonNode& reason : items_of(answer, "reasons")) {
    out.bullet(member_text(reason, "message"));
    for (const JsonNode& patch : items_of(reason, "ways_out")) out.below_bullet("way out: " + short_json(patch));
  }
}

void found_text(Page& out, const JsonNode& answer, const std::vector<JsonNode>& found) {
  out.table(text_rows(search_columns(answer), found));
  if (const JsonNode* provider = at(found.front(), {"run", "provider"}))
    out.line("The cost of the first is at the list price on demand of " + provider->text + ", " +
             shown("usd_per_hour", at(found.front(), {"run", "usd_per_gpu_hour"})) + " per GPU-hour.");
  whys_text(out, found);
  if (const std::vector<JsonNode>& slices = items_of(answer, "slices"); !slices.empty()) {
    out.title("Slices of a GPU (MIG) that carry it, at the price of their share; other work fills the rest");
    out.table(text_rows(deployment_columns(slices), slices));
  }
  for (const JsonNode& program : items_of(answer, "launch")) launch_text(out, program);
  const std::vector<JsonNode>& files = items_of(answer, "exports");
  const bool written = std::any_of(files.begin(), files.end(),
                                   [](const JsonNode& file) { return file.find("name")->text == "kubernetes.yaml"; });
  if (!written && at(answer, {"kubernetes", "yaml"}) != nullptr) {
    out.gap();
    out.line("A Kubernetes manifest is in the answer of --json.");
  }
  if (const JsonNode* kubernetes = answer.find("kubernetes"))
    for (const JsonNode& sentence : items_of(*kubernetes, "cannot")) {
      out.gap();
      out.paragraph("No Kubernetes manifest: " + sentence.text);
    }
}

}  // namespace

std::vector<RowColumn> search_columns(const JsonNode& answer) {
  const JsonNode* deployments = answer.find("deployments");
  return deployments == nullptr ? layout_columns() : deployment_columns(deployments->items);
}

void search_text(Page& out, const JsonNode& answer) {
  const bool serving = answer.find("deployments") != nullptr;
  const std::vector<JsonNode>& found = items_of(answer, serving ? "deployments" : "layouts");
  const std::string counted =
      serving
          ? shown(answer.find("evaluated")) + " layouts evaluated, " + shown(answer.find("pruned")) +
                " of them left early, because even full they cost more."
          : shown(answer.find("legal_layouts")) + " legal layouts, " + shown(answer.find("evaluated")) + " evaluated.";
  model_notes_text(out, answer);
  batch_text(out, answer);
  if (found.empty()) {
    out.line((serving ? "No deployment" : "No layout") + std::string(" is possible."));
    reasons_text(out, answer);
  } else {
    found_text(out, answer, found);
  }
  const std::vector<JsonNode>& rejected = items_of(answer, "rejected");
  out.gap();
  out.line(wrapped(counted, kTextWidth, 0) + (rejected.empty() ? "" : " Left out:"));
  rejected_text(out, rejected);
  sentences(out, "Not modelled yet, and therefore absent", answer.find("not_modelled"));
}

}  // namespace podwright::cli
