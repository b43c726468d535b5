#include "api/describe_serving_claim.h"

#include <cmath>

#include "base/nearest.h"

namespace podwright {
namespace {

constexpr std::array<std::string_view, kSpeedMetricWords.size()> kMeanings{
    "Claimed: generated tokens per second of all requests together",
    "Claimed: generated tokens per second of one request",
    "Claimed: time per output token of a request, s",
    "Claimed: time to the first token of a request that waits for nothing, s",
    "Claimed: prompt and generated tokens per second of all requests together",
    "Claimed: sequences in flight at once"};

std::vector<std::string> formats(const Catalog& catalog) {
  std::vector<std::string> ids;
  for (const WeightFormat& format : catalog.weight_formats) ids.push_back(format.id);
  return ids;
}

bool makes_up(double part, double whole) { return part <= whole && std::fmod(whole, part) == 0; }

}  // namespace

bool ServingClaimFields::given() const {
  for (const std::optional<double>& speed : claimed)
    if (speed) return true;
  return !claim.weight_precision.empty() || !claim.kv_precision.empty() || claim.concurrency || claim.static_batch ||
         claim.input_tokens || claim.output_tokens || claim.prefix_hit_ratio || claim.tensor || claim.data;
}

void describe(FieldVisitor& v, const Catalog& catalog, ServingClaimFields& fields) {
  ServingClaim& claim = fields.claim;
  v.word({.key = "weight_precision", .help = "Serving: format of the linear weights", .aliases = "precisions"},
         claim.weight_precision, formats(catalog));
  v.word({.key = "kv_precision",
          .help = "Serving: format of the KV cache; absent: 8 bits with weights of 8 bits or less, else 16",
          .aliases = "precisions"},
         claim.kv_precision, {"fp32", "bf16", "fp16", "fp8", "int8", "nvfp4"});
  v.enter(
      {.key = "parallelism", .help = "Serving: how the GPUs share the work; absent: in the fastest conceivable way"});
  v.count({.key = "tensor",
           .help = "Tensor parallel size; where given, its exchanges over the links count",
           .range = kAtLeastOne},
          claim.tensor);
  v.count({.key = "data", .help = "Replicas, each with weights of its own", .range = kAtLeastOne}, claim.data);
  v.leave();
  v.count({.key = "concurrency",
           .help = "Serving: requests in flight in the whole deployment; some may wait or be in their prompt",
           .range = kAtLeastOne},
          claim.concurrency);
  v.count({.key = "static_batch",
           .help = "Serving instead: sequences of the whole deployment that get a token in every step",
           .range = kAtLeastOne},
          claim.static_batch);
  v.count({.key = "input_tokens", .help = "Serving: prompt tokens of a request", .range = {1, 1e8}},
          claim.input_tokens);
  v.count({.key = "output_tokens", .help = "Serving: generated tokens of a request", .range = {0, 1e8}},
          claim.output_tokens);
  v.number(
      {.key = "prefix_hit_ratio", .help = "Serving: share of the prompt found in the prefix cache", .range = kShare},
      claim.prefix_hit_ratio);
  for (std::size_t i = 0; i < kSpeedMetricWords.size(); ++i)
    v.number({.key = kSpeedMetricWords[i], .help = kMeanings[i], .range = kPositive}, fields.claimed[i]);
}

void complete(FieldVisitor& v, const Catalog& catalog, std::optional<double> gpu_count, ServingClaimFields& fields) {
  ServingClaim& claim = fields.claim;
  int said = 0;
  for (std::size_t i = 0; i < kSpeedMetricWords.size(); ++i) {
    if (!fields.claimed[i]) continue;
    ++said;
    claim.metric = static_cast<SpeedMetric>(i);
    claim.claimed = *fields.claimed[i];
  }
  const std::string metrics = joined({kSpeedMetricWords.begin(), kSpeedMetricWords.end()});
  v.rule(said == 1, said == 0 ? kSpeedMetricWords[0] : kSpeedMetricWords[static_cast<std::size_t>(claim.metric)],
         "A claim about serving says how fast in exactly one way.", "Give one of " + metrics + ".");
  v.rule(claim.model.has_value(), "model", "A claim about serving needs the model.", "Write an id of the catalog.");
  v.rule(!claim.weight_precision.empty(), "weight_precision", "\"weight_precision\" is missing.",
         "Give one of " + joined(formats(catalog)) + ".");
  v.rule(gpu_count.has_value(), "gpu_count", "\"gpu_count\" is missing: GPUs of the whole deployment.",
         "Write {\"gpu_count\": 1}.");
  claim.gpu_count = gpu_count.value_or(1);
  const double replicas = claim.data.value_or(1);
  v.rule(makes_up(replicas, claim.gpu_count), "parallelism", "Replicas must divide the GPUs.",
         "Give a parallelism.data that divides gpu_count.");
  v.rule(makes_up(claim.tensor.value_or(1), claim.gpu_count / replicas), "parallelism",
         "The tensor parallel size must divide the GPUs of a replica.",
         "Give a parallelism.tensor that divides gpu_count / parallelism.data.");
  const bool rate = claim.metric == SpeedMetric::output_tokens_per_s;
  const bool total = claim.metric == SpeedMetric::total_tokens_per_s;
  v.rule(!rate || claim.concurrency || claim.static_batch || (claim.input_tokens && claim.output_tokens), "concurrency",
         "A rate of all requests needs how many are in flight, or how long they are.",
         "Add \"static_batch\" or \"concurrency\", or \"input_tokens\" and \"output_tokens\".");
  v.rule(!claim.concurrency || !claim.static_batch, "static_batch",
         "Requests in flight and a static batch exclude each other.", "Leave out one of them.");
  v.rule(!rate || !claim.output_tokens || *claim.output_tokens > 0, "output_tokens",
         "A rate of output tokens needs output tokens.", "Give at least 1, or claim total_tokens_per_s.");
  v.rule(!total || (claim.input_tokens && claim.output_tokens), claim.input_tokens ? "output_tokens" : "input_tokens",
         "A rate of prompt and generated tokens needs both lengths.", "Add \"input_tokens\" and \"output_tokens\".");
  const bool prompt = claim.metric == SpeedMetric::ttft_s || claim.metric == SpeedMetric::max_batch;
  v.rule(!prompt || claim.input_tokens, "input_tokens",
         "A time to the first token and a largest batch need the length of a prompt.", "Add \"input_tokens\".");
}

}  // namespace podwright
