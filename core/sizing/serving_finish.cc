#include "sizing/serving_finish.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "perf/layout_rules.h"
#include "sizing/mig_packing.h"
#include "sizing/pool_pair.h"
#include "sizing/serving_replica.h"

namespace podwright::sizing {
namespace {

/// Replicas added where the whole deployment misses a limit by a hair.
constexpr int kMoreReplicas = 3;
/// Halvings of the range of loads at the ends of intervals, which are compared with the load itself.
constexpr int kFineSteps = 40;

/// Down to so many digits that the number stays at least `least` in its last place: 1000 gives four.
double floor_to_digits(double x, double least) {
  double scale = 1;
  while (x * scale < least) scale *= 10;
  return std::floor(x * scale) / scale;
}

double gpus_of(const ServingRun& run) {
  const auto& pools = run.disaggregated;
  return pools ? pools->prefill_gpus + pools->decode_gpus : podwright::gpus_of(run.parallelism);
}

/// The limits as they are worth where every latency stands at the upper, or the lower, bound of its interval.
std::vector<LatencyLimit> at_bound(const std::vector<LimitCertainty>& limits, bool upper) {
  std::vector<LatencyLimit> moved;
  for (const LimitCertainty& one : limits)
    moved.push_back(stretched(one.limit, one.high ? one.reached / (upper ? *one.high : *one.low) : 1.0));
  return moved;
}
/// As they are worth where they are kept with a confidence.
std::vector<LatencyLimit> at_confidence(const std::vector<LimitCertainty>& limits, double confidence) {
  std::vector<LatencyLimit> moved;
  for (const LimitCertainty& one : limits)
    moved.push_back(
        stretched(one.limit, one.high ? share_kept_at(confidence, math::log(*one.high / one.reached)) : 1.0));
  return moved;
}

/// Every limit whose odds are told is kept with the confidence that is asked for, but for what rounding takes.
bool sure_enough(const ServingCandidate& candidate, double confidence) {
  constexpr double kRounding = 0.005;
  if (!(confidence > 0.5)) return true;
  return std::all_of(candidate.limits.begin(), candidate.limits.end(), [&](const LimitCertainty& one) {
    return one.probability.value_or(1.0) >= confidence - kRounding;
  });
}

/// `at` and its range: deviations_left(); `most` gives the rate that keeps limits. With longer times as many in flight
/// are fewer requests a second. Where the search was asked to be `sure`, the rate that it found is not that of the
/// prediction.
template <class At, class Most>
void judge(const At& at, double low, double high, const Most& most, double half_width, bool sure,
           ServingCandidate& candidate) {
  const double slower = math::exp(half_width);
  candidate.max_requests_per_s_low = PerSecond(most(at_bound(candidate.limits, true)) / slower);
  candidate.max_requests_per_s_high = PerSecond(most(at_bound(candidate.limits, false)) * slower);
  constexpr double kSure = 0.9;
  candidate.max_requests_per_s_at_90 =
      PerSecond(most(at_confidence(candidate.limits, kSure)) * share_kept_at(kSure, half_width));
  for (LimitCertainty& one : candidate.limits) {
    if (!one.high) continue;
    one.deviations = deviations_left(at, low, high, one, candidate.run.load.value, half_width);
    one.probability = math::normal_share_below(*one.deviations);
  }
  std::vector<LatencyLimit> predicted;
  for (const LimitCertainty& one : candidate.limits) predicted.push_back(one.limit);
  if (sure) candidate.max_requests_per_s = PerSecond(most(predicted));
}

}  // namespace

ServingRun run_of(const FoundDeployment& found, const ServingWorkload& workload) {
  ServingRun run = serving_run(workload);
  run.engine = workload.engines[found.engine];
  run.weight_precision = found.precision;
  run.parallelism = found.layout;
  if (found.shared) {
    run.prefix_hit_ratio = found.prefix_hits;
    run.shared = found.shared;
    run.loads = found.loads;
  }
  if (found.step_tokens > 0) run.max_batched_tokens = found.step_tokens;
  run.disaggregated = found.pools;
  if (found.draft_tokens > 0) {
    run.speculative = workload.draft;
    run.speculative->draft_tokens = found.draft_tokens;
  }
  return run;
}

void take_measured(ServingRun& run, std::string_view gpu_id, const ServingWorkload& workload) {
  run.measured = {};
  if (run.speculative || run.disaggregated || run.max_batched_tokens) return;
  const ServingParallelism& p = run.parallelism;
  for (const MeasuredDeployment& one : workload.measured) {
    const ServingParallelism& q = one.parallelism;
    if (one.gpu == gpu_id && one.engine == run.engine && one.weight_precision == run.weight_precision &&
        q.tensor == p.tensor && q.pipeline == p.pipeline && q.expert == p.expert &&
        q.attention_data == p.attention_data)
      run.measured.kv_cache_tokens = one.kv_cache_tokens;
  }
}

std::optional<ServingCandidate> ServingFinish::candidate(FoundDeployment& found,
                                                         std::vector<std::string>& assumptions) const {
  NoTrace none;
  const bool peak = q_.workload.peak_requests_per_s > 0;
  const std::shared_ptr<const Gpu> slice =
      found.slice ? std::make_shared<const Gpu>(mig_slice(*q_.offers[found.offer].gpu, *found.slice)) : nullptr;
  const Gpu& gpu = slice ? *slice : *q_.offers[found.offer].gpu;
  for (int more = 0; more <= (peak && !found.pools ? kMoreReplicas : 0); ++more) {
    ServingRun run = run_of(found, q_.workload);
    run.parallelism.data = found.replicas + more;
    take_measured(run, gpu.id, q_.workload);
    if (gpus_of(run) > (found.slice ? found.slice->instances : q_.constraints.max_gpus)) return std::nullopt;
    // What the prefix cache finds is that of this load.
    if (shares_prompts(run)) run.shared.reset();
    const double most = found.rate * run.parallelism.data;
    run.load = {LoadKind::request_rate, peak ? q_.workload.peak_requests_per_s : floor_to_digits(most, 1000)};
    ServingEstimate<NoTrace> estimate = estimate_serving(none, q_.catalog, q_.model, q_.stack, gpu, run, false);
    if (!estimate.performance || !estimate.memory) return std::nullopt;
    if (!estimate.performance->stable || !within(*estimate.performance, q_.workload.limits)) continue;
    for (const std::string& sentence : estimate.assumptions)
      if (std::find(assumptions.begin(), assumptions.end(), sentence) == assumptions.end())
        assumptions.push_back(sentence);
    estimate.assumptions.clear();
    add_bounds(none, q_.catalog, q_.model, gpu, run, estimate);
    // The rate that was found is that of the confidence; what is told is as predicted.
    ServingCandidate whole = filled(found, slice, std::move(run), estimate, most);
    if (!sure_enough(whole, q_.workload.confidence)) continue;
    found.replicas += more;
    return whole;
  }
  return std::nullopt;
}

ServingCandidate ServingFinish::filled(const FoundDeployment& found, std::shared_ptr<const Gpu> slice, ServingRun run,
                                       const ServingEstimate<NoTrace>& estimate, double most) const {
  const GpuOffer& offer = q_.offers[found.offer];
  const ServingPerformance<NoTrace>& speed = *estimate.performance;
  ServingCandidate candidate;
  candidate.run = std::move(run);
  candidate.gpu = offer.gpu;
  candidate.system = offer.system;
  candidate.slice = found.slice;
  candidate.slice_gpu = std::move(slice);
  candidate.gpus = gpus_of(candidate.run) / (found.slice ? found.slice->instances : 1.0);
  candidate.ttft = speed.ttft.value_or(Seconds(0));
  candidate.tpot = speed.tpot;
  candidate.request = speed.request.value_or(Seconds(0));
  candidate.in_flight = speed.admitted_concurrency;
  candidate.places = estimate.memory->max_sequences;
  if (const auto replica = found.pools ? std::nullopt : ready_replica(q_, found, candidate.speed_gpu()))
    candidate.places = replica->limits.max_sequences * candidate.run.parallelism.data;
  candidate.step_tokens = estimate.memory->step_tokens;
  candidate.max_requests_per_s = PerSecond(most);
  candidate.carried_requests_per_s = PerSecond(most);
  candidate.output_tokens_per_s = speed.output_tokens_per_s;
  candidate.memory_per_gpu = estimate.memory->total;
  if (offer.price_per_gpu) {
    candidate.price = *offer.price_per_gpu * candidate.gpus;
    candidate.price_of_million_output = *candidate.price / speed.output_tokens_per_s * 1e6;
  }
  candidate.binding = speed.binding;
  candidate.decode_step = speed.decode_step;
  candidate.limits = limit_certainty(estimate, q_.workload.limits);
  candidate.interval_basis = estimate.assumptions;
  if (!estimate.bounds) return candidate;
  const double half_width = estimate.bounds->most_half_width;
  found.pools ? judge_pools(found, half_width, candidate) : judge_replicas(found, half_width, candidate);
  return candidate;
}

void ServingFinish::judge_pools(const FoundDeployment& found, double half_width, ServingCandidate& candidate) const {
  const ServingRun run = run_of(found, q_.workload);
  const Gpu& gpu = *q_.offers[found.offer].gpu;
  const Engine& engine = *find_engine_conventions(q_.catalog, run.engine);
  const WeightFormat& format = *find_weight_format(q_.catalog.weight_formats, found.precision);
  std::vector<std::string> told_already;
  std::vector<Infeasible> reasons;
  std::optional<ServingMemory<NoTrace>> memory;
  const auto ready = [&](PoolTask task, const ServingParallelism& layout) {
    return ready_pool(q_.catalog, q_.model, q_.stack, gpu, engine, format, run, task, layout, memory, told_already,
                      reasons);
  };
  const auto matching = pool_matching(q_.catalog);
  const auto link = link_of_pools(q_.catalog, gpu, found.pools->prefill_gpus + found.pools->decode_gpus, told_already);
  const auto prefill = ready(PoolTask::prompts, found.pools->prefill);
  const auto decode = ready(PoolTask::answers, found.pools->decode);
  if (!matching || !link || !prefill || !decode) return;
  const PoolTerms terms{.run = run, .matching = *matching, .unexplained = unexplained_scatter(q_.catalog)};
  const PoolPair pair(*prefill, *decode, *link, terms);
  judge(
      [&](double rate) {
        return LoadedTo{rate, pair.latency(rate)};
      },
      pair.least_loaded(), pair.most_loaded(),
      [&](const std::vector<LatencyLimit>& limits) { return pair.most(limits, kFineSteps); }, half_width,
      q_.workload.confidence > 0.5, candidate);
}

void ServingFinish::judge_replicas(const FoundDeployment& found, double half_width, ServingCandidate& candidate) const {
  const auto ready = ready_replica(q_, found, candidate.speed_gpu());
  if (!ready) return;
  const UnexplainedScatter unexplained = unexplained_scatter(q_.catalog);
  const ServingReplica replica(ready->run, ready->costs, ready->limits, unexplained);
  const double replicas = candidate.run.parallelism.data;
  const auto rate_within = [&](const std::vector<LatencyLimit>& limits) {
    const auto edge = replica.most(limits, kFineSteps);
    return edge ? edge->rate * replicas : 0;
  };
  const auto at = [&](double sequences) {
    const ServingReplica::Point point = replica.point_with(sequences);
    return LoadedTo{point.rate * replicas, replica.latency(point)};
  };
  const auto fullest = replica.most({}, kFineSteps);
  judge(at, replica.least(), fullest ? fullest->sequences : replica.least(), rate_within, half_width,
        q_.workload.confidence > 0.5, candidate);
}

}  // namespace podwright::sizing
