#pragma once
/// Memory and speed of one fully specified deployment.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/number_text.h"
#include "memory/serving_memory.h"
#include "perf/bounds.h"
#include "perf/ceilings.h"
#include "perf/disaggregated.h"
#include "perf/host_tier.h"
#include "perf/layout_rules.h"
#include "perf/prefix_reuse.h"
#include "perf/serving_energy.h"
#include "perf/serving_interval.h"
#include "perf/serving_performance.h"
#include "perf/serving_queue.h"

namespace podwright {

template <class Tracer>
struct ServingBounds {
  std::optional<Bounds<Tracer, Seconds>> ttft;
  std::optional<Bounds<Tracer, Seconds>> tpot;
  std::optional<Bounds<Tracer, Seconds>> request;
  Bounds<Tracer, PerSecond> requests_per_s;
  Bounds<Tracer, PerSecond> output_tokens_per_s;
  Bounds<Tracer, PerSecond> total_tokens_per_s;
  Bounds<Tracer, PerSecond> output_tokens_per_s_per_gpu;
  double most_half_width = 0;  ///< of the logarithm of what the deployment completes at most
};

/// Half a width of a request's time: its first token and its answer err together, each weighs by its share of the time.
/// A request that is its prompt errs as rates of prompts do.
template <class Tracer>
double half_width_of_request(const ServingPerformance<Tracer>& performance, const ServingRun& run, double of_first,
                             double of_steps, double of_prompts) {
  if (run.output_tokens <= 1) return of_prompts;
  if (!performance.ttft || !performance.request) return of_steps;
  const double share = std::min(1.0, value_of(*performance.ttft) / value_of(*performance.request));
  return share * of_first + (1 - share) * of_steps;
}

/// Factors of the rates. Requests that come at a rate are served at it, unless the deployment completes fewer: then the
/// bounds are those of what it completes, and never above what comes.
template <class Tracer>
BoundFactors<Tracer> rate_factors(Tracer& trace, const ServingPerformance<Tracer>& performance,
                                  const ServingWidths& widths, const ServingRun& run) {
  constexpr const char* kLow = "perf.throughput_low";
  constexpr const char* kHigh = "perf.throughput_high";
  if (run.load.kind != LoadKind::request_rate || !performance.stable_requests_per_s)
    return bound_factors(trace, kLow, kHigh, width_of(ServingFigure::rate, run, widths));
  const double of_most = width_of(ServingFigure::most, run, widths);
  const double served = value_of(performance.requests_per_s).base_units();
  const double stable = value_of(*performance.stable_requests_per_s).base_units();
  const auto factor = [&](double half_width) {
    return std::min(run.load.value, stable * math::exp(half_width)) / served;
  };
  return {trace.method(kLow, std::min(1.0, factor(-of_most)), kIntervalPage),
          trace.method(kHigh, performance.stable ? 1.0 : std::max(1.0, factor(of_most)), kIntervalPage)};
}

template <class Tracer>
ServingBounds<Tracer> serving_bounds(Tracer& trace, const ServingPerformance<Tracer>& performance,
                                     const ServingWidths& widths, const ServingRun& run) {
  const double first = width_of(ServingFigure::ttft, run, widths);
  const double steps = width_of(ServingFigure::tpot, run, widths);
  const auto of_first = bound_factors(trace, "perf.ttft_low", "perf.ttft_high", first);
  const auto of_steps = bound_factors(trace, "perf.tpot_low", "perf.tpot_high", steps);
  const auto of_rates = rate_factors(trace, performance, widths, run);
  const auto of_request = bound_factors(trace, "perf.request_low", "perf.request_high",
                                        half_width_of_request(performance, run, first, steps, widths.prompt));
  ServingBounds<Tracer> bounds;
  bounds.most_half_width = width_of(ServingFigure::most, run, widths);
  if (performance.ttft) bounds.ttft = of_first.of("perf.ttft_bound", *performance.ttft);
  if (performance.tpot) bounds.tpot = of_steps.of("perf.tpot_bound", *performance.tpot);
  if (performance.request) bounds.request = of_request.of("perf.request_bound", *performance.request);
  const auto rate = [&](std::string_view id, const auto& prediction) { return of_rates.of(id, prediction); };
  bounds.requests_per_s = rate("perf.requests_bound", performance.requests_per_s);
  bounds.output_tokens_per_s = rate("perf.output_tokens_bound", performance.output_tokens_per_s);
  bounds.total_tokens_per_s = rate("perf.total_tokens_bound", performance.total_tokens_per_s);
  bounds.output_tokens_per_s_per_gpu =
      rate("perf.output_tokens_per_gpu_bound", performance.output_tokens_per_s_per_gpu);
  return bounds;
}

/// Of a prefix_reuse().
template <class Tracer>
struct PrefixCacheFigures {
  Known<Tracer, double> hit_ratio{};
  Known<Tracer, double> unlimited{};
  Known<Tracer, Seconds> kept{};
  std::optional<Known<Tracer, double>> host_hit_ratio;
  std::optional<Known<Tracer, Seconds>> host_kept;
  std::optional<Known<Tracer, BytesPerSecond>> host_load;  ///< over the link of each GPU
};
template <class Tracer>
PrefixCacheFigures<Tracer> told_reuse(Tracer& trace, const ServingRun& run, const PrefixReuse& reuse) {
  PrefixCacheFigures<Tracer> told{
      .hit_ratio = run.measured.prefix_hit_ratio
                       ? prefix_hits(trace, run)
                       : trace.method("perf.found_in_prefix_cache", reuse.hit_ratio, kReusePage),
      .unlimited = trace.method("perf.found_without_limit", reuse.unlimited, kReusePage),
      .kept = trace.method("perf.prefix_kept", Seconds(reuse.kept_s), kReusePage)};
  if (reuse.loads) {
    told.host_hit_ratio = trace.method("perf.found_in_host_memory", reuse.loads->hit_ratio, kHostMemoryPage);
    told.host_kept = trace.method("perf.prefix_kept_in_host_memory", Seconds(reuse.host_kept_s), kHostMemoryPage);
  }
  return told;
}

template <class Tracer>
struct ServingEstimate {
  std::optional<ServingMemory<Tracer>> memory;  ///< absent where engine or weight format is not known
  std::optional<ServingPerformance<Tracer>>
      performance;  ///< absent where the deployment is infeasible or a rate is not known
  std::optional<DisaggregatedPools<Tracer>> pools;  ///< of a disaggregated deployment whose pools fit
  std::optional<EngineCosts<Tracer>> costs;     ///< of one step; absent without performance, of pools, and in searches
  std::optional<ServingWidths> widths;          ///< of the intervals; absent as `bounds`
  std::optional<ServingBounds<Tracer>> bounds;  ///< of 90 % intervals; absent without performance, and in searches
  std::optional<PrefixCacheFigures<Tracer>> prefix;  ///< where the run describes its traffic
  std::optional<HostTier> host;                      ///< that counts; of such a run
  std::optional<ServingEnergy<Tracer>> energy;       ///< absent as `costs`, and where the data sheet does not tell
  std::vector<Infeasible> reasons;                   ///< why something is absent
  bool feasible = false;                             ///< it fits, the layout is legal and the GPU can run the format
  std::vector<std::string> assumptions;              ///< ceilings that are estimates
  std::vector<std::string> not_modelled;
};

/// Null where the catalog has no such engine.
const Engine* find_engine_conventions(const Catalog& catalog, std::string_view id);

/// A missing rate does not make a deployment infeasible.
inline bool only_rates_missing(const std::vector<Infeasible>& reasons) {
  for (const Infeasible& reason : reasons)
    if (reason.code != "rate-unknown" && reason.code != "link-unknown" && reason.code != "network-unknown")
      return false;
  return true;
}

/// A rate with a little room below what the deployment completes: a whole number, or three digits below 10.
inline constexpr double kStableRoom = 0.97;
double stable_rate_below(double capacity);

/// The reason of a deployment that gets more requests than it completes.
Infeasible unstable(const ServingRun& run, double capacity);

template <class Tracer>
void estimate_disaggregated(Tracer& trace, const Catalog& catalog, const Model& model, const Gpu& gpu,
                            const Engine& engine, const WeightFormat& format, const ServingRun& run,
                            ServingEstimate<Tracer>& estimate) {
  const auto matching = pool_matching(catalog);
  if (!matching) {
    estimate.reasons.push_back({.code = "rate-unknown", .message = say("no-pool-figures")});
    return;
  }
  const DisaggregatedFigures figures = disaggregated_figures(catalog, model, gpu, engine, format, run, *matching);
  estimate.reasons = figures.reasons;
  estimate.assumptions = figures.assumptions;
  estimate.feasible = only_rates_missing(estimate.reasons);
  if (figures.decode_memory) estimate.memory = told_memory(trace, "decode", *figures.decode_memory);
  if (!figures.prefill_memory || !figures.decode_memory) return;
  DisaggregatedPools<Tracer> pools;
  pools.prefill_memory = told_memory(trace, "prefill", *figures.prefill_memory);
  pools.decode_memory = *estimate.memory;
  if (figures.served) {
    estimate.performance = disaggregated_performance(trace, catalog, run, *matching, figures, pools);
    estimate.not_modelled = serving_not_modelled();
    if (!figures.stable) {
      estimate.feasible = false;
      estimate.reasons.push_back(unstable(run, figures.rate));
    }
  }
  estimate.pools = pools;
}

/// Adds the bounds of what is there, and which rows they stand on.
template <class Tracer>
void add_bounds(Tracer& trace, const Catalog& catalog, const Model& model, const Gpu& gpu, const ServingRun& run,
                ServingEstimate<Tracer>& estimate) {
  if (!estimate.performance) return;
  const ServingKnowledge knowledge = serving_knowledge(catalog, model, gpu, run);
  const auto widths = serving_widths(catalog.serving_efficiency, knowledge, model.experts > 0);
  if (!widths) return;
  estimate.widths = widths;
  estimate.bounds = serving_bounds(trace, *estimate.performance, *widths, run);
  for (std::string& sentence : serving_interval_basis(knowledge, model, gpu, run))
    estimate.assumptions.push_back(std::move(sentence));
  if (const HostCalibration* host = host_of(catalog, gpu.id))
    estimate.assumptions.push_back(host_sentence(*host, gpu, knowledge.measured_kernels));
}

/// What the cache of a run with traffic finds.
void set_prefix_hits(ServingRun& run, const PrefixReuse& reuse);

/// What one replica's prefix cache finds where so many of the replica's requests are in flight.
PrefixReuse reuse_of_replica(const ServingMemory<NoTrace>& memory, const ServingRun& run, double replicas,
                             PerSecond rate, double in_flight, const std::optional<HostTier>& host);
/// The host memory of a run whose lane loads nothing yet, where that is sooner than to compute.
std::optional<HostTier> useful_host_tier(const Catalog& catalog, const Gpu& gpu, const ServingRun& run,
                                         const ServingMemory<NoTrace>& memory, const LaneTimes<NoTrace>& lane,
                                         std::vector<std::string>& told);

/// The run with what its prefix cache finds under its load: the share that the traffic's rate, the sequences in flight
/// and the room beside them leave, which are found together with it.
ServingRun with_prefix_reuse(const Catalog& catalog, const Model& model, const LayerStack& stack, const Gpu& gpu,
                             const ServingRun& run, PrefixReuse& reuse, std::optional<HostTier>& host,
                             std::vector<std::string>& told);

template <class Tracer>
ServingEstimate<Tracer> estimate_serving(Tracer& trace, const Catalog& catalog, const Model& model,
                                         const LayerStack& stack, const Gpu& gpu, const ServingRun& run,
                                         bool explain_ways_out);

template <class Tracer>
[[gnu::noinline]] ServingEstimate<Tracer> estimate_with_reuse(Tracer& trace, const Catalog& catalog, const Model& model,
                                                              const LayerStack& stack, const Gpu& gpu,
                                                              const ServingRun& run, bool explain_ways_out) {
  PrefixReuse reuse;
  std::optional<HostTier> host;
  std::vector<std::string> told;
  const ServingRun solved = with_prefix_reuse(catalog, model, stack, gpu, run, reuse, host, told);
  ServingEstimate<Tracer> estimate = estimate_serving(trace, catalog, model, stack, gpu, solved, explain_ways_out);
  estimate.prefix = told_reuse(trace, run, reuse);
  if (host && estimate.performance) {
    estimate.host = host;
    const PerSecond rate = value_of(estimate.performance->requests_per_s);
    estimate.prefix->host_load =
        trace.method("perf.loaded_from_host_memory", load_of_each_gpu(*host, run, *reuse.loads, rate), kHostMemoryPage);
  }
  for (std::string& sentence : told) estimate.assumptions.push_back(std::move(sentence));
  return estimate;
}

/// `stack` is layer_stack(model). `explain_ways_out`: also look for what would make an infeasible deployment feasible,
/// and tell intervals (slow; not for searches).
template <class Tracer>
ServingEstimate<Tracer> estimate_serving(Tracer& trace, const Catalog& catalog, const Model& model,
                                         const LayerStack& stack, const Gpu& gpu, const ServingRun& run,
                                         bool explain_ways_out) {
  if (shares_prompts(run) && !run.shared)
    return estimate_with_reuse(trace, catalog, model, stack, gpu, run, explain_ways_out);
  ServingEstimate<Tracer> estimate;
  const Engine* engine = find_engine_conventions(catalog, run.engine);
  const WeightFormat* format = weight_format_of(catalog.weight_formats, run);
  if (engine == nullptr || format == nullptr) {
    estimate.reasons.push_back({.code = engine == nullptr ? "engine-not-known" : "format-not-supported",
                                .message = engine == nullptr
                                               ? say("unknown-engine", "engine"_v = run.engine)
                                               : say("unknown-format", "format"_v = run.weight_precision)});
    return estimate;
  }
  if (run.disaggregated) {
    estimate_disaggregated(trace, catalog, model, gpu, *engine, *format, run, estimate);
    if (explain_ways_out) add_bounds(trace, catalog, model, gpu, run, estimate);
    return estimate;
  }
  estimate.reasons = serving_layout_problems(model, run);
  if (!estimate.reasons.empty()) return estimate;
  estimate.memory = serving_memory(trace, model, stack, gpu, *engine, *format, run);
  const ServingMemory<Tracer>& memory = *estimate.memory;
  if (memory.infeasible) {
    estimate.reasons.push_back(*memory.infeasible);
    if (explain_ways_out) add_ways_out(catalog, model, gpu, *engine, *format, run, estimate.reasons.back());
    return estimate;
  }
  if (!memory.warning.empty()) estimate.assumptions.push_back(memory.warning);
  if (std::string stale = engine_staleness(catalog.serving_efficiency, run.engine, run.engine_version); !stale.empty())
    estimate.assumptions.push_back(std::move(stale));
  ServingLimits<Tracer> limits = serving_limits(trace, memory, run, *format);
  if (value_of(limits.max_sequences) < 1) {
    estimate.reasons.push_back(no_sequence_fits());
    return estimate;
  }
  if (auto caution = vendor_caution(catalog, gpu)) estimate.assumptions.push_back(std::move(*caution));
  auto costs = engine_costs(trace, catalog, gpu, model, stack, run, limits, estimate.assumptions, estimate.reasons);
  if (explain_ways_out) add_format_ways_out(gpu, "/weight_precision", estimate.reasons);
  if (costs && run.speculative &&
      !add_draft(trace, catalog, model, gpu, *engine, *format, run, memory, limits, *costs, estimate.assumptions,
                 estimate.reasons))
    costs.reset();
  if (costs) {
    estimate.performance = serving_performance(trace, catalog.serving_efficiency, *costs, gpu, run, limits);
    add_queue(trace, catalog, *costs, run, limits, *estimate.performance);
    if (explain_ways_out) {
      const double sequences = value_of(estimate.performance->admitted_concurrency) / limits.pools;
      const std::string again = told_recompute(recomputed_share(limits.pool_tokens, sequences, run));
      if (!again.empty()) estimate.assumptions.push_back(again);
      estimate.costs = std::move(*costs);
    }
  }
  estimate.feasible = estimate.reasons.empty() || estimate.performance.has_value();
  if (only_rates_missing(estimate.reasons)) estimate.feasible = true;
  if (estimate.performance) {
    estimate.not_modelled = serving_not_modelled();
    if (explain_ways_out)
      for (const Message& better : better_replayed(run, *estimate.performance))
        estimate.not_modelled.push_back(better.text());
  }
  if (estimate.performance && !estimate.performance->stable) {
    const auto& stable = estimate.performance->stable_requests_per_s;
    const double capacity = value_of(stable.value_or(estimate.performance->requests_per_s)).base_units();
    estimate.feasible = false;
    estimate.reasons.push_back(unstable(run, capacity));
  }
  if (explain_ways_out) add_bounds(trace, catalog, model, gpu, run, estimate);
  if (estimate.costs)
    estimate.energy = serving_energy(trace, catalog.serving_efficiency, gpu, run, *estimate.costs,
                                     *estimate.performance, estimate.widths);
  return estimate;
}

template <class Tracer>
ServingEstimate<Tracer> estimate_serving(Tracer& trace, const Catalog& catalog, const Model& model, const Gpu& gpu,
                                         const ServingRun& run) {
  return estimate_serving(trace, catalog, model, layer_stack(model), gpu, run, true);
}

}  // namespace podwright
