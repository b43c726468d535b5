#include "api/search_request.h"

#include <algorithm>

#include "api/common_fields.h"
#include "api/training_exports.h"
#include "api/training_fields.h"
#include "base/number_text.h"
#include "base/words.h"
#include "perf/layout_rules.h"
#include "sizing/search_training.h"

namespace podwright {
namespace {

constexpr std::string_view kMinimum = "_min";
constexpr std::string_view kMaximum = "_max";

void describe_range(FieldVisitor& v, std::string_view name, std::string_view help, sizing::SizeRange& size,
                    Range range) {
  const std::string least = std::string(name) + std::string(kMinimum);
  const std::string most = std::string(name) + std::string(kMaximum);
  std::optional<double> min;
  std::optional<double> max;
  v.count({least, "Least " + std::string(help), range}, min);
  v.count({most, "Most " + std::string(help), range}, max);
  if (min) size.min = *min;
  if (max) size.max = *max;
  v.rule(size.min <= size.max, least, "The least is above the most.",
         "Give a value of at most " + shortest_number(size.max) + ".");
}

void describe_limits(FieldVisitor& v, sizing::TrainingLimits& limits) {
  const sizing::TrainingLimits usual = sizing::usual_limits(1);
  const std::string help = "What the search may choose from; absent: everything that is legal, with at most " +
                           human_number(usual.context.max) + " context ranks unless each keeps " +
                           human_number(sizing::kUsualTokensOfRank, 4) + " tokens, and at most " +
                           human_number(usual.micro_batch_size.max) + " sequences a micro-batch";
  v.enter({"limits", help});
  describe_range(v, "tensor", "tensor parallel ranks", limits.tensor, kAtLeastOne);
  describe_range(v, "pipeline", "pipeline stages", limits.pipeline, kAtLeastOne);
  describe_range(v, "virtual_pipeline", "model chunks per pipeline stage", limits.virtual_pipeline, kAtLeastOne);
  describe_range(v, "context", "context parallel ranks", limits.context, kAtLeastOne);
  describe_range(v, "expert", "expert parallel ranks", limits.expert, kAtLeastOne);
  describe_range(v, "expert_tensor", "tensor parallel ranks inside an expert", limits.expert_tensor, kAtLeastOne);
  describe_range(v, "data", "data parallel replicas", limits.data, kAtLeastOne);
  describe_range(v, "micro_batch_size", "sequences of a micro-batch", limits.micro_batch_size, kAtLeastOne);
  describe_range(v, "zero_stage",
                 "of what data parallel ranks shard: 0 nothing, 1 optimizer, 2 and gradients, 3 and parameters",
                 limits.zero_stage, {0, 3});
  describe_words(v, {"activation_recompute", "What may be computed again in the backward pass"}, limits.recompute,
                 kRecomputeWords);
  describe_words(v, {"schedules", "Pipeline schedules"}, limits.schedules, kScheduleWords);
  describe_words(v, {"shards", "Sharding groups of ZeRO 3"}, limits.shards, kShardWords);
  v.leave();
}

void describe_prices(FieldVisitor& v, std::vector<SearchPrice>& prices) {
  list_of(v,
          {"prices",
           "What a GPU costs and draws; absent: the list price on demand, and the machine's share of power at the "
           "meter"},
          prices, [&](SearchPrice& price) {
            v.gpu({"gpu", "GPU: an id of the catalog; absent: every GPU"}, price.gpu);
            v.number({"usd_per_gpu_hour", "Price per GPU-hour, USD", within(0, 1e6)}, price.usd_per_gpu_hour);
            v.number({"kw_per_gpu", "Mean power of one GPU with everything around it, kW", within(0, 1e3)},
                     price.kw_per_gpu);
          });
}

void describe_clusters(FieldVisitor& v, SearchRequest& r) {
  std::optional<Gpu> gpu;
  v.gpu({"gpu", "GPU: an id of the catalog or an object of the same shape; one of gpu and gpus is required"}, gpu);
  v.gpus({"gpus", "GPU types to choose from"}, r.gpus);
  v.rule(gpu.has_value() != !r.gpus.empty(), "gpu", "Exactly one of \"gpu\" and \"gpus\" must be given.",
         "Write {\"gpu\": \"h100-sxm5-80gb\"} or a list as \"gpus\".");
  if (gpu) r.gpus = {std::move(*gpu)};
  v.system({"system", "Server that holds the GPUs"}, r.system);
  v.count({"gpu_count", "GPUs of the run; one of gpu_count, gpu_counts and max_gpu_count is required", kAtLeastOne},
          r.gpu_count);
  v.counts({"gpu_counts", "Cluster sizes to choose from", kAtLeastOne}, r.constraints.gpu_counts);
  v.count({"max_gpu_count", "Maximum number of GPUs: powers of two in a node, then whole nodes, are tried up to it",
           kAtLeastOne},
          r.max_gpu_count);
  const int given = (r.gpu_count ? 1 : 0) + (r.constraints.gpu_counts.empty() ? 0 : 1) + (r.max_gpu_count ? 1 : 0);
  v.rule(given == 1, "gpu_count", "Exactly one of \"gpu_count\", \"gpu_counts\" and \"max_gpu_count\" must be given.",
         "Write one of {\"gpu_count\": n}, {\"gpu_counts\": [n, ...]}, {\"max_gpu_count\": n}.");
  if (r.gpu_count) r.constraints.gpu_counts = {*r.gpu_count};
  if (r.max_gpu_count) r.constraints.max_gpus = *r.max_gpu_count;
}

/// What no layout can mend, or what only one of the given ranges leaves impossible.
Errors impossible_limits(const SearchRequest& r) {
  Errors errors;
  if (!r.model) return errors;
  const sizing::TrainingLimits& limits = r.constraints.limits;
  TrainingRun least = sizing::training_run(r.workload);
  const auto try_size = [&](double TrainingParallelism::*size, const sizing::SizeRange& range, std::string_view key) {
    if (range.min != range.max) return;
    TrainingRun run = least;
    run.parallelism.sequence_parallel = false;
    run.parallelism.*size = range.min;
    // Sizes that depend on the GPUs are judged cluster by cluster.
    run.parallelism.data = 1;
    if (key == "expert" || key == "expert_tensor") run.parallelism.data = range.min;
    for (Error& error : training_layout_errors(*r.model, run)) {
      if (error.path != "/parallelism/" + std::string(key)) continue;
      error.path = "/limits/" + std::string(key) + std::string(kMinimum);
      errors.push_back(std::move(error));
      return;
    }
  };
  try_size(&TrainingParallelism::tensor, limits.tensor, "tensor");
  try_size(&TrainingParallelism::pipeline, limits.pipeline, "pipeline");
  try_size(&TrainingParallelism::context, limits.context, "context");
  try_size(&TrainingParallelism::expert, limits.expert, "expert");
  try_size(&TrainingParallelism::expert_tensor, limits.expert_tensor, "expert_tensor");
  return errors;
}

/// The first row for the GPU that tells the figure.
std::optional<std::size_t> row_with(const SearchRequest& request, const Gpu& gpu,
                                    std::optional<double> SearchPrice::*figure) {
  for (std::size_t i = 0; i < request.prices.size(); ++i) {
    const SearchPrice& row = request.prices[i];
    if ((!row.gpu || row.gpu->id == gpu.id) && row.*figure) return i;
  }
  return {};
}

}  // namespace

std::optional<std::size_t> price_row(const SearchRequest& request, const Gpu& gpu) {
  return row_with(request, gpu, &SearchPrice::usd_per_gpu_hour);
}
std::optional<std::size_t> power_row(const SearchRequest& request, const Gpu& gpu) {
  return row_with(request, gpu, &SearchPrice::kw_per_gpu);
}

void describe(FieldVisitor& v, const Catalog& catalog, SearchRequest& r) {
  describe_head(v, "search");
  describe_search_type(v, "training", false);
  describe_model(v, r.model);
  describe_clusters(v, r);
  sizing::TrainingWorkload& w = r.workload;
  word(v, {"method", "Full training or adapters", kConvention}, w.method, kTrainingMethodWords);
  describe_adapters(v, w.method, w.lora_rank, w.lora_targets);
  v.number({"tokens", "Tokens of the whole run; needed for days, cost and energy", within(1, 1e18)}, r.tokens);
  v.number({"deadline_days", "Days until the run must finish; needs tokens", within(1e-3, 1e5)}, r.deadline_days);
  describe_batch(v, w.sequence_length, w.global_batch_size);
  describe_words(
      v, {"precisions", "Precisions of the matrix products to choose from; absent: bf16", Aliases{"precisions"}},
      w.precisions, kPrecisionWords);
  word(v, {"fp8_recipe", "Scaling of fp8 tensors"}, w.fp8_recipe, kFp8RecipeWords);
  word(v, {"optimizer", "Optimizer", kConvention}, w.optimizer, kOptimizerWords);
  TrainingRun framework = sizing::training_run(w);
  describe_framework(v, catalog, framework);
  w.framework = framework.framework;
  w.framework_version = framework.framework_version;
  w.tuning = framework.tuning;
  word(v,
       {"objective",
        "What is best: the shortest run, the fewest GPUs that meet the deadline, the lowest cost, the least energy",
        kConvention},
       r.constraints.objective, sizing::kObjectiveWords);
  describe_prices(v, r.prices);
  const bool power_told =
      std::all_of(r.gpus.begin(), r.gpus.end(), [&](const Gpu& gpu) { return power_row(r, gpu).has_value(); });
  describe_mean_power(v, r.load, r.pue, r.tokens && !power_told);
  r.constraints.limits = sizing::usual_limits(w.sequence_length);
  describe_limits(v, r.constraints.limits);
  v.count({"top", "Maximum number of layouts in the answer, of different shape", within(1, 100)}, r.constraints.top);
  describe_training_exports(v, "the first layout", r.exports, r.deploy);
  describe_calibration(v);
  describe_explain(v, r.explain);
  if (r.tokens) w.tokens = *r.tokens;
  if (r.deadline_days) w.deadline = days(*r.deadline_days);
  // One cluster is searched whole; of several, only what the framework launches.
  r.constraints.every_layout = r.constraints.gpu_counts.size() == 1;
  v.rule(!r.deadline_days || r.tokens, "tokens", "A deadline needs the tokens of the run.", "Give \"tokens\".");
  v.rule(r.constraints.objective == sizing::Objective::time || r.constraints.objective == sizing::Objective::gpus ||
             r.tokens,
         "tokens", "Cost and energy are those of a whole run.", "Give \"tokens\", or the objective time.");
  v.problems(impossible_limits(r));
}

}  // namespace podwright
