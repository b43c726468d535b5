#include "memory/serving_ways_out.h"

#include <array>

#include "memory/gpu_memory.h"

namespace podwright {
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
  const Attempt attempt{.model = model, .stack = stack, .gpu = &gpu, .engine = engine, .format = &format, .run = run};
  fewer_bits(catalog, attempt, infeasible);
  more_tensor_parallel(attempt, infeasible);
  narrower_cache(attempt, infeasible);
  shorter_context(attempt, infeasible);
  bigger_gpu(catalog, attempt, infeasible);
}

}  // namespace podwright
