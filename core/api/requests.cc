#include "api/requests.h"

#include <cmath>

#include "api/common_fields.h"
#include "api/serving_fields.h"
#include "api/training_fields.h"

#include "base/number_text.h"
#include "perf/layout_rules.h"

namespace podwright {
namespace {

/// Size of one parallel group.
void describe_size(FieldVisitor& v, std::string_view key, std::string_view help, double& size) {
  v.count({key, help, kAtLeastOne, kNotAsked}, size);
}

void describe(FieldVisitor& v, TrainingParallelism& p) {
  v.enter({"parallelism", "Sizes of the parallel groups"});
  describe_size(v, "tensor", "Tensor parallel size", p.tensor);
  describe_size(v, "pipeline", "Pipeline stages", p.pipeline);
  describe_size(v, "virtual_pipeline", "Model chunks per pipeline stage", p.virtual_pipeline);
  describe_size(v, "context", "Context parallel size", p.context);
  describe_size(v, "expert", "Expert parallel size", p.expert);
  describe_size(v, "expert_tensor", "Tensor parallel size inside an expert", p.expert_tensor);
  describe_size(v, "data", "Data parallel replicas", p.data);
  v.flag({"sequence_parallel", "Activations outside the tensor parallel region are sharded too",
          "the framework's usual setting with tensor parallelism"},
         p.sequence_parallel);
  double zero_stage = p.zero_stage;
  v.count({"zero_stage", "What data parallel ranks shard: 0 nothing, 1 optimizer, 2 and gradients, 3 and parameters",
           within(0, 3), "distributed optimizer"},
          zero_stage);
  p.zero_stage = static_cast<int>(zero_stage);
  word(v, {"shard", "Sharding group of ZeRO: all data parallel ranks, or those of one node"}, p.shard, kShardWords);
  v.leave();
}

void describe(FieldVisitor& v, ServingParallelism& p) {
  v.enter({"parallelism", "Sizes of the parallel groups"});
  describe_size(v, "tensor", "Tensor parallel size", p.tensor);
  describe_size(v, "pipeline", "Pipeline stages", p.pipeline);
  describe_size(v, "expert", "Expert parallel size; divides tensor x attention_data", p.expert);
  describe_size(v, "attention_data", "Attention data parallel size inside one engine", p.attention_data);
  describe_size(v, "data", "Independent replicas", p.data);
  v.leave();
}

/// `known`: the rate where the request says nothing of the load.
void describe(FieldVisitor& v, const std::optional<FieldDefault>& known, Required needed, Load& load) {
  const bool given =
      v.enter({"load", "One of concurrency, max_throughput, request_rate_per_s, static_batch, of the whole deployment",
               needed});
  std::optional<double> concurrency;
  std::optional<double> rate;
  std::optional<double> batch;
  bool max_throughput = false;
  v.count({"concurrency", "Requests in flight", kAtLeastOne}, concurrency);
  v.flag({"max_throughput", "As many requests as fit"}, max_throughput);
  Field request_rate{"request_rate_per_s", "Requests arriving per second, in the busiest of the hours of traffic",
                     kPositive};
  if (known && !given) {
    rate = known->value;
    request_rate.default_source = known->source;
  }
  v.number(request_rate, rate);
  v.count({"static_batch", "Sequences started together and finished together", kAtLeastOne}, batch);
  v.leave();
  v.rule(concurrency.has_value() + rate.has_value() + batch.has_value() + max_throughput == 1, "load",
         "\"load\" must say exactly one thing.",
         "Write one of {\"concurrency\": n}, {\"max_throughput\": true}, {\"request_rate_per_s\": r}, "
         "{\"static_batch\": n}.");
  if (concurrency) load = {LoadKind::concurrency, *concurrency};
  if (rate) load = {LoadKind::request_rate, *rate};
  if (batch) load = {LoadKind::static_batch, *batch};
  if (max_throughput) load = {LoadKind::max_throughput, 0};
}

}  // namespace

void describe(FieldVisitor& v, const Catalog& catalog, TrainingRequest& r) {
  describe_head(v, "training");
  describe_model(v, r.model);
  v.gpu({"gpu", "GPU: an id of the catalog or an object of the same shape", kRequired}, r.gpu);
  v.count({"gpu_count", "GPUs of the run: tensor x pipeline x context x data", kRequired, kAtLeastOne}, r.gpu_count);
  v.system({"system", "Server that holds the GPUs"}, r.system);
  TrainingRun& run = r.run;
  word(v, {"precision", "Precision of the matrix products", "16-bit training", Aliases{"precisions"}}, run.precision,
       kPrecisionWords);
  word(v, {"fp8_recipe", "Scaling of fp8 tensors"}, run.fp8_recipe, kFp8RecipeWords);
  v.count({"sequence_length", "Tokens of a sequence", kRequired, within(1, 1e8)}, run.sequence_length);
  v.count({"micro_batch_size", "Sequences of a micro-batch", kAtLeastOne, kNotAsked}, run.micro_batch_size);
  v.count({"global_batch_size", "Sequences per optimizer step", kRequired, kAtLeastOne}, run.global_batch_size);
  word(v, {"optimizer", "Optimizer", kConvention}, run.optimizer, kOptimizerWords);
  describe(v, run.parallelism);
  const TrainingParallelism& p = run.parallelism;
  word(v, {"schedule", "Pipeline schedule", "the framework's usual schedule"}, run.schedule, kScheduleWords);
  v.flag({"embedding_and_loss_as_layers", "Embedding and loss count as a layer each when stages are cut"},
         run.embedding_and_loss_as_layers);
  word(v, {"activation_recompute", "What is computed again in the backward pass", kNotAsked}, run.activation_recompute,
       kRecomputeWords);
  word(v, {"method", "Full training or adapters", kNotAsked}, run.method, kTrainingMethodWords);
  describe_adapters(v, run.method, run.lora_rank, run.lora_targets);
  word(v, {"offload", "What is kept in host memory", kNotAsked}, run.offload, kOffloadWords);
  word(v, {"offload_target", "Where what is offloaded lies", kNotAsked}, run.offload_target, kOffloadTargetWords);
  describe_framework(v, catalog, run);
  describe_training_options(v, run);
  describe_calendar(v, r.calendar, r.power);
  describe_calibration(v);
  describe_suggest(v, r.suggest);
  describe_explain(v, r.explain);
  Errors conflicts;
  if (r.gpu_count != gpus_of(p))
    conflicts.push_back({"conflict", "/gpu_count", "gpu_count is not tensor x pipeline x context x data.",
                         "Legal: " + shortest_number(gpus_of(p)) + ", or other sizes in parallelism."});
  if (r.model)
    for (Error& error : training_layout_errors(*r.model, run)) conflicts.push_back(std::move(error));
  v.problems(conflicts);
}

void describe(FieldVisitor& v, const Catalog& catalog, ServingRequest& r) {
  describe_head(v, "serving");
  describe_deployment(v, catalog, r);
  describe_calibration(v);
  describe_suggest(v, r.suggest);
  describe_explain(v, r.explain);
  check_deployment(v, r);
}

TrafficDefaults describe_deployment(FieldVisitor& v, const Catalog& catalog, ServingRequest& r) {
  return describe_deployment(v, catalog, std::nullopt, r);
}

TrafficDefaults describe_deployment(FieldVisitor& v, const Catalog& catalog, const std::optional<TraceDefaults>& trace,
                                    ServingRequest& r) {
  describe_model(v, r.model);
  v.gpu({"gpu", "GPU: an id of the catalog or an object of the same shape", kRequired}, r.gpu);
  v.count({"gpu_count", "GPUs of the deployment: tensor x pipeline x attention_data x data", kRequired, kAtLeastOne},
          r.gpu_count);
  v.system({"system", "Server that holds the GPUs"}, r.system);
  ServingRun& run = r.run;
  describe_engine(v, catalog, r.model, run);
  describe(v, run.parallelism);
  TrafficDefaults known = describe_traffic(v, catalog, run.traffic);
  if (trace) {
    known.input = trace->input;
    known.output = trace->output;
    known.prefix_hit_ratio.reset();
  }
  describe_lengths(v, r.model, known, run.input_tokens, run.output_tokens);
  describe(v, trace ? trace->requests_per_s : std::nullopt, Required{!trace}, run.load);
  describe_prefix_hits(v, known, trace || (run.traffic && shares_prompts(*run.traffic)), run.prefix_hit_ratio);
  if (!trace) check_traffic(v, run.traffic, run.input_tokens, run.output_tokens, run.prefix_hit_ratio);
  v.count({"max_batch_size", "Sequences in flight that the engine allows per replica; absent: the engine's default",
           kAtLeastOne},
          run.max_batch_size);
  v.count({"max_batched_tokens", "Tokens of one engine step; absent: the engine's default", kAtLeastOne},
          run.max_batched_tokens);
  describe_memory_fraction(v, run.memory_fraction);
  v.count({"max_model_tokens", "Length that one sequence may reach; absent: input_tokens + output_tokens", kAtLeastOne},
          run.max_model_tokens);
  v.count({"block_tokens", "Tokens of a KV block; absent: the engine's default", within(1, 65536)}, run.block_tokens);
  describe_serving_options(v, catalog, r.model, known, run);
  describe_measured(v, run);
  return known;
}

void check_deployment(FieldVisitor& v, ServingRequest& r) {
  ServingRun& run = r.run;
  check_serving_gpus(v, r.gpu_count, run);
  const double both = run.input_tokens + run.output_tokens;
  v.rule(!run.max_model_tokens || *run.max_model_tokens >= both, "max_model_tokens",
         "max_model_tokens is below input_tokens + output_tokens.",
         "Legal: at least " + shortest_number(std::ceil(both)) + ", or leave it out.");
  check_serving_layout(v, r.model, run);
  check_context(v, r.model, run.input_tokens, run.output_tokens, run.max_model_tokens);
}

void check_traced_deployment(FieldVisitor& v, ServingRequest& r) {
  check_serving_gpus(v, r.gpu_count, r.run);
  check_serving_layout(v, r.model, r.run);
  check_context(v, r.model, 0, 0, r.run.max_model_tokens);
}

void describe(FieldVisitor& v, const Catalog&, CatalogRequest& r) {
  describe_head(v, "catalog");
  const std::vector<std::string> tables{"gpus",          "models",  "systems",        "switches",
                                        "architectures", "engines", "weight-formats", "traffic-presets",
                                        "prices",        "regions", "currencies",     "sources"};
  v.word({"list", "A table: ids and names of its items"}, r.list, tables);
  v.word({"show", "The table of the item `id`, shown whole"}, r.show, {tables.begin(), tables.begin() + 8});
  v.text({"id", "Item to show"}, r.id);
  v.rule(r.list.empty() != r.show.empty(), "list", "Exactly one of \"list\" and \"show\" must be given.",
         "Write {\"kind\": \"catalog\", \"list\": \"gpus\"}.");
  v.rule(r.show.empty() || !r.id.empty(), "id", "\"show\" needs an \"id\".", "Add \"id\".");
}

void describe(FieldVisitor& v, const Catalog&, RuleOfThumbRequest& r) {
  describe_head(v, "rule_of_thumb");
  v.model({"model", "Model whose parameters are meant"}, r.model);
  v.number({"parameters", "Parameters, a plain count (70e9)", within(0, 1e15)}, r.parameters);
  v.number({"bits_per_weight", "Bits of a stored weight", within(1, 64), "16-bit weights"}, r.bits_per_weight);
  v.number({"overhead", "Share added for everything else", within(0, 10), "\"add about 20 %\" of the study material"},
           r.overhead);
  v.count({"tokens", "Tokens of all sequences together, for the quick KV cache; needs a model", within(1, 1e12)},
          r.tokens);
  describe_explain(v, r.explain);
  v.rule(!r.tokens || r.model, "tokens", "The quick KV cache needs the model's layers and hidden size.",
         "Name a \"model\", or leave \"tokens\" out.");
  v.rule(r.model.has_value() != (r.parameters > 0), "parameters",
         "Exactly one of \"model\" and \"parameters\" must be given.",
         "Write {\"parameters\": 70e9} or {\"model\": \"llama-3.1-70b\"}.");
}

}  // namespace podwright
