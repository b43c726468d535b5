#include "cli/print_serving_search.h"

#include <string>
#include <vector>

#include "base/number_text.h"
#include "cli/answer_lines.h"
#include "cli/json_at.h"
#include "cli/search_frame.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

/// A latency that the table shows: at the percentile of the first limit on it, else at the 95th.
struct ShownLatency {
  std::string key;   ///< of `latency`: "ttft_s_p99"
  std::string head;  ///< "ttft p99 s"
  double times = 1;
};

ShownLatency shown_latency(const JsonNode& deployment, const std::string& kind, double times, const std::string& unit) {
  std::string percentile = "_p95";
  if (const JsonNode* limits = deployment.find("limits"))
    for (const JsonNode& limit : limits->items) {
      // "ttft_s_p99_max", of the mean "ttft_s_max".
      const std::string& key = limit.find("limit")->text;
      if (key.rfind(kind + "_s", 0) != 0) continue;
      percentile = key.substr(kind.size() + 2, key.size() - kind.size() - 2 - 4);
      break;
    }
  return {.key = kind + "_s" + percentile,
          .head = kind + " " + (percentile.empty() ? "mean" : percentile.substr(1)) + " " + unit,
          .times = times};
}

/// The least sure of its limits, percent.
std::string sure_text(const JsonNode& deployment) {
  const JsonNode* limits = deployment.find("limits");
  const JsonNode* least = nullptr;
  if (limits != nullptr)
    for (const JsonNode& limit : limits->items) {
      const JsonNode* share = limit.find("probability");
      if (share != nullptr && (least == nullptr || share->number < least->number)) least = share;
    }
  if (least == nullptr) return "-";
  return least->number > 0.99 ? ">99" : fixed_number(100 * least->number, 0);
}

/// "16 x b200-sxm"; of slices "2 x 1g.10gb of h100-sxm5-80gb".
std::string gpus_text(const JsonNode& d) {
  const JsonNode* slice = d.find("slice");
  if (slice == nullptr) return shown(d.find("gpu_count")) + " x " + word_text(d.find("gpu"));
  return shown(slice->find("count")) + " x " + word_text(slice->find("profile")) + " of " + word_text(d.find("gpu"));
}

std::string deployments_table(const JsonNode& deployments) {
  const JsonNode& first = deployments.items.front();
  const ShownLatency ttft = shown_latency(first, "ttft", 1, "s");
  const ShownLatency tpot = shown_latency(first, "tpot", 1e3, "ms");
  const bool slices = first.find("slice") != nullptr;
  std::vector<std::vector<std::string>> rows{{"#", slices ? "slices" : "GPUs", "engine", ttft.head, tpot.head,
                                              "P(limit) %", slices ? "tokens/s/slice" : "tokens/s/GPU", "most req/s",
                                              "USD/h", "USD/M out", "layout"}};
  for (std::size_t i = 0; i < deployments.items.size(); ++i) {
    const JsonNode& d = deployments.items[i];
    const auto latency = [&](const ShownLatency& shown) {
      return number_text(at(d, {"latency", shown.key}), shown.times);
    };
    rows.push_back({shortest_number(static_cast<double>(i + 1)), gpus_text(d), word_text(d.find("engine")),
                    latency(ttft), latency(tpot), sure_text(d),
                    number_text(at(d, {"throughput", "output_tokens_per_s_per_gpu"})),
                    number_text(d.find("max_requests_per_s")), dollars(at(d, {"cost", "usd_per_hour"})),
                    dollars(at(d, {"cost", "usd_per_million_output_tokens"})), word_text(d.find("layout"))});
  }
  return text_table(rows);
}

std::string slices_text(const JsonNode& answer) {
  const JsonNode* slices = answer.find("slices");
  if (slices == nullptr || slices->items.empty()) return "";
  return "\nSlices of a GPU (MIG) that carry it, at the price of their share; other work fills the rest\n" +
         deployments_table(*slices);
}

}  // namespace

std::string serving_search_text(const JsonNode& answer) {
  return search_frame_text(
      answer, {.list = "deployments",
               .nothing = "No deployment is possible.",
               .table = deployments_table,
               .beside = slices_text(answer),
               .counted = shown(answer.find("evaluated")) + " layouts evaluated, " + shown(answer.find("pruned")) +
                          " of them left early, because even full they cost more."});
}

}  // namespace podwright::cli
