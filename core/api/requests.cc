#include "api/requests.h"

#include "api/check_serving_request.h"
#include "api/describe_framework.h"
#include "api/describe_head.h"
#include "api/describe_serving_options.h"
#include "api/describe_training_options.h"
#include "api/describe_weights.h"
#include "api/host_calibration_text.h"

#include "base/number_text.h"
#include "perf/layout_rules.h"

namespace podwright {
namespace {

/// Size of one parallel group.
void describe_size(FieldVisitor& v, std::string_view key, std::string_view help, double& size) {
  v.count({.key = key, .help = help, .range = kAtLeastOne, .default_source = kNotAsked}, size);
}

void describe(FieldVisitor& v, TrainingParallelism& p) {
  v.enter({.key = "parallelism", .help = "Sizes of the parallel groups"});
  describe_size(v, "tensor", "Tensor parallel size", p.tensor);
  describe_size(v, "pipeline", "Pipeline stages", p.pipeline);
  describe_size(v, "virtual_pipeline", "Model chunks per pipeline stage", p.virtual_pipeline);
  describe_size(v, "context", "Context parallel size", p.context);
  describe_size(v, "expert", "Expert parallel size", p.expert);
  describe_size(v, "expert_tensor", "Tensor parallel size inside an expert", p.expert_tensor);
  describe_size(v, "data", "Data parallel replicas", p.data);
  v.flag({.key = "sequence_parallel",
          .help = "Activations outside the tensor parallel region are sharded too",
          .default_source = "the framework's usual setting with tensor parallelism"},
         p.sequence_parallel);
  double zero_stage = p.zero_stage;
  v.count({.key = "zero_stage",
           .help = "What data parallel ranks shard: 0 nothing, 1 optimizer, 2 and gradients, 3 and parameters",
           .range = {0, 3},
           .default_source = "distributed optimizer"},
          zero_stage);
  p.zero_stage = static_cast<int>(zero_stage);
  word(v, {.key = "shard", .help = "Sharding group of ZeRO: all data parallel ranks, or those of one node"}, p.shard,
       kShardWords);
  v.leave();
}

void describe(FieldVisitor& v, ServingParallelism& p) {
  v.enter({.key = "parallelism", .help = "Sizes of the parallel groups"});
  describe_size(v, "tensor", "Tensor parallel size", p.tensor);
  describe_size(v, "pipeline", "Pipeline stages", p.pipeline);
  describe_size(v, "expert", "Expert parallel size; divides tensor x attention_data", p.expert);
  describe_size(v, "attention_data", "Attention data parallel size inside one engine", p.attention_data);
  describe_size(v, "data", "Independent replicas", p.data);
  v.leave();
}

void describe(FieldVisitor& v, Load& load) {
  v.enter({.key = "load",
           .help = "One of concurrency, max_throughput, request_rate_per_s, static_batch, of the whole deployment",
           .required = true});
  std::optional<double> concurrency;
  std::optional<double> rate;
  std::optional<double> batch;
  bool max_throughput = false;
  v.count({.key = "concurrency", .help = "Requests in flight", .range = kAtLeastOne}, concurrency);
  v.flag({.key = "max_throughput", .help = "As many requests as fit"}, max_throughput);
  v.number({.key = "request_rate_per_s", .help = "Requests arriving per second", .range = kPositive}, rate);
  v.count({.key = "static_batch", .help = "Sequences started together and finished together", .range = kAtLeastOne},
          batch);
  const int given = (concurrency ? 1 : 0) + (rate ? 1 : 0) + (batch ? 1 : 0) + (max_throughput ? 1 : 0);
  v.leave();
  v.rule(given == 1, "load", "\"load\" must say exactly one thing.",
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
  v.model({.key = "model",
           .help = "Model: an id of the catalog, an object of the same shape, or a Hugging Face config.json",
           .required = true},
          r.model);
  v.gpu({.key = "gpu", .help = "GPU: an id of the catalog or an object of the same shape", .required = true}, r.gpu);
  v.count({.key = "gpu_count",
           .help = "GPUs of the run: tensor x pipeline x context x data",
           .required = true,
           .range = kAtLeastOne},
          r.gpu_count);
  v.system({.key = "system", .help = "Server that holds the GPUs"}, r.system);
  TrainingRun& run = r.run;
  word(v,
       {.key = "precision",
        .help = "Precision of the matrix products",
        .default_source = "16-bit training",
        .aliases = "precisions"},
       run.precision, kPrecisionWords);
  word(v, {.key = "fp8_recipe", .help = "Scaling of fp8 tensors"}, run.fp8_recipe, kFp8RecipeWords);
  v.count({.key = "sequence_length", .help = "Tokens of a sequence", .required = true, .range = {1, 1e8}},
          run.sequence_length);
  v.count({.key = "micro_batch_size",
           .help = "Sequences of a micro-batch",
           .range = kAtLeastOne,
           .default_source = kNotAsked},
          run.micro_batch_size);
  v.count({.key = "global_batch_size", .help = "Sequences per optimizer step", .required = true, .range = kAtLeastOne},
          run.global_batch_size);
  word(v, {.key = "optimizer", .help = "Optimizer", .default_source = kConvention}, run.optimizer, kOptimizerWords);
  describe(v, run.parallelism);
  const TrainingParallelism& p = run.parallelism;
  word(v, {.key = "schedule", .help = "Pipeline schedule", .default_source = "the framework's usual schedule"},
       run.schedule, kScheduleWords);
  v.flag(
      {.key = "embedding_and_loss_as_layers", .help = "Embedding and loss count as a layer each when stages are cut"},
      run.embedding_and_loss_as_layers);
  word(v,
       {.key = "activation_recompute",
        .help = "What is computed again in the backward pass",
        .default_source = kNotAsked},
       run.activation_recompute, kRecomputeWords);
  word(v, {.key = "method", .help = "Full training or adapters", .default_source = kNotAsked}, run.method,
       kTrainingMethodWords);
  v.count({.key = "lora_rank", .help = "Rank of the adapters (lora, qlora)", .range = {1, 65536}}, run.lora_rank);
  word(v, {.key = "offload", .help = "What is kept in host memory", .default_source = kNotAsked}, run.offload,
       kOffloadWords);
  word(v, {.key = "offload_target", .help = "Where what is offloaded lies", .default_source = kNotAsked},
       run.offload_target, kOffloadTargetWords);
  describe_framework(v, catalog, run);
  describe_training_options(v, run);
  describe_calendar(v, r.calendar, r.power);
  describe_calibration(v);
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
  v.model({.key = "model",
           .help = "Model: an id of the catalog, an object of the same shape, or a Hugging Face config.json",
           .required = true},
          r.model);
  v.gpu({.key = "gpu", .help = "GPU: an id of the catalog or an object of the same shape", .required = true}, r.gpu);
  v.count({.key = "gpu_count",
           .help = "GPUs of the deployment: tensor x pipeline x attention_data x data",
           .required = true,
           .range = kAtLeastOne},
          r.gpu_count);
  v.system({.key = "system", .help = "Server that holds the GPUs"}, r.system);
  ServingRun& run = r.run;
  run.weight_precision.clear();
  run.engine.clear();
  v.word({.key = "weight_precision", .help = "Format of the linear weights", .required = true, .aliases = "precisions"},
         run.weight_precision, ids(catalog.weight_formats));
  v.word(
      {.key = "kv_precision", .help = "Format of the KV cache; absent: the engine's default", .aliases = "precisions"},
      run.kv_precision, {"fp32", "bf16", "fp16", "fp8", "int8", "nvfp4"});
  v.word({.key = "engine", .help = "Serving engine", .required = true, .aliases = "engines"}, run.engine,
         ids(catalog.engines));
  v.text({.key = "engine_version", .help = "Version of the engine; absent: the newest that the catalog knows"},
         run.engine_version);
  describe_weights(v, catalog, r.model, run);
  describe(v, run.parallelism);
  v.count({.key = "input_tokens", .help = "Prompt tokens of a request", .required = true, .range = {1, 1e8}},
          run.input_tokens);
  v.count({.key = "output_tokens", .help = "Generated tokens of a request", .required = true, .range = {1, 1e8}},
          run.output_tokens);
  describe(v, run.load);
  v.number({.key = "prefix_hit_ratio",
            .help = "Share of the prompt found in the prefix cache",
            .range = kShare,
            .default_source = kNotAsked},
           run.prefix_hit_ratio);
  v.count({.key = "max_batch_size",
           .help = "Sequences in flight that the engine allows per replica; absent: the engine's default",
           .range = kAtLeastOne},
          run.max_batch_size);
  v.count({.key = "max_batched_tokens",
           .help = "Tokens of one engine step; absent: the engine's default",
           .range = kAtLeastOne},
          run.max_batched_tokens);
  v.number({.key = "memory_fraction",
            .help = "Share of memory in the engine's own convention; absent: the engine's default",
            .range = {0.01, 1}},
           run.memory_fraction);
  v.count({.key = "max_model_tokens",
           .help = "Length that one sequence may reach; absent: input_tokens + output_tokens",
           .range = kAtLeastOne},
          run.max_model_tokens);
  v.count({.key = "block_tokens", .help = "Tokens of a KV block; absent: the engine's default", .range = {1, 65536}},
          run.block_tokens);
  describe_serving_options(v, catalog, run);
  describe_calibration(v);
  describe_explain(v, r.explain);
  check_serving_gpus(v, r.gpu_count, run);
  v.rule(!run.max_model_tokens || *run.max_model_tokens >= run.input_tokens + run.output_tokens, "max_model_tokens",
         "max_model_tokens is below input_tokens + output_tokens.", "Raise max_model_tokens.");
  check_serving_layout(v, r.model, run);
  check_context(v, r.model, run.input_tokens, run.output_tokens, run.max_model_tokens);
}

void describe(FieldVisitor& v, const Catalog&, CatalogRequest& r) {
  describe_head(v, "catalog");
  const std::vector<std::string> tables{"gpus",    "models",         "systems", "switches", "architectures",
                                        "engines", "weight-formats", "regions", "sources"};
  v.word({.key = "list", .help = "A table: ids and names of its items"}, r.list, tables);
  v.word({.key = "show", .help = "The table of the item `id`, shown whole"}, r.show,
         {tables.begin(), tables.begin() + 7});
  v.text({.key = "id", .help = "Item to show"}, r.id);
  v.rule(r.list.empty() != r.show.empty(), "list", "Exactly one of \"list\" and \"show\" must be given.",
         "Write {\"kind\": \"catalog\", \"list\": \"gpus\"}.");
  v.rule(r.show.empty() || !r.id.empty(), "id", "\"show\" needs an \"id\".", "Add \"id\".");
}

void describe(FieldVisitor& v, const Catalog&, RuleOfThumbRequest& r) {
  describe_head(v, "rule_of_thumb");
  v.model({.key = "model", .help = "Model whose parameters are meant"}, r.model);
  v.number({.key = "parameters", .help = "Parameters, a plain count (70e9)", .range = {0, 1e15}}, r.parameters);
  v.number({.key = "bits_per_weight",
            .help = "Bits of a stored weight",
            .range = {1, 64},
            .default_source = "16-bit weights"},
           r.bits_per_weight);
  v.number({.key = "overhead",
            .help = "Share added for everything else",
            .range = {0, 10},
            .default_source = "\"add about 20 %\" of the study material"},
           r.overhead);
  v.count({.key = "tokens",
           .help = "Tokens of all sequences together, for the quick KV cache; needs a model",
           .range = {1, 1e12}},
          r.tokens);
  describe_explain(v, r.explain);
  v.rule(!r.tokens || r.model, "tokens", "The quick KV cache needs the model's layers and hidden size.",
         "Name a \"model\", or leave \"tokens\" out.");
  v.rule(r.model.has_value() != (r.parameters > 0), "parameters",
         "Exactly one of \"model\" and \"parameters\" must be given.",
         "Write {\"parameters\": 70e9} or {\"model\": \"llama-3.1-70b\"}.");
}

}  // namespace podwright
