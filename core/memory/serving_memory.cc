#include "memory/serving_memory.h"

#include <algorithm>

#include "base/math.h"
#include "base/root.h"
#include "memory/gpu_memory.h"

namespace podwright {

std::optional<double> kv_element_bytes(std::string_view precision) {
  if (precision == "fp32") return 4.0;
  if (precision == "bf16" || precision == "fp16") return 2.0;
  if (precision == "fp8" || precision == "int8") return 1.0;
  if (precision == "q8-0") return 17.0 / 16.0;
  if (precision == "nvfp4" || precision == "q4-0") return 9.0 / 16.0;
  return {};
}

std::string_view kv_precision_of(const ServingRun& run, const EngineConventions& conventions,
                                 const WeightFormat& format) {
  if (!run.kv_precision.empty()) return run.kv_precision;
  if (conventions.kv_precision == "model-dtype") return format.id == "fp32" ? "fp32" : "bf16";
  return conventions.kv_precision;
}

namespace serving_detail {
namespace {

/// Sequences per attention rank that the load asks for; 0 where it names none.
double sequences_asked(const ServingRun& run) {
  const double ranks = run.parallelism.attention_data * run.parallelism.data;
  switch (run.load.kind) {
    case LoadKind::concurrency:
    case LoadKind::static_batch:
      return std::ceil(run.load.value / ranks);
    case LoadKind::max_throughput:
    case LoadKind::request_rate:
      break;
  }
  return run.max_batch_size ? std::ceil(*run.max_batch_size / run.parallelism.attention_data) : 0;
}

}  // namespace

double prefixes_in_use(const SharedPrefix& prefix, Bytes budget, Bytes own, Bytes shared) {
  if (prefix.kinds <= 1) return prefix.kinds;
  // Of n sequences that choose among them: all but those that none has chosen.
  const double not_chosen = math::log(1 - 1 / prefix.kinds);
  const auto in_use = [&](double sequences) { return prefix.kinds * (1 - math::exp(sequences * not_chosen)); };
  const auto left = [&](double sequences) {
    return (budget - own * sequences - shared * in_use(sequences)).base_units();
  };
  if (!(left(1) > 0)) return 1;
  return in_use(falling_root(1, budget / own, left));
}

ServingCase serving_case(const Model& model, const LayerStack& stack, const Gpu& gpu, const WeightFormat& format,
                         const ServingRun& run, const EngineConventions& c) {
  ServingCase s{
      .model = model, .stack = stack, .gpu = gpu, .format = format, .run = run, .conventions = c, .store = {}};
  const EngineDefaults* defaults = defaults_for(c, gpu.id, gpu_memory(gpu));
  const std::optional<double> known = kv_element_bytes(kv_precision_of(run, c, format));
  const double element = known.value_or(0);  // then infeasible
  s.full_tokens = run.max_model_tokens.value_or(run.input_tokens + run.output_tokens);
  s.store = {.element = Bytes(element),
             .indexer_element = Bytes(element),
             .recurrent_element = Bytes(c.state_bytes.value_or(0)),
             .convolution_element = Bytes(c.conv_state_bytes.value_or(0)),
             .latent_token_layer = Bytes(model.indexer && element == 1.0 ? c.packed_mla_fp8_bytes.value_or(0) : 0),
             .tensor = run.parallelism.tensor,
             .block_tokens = run.block_tokens.value_or(c.block_tokens.value_or(1)),
             .in_flight_tokens = 0,
             .hybrid_allocator = run.hybrid_allocator.value_or(c.hybrid_allocator.value_or(false)),
             .indexer = true};
  const std::optional<double> stated = run.max_batched_tokens
                                           ? run.max_batched_tokens
                                           : (defaults != nullptr ? defaults->max_batched_tokens : std::nullopt);
  s.step_tokens = stated.value_or(0);
  if (c.step_covers_length && !run.max_batched_tokens) s.step_tokens = std::max(s.step_tokens, s.full_tokens);
  if (run.max_batch_size) {
    s.sequence_limit = std::ceil(*run.max_batch_size / run.parallelism.attention_data);
  } else if (defaults != nullptr && defaults->max_sequences) {
    s.sequence_limit = *defaults->max_sequences;
  }
  s.asked_sequences = sequences_asked(run);
  s.kv_known = known.has_value();
  if (c.activation) {
    const std::vector<std::string>& without = c.activation->expert_workspace_except;
    s.expert_buffers = std::find(without.begin(), without.end(), format.id) == without.end();
  }
  s.graph_sequences =
      defaults != nullptr
          ? by_tensor(defaults->graph_sequences, run.parallelism.tensor * run.parallelism.attention_data).value_or(0)
          : 0;
  return s;
}

bool grows_evenly(const LayerStack& stack, bool hybrid_allocator) {
  for (const LayerKind& kind : stack.kinds) {
    if (kind.attention == AttentionKind::linear) return false;
    const bool windowed = kind.window_tokens > 0 &&
                          (kind.attention == AttentionKind::sliding || kind.attention == AttentionKind::chunked);
    if (windowed && hybrid_allocator) return false;
  }
  return true;
}

int fullest_stage(const ServingCase& s, Bytes capacity) {
  NoTrace plain;
  int fullest = 0;
  double fewest = 0;
  Bytes worst_budget;
  for (int stage = 0; stage < static_cast<int>(s.run.parallelism.pipeline); ++stage) {
    const Bytes budget = stage_memory(plain, s, stage, capacity).budget;
    const std::vector<double> layers = stage_layers(s.stack, {.pipeline = s.run.parallelism.pipeline}, stage);
    const Bytes sequence =
        kv_bytes_per_sequence(plain, s.model, s.stack, layers, s.store, std::max(1.0, s.full_tokens));
    const double sequences = sequence > Bytes(0) ? budget / sequence : (budget < Bytes(0) ? -1.0 : 1e300);
    const bool fuller = stage == 0 || (budget < Bytes(0) ? budget < worst_budget : sequences < fewest);
    if (!fuller) continue;
    fullest = stage;
    fewest = sequences;
    worst_budget = budget;
  }
  return fullest;
}

std::optional<Infeasible> serving_limit(const ServingCase& s, Bytes weights, Bytes budget, Bytes one_sequence,
                                        Bytes capacity, bool worded) {
  if (capacity <= Bytes(0))
    return Infeasible{.code = "gpu-memory-unknown", .message = say("gpu-memory-unknown", "gpu"_v = s.gpu.name)};
  // States of a width that nobody states would count as nothing.
  const bool states_known = s.conventions.state_bytes ||
                            std::none_of(s.stack.kinds.begin(), s.stack.kinds.end(),
                                         [](const LayerKind& kind) { return kind.attention == AttentionKind::linear; });
  if (!s.kv_known || !states_known || one_sequence <= Bytes(0)) {
    const std::string_view precision =
        s.kv_known ? std::string_view() : kv_precision_of(s.run, s.conventions, s.format);
    return Infeasible{.code = "kv-precision-unknown",
                      .message = precision.empty() ? say("kv-precision-unknown")
                                                   : say("kv-precision-unknown/named", "precision"_v = precision)};
  }
  if (budget >= one_sequence) return {};
  Infeasible limit{.code = budget >= Bytes(0)   ? "no-room-for-one-sequence"
                           : weights > capacity ? "weights-do-not-fit"
                                                : "no-room-for-kv-cache",
                   .shortfall = raw(one_sequence) - raw(budget),
                   .unit = "bytes"};
  if (!worded) return limit;
  const auto held = "weights_gib"_v = weights / gib(1);
  const auto gpu = "gpu"_v = s.gpu.name;
  const auto given = "capacity_gib"_v = capacity / gib(1);
  limit.message = budget >= Bytes(0)   ? say("no-room-for-one-sequence", "tokens"_v = s.full_tokens,
                                             "sequence_gib"_v = one_sequence / gib(1), "cache_gib"_v = budget / gib(1))
                  : weights > capacity ? say("weights-do-not-fit", held, gpu, given)
                                       : say("no-room-for-kv-cache", held, gpu, given);
  return limit;
}

}  // namespace serving_detail

std::optional<Bytes> first_stage_activations(const Model& model, const Gpu& gpu, const Engine& engine,
                                             const WeightFormat& format, const ServingRun& run) {
  NoTrace none;
  const LayerStack stack = layer_stack(model);
  const ConventionsChoice choice = conventions_of(engine, run.engine_version);
  const serving_detail::ServingCase s =
      serving_detail::serving_case(model, stack, gpu, format, run, *choice.conventions);
  return serving_detail::stage_memory(none, s, 0, gpu_memory(gpu)).activations;
}

namespace {

/// One deployment whose parts can be swapped.
struct Attempt {
  const Model& model;
  const LayerStack& stack;
  const Gpu* gpu;
  const Engine& engine;
  const WeightFormat* format;
  ServingRun run;

  bool feasible() const {
    NoTrace plain;
    return !serving_memory(plain, model, stack, *gpu, engine, *format, run).infeasible;
  }
};

bool runs_on(const Gpu& gpu, const std::string& precision) {
  return precision == "bf16" || precision == "fp16" || precision == "fp32" || gpu.peak_dense_flops.count(precision) > 0;
}

/// A GPU to move to must say that it multiplies in this precision; the two of 16 bit stand in for each other.
bool computes(const Gpu& gpu, const std::string& precision) {
  const bool sixteen = precision == "bf16" || precision == "fp16";
  return gpu.peak_dense_flops.count(precision) > 0 ||
         (sixteen && gpu.peak_dense_flops.count("bf16") + gpu.peak_dense_flops.count("fp16") > 0);
}

void fewer_bits(const Catalog& catalog, Attempt attempt, Infeasible& infeasible) {
  const WeightFormat* best = nullptr;
  const bool gguf = attempt.engine.id == "llama.cpp";
  const double now = attempt.format->bits_per_weight;
  for (const WeightFormat& format : catalog.weight_formats) {
    if (!(gguf ? format.in_gguf() : format.in_safetensors()) || format.bits_per_weight >= now ||
        !runs_on(*attempt.gpu, format.compute_precision))
      continue;
    if (best != nullptr && format.bits_per_weight <= best->bits_per_weight) continue;
    attempt.format = &format;
    if (attempt.feasible()) best = &format;
  }
  if (best != nullptr) infeasible.ways_out.emplace_back("/weight_precision", best->id);
}

void more_tensor_parallel(Attempt attempt, Infeasible& infeasible) {
  ServingParallelism& p = attempt.run.parallelism;
  for (p.tensor *= 2; p.tensor <= 8; p.tensor *= 2) {
    const double heads = attempt.model.attention_heads / p.tensor;
    if (heads != std::floor(heads)) return;
    if (!attempt.feasible()) continue;
    infeasible.ways_out.push_back(
        Patch("/gpu_count", p.tensor * p.pipeline * p.attention_data * p.data).set("/parallelism/tensor", p.tensor));
    return;
  }
}

void narrower_cache(Attempt attempt, Infeasible& infeasible) {
  attempt.run.kv_precision = "fp8";
  if (runs_on(*attempt.gpu, "fp8") && attempt.feasible()) infeasible.ways_out.emplace_back("/kv_precision", "fp8");
}

/// The longest input, in steps of a power of two of tokens, that leaves room for one sequence.
void shorter_context(Attempt attempt, Infeasible& infeasible) {
  if (infeasible.code != "no-room-for-one-sequence") return;
  NoTrace plain;
  const double longest =
      serving_memory(plain, attempt.model, attempt.stack, *attempt.gpu, attempt.engine, *attempt.format, attempt.run)
          .max_model_tokens;
  ServingRun& run = attempt.run;
  const double input = std::floor((longest - run.output_tokens) / 128.0) * 128.0;
  if (input < 1) return;
  run.input_tokens = input;
  const bool limited = run.max_model_tokens.has_value();
  if (limited) run.max_model_tokens = input + run.output_tokens;
  if (!attempt.feasible()) return;
  infeasible.ways_out.emplace_back("/input_tokens", input);
  if (limited) infeasible.ways_out.back().set("/max_model_tokens", *run.max_model_tokens);
}

void bigger_gpu(const Catalog& catalog, Attempt attempt, Infeasible& infeasible) {
  const Gpu* best = nullptr;
  const Gpu& now = *attempt.gpu;
  for (const Gpu& gpu : catalog.gpus) {
    const bool candidate = gpu.vendor == now.vendor && gpu_memory(gpu) > gpu_memory(now) &&
                           computes(gpu, attempt.format->compute_precision);
    if (!candidate || (best != nullptr && gpu_memory(gpu) >= gpu_memory(*best))) continue;
    attempt.gpu = &gpu;
    if (attempt.feasible()) best = &gpu;
  }
  if (best != nullptr) infeasible.ways_out.emplace_back("/gpu", best->id);
}

}  // namespace

void add_ways_out(const Catalog& catalog, const Model& model, const Gpu& gpu, const Engine& engine,
                  const WeightFormat& format, const ServingRun& run, Infeasible& infeasible) {
  const LayerStack stack = layer_stack(model);
  const Attempt as_started{
      .model = model, .stack = stack, .gpu = &gpu, .engine = engine, .format = &format, .run = run};
  // What was measured is of the engine as it was started.
  Attempt attempt = as_started;
  attempt.run.measured = {};
  fewer_bits(catalog, attempt, infeasible);
  more_tensor_parallel(attempt, infeasible);
  narrower_cache(attempt, infeasible);
  shorter_context(as_started, infeasible);
  bigger_gpu(catalog, attempt, infeasible);
}

}  // namespace podwright
