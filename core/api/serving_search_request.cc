#include "api/search_request.h"

#include <algorithm>
#include <array>

#include "api/common_fields.h"
#include "api/serving_fields.h"
#include "api/training_fields.h"
#include "base/number_text.h"
#include "export/deployment_files.h"
#include "memory/length_spread.h"

namespace podwright {
namespace {

constexpr double kUsualGpus = 1024;

/// `ttft_s_max` of the mean, `ttft_s_p95_max` and so on.
void describe_limits(FieldVisitor& v, std::vector<sizing::LatencyLimit>& limits) {
  constexpr std::array<Percentile, 5> kAll{Percentile::mean, Percentile::p50, Percentile::p90, Percentile::p95,
                                           Percentile::p99};
  constexpr std::array<std::string_view, 3> kMeanings{"time to the first token", "time per output token",
                                                      "time of a request"};
  for (std::size_t kind = 0; kind < kMeanings.size(); ++kind)
    for (const Percentile percentile : kAll) {
      sizing::LatencyLimit limit{
          .latency = static_cast<sizing::LatencyKind>(kind), .percentile = percentile, .most = {}};
      const std::string key = sizing::key_of(limit);
      const std::string help = "Longest " + std::string(kMeanings[kind]) + ", " + sizing::text_of(limit) + ", s";
      std::optional<double> most;
      v.number({key, help, kPositive}, most);
      if (!most) continue;
      limit.most = Seconds(*most);
      limits.push_back(limit);
    }
}

void describe_arrangements(FieldVisitor& v, std::vector<sizing::Arrangement>& arrangements) {
  const std::vector<std::string> words(sizing::kArrangementWords.begin(), sizing::kArrangementWords.end());
  std::vector<std::string> asked;
  v.words({"arrangements",
           "aggregated: replicas that do all; disaggregated: separate pools for prompts and answers; "
           "absent: both"},
          asked, words);
  if (asked.empty()) asked = words;
  arrangements.clear();
  for (std::size_t i = 0; i < words.size(); ++i)
    if (std::find(asked.begin(), asked.end(), words[i]) != asked.end())
      arrangements.push_back(static_cast<sizing::Arrangement>(i));
}

/// "/prices/1/gpu" of a row whose GPU another row names too, or whose GPU is none of those to choose from.
std::optional<std::size_t> row_of_no_use(const ServingSearchRequest& r) {
  const auto id_of = [](const SearchPrice& price) { return price.gpu ? price.gpu->id : std::string(); };
  for (std::size_t i = 0; i < r.prices.size(); ++i) {
    for (std::size_t before = 0; before < i; ++before)
      if (id_of(r.prices[before]) == id_of(r.prices[i])) return i;
    const auto is_it = [&](const Gpu& gpu) { return gpu.id == id_of(r.prices[i]); };
    if (r.prices[i].gpu && !r.gpus.empty() && std::none_of(r.gpus.begin(), r.gpus.end(), is_it)) return i;
  }
  return std::nullopt;
}

/// Pools of their own need a second token and a full search.
void check_arrangements(FieldVisitor& v, const ServingSearchRequest& r) {
  if (r.workload.arrangements != std::vector{sizing::Arrangement::disaggregated}) return;
  v.rule(r.workload.output_tokens > 1, "output_tokens",
         "One token is all that the prefill pool yields: nothing is left for a decode pool.",
         "Write at least 2, or \"arrangements\": [\"aggregated\"].");
  v.rule(r.constraints.effort == sizing::Effort::full, "effort", "A coarse search does not try pools of their own.",
         "Write \"effort\": \"full\", or \"arrangements\": [\"aggregated\"].");
}

void check_limits(FieldVisitor& v, const sizing::ServingWorkload& workload) {
  for (const sizing::LatencyLimit& limit : workload.limits)
    v.rule(limit.latency != sizing::LatencyKind::tpot || workload.output_tokens > 1, sizing::key_of(limit),
           "With one output token there is no time per output token after the first.",
           "Leave it out, limit ttft or request instead, or write at least 2 \"output_tokens\".");
}

}  // namespace

std::optional<std::size_t> price_row(const ServingSearchRequest& request, const Gpu& gpu) {
  // A price of this GPU goes before one of every GPU, wherever they stand.
  std::optional<std::size_t> of_every;
  for (std::size_t i = 0; i < request.prices.size(); ++i) {
    if (request.prices[i].gpu && request.prices[i].gpu->id == gpu.id) return i;
    if (!request.prices[i].gpu && !of_every) of_every = i;
  }
  return of_every;
}

namespace {

/// What engines printed when they were started with their defaults.
void describe_measured_caches(FieldVisitor& v, const Catalog& catalog,
                              std::vector<sizing::MeasuredDeployment>& measured) {
  const Field field{"measured",
                    "KV caches of engines that were started with their defaults; each counts in place of the computed "
                    "one where GPU, engine, format and layout are the same"};
  list_of(v, field, measured, [&](sizing::MeasuredDeployment& one) {
    std::optional<Gpu> gpu;
    v.gpu({"gpu", "GPU: an id of the catalog or an object of the same shape", kRequired}, gpu);
    if (gpu) one.gpu = gpu->id;
    v.word({"engine", "Serving engine", kRequired, Aliases{"engines"}}, one.engine, ids(catalog.engines));
    v.word({"weight_precision", "Format of the linear weights", kRequired, Aliases{"precisions"}}, one.weight_precision,
           ids(catalog.weight_formats));
    describe_replica(v, "parallelism", "Layout of one replica", "", one.parallelism);
    v.number({"kv_cache_tokens", "Tokens that the KV cache of one engine holds, as it prints them when it starts",
              kRequired, Range{1, 1e12}},
             one.kv_cache_tokens);
  });
}

void describe_workload(FieldVisitor& v, const Catalog& catalog, ServingSearchRequest& r) {
  sizing::ServingWorkload& w = r.workload;
  v.number({"peak_requests_per_s",
            "Requests per second at the peak; absent: the rate that gpu_count GPUs carry is asked", within(1e-6, 1e9)},
           r.peak_requests_per_s);
  TrafficDefaults known = describe_traffic(v, catalog, w.traffic);
  describe_lengths(v, r.model, known, w.input_tokens, w.output_tokens);
  const LengthSpread usual =
      usual_spread(catalog, r.model ? r.model->context_tokens : 0, w.input_tokens, w.output_tokens);
  describe_spread(v, catalog, "request-input-cv", kInputSpread, usual.input, known.input, w.input_tokens_cv);
  describe_spread(v, catalog, "request-output-cv", kOutputSpread, usual.output, known.output, w.output_tokens_cv);
  describe_prefix_hits(v, known, w.traffic && shares_prompts(*w.traffic), w.prefix_hit_ratio);
  check_traffic(v, w.traffic, w.input_tokens, w.output_tokens, w.prefix_hit_ratio);
  describe_limits(v, w.limits);
  v.number(
      {"confidence", "Probability of meeting every limit; 0.5: central prediction", within(0.5, 0.99), kNotAsked},
      w.confidence);
  w.engines.clear();
  v.words({"engines", "Serving engines to choose from; absent: vllm, tensorrt-llm, sglang", Aliases{"engines"}},
          w.engines, ids(catalog.engines));
  if (w.engines.empty()) w.engines = {"vllm", "tensorrt-llm", "sglang"};
  describe_tuning(v, w.tuning);
  v.words({"weight_precisions",
           "Weight formats to choose from; absent: 16 bit, fp8 where the GPU computes it, the model's own",
           Aliases{"precisions"}},
          w.weight_precisions, ids(catalog.weight_formats));
  describe_measured_caches(v, catalog, w.measured);
  describe_arrangements(v, w.arrangements);
  describe_draft(v, w.draft, w.draft_tokens);
  word(v,
       {"effort", "full, or coarse: the engine's step limit alone and the edge of the limits to a few percent",
        kConvention},
       r.constraints.effort, sizing::kEffortWords);
}

/// Files of the first deployment, and what they name.
void describe_files(FieldVisitor& v, ServingSearchRequest& r) {
  std::vector<std::string> words(kDeploymentExportWords.begin(), kDeploymentExportWords.end());
  words.emplace_back("all");
  v.words({"exports",
           "Files that start the first deployment: engine, its options, variables and start; compose, Docker Compose; "
           "kubernetes; llm-d, patches for Kustomize; dynamo, a DynamoGraphDeployment; or all"},
          r.exports, words);
  v.enter({"deploy", "What these files name; in angle brackets where it is absent"});
  v.text({"engine_version", "Version of the engine whose options are written; absent: the newest that is listed"},
         r.deploy.engine_version);
  v.text({"model", "Hugging Face id, folder or GGUF file of the model"}, r.deploy.model);
  v.text({"draft_model", "The same of the draft"}, r.deploy.draft_model);
  v.text({"image", "Container image of the engine, with its tag"}, r.deploy.image);
  v.text({"namespace", "Namespace of Kubernetes"}, r.deploy.name_space);
  v.text({"claim", "Persistent volume claim or Docker volume with the models"}, r.deploy.claim);
  v.leave();
}

}  // namespace

void describe(FieldVisitor& v, const Catalog& catalog, ServingSearchRequest& r) {
  describe_head(v, "search");
  describe_search_type(v, "serving", true);
  describe_model(v, r.model);
  std::optional<Gpu> gpu;
  v.gpu({"gpu", "GPU: an id of the catalog or an object of the same shape"}, gpu);
  v.gpus({"gpus", "GPU types to choose from; absent: the data-centre GPUs of the catalog"}, r.gpus);
  v.rule(!gpu || r.gpus.empty(), "gpu", "\"gpu\" and \"gpus\" say the same.", "Leave one of them out.");
  if (gpu) r.gpus = {std::move(*gpu)};
  v.count({"gpu_count", "Available GPUs: what rate can they carry?", kAtLeastOne}, r.gpu_count);
  const std::string most = "GPUs at most for the peak; absent: " + shortest_number(kUsualGpus);
  v.count({"max_gpu_count", most, kAtLeastOne}, r.max_gpu_count);
  describe_workload(v, catalog, r);
  word(v, {"objective", "What is best for a peak: the lowest price or the fewest GPUs", kConvention},
       r.constraints.objective, sizing::kServingObjectiveWords);
  list_of(v, {"prices", "What a GPU costs; absent: the list price on demand"}, r.prices, [&](auto& price) {
    v.gpu({"gpu", "GPU: an id of the catalog; absent: every GPU"}, price.gpu);
    v.number({"usd_per_gpu_hour", "Price per GPU-hour, USD", kRequired, within(1e-6, 1e6)}, price.usd_per_gpu_hour);
  });
  v.count({"top", "Maximum number of deployments in the answer", within(1, 100)}, r.constraints.top);
  describe_files(v, r);
  describe_calibration(v);
  describe_explain(v, r.explain);
  v.rule(r.peak_requests_per_s.has_value() != r.gpu_count.has_value(), "peak_requests_per_s",
         "Exactly one of \"peak_requests_per_s\" and \"gpu_count\" must be given.",
         "Write {\"peak_requests_per_s\": r} for the deployments that carry it, {\"gpu_count\": n} for the rate that n "
         "GPUs carry.");
  v.rule(!r.max_gpu_count || !r.gpu_count, "max_gpu_count", "\"max_gpu_count\" limits the GPUs of a peak rate.",
         "Leave it out where \"gpu_count\" is given.");
  check_context(v, r.model, r.workload.input_tokens, r.workload.output_tokens, {});
  check_arrangements(v, r);
  check_limits(v, r.workload);
  if (const auto row = row_of_no_use(r))
    v.problems({{"conflict", "/prices/" + std::to_string(*row) + "/gpu",
                 "A price is given here for a GPU that already has one or is not among \"gpus\".",
                 "Write one price for a GPU, and one without \"gpu\" for all others."}});
  r.workload.peak_requests_per_s = r.peak_requests_per_s.value_or(0);
  r.constraints.max_gpus = r.gpu_count.value_or(r.max_gpu_count.value_or(kUsualGpus));
}

}  // namespace podwright
