#include "sizing/serving_finish.h"

#include <algorithm>
#include <cmath>

#include "perf/layout_rules.h"
#include "sizing/serving_replica.h"

namespace podwright::sizing {
namespace {

/// Replicas added where the whole deployment misses a limit by a hair.
constexpr int kMoreReplicas = 3;
/// Halvings of the range of sequences in flight.
constexpr int kSteps = 11;

/// Down to so many digits that the number stays at least `least` in its last place: 1000 gives four.
double floor_to_digits(double x, double least) {
  double scale = 1;
  while (x * scale < least) scale *= 10;
  return std::floor(x * scale) / scale;
}

/// How much longer than predicted a latency is at the upper bound of its interval, for each limit.
std::vector<LatencyLimit> at_bound(const std::vector<LimitCertainty>& limits, bool upper) {
  std::vector<LatencyLimit> moved;
  for (const LimitCertainty& one : limits)
    moved.push_back(stretched(one.limit, one.high ? one.reached / (upper ? *one.high : *one.low) : 1.0));
  return moved;
}

}  // namespace

ServingRun run_of(const FoundDeployment& found, const ServingWorkload& workload) {
  ServingRun run = serving_run(workload);
  run.engine = workload.engines[found.engine];
  run.weight_precision = found.precision;
  run.parallelism = found.layout;
  if (found.step_tokens > 0) run.max_batched_tokens = found.step_tokens;
  return run;
}

std::optional<ServingCandidate> ServingFinish::candidate(const FoundDeployment& found,
                                                         std::vector<std::string>& assumptions) const {
  NoTrace none;
  const bool peak = workload_.peak_requests_per_s > 0;
  const Gpu& gpu = *offers_[found.offer].gpu;
  for (int more = 0; more <= (peak ? kMoreReplicas : 0); ++more) {
    ServingRun run = run_of(found, workload_);
    run.parallelism.data = found.replicas + more;
    if (gpus_of(run.parallelism) > constraints_.max_gpus) return std::nullopt;
    const double most = found.rate * run.parallelism.data;
    run.load = {LoadKind::request_rate, peak ? workload_.peak_requests_per_s : floor_to_digits(most, 1000)};
    ServingEstimate<NoTrace> estimate = estimate_serving(none, catalog_, model_, stack_, gpu, run, false);
    if (!estimate.performance || !estimate.memory) return std::nullopt;
    if (!estimate.performance->stable || !within(*estimate.performance, workload_.limits)) continue;
    for (const std::string& sentence : estimate.assumptions)
      if (std::find(assumptions.begin(), assumptions.end(), sentence) == assumptions.end())
        assumptions.push_back(sentence);
    estimate.assumptions.clear();
    add_bounds(none, catalog_, model_, gpu, run, estimate);
    return filled(found, std::move(run), estimate, most);
  }
  return std::nullopt;
}

ServingCandidate ServingFinish::filled(const FoundDeployment& found, ServingRun run,
                                       const ServingEstimate<NoTrace>& estimate, double most) const {
  NoTrace none;
  const GpuOffer& offer = offers_[found.offer];
  const ServingPerformance<NoTrace>& speed = *estimate.performance;
  const WeightFormat& format = *find_weight_format(catalog_.weight_formats, found.precision);
  ServingCandidate candidate;
  candidate.run = std::move(run);
  candidate.gpu = offer.gpu;
  candidate.system = offer.system;
  candidate.gpus = gpus_of(candidate.run.parallelism);
  candidate.ttft = speed.ttft.value_or(Seconds(0));
  candidate.tpot = speed.tpot;
  candidate.request = speed.request.value_or(Seconds(0));
  candidate.in_flight = speed.admitted_concurrency;
  candidate.places = serving_limits(none, *estimate.memory, candidate.run, format).max_sequences;
  candidate.step_tokens = estimate.memory->step_tokens;
  candidate.max_requests_per_s = PerSecond(most);
  candidate.output_tokens_per_s = speed.output_tokens_per_s;
  candidate.memory_per_gpu = estimate.memory->total;
  if (offer.price_per_gpu) {
    candidate.price = *offer.price_per_gpu * candidate.gpus;
    candidate.price_of_million_output = *candidate.price / speed.output_tokens_per_s * 1e6;
  }
  candidate.binding = speed.binding;
  candidate.decode_step = speed.decode_step;
  candidate.limits = limit_certainty(estimate, workload_.limits);
  candidate.interval_basis = estimate.assumptions;
  if (estimate.bounds) add_sure_rates(found, estimate.bounds->requests_per_s.high / speed.requests_per_s, candidate);
  return candidate;
}

void ServingFinish::add_sure_rates(const FoundDeployment& found, double slower, ServingCandidate& candidate) const {
  NoTrace none;
  ServingRun run = run_of(found, workload_);
  const Gpu& gpu = *offers_[found.offer].gpu;
  const Engine& engine = *find_engine_conventions(catalog_, run.engine);
  const WeightFormat& format = *find_weight_format(catalog_.weight_formats, found.precision);
  const ServingMemory<NoTrace> memory = serving_memory(none, model_, stack_, gpu, engine, format, run);
  const ServingLimits<NoTrace> limits = serving_limits(none, memory, run, format);
  std::vector<std::string> told_already;
  std::vector<Infeasible> reasons;
  const auto costs = engine_costs(none, catalog_, gpu, model_, run, limits, told_already, reasons);
  if (!costs) return;
  const UnexplainedScatter unexplained = unexplained_scatter(catalog_);
  const ServingReplica replica(run, *costs, limits, unexplained);
  const double replicas = candidate.run.parallelism.data;
  const auto rate_at = [&](bool upper) {
    const auto edge = replica.most(at_bound(candidate.limits, upper), kSteps);
    const double rate = edge ? edge->rate * replicas : 0;
    return PerSecond(upper ? rate / slower : rate * slower);
  };
  candidate.max_requests_per_s_low = rate_at(true);
  candidate.max_requests_per_s_high = rate_at(false);
}

}  // namespace podwright::sizing
