#pragma once
/// What a search for a deployment gives. docs/method/search.md#serving.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "perf/estimate_serving.h"
#include "sizing/candidates.h"
#include "sizing/limit_certainty.h"

namespace podwright::sizing {

/// A deployment that meets the workload. Times are means at its rate.
struct ServingCandidate {
  ServingRun run;            ///< `load` is the peak request rate, or the highest that keeps every limit
  const Gpu* gpu = nullptr;  ///< of the offer, as the system
  const System* system = nullptr;
  double gpus = 0;                       ///< with slices their share of a GPU
  const MigProfile* slice = nullptr;     ///< every replica has one; null: whole GPUs
  std::shared_ptr<const Gpu> slice_gpu;  ///< the slice as a GPU of its own
  const Gpu& speed_gpu() const { return slice_gpu ? *slice_gpu : *gpu; }
  Seconds ttft;
  std::optional<Seconds> tpot;  ///< absent with fewer than two output tokens
  Seconds request;
  double in_flight = 0;
  double places = 0;                 ///< sequences that fit
  double step_tokens = 0;            ///< of one engine step; 0: the engine sets no limit
  PerSecond max_requests_per_s;      ///< that still meets every limit
  PerSecond carried_requests_per_s;  ///< that meets every limit with the confidence that is asked for
  /// The same where all times stand at the upper, and at the lower, bounds of their intervals; 0: not even one request
  /// alone keeps the limits there. Absent where no fit tells an interval.
  std::optional<PerSecond> max_requests_per_s_low;
  std::optional<PerSecond> max_requests_per_s_high;
  std::optional<PerSecond> max_requests_per_s_at_90;  ///< kept with a probability of 90 %
  PerSecond output_tokens_per_s;                      ///< at its rate
  Bytes memory_per_gpu;
  std::optional<UsdPerSecond> price;           ///< of all GPUs; absent where nobody told one
  std::optional<Usd> price_of_million_output;  ///< output tokens
  Binding binding;
  StepTimes<NoTrace> decode_step;
  std::vector<LimitCertainty> limits;       ///< of the workload, in its order
  std::vector<std::string> interval_basis;  ///< what the intervals stand on
  std::vector<std::string> why;             ///< sentences: what binds the best, what the others lack
};

/// One layout with a number of sequences in flight in each replica. The front of a search holds the points that no
/// other beats in time per output token, output tokens a GPU and price of an output token together.
struct ServingPoint {
  std::uint32_t offer = 0;
  Seconds tpot;
  Seconds ttft;  ///< mean, without waits for a place
  double in_flight = 0;
  double output_tokens_per_s_per_gpu = 0;
  std::optional<ServingWidths> widths;  ///< of the 90 % intervals' logarithms; absent where no fit tells them
  std::optional<Usd> price_of_million_output;
  double gpus = 0;            ///< for the peak rate; without one those of a replica
  bool within_limits = true;  ///< under a stream of requests that keeps so many in flight
  std::string gpu;
  std::string slice;  ///< its profile, where a replica has one; the GPU is then full of them
  std::string engine;
  std::string weight_precision;
  ServingParallelism parallelism;
  std::string layout;  ///< for people
};

struct ServingSearch {
  std::vector<ServingCandidate>
      best;  ///< by the objective; of GPU, engine, format and arrangement together only the best
  /// Where one GPU is more than the peak needs: slices of it that carry the peak, by the price of their share.
  std::vector<ServingCandidate> slices;
  std::vector<Rejection> rejected;
  std::vector<ServingPoint> front;       ///< by rising tpot
  double evaluated = 0;                  ///< layouts with a step limit each: memory, and where it fits their speed
  double pruned = 0;                     ///< of these, not looked at further: even full they cost more than others
  std::vector<std::string> assumptions;  ///< of the best, each once
  std::vector<std::string> not_modelled;
};

}  // namespace podwright::sizing
