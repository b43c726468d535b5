#include "api/explain_request.h"

#include <cmath>

#include "api/common_fields.h"
#include "api/serving_fields.h"
#include "api/training_fields.h"
#include "base/nearest.h"

namespace podwright {
namespace {

/// Fields of a claim about a serving speed: what the `claim` of a request may hold besides model, GPU and their number.
struct ServingClaimFields {
  ServingClaim claim;
  std::array<std::optional<double>, kSpeedMetricWords.size()> claimed;  ///< in the order of the words

  /// True where the request has one of these fields.
  bool given() const;
};

constexpr std::array<std::string_view, kSpeedMetricWords.size()> kMeanings{
    "Claimed: generated tokens per second of all requests together",
    "Claimed: generated tokens per second of one request",
    "Claimed: time per output token of a request, s",
    "Claimed: time to the first token of a request that waits for nothing, s",
    "Claimed: prompt and generated tokens per second of all requests together",
    "Claimed: sequences in flight at once"};

bool makes_up(double part, double whole) { return part <= whole && std::fmod(whole, part) == 0; }

bool ServingClaimFields::given() const {
  for (const std::optional<double>& speed : claimed)
    if (speed) return true;
  return !claim.weight_precision.empty() || !claim.kv_precision.empty() || claim.concurrency || claim.static_batch ||
         claim.input_tokens || claim.output_tokens || claim.prefix_hit_ratio || claim.tensor || claim.data;
}

void describe(FieldVisitor& v, const Catalog& catalog, ServingClaimFields& fields) {
  ServingClaim& claim = fields.claim;
  v.word({"weight_precision", "Serving: format of the linear weights", Aliases{"precisions"}}, claim.weight_precision,
         ids(catalog.weight_formats));
  v.word({"kv_precision", "Serving: format of the KV cache; absent: 8 bits with weights of 8 bits or less, else 16",
          Aliases{"precisions"}},
         claim.kv_precision, kKvPrecisions);
  v.enter({"parallelism", "Serving: how the GPUs share the work; absent: in the fastest conceivable way"});
  v.count({"tensor", "Tensor parallel size; where given, its exchanges over the links count", kAtLeastOne},
          claim.tensor);
  v.count({"data", "Replicas, each with weights of its own", kAtLeastOne}, claim.data);
  v.leave();
  v.count({"concurrency", "Serving: requests in flight in the whole deployment; some may wait or be in their prompt",
           kAtLeastOne},
          claim.concurrency);
  v.count({"static_batch", "Serving instead: sequences of the whole deployment that get a token in every step",
           kAtLeastOne},
          claim.static_batch);
  v.count({"input_tokens", "Serving: prompt tokens of a request", within(1, 1e8)}, claim.input_tokens);
  v.count({"output_tokens", "Serving: generated tokens of a request", within(0, 1e8)}, claim.output_tokens);
  v.number({"prefix_hit_ratio", "Serving: share of the prompt found in the prefix cache", kShare},
           claim.prefix_hit_ratio);
  for (std::size_t i = 0; i < kSpeedMetricWords.size(); ++i)
    v.number({kSpeedMetricWords[i], kMeanings[i], kPositive}, fields.claimed[i]);
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
         "Give one of " + joined(ids(catalog.weight_formats)) + ".");
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

std::optional<ElectricityClaim> describe_electricity_claim(FieldVisitor& v) {
  std::optional<double> claimed;
  v.number({"electricity_over_hardware", "Claimed: cost of electricity over the price of the machines, 1 is as much",
            within(1e-6, 1e6)},
           claimed);
  ElectricityClaim claim;
  const bool needed = claimed.has_value();
  v.number({"servers_usd", "Price of the machines, USD", Required{needed}, kPositive}, claim.servers_usd);
  v.number({"it_power_kw", "Power of the machines at full load, kW", Required{needed}, kPositive}, claim.it_power_kw);
  describe_mean_power(v, claim.load, claim.pue, needed);
  v.number({"electricity_usd_per_kwh", "Price of electricity, USD/kWh", Required{needed}, within(1e-6, 10)},
           claim.electricity_usd_per_kwh);
  v.number({"years", "Years of electricity that the claim means", within(0.1, 30),
            needed ? "five years, as servers are commonly kept" : ""},
           claim.years);
  const bool said = claim.servers_usd > 0 || claim.it_power_kw > 0 || claim.electricity_usd_per_kwh > 0;
  v.rule(needed || !said, "electricity_over_hardware", "\"electricity_over_hardware\" is missing: what is claimed.",
         "Write {\"electricity_over_hardware\": 1} where electricity is said to cost as much as the machines.");
  if (!claimed) return std::nullopt;
  claim.electricity_over_hardware = *claimed;
  return claim;
}

std::optional<TopicRequest> describe_topic(FieldVisitor& v, const Catalog& catalog) {
  std::string topic;
  v.word({"topic", "Statements from study material about a topic, compared with the documents"}, topic,
         {kTopicWords.begin(), kTopicWords.end()});
  TopicRequest request;
  const double most = std::max<double>(1, static_cast<double>(catalog.architecture_claims.size()));
  v.count({"number", "One statement of the topic; absent: all", within(1, most)}, request.number);
  std::string verdict;
  v.word({"verdict", "Only statements with this verdict"}, verdict,
         {kStudyVerdictWords.begin(), kStudyVerdictWords.end()});
  request.verdict = of_word<StudyVerdict>(verdict, kStudyVerdictWords);
  v.rule(!topic.empty() || !request.number, "number", "A number is that of a statement of a topic.",
         "Add \"topic\": \"reference-architectures\".");
  v.rule(!topic.empty() || !request.verdict, "verdict", "A verdict selects statements of a topic.",
         "Add \"topic\": \"reference-architectures\".");
  if (topic.empty()) return std::nullopt;
  request.topic = of_word<Topic>(topic, kTopicWords).value_or(request.topic);
  return request;
}

/// A field of training claims that this one has; empty: none.
std::string_view training_field(const TrainingClaim& claim) {
  if (claim.parameters) return "parameters";
  if (claim.tokens) return "tokens";
  if (claim.sequence_length) return "sequence_length";
  if (claim.global_batch_size) return "global_batch_size";
  if (claim.assumed_mfu) return "assumed_mfu";
  if (claim.days) return "days";
  if (claim.tokens_per_s_per_gpu) return "tokens_per_s_per_gpu";
  if (claim.mfu) return "mfu";
  if (claim.tflops_per_gpu) return "tflops_per_gpu";
  return claim.step_time_s ? "step_time_s" : "";
}

void describe_claim(FieldVisitor& v, const Catalog& catalog, bool given, ExplainRequest& r) {
  r.electricity_claim = describe_electricity_claim(v);
  const bool of_speed = given && !r.electricity_claim;
  TrainingClaim claim;
  v.model({"model", "Model that is trained or served: an id of the catalog or an object"}, claim.model);
  v.number({"parameters", "Its parameters instead, a plain count (8e9)", within(1, 1e15)}, claim.parameters);
  v.gpu({"gpu", "GPU: an id of the catalog or an object of the same shape", Required{of_speed && !v.all_variants()}},
        claim.gpu);
  v.count({"gpu_count", "GPUs of the run or deployment", kAtLeastOne}, claim.gpu_count);
  ServingClaimFields serving;
  describe(v, catalog, serving);
  v.number({"tokens", "Tokens of the run", within(1, 1e18)}, claim.tokens);
  word(v,
       {"precision", "Precision of the matrix products", of_speed && !serving.given() ? "16-bit training" : "",
        Aliases{"precisions"}},
       claim.precision, kPrecisionWords);
  v.count({"sequence_length", "Tokens of a sequence; with a model, attention is counted", within(1, 1e8)},
          claim.sequence_length);
  v.count({"global_batch_size", "Sequences per optimizer step", kAtLeastOne}, claim.global_batch_size);
  v.number({"assumed_mfu", "Model FLOPs utilisation of a realistic run; absent: that of a good published one",
            within(0.001, 1)},
           claim.assumed_mfu);
  v.number({"days", "Claimed: days of the run", within(1e-6, 1e6)}, claim.days);
  v.number({"tokens_per_s_per_gpu", "Claimed: tokens per second of one GPU", kPositive}, claim.tokens_per_s_per_gpu);
  v.number({"mfu", "Claimed: model FLOPs utilisation, 0.4 is 40 %", within(1e-6, 100)}, claim.mfu);
  v.number({"tflops_per_gpu", "Claimed: TFLOP/s of one GPU", kPositive}, claim.tflops_per_gpu);
  v.number({"step_time_s", "Claimed: time of one optimizer step, s", kPositive}, claim.step_time_s);
  if (!given) return;
  if (r.electricity_claim) {
    const bool speed = serving.given() || claim.model || claim.gpu || claim.gpu_count || !training_field(claim).empty();
    v.rule(!speed, "electricity_over_hardware", "A claim is about a cost or about a speed, not both.",
           "Leave out the fields of the other.");
    return;
  }
  if (serving.given()) {
    const std::string_view other = training_field(claim);
    v.rule(other.empty(), other, "A claim is about training or about serving, not both.",
           "Leave out the fields of the other.");
    serving.claim.model = std::move(claim.model);
    serving.claim.gpu = std::move(claim.gpu);
    complete(v, catalog, claim.gpu_count, serving);
    r.serving_claim = std::move(serving.claim);
    return;
  }
  v.rule(claim.model.has_value() != claim.parameters.has_value(), "parameters",
         "Exactly one of \"model\" and \"parameters\" must be given.", "Write {\"parameters\": 8e9}.");
  const int said_how = (claim.days ? 1 : 0) + (claim.tokens_per_s_per_gpu ? 1 : 0) + (claim.mfu ? 1 : 0) +
                       (claim.tflops_per_gpu ? 1 : 0) + (claim.step_time_s ? 1 : 0);
  v.rule(said_how == 1, "days", "A claim says how fast in exactly one way.",
         "Give one of days, tokens_per_s_per_gpu, mfu, tflops_per_gpu, step_time_s.");
  v.rule(!claim.days || (claim.tokens && claim.gpu_count), "days", "Days need the tokens of the run and its GPUs.",
         "Add \"tokens\" and \"gpu_count\".");
  v.rule(!claim.step_time_s || (claim.sequence_length && claim.global_batch_size && claim.gpu_count), "step_time_s",
         "A step time needs the tokens of a step and the GPUs.",
         "Add \"sequence_length\", \"global_batch_size\" and \"gpu_count\".");
  r.claim = std::move(claim);
}

}  // namespace

void describe(FieldVisitor& v, const Catalog& catalog, ExplainRequest& r) {
  describe_head(v, "explain");
  const bool claim = v.enter({"claim", "A published speed or cost: is it possible?"});
  describe_claim(v, catalog, claim, r);
  v.leave();
  v.object({"request", "Another request, one number of whose answer is traced"}, r.request);
  v.text({"at", "JSON Pointer of that number, such as /step/time_s"}, r.at);
  r.topic = describe_topic(v, catalog);
  v.flag({"explain", "Adds `trace` to the answer about a claim"}, r.explain);
  v.rule((claim ? 1 : 0) + (r.request ? 1 : 0) + (r.topic ? 1 : 0) == 1, "claim",
         "Exactly one of \"claim\", \"request\" and \"topic\" must be given.",
         "Write {\"claim\": {...}}, {\"request\": {...}, \"at\": \"/step/time_s\"} or {\"topic\": "
         "\"reference-architectures\"}.");
  v.rule(!(r.topic && r.explain), "explain", "Statements name their sources themselves; nothing is computed.",
         "Leave out \"explain\".");
  v.rule(!r.request || !r.at.empty(), "at", "\"at\" is missing: the number that is asked for.",
         "Write a JSON Pointer of the answer, such as \"/step/time_s\".");
}

}  // namespace podwright
