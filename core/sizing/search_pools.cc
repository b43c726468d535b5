#include "sizing/search_pools.h"

#include <algorithm>
#include <cmath>

#include "perf/layout_rules.h"
#include "sizing/formulas.h"
#include "sizing/search_serving.h"
#include "sizing/serving_launch.h"
#include "sizing/serving_replica.h"

namespace podwright::sizing {
namespace {

/// Halvings of a range of rates, and of sequences in flight.
constexpr int kSteps = 11;
/// Replicas of a pool beyond the fewest that its own rate needs: so many times as many are tried.
constexpr double kMostTimes = 4;

/// The highest rate of a decode replica that keeps the limits on its time per token; 0: none does.
double most_answers(const ServingPool& pool, const PoolMatching& matching, const UnexplainedScatter& unexplained,
                    const ServingRun& run, const std::vector<LatencyLimit>& limits) {
  const double lanes = pool.lanes();
  const auto kept = [&](double sequences) {
    DisaggregatedFigures figures;
    figures.of_lane = sequences / lanes;
    figures.per_token = answer_time(pool, sequences) / tokens_after_first(run.output_tokens, 1.0);
    figures.growing_share = growing_share(answer_step(pool, sequences));
    return within(disaggregated_latency(figures, run, 0, unexplained), limits);
  };
  double low = std::min(1.0, pool.places());
  double high = pool.places();
  if (!kept(low)) return 0;
  if (kept(high)) {
    low = high;
  } else {
    for (int i = 0; i < kSteps; ++i) {
      const double middle = std::sqrt(low * high);
      (kept(middle) ? low : high) = middle;
    }
  }
  const auto matched = [&](double sequences) {
    return matched_rate(rate_of_answers(pool, sequences), matching.decode_share->typical).base_units();
  };
  // No pair is asked for more of its stable rate: a replica must not promise it here.
  return std::min(matched(low), kShareOfStableRate * matched(pool.places()));
}

/// The highest rate of a prefill replica, where a prompt alone keeps the limits on its first token; else 0.
double most_prompts(const ServingPool& pool, const PoolMatching& matching, const UnexplainedScatter& unexplained,
                    const ServingRun& run, const std::vector<LatencyLimit>& limits) {
  const PromptBatch batch = prompt_batch(pool);
  DisaggregatedFigures alone;
  alone.prompt = batch_time(pool, batch, 1);
  if (!within(disaggregated_latency(alone, run, mean_first_token(alone, matching), unexplained), limits)) return 0;
  return kShareOfStableRate * matched_rate(rate_of_prompts(pool, batch), matching.prefill_share->typical).base_units();
}

std::vector<LatencyLimit> limits_on(const std::vector<LatencyLimit>& limits, LatencyKind kind) {
  std::vector<LatencyLimit> some;
  for (const LatencyLimit& limit : limits)
    if (limit.latency == kind) some.push_back(limit);
  return some;
}

}  // namespace

/// One layout of a pool, and what a replica of it does at most within the limits on what the pool decides.
struct PoolSearch::Candidate {
  ServingPool pool;
  double gpus = 0;  ///< of a replica
  double rate = 0;  ///< requests/s
  Bytes kv_of_token;
};

/// Two pools on their way; `bound` is a goal that the pair does not beat.
struct PoolSearch::Pair {
  Candidate& prefill;
  Candidate& decode;
  BytesPerSecond link;
  const PoolTerms& terms;
  double bound = 0;

  double gpus() const { return prefill.pool.replicas * prefill.gpus + decode.pool.replicas * decode.gpus; }
  PoolPair at_hand() const { return {prefill.pool, decode.pool, decode.kv_of_token, link, terms}; }
  Disaggregated pools() const {
    Disaggregated pools{.prefill_gpus = prefill.pool.replicas * prefill.gpus,
                        .decode_gpus = decode.pool.replicas * decode.gpus,
                        .prefill = prefill.pool.run.parallelism,
                        .decode = decode.pool.run.parallelism};
    pools.prefill.data = prefill.pool.replicas;
    pools.decode.data = decode.pool.replicas;
    return pools;
  }
};

PoolSearch::PoolSearch(const Catalog& catalog, const Model& model, const LayerStack& stack,
                       const ServingWorkload& workload, const ServingConstraints& constraints)
    : catalog_(catalog),
      model_(model),
      stack_(stack),
      workload_(workload),
      constraints_(constraints),
      matching_(pool_matching(catalog)),
      unexplained_(unexplained_scatter(catalog)) {}

std::vector<PoolSearch::Candidate> PoolSearch::candidates(const FoundDeployment& from, const Catalog& rates,
                                                          const Gpu& gpu, PoolTask task,
                                                          const std::vector<ServingParallelism>& layouts) {
  const Engine& engine = *find_engine_conventions(catalog_, run_.engine);
  const WeightFormat& format = *find_weight_format(catalog_.weight_formats, from.precision);
  const bool prompts = task == PoolTask::prompts;
  const std::vector<LatencyLimit> limits = limits_on(workload_.limits, prompts ? LatencyKind::ttft : LatencyKind::tpot);
  std::vector<std::string> told_later;
  std::vector<Infeasible> reasons;
  std::vector<Candidate> kept;
  for (const ServingParallelism& layout : layouts) {
    if (layout.pipeline > 1) continue;
    evaluated_ += 1;
    std::optional<ServingMemory<NoTrace>> memory;
    auto pool = ready_pool(rates, model_, stack_, gpu, engine, format, run_, task, layout, memory, told_later, reasons);
    if (!pool) continue;
    const double rate = prompts ? most_prompts(*pool, *matching_, unexplained_, run_, limits)
                                : most_answers(*pool, *matching_, unexplained_, run_, limits);
    if (!(rate > 0)) continue;
    kept.push_back(
        {.pool = std::move(*pool), .gpus = gpus_of(layout), .rate = rate, .kv_of_token = memory->bytes_per_token});
  }
  return kept;
}

std::optional<FoundDeployment> PoolSearch::best(const FoundDeployment& from, const Catalog& rates, const Gpu& gpu,
                                                double gpu_goal, const std::vector<ServingParallelism>& layouts,
                                                double goal_at_most) {
  run_ = run_of(from, workload_);
  const PoolTerms terms{.run = run_, .matching = *matching_, .unexplained = unexplained_};
  std::vector<Candidate> prefill = candidates(from, rates, gpu, PoolTask::prompts, layouts);
  if (prefill.empty()) return std::nullopt;
  std::vector<Candidate> decode = candidates(from, rates, gpu, PoolTask::answers, layouts);
  const double peak = workload_.peak_requests_per_s;
  std::vector<std::string> told_later;
  std::vector<Pair> pairs;
  for (Candidate& p : prefill)
    for (Candidate& d : decode) {
      const double gpus =
          peak > 0 ? std::ceil(peak / p.rate) * p.gpus + std::ceil(peak / d.rate) * d.gpus : p.gpus + d.gpus;
      if (gpus > constraints_.max_gpus) continue;
      const double bound = peak > 0 ? gpus * gpu_goal : -constraints_.max_gpus / (p.gpus / p.rate + d.gpus / d.rate);
      const auto link = link_of_pools(catalog_, gpu, peak > 0 ? gpus : constraints_.max_gpus, told_later);
      if (link) pairs.push_back({.prefill = p, .decode = d, .link = *link, .terms = terms, .bound = bound});
    }
  std::vector<std::size_t> order(pairs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return pairs[a].bound < pairs[b].bound; });
  FoundDeployment best = from;
  best.goal = goal_at_most;
  best.pools.reset();
  for (const std::size_t index : order) {
    Pair& pair = pairs[index];
    if (pair.bound >= best.goal) break;
    if (peak > 0) {
      size_for_peak(pair, gpu, gpu_goal, best);
    } else {
      split_gpus(pair, gpu, best);
    }
  }
  if (!best.pools) return std::nullopt;
  return best;
}

/// The fewest replicas of the prefill pool that keep the limits on the first token at the peak; 0: more do not help.
double PoolSearch::fewest_for_prompts(Pair& pair, double least, double most) const {
  const std::vector<LatencyLimit> limits = limits_on(workload_.limits, LatencyKind::ttft);
  const auto kept = [&](double replicas) {
    pair.prefill.pool.replicas = replicas;
    return limits.empty() || pair.at_hand().first_token_within(workload_.peak_requests_per_s, limits);
  };
  if (kept(least)) return least;
  if (!kept(most)) return 0;
  while (most - least > 1) {
    const double middle = std::floor((least + most) / 2);
    (kept(middle) ? most : least) = middle;
  }
  return most;
}

/// The fewest GPUs of the pair that carry the peak, where they are fewer than the best's.
void PoolSearch::size_for_peak(Pair& pair, const Gpu& gpu, double gpu_goal, FoundDeployment& best) const {
  const double peak = workload_.peak_requests_per_s;
  const double least_prefill = std::ceil(peak / pair.prefill.rate);
  const double least_decode = std::ceil(peak / pair.decode.rate);
  pair.decode.pool.replicas = least_decode;
  const double affordable = std::floor((best.goal / gpu_goal - least_decode * pair.decode.gpus) / pair.prefill.gpus);
  const double most_prefill = std::min(kMostTimes * least_prefill, affordable);
  if (most_prefill < least_prefill) return;
  const double fewest = fewest_for_prompts(pair, least_prefill, most_prefill);
  if (!(fewest > 0)) return;
  // Beyond the fewest only a limit on whole requests needs more: of either pool.
  for (double p = fewest; p <= most_prefill; ++p)
    for (double d = least_decode; d <= kMostTimes * least_decode; ++d) {
      pair.prefill.pool.replicas = p;
      pair.decode.pool.replicas = d;
      const double goal = pair.gpus() * gpu_goal;
      if (goal >= best.goal || pair.gpus() > constraints_.max_gpus) {
        if (d == least_decode) return;
        break;
      }
      const PoolPair pools = pair.at_hand();
      if (!pools.within(peak, workload_.limits)) continue;
      if (!startable(pair, gpu)) return;
      keep(pair, pools.most(workload_.limits, kSteps), goal, best);
      break;
    }
}

void PoolSearch::keep(const Pair& pair, double rate, double goal, FoundDeployment& best) const {
  best.pools = pair.pools();
  best.layout = pair.decode.pool.run.parallelism;
  best.rate = rate;
  best.replicas = 1;
  best.goal = goal;
}

/// The split of the GPUs at hand between the pools that carries most, where that is more than the best.
void PoolSearch::split_gpus(Pair& pair, const Gpu& gpu, FoundDeployment& best) const {
  const double gpus = constraints_.max_gpus;
  struct Split {
    double prefill = 0;
    double decode = 0;
    double bound = 0;
  };
  std::vector<Split> splits;
  for (double p = 1; p * pair.prefill.gpus + pair.decode.gpus <= gpus; ++p) {
    const double d = std::floor((gpus - p * pair.prefill.gpus) / pair.decode.gpus);
    splits.push_back({p, d, std::min(p * pair.prefill.rate, d * pair.decode.rate)});
  }
  std::stable_sort(splits.begin(), splits.end(), [](const Split& a, const Split& b) { return a.bound > b.bound; });
  for (const Split& split : splits) {
    if (-split.bound >= best.goal) break;
    pair.prefill.pool.replicas = split.prefill;
    pair.decode.pool.replicas = split.decode;
    const PoolPair pools = pair.at_hand();
    if (best.goal < 0 && !pools.within(-best.goal, workload_.limits)) continue;
    const double rate = pools.most(workload_.limits, kSteps);
    if (-rate >= best.goal || !startable(pair, gpu)) continue;
    keep(pair, rate, -rate, best);
  }
}

/// An engine that has no pools, or cannot start one of the layouts, says so.
bool PoolSearch::startable(const Pair& pair, const Gpu& gpu) const {
  ServingRun run = run_;
  run.disaggregated = pair.pools();
  for (const LaunchArguments& launch : serving_launch_arguments(model_, gpu, run, node_gpus(catalog_, gpu)))
    if (!launch.cannot.empty()) return false;
  return true;
}

}  // namespace podwright::sizing
