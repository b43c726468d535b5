#include <algorithm>
#include <vector>

#include "base/number_text.h"
#include "cli/answer_lines.h"
#include "cli/print_answer.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string layouts_table(const std::vector<JsonNode>& layouts) {
  Rows rows{{"#", "GPUs", "t", "p", "v", "c", "e", "d", "b", "ZeRO", "recompute", "step s", "MFU %", "GiB", "days",
             "cost", "MWh"}};
  for (const JsonNode& layout : layouts) {
    const auto size = [&](std::string_view key) { return shown(at(layout, {"parallelism", key})); };
    rows.push_back(
        {std::to_string(rows.size()),
         shown(layout.find("gpu_count")) + " x " + member_text(layout, "gpu") + " " + member_text(layout, "precision"),
         size("tensor"), size("pipeline"), size("virtual_pipeline"), size("context"), size("expert"), size("data"),
         number_text(layout.find("micro_batch_size")), size("zero_stage"), member_text(layout, "activation_recompute"),
         number_text(at(layout, {"step", "time_s"})), number_text(at(layout, {"throughput", "mfu"}), 100),
         number_text(at(layout, {"memory_per_gpu", "total_gib"})), number_text(at(layout, {"run", "time_days"})),
         dollars(at(layout, {"run", "cost_usd"})), number_text(at(layout, {"run", "energy_kwh"}), 1e-3)});
  }
  return text_table(rows);
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

/// The least sure of its limits, percent.
std::string sure_text(const JsonNode& deployment) {
  const JsonNode* least = nullptr;
  for (const JsonNode& limit : items_of(deployment, "limits")) {
    const JsonNode* share = limit.find("probability");
    if (share != nullptr && (least == nullptr || share->number < least->number)) least = share;
  }
  if (least == nullptr) return "-";
  return least->number > 0.99 ? ">99" : fixed_number(100 * least->number, 0);
}

/// "16 x b200-sxm"; of slices "2 x 1g.10gb of h100-sxm5-80gb".
std::string gpus_text(const JsonNode& d) {
  const JsonNode* slice = d.find("slice");
  if (slice == nullptr) return shown(d.find("gpu_count")) + " x " + member_text(d, "gpu");
  return shown(slice->find("count")) + " x " + member_text(*slice, "profile") + " of " + member_text(d, "gpu");
}

std::string deployments_table(const std::vector<JsonNode>& deployments) {
  const JsonNode& first = deployments.front();
  const ShownLatency ttft = shown_latency(first, "ttft", 1, "s");
  const ShownLatency tpot = shown_latency(first, "tpot", 1e3, "ms");
  const bool slices = first.find("slice") != nullptr;
  Rows rows{{"#", slices ? "slices" : "GPUs", "engine", ttft.head, tpot.head, "P(limit) %",
             slices ? "tokens/s/slice" : "tokens/s/GPU", "most req/s", "USD/h", "USD/M out", "layout"}};
  for (const JsonNode& d : deployments) {
    const auto latency = [&](const ShownLatency& shown) {
      return number_text(at(d, {"latency", shown.key}), shown.times);
    };
    rows.push_back({std::to_string(rows.size()), gpus_text(d), member_text(d, "engine"), latency(ttft), latency(tpot),
                    sure_text(d), number_text(at(d, {"throughput", "output_tokens_per_s_per_gpu"})),
                    number_text(d.find("max_requests_per_s")), dollars(at(d, {"cost", "usd_per_hour"})),
                    dollars(at(d, {"cost", "usd_per_million_output_tokens"})), member_text(d, "layout")});
  }
  return text_table(rows);
}

std::string whys_text(const std::vector<JsonNode>& found) {
  std::string out = "\nWhy the first\n";
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i == 1) out += "\nWhat the others lack\n";
    for (const JsonNode& sentence : items_of(found[i], "why"))
      out += bullet((i == 0 ? "" : "#" + std::to_string(i + 1) + ": ") + sentence.text);
  }
  return out;
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
std::string launch_text(const JsonNode& program) {
  const std::string name = member_text(program, "program");
  const std::vector<JsonNode>& environment = items_of(program, "environment");
  std::string out = "\nStart: " + name + pool_of(environment) + "\n";
  for (const JsonNode& sentence : items_of(program, "cannot")) out += bullet("cannot start it: " + sentence.text);
  for (const JsonNode& variable : environment) out += "  export " + variable.text + "\n";
  const std::vector<JsonNode>& arguments = items_of(program, "arguments");
  if (arguments.empty()) return out;
  // Arguments of Megatron-LM are those of its script.
  if (member_text(program, "form") == "command-line")
    return out + shell_lines(name == "megatron-lm" ? "pretrain_gpt.py" : name, arguments);
  for (const JsonNode& line : arguments) out += "  " + line.text + "\n";
  return out;
}

std::string rejected_text(const std::vector<JsonNode>& rejected) {
  std::vector<const JsonNode*> reasons;
  for (const JsonNode& reason : rejected) reasons.push_back(&reason);
  std::stable_sort(reasons.begin(), reasons.end(), [](const JsonNode* a, const JsonNode* b) {
    return a->find("count")->number > b->find("count")->number;
  });
  std::string out;
  for (const JsonNode* reason : reasons) {
    std::string code = member_text(*reason, "code");
    std::replace(code.begin(), code.end(), '-', ' ');
    out += bullet(shown(reason->find("count")) + " " + code + "; nearest " + member_text(*reason, "nearest") + ": " +
                  member_text(*reason, "message"));
  }
  return out;
}

std::string reasons_text(const JsonNode& answer) {
  std::string out = "\nWhy\n";
  for (const JsonNode& reason : items_of(answer, "reasons")) {
    out += bullet(member_text(reason, "message"));
    for (const JsonNode& patch : items_of(reason, "ways_out")) out += "      way out: " + json_text(patch) + "\n";
  }
  return out;
}

std::string found_text(const JsonNode& answer, bool serving, const std::vector<JsonNode>& found) {
  std::string out = (serving ? deployments_table(found) : layouts_table(found)) + whys_text(found);
  if (const std::vector<JsonNode>& slices = items_of(answer, "slices"); !slices.empty())
    out += "\nSlices of a GPU (MIG) that carry it, at the price of their share; other work fills the rest\n" +
           deployments_table(slices);
  for (const JsonNode& program : items_of(answer, "launch")) out += launch_text(program);
  if (at(answer, {"kubernetes", "yaml"}) != nullptr) out += "\nA Kubernetes manifest is in the answer of --json.\n";
  if (const JsonNode* kubernetes = answer.find("kubernetes"))
    for (const JsonNode& sentence : items_of(*kubernetes, "cannot"))
      out += "\n" + paragraph("No Kubernetes manifest: " + sentence.text);
  return out;
}

}  // namespace

std::string search_text(const JsonNode& answer) {
  const bool serving = answer.find("deployments") != nullptr;
  const std::vector<JsonNode>& found = items_of(answer, serving ? "deployments" : "layouts");
  const std::string counted =
      serving
          ? shown(answer.find("evaluated")) + " layouts evaluated, " + shown(answer.find("pruned")) +
                " of them left early, because even full they cost more."
          : shown(answer.find("legal_layouts")) + " legal layouts, " + shown(answer.find("evaluated")) + " evaluated.";
  std::string out =
      found.empty() ? (serving ? "No deployment" : "No layout") + std::string(" is possible.\n") + reasons_text(answer)
                    : found_text(answer, serving, found);
  const std::vector<JsonNode>& rejected = items_of(answer, "rejected");
  out += "\n" + wrapped(counted, kTextWidth, 0) + (rejected.empty() ? "\n" : " Left out:\n" + rejected_text(rejected));
  sentences(out, "Not modelled yet, and therefore absent", answer.find("not_modelled"));
  return out;
}

}  // namespace podwright::cli
