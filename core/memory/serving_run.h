#pragma once
/// One fully specified deployment: the contract's `serving` request without the names of model and GPU.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/weight_format.h"
#include "memory/serving_options.h"

namespace podwright {

enum class LoadKind { concurrency, max_throughput, request_rate, static_batch };
struct Load {
  LoadKind kind = LoadKind::max_throughput;
  double value = 0;  ///< concurrency, requests per second or static batch, of the whole deployment
};

struct ServingRun {
  std::string weight_precision = "bf16";  ///< id of a weight format of the catalog (bf16, fp8, int4-awq, q4-k-m ...)
  std::string kv_precision;               ///< empty: the engine's default
  std::string engine = "vllm";
  std::string engine_version;  ///< empty: the newest that the catalog knows
  ServingParallelism parallelism;
  double input_tokens = 0;
  double output_tokens = 0;
  Load load;
  double prefix_hit_ratio = 0;               ///< share of the prompt tokens found in the prefix cache
  std::optional<double> max_batch_size;      ///< sequences in flight per replica that the engine allows
  std::optional<double> max_batched_tokens;  ///< tokens of one engine step
  std::optional<double> memory_fraction;     ///< in the engine's own convention
  std::optional<double> max_model_tokens;    ///< length that one sequence may reach; absent: input + output
  std::optional<bool> hybrid_allocator;      ///< layers with a window keep only the window; absent: the engine's habit
  std::optional<double> block_tokens;        ///< tokens of a KV block; absent: the engine's default
  double input_tokens_cv = 0;                ///< standard deviation over mean of the prompts' lengths
  double output_tokens_cv = 0;               ///< the same of the answers' lengths
  std::optional<Speculative> speculative;
  std::optional<Disaggregated> disaggregated;
  std::shared_ptr<const WeightFormat> exact_weights;  ///< from a file's tensors, in place of weight_precision's bits
};

/// The format whose bits count: that of the file where the run has one, else the one it names. Null where that is not
/// known.
inline const WeightFormat* weight_format_of(const std::vector<WeightFormat>& formats, const ServingRun& run) {
  return run.exact_weights ? run.exact_weights.get() : find_weight_format(formats, run.weight_precision);
}

}  // namespace podwright
