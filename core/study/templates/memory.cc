/// Memory of weights, keys and values, and training states.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/arithmetic.h"
#include "memory/model_states.h"
#include "memory/rule_of_thumb.h"
#include "memory/serving_weights.h"
#include "model/kv_cache.h"
#include "perf/ideal_replica.h"
#include "perf/step_arithmetic.h"
#include "study/draft.h"
#include "study/formulas.h"
#include "study/templates/names.h"
#include "study/templates/planner_requests.h"
#include "study/templates/topics.h"

namespace podwright {
namespace {

/// The quick rules of the planner for the model: its weights alone at a given number of bits, and its training states.
void open_rules(Draft& d, const Model& model, double bits) {
  d.planner(planner::kRules, [&](JsonWriter& r) {
    r.text("model", model.id);
    r.number("bits_per_weight", bits);
    r.number("overhead", 0);
  });
}

/// How sequences of a given number of tokens are served, on GPUs that the question may leave open.
struct Served {
  const Model& model;
  std::string_view weights = "bf16";
  double element = 2;  ///< bytes of a key or value
  double sequences = 1;
  double tokens = 2;
};

/// `engine` decides what stands beside weights and cache; nothing but activations with "transformers".
template <class Load>
void open_serving(Draft& d, const Served& served, const Gpu& gpu, double gpus, std::string_view engine,
                  const Load& load) {
  // A tensor group keeps whole key-value heads; the rest are stages.
  const double tensor = std::gcd(static_cast<int>(gpus), static_cast<int>(served.model.kv_heads));
  d.planner(planner::kServing, [&](JsonWriter& r) {
    r.text("model", served.model.id);
    r.text("gpu", gpu.id);
    r.number("gpu_count", gpus);
    r.text("weight_precision", served.weights);
    r.text("kv_precision", served.element == 2 ? "bf16" : "fp8");
    r.text("engine", engine);
    r.begin_object("parallelism");
    r.number("tensor", tensor);
    r.number("pipeline", gpus / tensor);
    r.end_object();
    r.number("input_tokens", std::max(1.0, served.tokens - 1));
    r.number("output_tokens", 1);
    r.begin_object("load");
    load(r);
    r.end_object();
  });
}

void open_batch(Draft& d, const Served& served, const Gpu& gpu, double gpus) {
  open_serving(d, served, gpu, gpus, "transformers",
               [&](JsonWriter& load) { load.number("static_batch", served.sequences); });
}

/// The question leaves the GPUs open: as few B200 as hold 16-bit weights and the cache.
void open_cache(Draft& d, const Served& served, Bytes cache) {
  const Gpu& gpu = **find_gpu(d.catalog(), "b200-sxm");
  const Bytes need = stored_bytes(*served.model.total_parameters, 16.0) + cache;
  double gpus = 1;
  while (need > 0.9 * gpus * *gpu.memory) gpus *= 2;
  open_batch(d, served, gpu, gpus);
}

constexpr std::string_view kDenseModels[] = {"llama-3.1-8b", "llama-3.1-70b",   "llama-3.1-405b",       "qwen2.5-7b",
                                             "qwen2.5-14b",  "qwen2.5-32b",     "qwen2.5-72b",          "phi-4",
                                             "yi-34b",       "mistral-7b-v0.3", "mistral-large-2-123b", "falcon-40b",
                                             "llama-2-13b",  "llama-2-70b"};
/// Grouped queries, every layer full attention.
constexpr std::string_view kGroupedModels[] = {"llama-3.1-8b", "llama-3.1-70b", "qwen2.5-14b", "qwen2.5-32b",
                                               "qwen2.5-72b",  "yi-34b",        "llama-2-70b", "phi-3-medium-14b"};
constexpr std::string_view kExpertModels[] = {"mixtral-8x7b-v0.1", "mixtral-8x22b-v0.1", "qwen3-30b-a3b",
                                              "qwen3-235b-a22b", "dbrx"};

struct Stored {
  std::string_view name;
  double bits;
};

constexpr Stored kStoredFormats[] = {{"FP32", 32}, {"BF16", 16}, {"FP8", 8}, {"INT4", 4}};

/// "FP8 (1 byte each)".
std::string with_bytes(const Stored& stored) {
  return std::string(stored.name) + " (" + count_text(stored.bits) + " bits each)";
}

Traced<Bytes> weights_of(Draft& d, const Model& model, const Stored& stored) {
  return named("weights", stored_bytes(parameters_of(d, model), d.given("bits_per_weight", stored.bits)));
}

void weights_memory(Draft& d) {
  const Model& model = d.model(kDenseModels);
  const Stored& stored = kStoredFormats[d.index(4)];
  d.prompt({with_parameters(model), with_bytes(stored)});
  const auto weights = weights_of(d, model, stored);
  d.ask(unit::kGb, weights);
  open_rules(d, model, stored.bits);
  const double parameters = *model.total_parameters;
  d.wrong("bits-for-bytes", bytes(parameters * stored.bits));
  d.wrong("bytes-for-bits", weights.value / 8.0);
  d.wrong("other-width", weights.value * 2.0);
  d.wrong("other-width", weights.value / 2.0);
  d.wrong("adds-a-fifth", weights.value * 1.2);
  d.wrong("four-times-rule", weights.value * 4.0,
          "This multiplies by 4, a rule of thumb for training; the weights alone are asked.");
}

void weights_gib(Draft& d) {
  const Model& model = d.model(kDenseModels);
  const Stored& stored = kStoredFormats[1 + d.index(3)];
  d.prompt({with_parameters(model), with_bytes(stored)});
  d.ask(unit::kGib, weights_of(d, model, stored), 0.01);
  open_rules(d, model, stored.bits);
}

/// Keys and values of one token in one layer.
Traced<Bytes> kv_per_layer(Draft& d, const Model& model, double element) {
  const auto head = d.fact(model, "head_dim", model.head_dim);
  return named("kv_bytes_per_layer",
               kv_bytes_per_layer(d.fact(model, "kv_heads", model.kv_heads), d.given("tensor_parallel_gpus", 1.0), head,
                                  head, d.given("bytes_per_value", bytes(element))));
}

Traced<Bytes> kv_per_sequence(Draft& d, const Model& model, double element, double tokens) {
  return named("kv_per_sequence", kv_bytes_of_tokens(d.fact(model, "layers", model.layers), d.given("tokens", tokens),
                                                     kv_per_layer(d, model, element)));
}

std::string shape_text(const Model& model) {
  return model.name + " has " + count_text(model.layers) + " layers, " + count_text(model.attention_heads) +
         " attention heads, " + count_text(model.kv_heads) + " key-value heads and heads of " +
         count_text(model.head_dim) + " values.";
}

std::string element_text(double element) { return element == 2 ? "BF16 (2 bytes)" : "FP8 (1 byte)"; }

void kv_cache(Draft& d) {
  const Model& model = d.model(kGroupedModels);
  const double element = d.pick({1, 2});
  const double batch = d.pick({4, 8, 16, 32, 64});
  const double context = d.pick({2048, 4096, 8192, 16384, 32768});
  if (context > model.context_tokens) return d.discard();
  d.prompt({shape_text(model), counted(batch, "sequence"), count_text(context), element_text(element)});
  const auto sequence = kv_per_sequence(d, model, element, context);
  const auto all = named("kv_cache", kv_of_step(d.given("sequences", batch), sequence));
  d.ask(unit::kGb, all);
  open_cache(d, {.model = model, .element = element, .sequences = batch, .tokens = context}, all.value);
  d.wrong("keys-only", all.value / 2.0);
  d.wrong("mha-for-gqa", all.value * (model.attention_heads / model.kv_heads));
  d.wrong("one-head", all.value / model.kv_heads);
  d.wrong("one-sequence", sequence.value);
  d.wrong("other-width", all.value * (element == 2 ? 0.5 : 2.0));
  d.wrong("bits-for-bytes", all.value * 8.0);
}

void kv_of_tokens(Draft& d) {
  const Model& model = d.model(kGroupedModels);
  const double element = d.pick({1, 2});
  const double tokens = d.pick({1, 10, 100, 1000, 2000, 5000});
  d.prompt({shape_text(model), (tokens == 1 ? "does one token" : "do " + count_text(tokens) + " tokens"),
            element_text(element)});
  const auto cache = kv_per_sequence(d, model, element, tokens);
  d.ask({"_kb", "kB", 1e3}, cache, 0.01);
  // More than the model's context are several sequences, and the question does not say how many.
  if (tokens <= model.context_tokens)
    open_cache(d, {.model = model, .element = element, .tokens = tokens}, cache.value);
}

void kv_sequences(Draft& d) {
  const Model& model = d.model({"llama-3.1-8b", "llama-3.1-70b", "qwen2.5-14b", "qwen2.5-32b", "qwen2.5-72b"});
  const Gpu& gpu = d.gpu({"a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm"});
  const double gpus = d.pick({1, 2, 4, 8});
  const double context = d.pick({4096, 8192, 16384, 32768});
  d.prompt({shape_text(model), large_number(*model.total_parameters), (gpus == 1 ? "are on " : "are spread over "),
            counted(gpus, "GPU"), in_unit_text(raw(*gpu.memory) / 1e9, "GB"), count_text(context)});
  const auto weights = weights_of(d, model, kStoredFormats[1]);
  const auto sequence = kv_per_sequence(d, model, 2, context);
  const auto fit = named(
      "sequences", sequences_beside(d.given("gpus", gpus), d.fact(gpu, "memory_gb", gpu.memory), weights, sequence));
  if (fit.value < 4) return d.discard();
  d.ask(unit::kNone, fit);
  const Bytes memory = gpus * *gpu.memory;
  // A real engine needs more beside the weights; where they fill the GPUs, it would not start.
  if (weights.value < 0.6 * memory)
    open_serving(d, {.model = model, .tokens = context}, gpu, gpus, "vllm",
                 [](JsonWriter& load) { load.boolean("max_throughput", true); });
  const auto beside = [&](Bytes taken, Bytes each) { return std::floor((memory - taken) / each); };
  d.wrong("weights-only", std::floor(memory / sequence.value));
  d.wrong("keys-only", beside(weights.value, sequence.value / 2.0));
  d.wrong("mha-for-gqa", beside(weights.value, sequence.value * (model.attention_heads / model.kv_heads)));
  d.wrong("other-width", beside(weights.value / 2.0, sequence.value));
  d.wrong("one-gpu-only", std::floor((*gpu.memory - weights.value / gpus) / sequence.value));
}

void training_states(Draft& d) {
  const Model& model = d.model(kDenseModels);
  d.prompt({with_parameters(model)});
  const auto states = named("states", rule_sixteen_bytes(parameters_of(d, model)));
  d.ask(unit::kGb, states);
  open_rules(d, model, 16);
  const Bytes weights = stored_bytes(*model.total_parameters, 16.0);
  d.wrong("weights-only", weights);
  d.wrong("four-times-rule", weights * 4.0);
  d.wrong("six-times-rule", weights * 6.0);
  d.wrong("optimizer-forgotten", weights * 2.0);
  d.wrong("gib-for-gb", states.value * 1.073741824);
}

void zero_stage(Draft& d) {
  const Model& model = d.model(kDenseModels);
  const double ranks = d.pick({8, 16, 32, 64});
  const int stage = static_cast<int>(d.whole(1, 3));
  const StateShards shards = state_shards(stage, ranks);
  d.prompt({with_parameters(model), counted(ranks, "GPU"), count_text(stage)});
  const auto parameters = parameters_of(d, model);
  const auto part = [&](std::string_view name, double each, double over) {
    return named(name, sharded_bytes(parameters, d.given(std::string(name) + "_bytes", bytes(each)),
                                     d.given(std::string(name) + "_shards", over)));
  };
  const auto all = d.trace().sum("states_per_gpu", std::vector<Traced<Bytes>>{part("weights", 2, shards.weights),
                                                                              part("gradients", 2, shards.gradients),
                                                                              part("optimizer", 12, shards.optimizer)});
  d.ask(unit::kGb, all);
  // The question leaves the GPU open; some states fit no GPU.
  if (all.value < gb(100)) open_sharded_training(d, model, "b200-sxm", ranks, stage, [](JsonWriter&) {});
  const auto of_stage = [&](int other) {
    const StateShards s = state_shards(other, ranks);
    return bytes(parameters.value * (2.0 / s.weights + 2.0 / s.gradients + 12.0 / s.optimizer));
  };
  d.wrong("no-sharding", of_stage(0));
  for (int other = 1; other < stage; ++other)
    d.wrong("no-sharding", of_stage(other), "This is ZeRO stage " + count_text(other) + ", which shards less.");
  for (int other = stage + 1; other <= 3; ++other) d.wrong("shards-everything", of_stage(other));
  d.wrong("master-weights-forgotten",
          bytes(parameters.value * (2.0 / shards.weights + 2.0 / shards.gradients + 8.0 / shards.optimizer)));
  d.wrong("weights-only", bytes(parameters.value * 2.0 / shards.weights));
}

void min_gpus(Draft& d) {
  const Model& model = d.model(kDenseModels);
  const Gpu& gpu = d.gpu({"a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm"});
  d.prompt({gpu.name, in_unit_text(raw(*gpu.memory) / 1e9, "GB"), with_parameters(model)});
  const auto states = named("states", rule_sixteen_bytes(parameters_of(d, model)));
  const auto memory = d.fact(gpu, "memory_gb", gpu.memory);
  const auto gpus = named("gpus", gpus_for_memory(states, memory));
  if (gpus.value < 3) return d.discard();
  d.ask(unit::kNone, gpus, 0);
  open_rules(d, model, 16);
}

void moe_memory(Draft& d) {
  const Model& model = d.model(kExpertModels);
  const Stored& stored = kStoredFormats[1 + d.index(3)];
  d.prompt(
      {model.name, large_number(*model.total_parameters), large_number(*model.active_parameters), with_bytes(stored)});
  const auto weights = weights_of(d, model, stored);
  d.ask(unit::kGb, weights);
  open_rules(d, model, stored.bits);
  const Bytes active = stored_bytes(*model.active_parameters, stored.bits);
  d.wrong("active-for-total", active);
  d.wrong("other-width", weights.value * 2.0);
  d.wrong("other-width", weights.value / 2.0);
  d.wrong("bits-for-bytes", weights.value * 8.0);
  d.wrong("adds-a-fifth", weights.value * 1.2);
}

void lora_parameters(Draft& d) {
  const Model& model = d.model({"llama-3.1-8b", "llama-3.1-70b", "qwen2.5-7b", "qwen2.5-32b", "llama-2-13b"});
  const double rank = d.pick({8, 16, 32, 64});
  const double hidden = model.hidden_size;
  d.prompt({count_text(rank), count_text(hidden), count_text(hidden), count_text(model.layers), model.name});
  const auto widths = named("widths", d.given("sides", 2.0) * d.fact(model, "hidden_size", model.hidden_size));
  const auto each = named("adapter", adapter_parameters(d.given("rank", rank), widths));
  const auto all = named("trained", d.fact(model, "layers", model.layers) * each);
  d.ask(unit::kNone, all, 0.01);
}

/// GPUs from small to large; the right one is the smallest that holds weights and cache.
void which_gpu_fits(Draft& d) {
  const Model& model = d.model({"llama-3.1-8b", "qwen2.5-14b", "qwen2.5-32b", "llama-3.1-70b", "yi-34b"});
  const Stored& stored = kStoredFormats[1 + d.index(3)];
  const double batch = d.pick({1, 4, 8, 16});
  const double context = d.pick({4096, 8192, 16384, 32768});
  if (context > model.context_tokens) return d.discard();
  constexpr std::string_view kBySize[] = {"l4", "l40s", "h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm"};
  const auto weights = weights_of(d, model, stored);
  const auto sequence = kv_per_sequence(d, model, 2, context);
  const auto cache = named("kv_cache", kv_of_step(d.given("sequences", batch), sequence));
  const auto need = d.trace().sum("needed", std::vector<Traced<Bytes>>{weights, cache});
  d.show(unit::kGb, need);
  std::vector<const Gpu*> gpus;
  for (const std::string_view id : kBySize) gpus.push_back(*find_gpu(d.catalog(), id));
  std::size_t right = 0;
  while (right < gpus.size() && *gpus[right]->memory < need.value) ++right;
  // The lesson is the cache: a smaller GPU must hold the weights alone.
  if (right == 0 || right == gpus.size() || *gpus[right - 1]->memory < weights.value) return d.discard();
  if (!apart(raw(*gpus[right]->memory), raw(need.value)) || !apart(raw(*gpus[right - 1]->memory), raw(need.value)))
    return d.discard();
  d.prompt({shape_text(model), large_number(*model.total_parameters), with_bytes(stored), counted(batch, "sequence"),
            count_text(context)});
  // Engines keep embeddings and scales of quantised weights in more bits.
  const std::string_view format = stored.bits == 16 ? "bf16" : stored.bits == 8 ? "fp8" : "int4-awq";
  if (need.value < 0.8 * *gpus[right]->memory)
    open_batch(d, {.model = model, .weights = format, .sequences = batch, .tokens = context}, *gpus[right], 1);
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const std::string text = gpus[i]->name + ", " + in_unit_text(raw(*gpus[i]->memory) / 1e9, "GB");
    d.source(gpus[i]->source_of("memory_gb"));
    if (i == right)
      d.right(text, "It is the first whose memory exceeds weights and cache together.");
    else if (i + 1 == right)
      d.mistaken("kv-cache-forgotten", text);
    else if (i < right)
      d.wrong(text, "It is too small.");
    else
      d.wrong(text, "It holds everything too, but a smaller one does.");
  }
  d.conclude("Weights and cache need " + quantity_text(raw(need.value), "B") + "; " + gpus[right - 1]->name +
             " has too little, " + gpus[right]->name + " has enough.");
}

void precision_match(Draft& d) {
  const Model& model = d.model(kDenseModels);
  d.prompt({with_parameters(model)});
  for (const Stored& stored : kStoredFormats) {
    const auto weights = named(
        std::string("weights_") + std::string(stored.name),
        stored_bytes(parameters_of(d, model), d.given(std::string("bits_") + std::string(stored.name), stored.bits)));
    d.show(unit::kGb, weights);
    d.pair(std::string(stored.name), in_unit_text(raw(weights.value) / 1e9, "GB"),
           "Each parameter takes " + (stored.bits < 8 ? std::string("half a byte") : counted(stored.bits / 8, "byte")) +
               ".");
  }
}

constexpr Template kMemoryTemplates[] = {
    {"t.weights-memory", weights_memory},
    {"t.weights-gib", weights_gib},
    {"t.kv-cache", kv_cache},
    {"t.kv-of-tokens", kv_of_tokens},
    {"t.kv-sequences", kv_sequences},
    {"t.training-states", training_states},
    {"t.zero-stage", zero_stage},
    {"t.min-gpus", min_gpus},
    {"t.moe-memory", moe_memory},
    {"t.lora-parameters", lora_parameters},
    {"t.which-gpu-fits", which_gpu_fits},
    {"t.precision-match", precision_match},
};

}  // namespace

std::span<const Template> memory_templates() { return kMemoryTemplates; }

}  // namespace podwright
