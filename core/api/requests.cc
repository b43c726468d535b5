#include "api/requests.h"

#include "api/check_serving_request.h"
#include "api/describe_framework.h"
#include "api/describe_head.h"
#include "api/describe_serving_options.h"
#include "api/describe_training_options.h"
#include "api/describe_weights.h"
#include "api/duplicates.h"

#include "base/number_text.h"
#include "perf/layout_rules.h"

namespace podwright {
namespace {

constexpr std::string_view kOneGroup = "not asked for";

template <class Item>
std::vector<std::string> ids(const std::vector<Item>& items) {
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.id);
  return names;
}

/// Size of one parallel group.
void describe_size(FieldVisitor& v, std::string_view key, std::string_view help, double& size) {
  v.count({.key = key, .help = help, .range = kAtLeastOne, .default_source = kOneGroup}, size);
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

void describe_workload(FieldVisitor& v, const Catalog& catalog, PlanWorkload& w) {
  v.text({.key = "name", .help = "Name in the answer"}, w.name);
  word(v, {.key = "type", .help = "serving or training", .required = true}, w.type, kWorkloadTypeWords);
  v.model({.key = "model",
           .help = "Model: an id of the catalog, an object of the same shape, or a Hugging Face config.json",
           .required = true},
          w.model);
  v.word({.key = "sovereignty", .help = "Where its data may be; absent: as in the constraints"}, w.sovereignty,
         {"none", "in-country", "on-premises", "air-gapped"});
  // The schema names the fields of both types; which of them are required depends on the type.
  const bool required = !v.all_variants();
  if (w.type == WorkloadType::serving || v.all_variants()) {
    v.number({.key = "peak_requests_per_s",
              .help = "Requests per second at the peak",
              .required = required,
              .range = {1e-6, 1e9}},
             w.peak_requests_per_s);
    v.number({.key = "mean_requests_per_s", .help = "Requests per second on average", .range = {0, 1e9}},
             w.mean_requests_per_s);
    v.count({.key = "input_tokens", .help = "Prompt tokens of a request", .required = required, .range = {1, 1e8}},
            w.input_tokens);
    v.count({.key = "output_tokens", .help = "Generated tokens of a request", .required = required, .range = {1, 1e8}},
            w.output_tokens);
    v.number(
        {.key = "ttft_s_p95_max", .help = "Longest time to the first token, 95th percentile, s", .range = kPositive},
        w.ttft_s_max);
    v.number({.key = "tpot_s_p95_max", .help = "Longest time per output token, 95th percentile, s", .range = kPositive},
             w.tpot_s_max);
    v.word({.key = "engine", .help = "Serving engine", .default_source = kConvention, .aliases = "engines"}, w.engine,
           ids(catalog.engines));
    v.words({.key = "weight_precisions",
             .help = "Weight formats that may be used; absent: the model's own and fp8 where the GPU computes it",
             .aliases = "precisions"},
            w.weight_precisions, ids(catalog.weight_formats));
    v.rule(!w.mean_requests_per_s || *w.mean_requests_per_s <= w.peak_requests_per_s, "mean_requests_per_s",
           "The mean is above the peak.", "Give a mean at or below peak_requests_per_s.");
    check_context(v, w.model, w.input_tokens, w.output_tokens, {});
  }
  if (w.type == WorkloadType::training || v.all_variants()) {
    word(v, {.key = "method", .help = "Full training or adapters", .default_source = kConvention}, w.method,
         kTrainingMethodWords);
    v.number({.key = "tokens", .help = "Tokens to train on", .required = required, .range = {1, 1e18}}, w.tokens);
    v.number(
        {.key = "deadline_days", .help = "Days until the run must be done", .required = required, .range = {1e-3, 1e5}},
        w.deadline_days);
    v.number({.key = "runs_per_year",
              .help = "How often a year the run happens",
              .range = {0, 1e6},
              .default_source = kConvention},
             w.runs_per_year);
    describe_batch(v, w.sequence_length, w.global_batch_size);
    word(v,
         {.key = "precision",
          .help = "Precision of the matrix products",
          .default_source = kConvention,
          .aliases = "precisions"},
         w.precision, kPrecisionWords);
  }
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
           .default_source = kOneGroup},
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
        .default_source = kOneGroup},
       run.activation_recompute, kRecomputeWords);
  word(v, {.key = "method", .help = "Full training or adapters", .default_source = kOneGroup}, run.method,
       kTrainingMethodWords);
  v.count({.key = "lora_rank", .help = "Rank of the adapters (lora, qlora)", .range = {1, 65536}}, run.lora_rank);
  word(v, {.key = "offload", .help = "What is kept in host memory", .default_source = kOneGroup}, run.offload,
       kOffloadWords);
  word(v, {.key = "offload_target", .help = "Where what is offloaded lies", .default_source = kOneGroup},
       run.offload_target, kOffloadTargetWords);
  describe_framework(v, catalog, run);
  describe_training_options(v, run);
  describe_calendar(v, r.calendar, r.power);
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
            .default_source = kOneGroup},
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
  describe_explain(v, r.explain);
  check_serving_gpus(v, r.gpu_count, run);
  v.rule(!run.max_model_tokens || *run.max_model_tokens >= run.input_tokens + run.output_tokens, "max_model_tokens",
         "max_model_tokens is below input_tokens + output_tokens.", "Raise max_model_tokens.");
  check_serving_layout(v, r.model, run);
  check_context(v, r.model, run.input_tokens, run.output_tokens, run.max_model_tokens);
}

void describe(FieldVisitor& v, const Catalog& catalog, PlanRequest& r) {
  describe_head(v, "plan");
  const std::size_t workloads = v.enter_list({.key = "workloads", .help = "What the GPUs must do", .required = true});
  for (std::size_t i = 0; i < workloads; ++i) {
    if (r.workloads.size() <= i) r.workloads.push_back({});
    v.enter_item(i);
    describe_workload(v, catalog, r.workloads[i]);
    v.leave_item();
    if (r.workloads[i].name.empty()) r.workloads[i].name = "workload-" + std::to_string(i + 1);
  }
  v.leave_list();
  std::vector<std::string> names;
  for (const PlanWorkload& workload : r.workloads) names.push_back(workload.name);
  v.problems(duplicate_names(names, "/workloads", "name"));

  PlanConstraints& c = r.constraints;
  v.enter({.key = "constraints", .help = "What is given"});
  v.gpus(
      {.key = "gpus", .help = "GPUs to choose from; absent: the data-centre GPUs that come in a system of the catalog"},
      c.gpus);
  v.word({.key = "ownership", .help = "Who builds and owns the machines", .default_source = kOneGroup}, c.ownership,
         {"any", "dgx", "oem", "pcie", "cloud"});
  v.word({.key = "fabric", .help = "Network between the nodes", .default_source = kOneGroup}, c.fabric,
         {"any", "infiniband", "spectrum-x", "roce"});
  v.number({.key = "rack_power_kw", .help = "Power of one rack, kW", .range = {0.1, 10000}}, c.rack_power_kw);
  v.flag({.key = "liquid_cooling", .help = "Liquid cooling is at hand", .default_source = kOneGroup}, c.liquid_cooling);
  v.number({.key = "site_power_kw", .help = "Power of the site for this project, kW", .range = {0.1, 1e7}},
           c.site_power_kw);
  v.word({.key = "sovereignty", .help = "Where data may be", .default_source = kOneGroup}, c.sovereignty,
         {"none", "in-country", "on-premises", "air-gapped"});
  v.word({.key = "services", .help = "Who runs it", .default_source = kConvention}, c.services,
         {"self", "partner", "nvidia"});
  v.number({.key = "budget_usd", .help = "Money for the purchase, USD", .range = kPositive}, c.budget_usd);
  v.flag({.key = "no_capital", .help = "Nothing can be bought up front", .default_source = kOneGroup}, c.no_capital);
  v.flag({.key = "no_staff", .help = "Nobody can look after machines", .default_source = kOneGroup}, c.no_staff);
  v.flag({.key = "sensitive_data",
          .help = "Data are regulated or secret, without a rule where they must be",
          .default_source = kOneGroup},
         c.sensitive_data);
  v.number({.key = "start_within_days", .help = "Days until the first use", .range = kNotNegative},
           c.start_within_days);
  v.flag({.key = "separate_workloads",
          .help = "No workload runs on GPUs of another; else training fills what serving leaves free",
          .default_source = kOneGroup},
         c.separate_workloads);
  v.leave();

  PlanEconomics& e = r.economics;
  std::vector<std::string> regions;
  for (const EnergyRegion& region : catalog.energy_regions) regions.push_back(region.id);
  v.enter({.key = "economics", .help = "Money and time"});
  v.number({.key = "horizon_years", .help = "Years of use", .range = {0.1, 30}, .default_source = kConvention},
           e.horizon_years);
  v.word({.key = "region", .help = "Region of the energy table", .default_source = kConvention}, e.region, regions);
  v.number({.key = "discount_rate", .help = "Yearly discount rate", .range = kShare, .default_source = kConvention},
           e.discount_rate);
  v.number({.key = "demand_growth_per_year",
            .help = "Yearly growth of demand, 0.2 is 20 %",
            .range = {-0.9, 10},
            .default_source = kOneGroup},
           e.demand_growth_per_year);
  v.number({.key = "electricity_usd_per_kwh",
            .help = "Price of electricity, USD/kWh; absent: the region's price",
            .range = {0, 10}},
           e.electricity_usd_per_kwh);
  describe_mean_power(v, e.load, e.pue);
  v.number({.key = "residual_fraction",
            .help = "Share of the servers' price left at the horizon; absent: the resale bands of the catalog",
            .range = kShare},
           e.residual_fraction);
  v.word({.key = "facility",
          .help = "Where owned machines stand; sunk: in a building that is there and paid for",
          .default_source = "rented space, so that no building is taken for free"},
         e.facility, {"colocation", "own-building", "sunk"});
  v.number({.key = "storage_tb",
            .help = "Usable storage for all workloads, TB; absent: none is counted",
            .range = kPositive},
           e.storage_tb);
  v.number({.key = "rent_change_per_year",
            .help = "Yearly change of the price of rented GPUs, -0.1 is a fall of 10 %",
            .range = {-0.9, 1},
            .default_source = kOneGroup},
           e.rent_change_per_year);
  v.number({.key = "migration_friction_usd_per_gpu_hour",
            .help = "What moving work between owned and rented GPUs costs, USD per owned GPU-hour",
            .range = kNotNegative,
            .default_source = kOneGroup},
           e.migration_friction_usd_per_gpu_hour);
  v.leave();

  PlanOptions& o = r.options;
  v.enter({.key = "options", .help = "How the answer is made"});
  v.count({.key = "top", .help = "Plans in the answer at most", .range = {1, 100}}, o.top);
  v.count({.key = "draws",
           .help = "Draws of the Monte Carlo for the cost of the first plan; 0: none",
           .range = {0, 1e7},
           .default_source = "docs/method/uncertainty.md#draws"},
          o.draws);
  v.count({.key = "seed", .help = "Seed of the Monte Carlo", .range = {0, 9e15}, .default_source = kConvention},
          o.seed);
  describe_explain(v, o.explain);
  v.leave();
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

const std::vector<std::string>& request_kinds() {
  static const std::vector<std::string> kinds{"training", "serving",  "plan", "search", "catalog",      "rule_of_thumb",
                                              "explain",  "backtest", "mig",  "fabric", "architecture", "cost"};
  return kinds;
}

const std::vector<std::string>& unbuilt_kinds() {
  static const std::vector<std::string> kinds{"calibrate", "question"};
  return kinds;
}

}  // namespace podwright
