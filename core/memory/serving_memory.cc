#include "memory/serving_memory.h"

#include <algorithm>

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
  if (!s.kv_known) {
    const std::string_view precision = kv_precision_of(s.run, s.conventions, s.format);
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

}  // namespace podwright
