#pragma once
/// Requests of the planner about memory: the quick rules, and sequences that a model serves.
#include <algorithm>
#include <numeric>
#include <string_view>

#include "memory/serving_weights.h"
#include "study/draft.h"

namespace podwright {

/// The quick rules of the planner for the model: its weights alone at a given number of bits, and its training states.
inline void open_rules(Draft& d, const Model& model, double bits) {
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

inline void open_batch(Draft& d, const Served& served, const Gpu& gpu, double gpus) {
  open_serving(d, served, gpu, gpus, "transformers",
               [&](JsonWriter& load) { load.number("static_batch", served.sequences); });
}

/// The question leaves the GPUs open: as few B200 as hold 16-bit weights and the cache.
inline void open_cache(Draft& d, const Served& served, Bytes cache) {
  const Gpu& gpu = **find_gpu(d.catalog(), "b200-sxm");
  const Bytes need = stored_bytes(*served.model.total_parameters, 16.0) + cache;
  double gpus = 1;
  while (need > 0.9 * gpus * *gpu.memory) gpus *= 2;
  open_batch(d, served, gpu, gpus);
}

}  // namespace podwright
