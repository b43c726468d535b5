#include "sizing/search_serving.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "sizing/formulas.h"
#include "sizing/layouts.h"

namespace podwright::sizing {
namespace {

std::string seconds_text(Seconds time) { return human_number(time.base_units() * 1000, 3) + " ms"; }

/// One replica on one layout, ready to be evaluated for any number of sequences.
struct Replica {
  NoTrace none;
  const ServingRun& run;
  EngineCosts<NoTrace> costs;
  ServingLimits<NoTrace> limits;

  struct Point {
    Seconds ttft;
    std::optional<Seconds> tpot;
    PerSecond requests;
  };
  Point point_at(double in_flight) {
    const double sequences = serving_speed::lane_sequences(none, run, in_flight);
    const LaneTimes<NoTrace> lane = serving_speed::continuous_lane(none, costs, run, limits, sequences);
    Point point{.ttft = lane.first_token, .tpot = std::nullopt, .requests = in_flight / lane.request};
    if (run.output_tokens > 1) point.tpot = (lane.request - lane.first_token) / (run.output_tokens - 1);
    return point;
  }
};

bool within(const Replica::Point& point, const ServingWorkload& workload) {
  const bool first = !workload.ttft_max || point.ttft <= *workload.ttft_max;
  return first && (!workload.tpot_max || !point.tpot || *point.tpot <= *workload.tpot_max);
}

/// Most sequences in flight that keep both limits; 0 where not even one does.
double most_in_flight(Replica& replica, const ServingWorkload& workload) {
  const double most = replica.limits.max_sequences;
  if (within(replica.point_at(most), workload)) return most;
  double low = 1;
  if (!within(replica.point_at(low), workload)) return 0;
  double high = most;
  for (int i = 0; i < 50 && high - low > 1e-6 * high; ++i) {
    const double middle = (low + high) / 2;
    (within(replica.point_at(middle), workload) ? low : high) = middle;
  }
  return low;
}

Infeasible too_slow(Replica& replica, const ServingWorkload& workload, const Gpu& gpu) {
  const Replica::Point alone = replica.point_at(1);
  if (workload.tpot_max && alone.tpot && *alone.tpot > *workload.tpot_max)
    return {.code = "tpot",
            .message = "One sequence alone takes " + seconds_text(*alone.tpot) + " per output token on " + gpu.name +
                       ", the limit is " + seconds_text(*workload.tpot_max) + ".",
            .shortfall = (*alone.tpot - *workload.tpot_max).base_units(),
            .unit = "s",
            .ways_out = {merge_patch("tpot_s_p95_max", alone.tpot->base_units())}};
  return {.code = "ttft",
          .message = "One prompt alone takes " + seconds_text(alone.ttft) + " to its first token on " + gpu.name +
                     ", the limit is " + seconds_text(*workload.ttft_max) + ".",
          .shortfall = (alone.ttft - *workload.ttft_max).base_units(),
          .unit = "s",
          .ways_out = {merge_patch("ttft_s_p95_max", alone.ttft.base_units())}};
}

class Search {
 public:
  Search(const Catalog& catalog, const Model& model, const Gpu& gpu, const ServingWorkload& workload,
         const SearchConstraints& constraints)
      : catalog_(catalog),
        model_(model),
        gpu_(gpu),
        workload_(workload),
        constraints_(constraints),
        stack_(layer_stack(model)) {}

  ServingSearch go() {
    for (const std::string& precision : serving_precisions(catalog_, model_, gpu_, workload_))
      for (const ServingParallelism& layout : serving_layouts(catalog_, model_, gpu_, constraints_.max_gpus))
        try_layout(precision, layout);
    std::stable_sort(search_.best.begin(), search_.best.end(),
                     [](const ServingCandidate& a, const ServingCandidate& b) {
                       if (a.gpus != b.gpus) return a.gpus < b.gpus;
                       return a.tpot.value_or(a.request) < b.tpot.value_or(b.request);
                     });
    if (static_cast<double>(search_.best.size()) > constraints_.top)
      search_.best.resize(static_cast<std::size_t>(constraints_.top));
    keep_front();
    search_.not_modelled = serving_not_modelled();
    if (workload_.ttft_max || workload_.tpot_max)
      search_.assumptions.push_back(
          "Limits on percentiles are compared with means over requests: percentiles are not modelled, so the margin to "
          "a limit matters.");
    return std::move(search_);
  }

 private:
  void try_layout(const std::string& precision, const ServingParallelism& layout) {
    ServingRun run{.weight_precision = precision,
                   .kv_precision = "",
                   .engine = workload_.engine,
                   .engine_version = "",
                   .parallelism = layout,
                   .input_tokens = workload_.input_tokens,
                   .output_tokens = workload_.output_tokens,
                   .load = {LoadKind::max_throughput, 0}};
    search_.evaluated += 1;
    NoTrace none;
    const Engine* engine = find_engine_conventions(catalog_, run.engine);
    const WeightFormat* format = find_weight_format(catalog_.weight_formats, precision);
    const std::string text = layout_text(run);
    if (engine == nullptr || format == nullptr) {
      reject(search_.rejected,
             {.code = engine == nullptr ? "engine-not-known" : "format-not-supported",
              .message = "Not known: " + (engine == nullptr ? run.engine : precision) + ".",
              .shortfall = 0,
              .unit = "",
              .ways_out = {}},
             text);
      return;
    }
    const ServingMemory<NoTrace> memory = serving_memory(none, model_, stack_, gpu_, *engine, *format, run);
    if (memory.infeasible) return reject(search_.rejected, *memory.infeasible, text);
    const ServingLimits<NoTrace> limits = serving_limits(none, memory, run, *format);
    if (limits.max_sequences < 1)
      return reject(search_.rejected,
                    {.code = "no-room-for-one-sequence",
                     .message = "Not one sequence fits beside the weights.",
                     .shortfall = 0,
                     .unit = "",
                     .ways_out = {}},
                    text);
    std::vector<Infeasible> reasons;
    std::vector<std::string> assumptions;
    const auto costs = engine_costs(none, catalog_, gpu_, model_, run, limits, assumptions, reasons);
    if (!costs) {
      for (Infeasible& reason : reasons) reject(search_.rejected, std::move(reason), text);
      return;
    }
    add_once(search_.assumptions, assumptions);
    Replica replica{.none = none, .run = run, .costs = *costs, .limits = limits};
    const double per_replica = gpus_of(layout);
    sample(replica, per_replica, text);
    const double most = most_in_flight(replica, workload_);
    if (most <= 0) return reject(search_.rejected, too_slow(replica, workload_, gpu_), text);
    const PerSecond rate = replica.point_at(most).requests;
    const double count = replicas(PerSecond(workload_.peak_requests_per_s), rate);
    if (count * per_replica > constraints_.max_gpus) {
      return reject(search_.rejected,
                    {.code = "gpu-limit",
                     .message = "The workload takes " + human_number(count * per_replica, 4) + " GPUs, at most " +
                                human_number(constraints_.max_gpus, 4) + " are allowed.",
                     .shortfall = count * per_replica - constraints_.max_gpus,
                     .unit = "GPUs",
                     .ways_out = {}},
                    text);
    }
    keep(run, *costs, limits, count, rate, memory.total);
  }

  void keep(ServingRun run, const EngineCosts<NoTrace>& costs, ServingLimits<NoTrace> limits, double count,
            PerSecond rate, Bytes memory) {
    NoTrace none;
    run.parallelism.data = count;
    run.load = {LoadKind::request_rate, workload_.peak_requests_per_s};
    limits.max_sequences = limits.max_sequences * count;
    const ServingPerformance<NoTrace> performance = serving_performance(none, catalog_.serving_efficiency, costs, gpu_, run, limits);
    ServingCandidate candidate;
    candidate.run = run;
    candidate.gpus = gpus_of(run.parallelism);
    candidate.ttft = performance.ttft.value_or(Seconds(0));
    candidate.tpot = performance.tpot;
    candidate.request = performance.request.value_or(Seconds(0));
    candidate.in_flight = performance.admitted_concurrency;
    candidate.max_requests_per_s = rate * count;
    candidate.output_tokens_per_s = performance.output_tokens_per_s;
    candidate.memory_per_gpu = memory;
    candidate.binding = performance.binding;
    if (performance.stable) search_.best.push_back(std::move(candidate));
  }

  /// Points of the front: what this layout needs at 1, 2, 4 ... sequences.
  void sample(Replica& replica, double per_replica, const std::string& text) {
    if (workload_.output_tokens <= 1) return;
    for (double in_flight = 1;; in_flight = std::min(in_flight * 2, replica.limits.max_sequences)) {
      const Replica::Point point = replica.point_at(in_flight);
      const double gpus = per_replica * replicas(PerSecond(workload_.peak_requests_per_s), point.requests);
      points_.tpot_s.push_back(point.tpot->base_units());
      points_.ttft_s.push_back(point.ttft.base_units());
      points_.gpus.push_back(gpus);
      points_.output_tokens_per_s_per_gpu.push_back(point.requests.base_units() * workload_.output_tokens /
                                                    per_replica);
      points_.tensor.push_back(replica.run.parallelism.tensor);
      points_.weight_precision.push_back(replica.run.weight_precision);
      points_.layout.push_back(text);
      if (in_flight >= replica.limits.max_sequences) break;
    }
  }

  void keep_front() {
    ServingPareto& front = search_.pareto;
    for (const std::size_t i : pareto_front(points_.tpot_s, points_.gpus)) {
      front.tpot_s.push_back(points_.tpot_s[i]);
      front.ttft_s.push_back(points_.ttft_s[i]);
      front.gpus.push_back(points_.gpus[i]);
      front.output_tokens_per_s_per_gpu.push_back(points_.output_tokens_per_s_per_gpu[i]);
      front.tensor.push_back(points_.tensor[i]);
      front.weight_precision.push_back(points_.weight_precision[i]);
      front.layout.push_back(points_.layout[i]);
    }
  }

  const Catalog& catalog_;
  const Model& model_;
  const Gpu& gpu_;
  const ServingWorkload& workload_;
  const SearchConstraints& constraints_;
  LayerStack stack_;
  ServingSearch search_;
  ServingPareto points_;
};

}  // namespace

ServingSearch search_serving(const Catalog& catalog, const Model& model, const Gpu& gpu,
                             const ServingWorkload& workload, const SearchConstraints& constraints) {
  return Search(catalog, model, gpu, workload, constraints).go();
}

}  // namespace podwright::sizing
