#include "sizing/search_pools.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/stable_sort.h"
#include "perf/layout_rules.h"
#include "sizing/gpu_count.h"
#include "sizing/serving_launch.h"
#include "sizing/serving_replica.h"
#include "sizing/workload.h"

namespace podwright::sizing {
namespace {

/// Replicas of a pool beyond the fewest that its own rate needs: so many times as many are tried.
constexpr double kMostTimes = 4;
/// From a number of replicas to the next that is tried beside the other pool's: one, of many a sixty-fourth.
double next_replicas(double replicas) { return replicas + std::max(1.0, std::floor(replicas / 64)); }

ServedLatency latency_of_answers(const ServingPool& pool, double sequences, const UnexplainedScatter& unexplained,
                                 const ServingRun& run) {
  DisaggregatedFigures figures;
  figures.of_lane = sequences / pool.lanes();
  figures.per_token = answer_time(pool, sequences) / tokens_after_first(run.output_tokens);
  figures.growing_share = growing_share(answer_step(pool, sequences));
  return disaggregated_latency(figures, run, 0, unexplained);
}

ServedLatency latency_of_lone_prompt(const ServingPool& pool, const PoolMatching& matching,
                                     const UnexplainedScatter& unexplained, const ServingRun& run) {
  DisaggregatedFigures alone;
  alone.prompt = batch_time(pool, prompt_batch(pool), 1);
  return disaggregated_latency(alone, run, mean_first_token(alone, matching), unexplained);
}

/// The limit with the least room, where it is missed, as a reason. `limits` are `asked` as the confidence makes them.
std::optional<Infeasible> missed_limit(const ServedLatency& served, const std::vector<LatencyLimit>& limits,
                                       const std::vector<LatencyLimit>& asked, double confidence,
                                       const Message& whose) {
  const int tight = tightest(served, limits);
  if (tight < 0) return std::nullopt;
  const auto place = static_cast<std::size_t>(tight);
  const Seconds takes(reached(served, limits[place]));
  if (takes <= limits[place].most) return std::nullopt;
  return too_long(asked[place], takes, limits[place].most, confidence, whose);
}

Infeasible link_not_known(const Gpu& gpu) {
  return {.code = "link-unknown", .message = say("no-link/pools-of-gpu", "gpu"_v = gpu.name)};
}

/// The highest rate of a decode replica that keeps the limits on its time per token; 0: none does.
double most_answers(const ServingPool& pool, const PoolMatching& matching, const UnexplainedScatter& unexplained,
                    const ServingRun& run, const std::vector<LatencyLimit>& limits) {
  const auto kept = [&](double sequences) {
    return within(latency_of_answers(pool, sequences, unexplained, run), limits);
  };
  double low = std::min(1.0, pool.places());
  double high = pool.places();
  if (!kept(low)) return 0;
  if (kept(high)) {
    low = high;
  } else {
    for (int i = 0; i < kEdgeSteps; ++i) {
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
  if (!within(latency_of_lone_prompt(pool, matching, unexplained, run), limits)) return 0;
  const PerSecond rate = rate_of_prompts(pool, prompt_batch(pool));
  return kShareOfStableRate * matched_rate(rate, matching.prefill_share->typical).base_units();
}

/// The least whole number from `least` to `most` of which `kept` is true, where it stays true above; `most` is not
/// asked.
template <class Kept>
double fewest(double least, double most, const Kept& kept) {
  if (least >= most || kept(least)) return least;
  while (most - least > 1) {
    const double middle = std::floor((least + most) / 2);
    (kept(middle) ? most : least) = middle;
  }
  return most;
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
};

/// Between a GPU of one pool and one of the other: inside a node, and where both together are larger than one.
struct PoolSearch::Links {
  double node_gpus = 1;
  std::optional<BytesPerSecond> inside;
  std::optional<BytesPerSecond> across;

  const std::optional<BytesPerSecond>& of(double gpus) const { return gpus <= node_gpus ? inside : across; }
};

/// Two pools on their way, with replicas as they were last set; `bound` is a goal that the pair does not beat.
struct PoolSearch::Pair {
  Candidate& prefill;
  Candidate& decode;
  const Links& links;
  const PoolTerms& terms;
  double least_prefill = 1;  ///< replicas
  double least_decode = 1;
  double bound = 0;

  void set(double prefill_replicas, double decode_replicas) {
    prefill.pool.replicas = prefill_replicas;
    decode.pool.replicas = decode_replicas;
  }
  double gpus_of(double prefill_replicas, double decode_replicas) const {
    return prefill_replicas * prefill.gpus + decode_replicas * decode.gpus;
  }
  double gpus() const { return gpus_of(prefill.pool.replicas, decode.pool.replicas); }
  /// Requests/s that so many replicas do not exceed.
  double most(double prefill_replicas, double decode_replicas) const {
    return std::min(prefill_replicas * prefill.rate, decode_replicas * decode.rate);
  }
  /// The pools with the link that as many GPUs have; there must be one.
  PoolPair at_hand() const { return {prefill.pool, decode.pool, *links.of(gpus()), terms}; }
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

std::vector<PoolSearch::Candidate> PoolSearch::candidates(const FoundDeployment& from, const Catalog& rates,
                                                          const Gpu& gpu, PoolTask task,
                                                          const std::vector<ServingParallelism>& layouts) {
  const Engine& engine = *find_engine_conventions(q_.catalog, run_.engine);
  const WeightFormat& format = *find_weight_format(q_.catalog.weight_formats, from.precision);
  const bool prompts = task == PoolTask::prompts;
  const LatencyKind kind = prompts ? LatencyKind::ttft : LatencyKind::tpot;
  const std::vector<LatencyLimit> limits = limits_on(margins_.limits, kind);
  const std::vector<LatencyLimit> asked = limits_on(q_.workload.limits, kind);
  std::vector<std::string> told_later;
  std::vector<Infeasible> reasons;
  std::vector<Candidate> kept;
  ServingRun named = run_;
  for (const ServingParallelism& layout : layouts) {
    if (layout.pipeline > 1) continue;
    evaluated_ += 1;
    named.parallelism = layout;
    std::optional<ServingMemory<NoTrace>> memory;
    auto pool =
        ready_pool(rates, q_.model, q_.stack, gpu, engine, format, run_, task, layout, memory, told_later, reasons);
    if (!pool) {
      for (const Infeasible& reason : reasons) reject(gpu, named, reason);
      reasons.clear();
      continue;
    }
    const double rate = prompts ? most_prompts(*pool, *matching_, unexplained_, run_, limits)
                                : most_answers(*pool, *matching_, unexplained_, run_, limits);
    if (!(rate > 0)) {
      const ServedLatency alone = prompts
                                      ? latency_of_lone_prompt(*pool, *matching_, unexplained_, run_)
                                      : latency_of_answers(*pool, std::min(1.0, pool->places()), unexplained_, run_);
      const Message whose = alone_on(gpus_of(layout), gpu.name);
      if (const auto missed = missed_limit(alone, limits, asked, q_.workload.confidence, whose))
        reject(gpu, named, *missed);
      continue;
    }
    kept.push_back({.pool = std::move(*pool), .gpus = gpus_of(layout), .rate = rate});
  }
  return kept;
}

std::optional<FoundDeployment> PoolSearch::best(const FoundDeployment& from, const Catalog& rates, const Gpu& gpu,
                                                double gpu_goal, const std::vector<ServingParallelism>& layouts,
                                                double goal_at_most) {
  run_ = run_of(from, q_.workload);
  if (shares_prompts(run_)) set_prefix_hits(run_, no_reuse(run_));
  std::optional<ServingWidths> widths;
  if (q_.workload.confidence > 0.5) {
    ServingRun pools = run_;
    pools.disaggregated = Disaggregated{};
    widths = serving_widths(q_.catalog.serving_efficiency, serving_knowledge(q_.catalog, q_.model, gpu, pools),
                            q_.model.experts > 0);
  }
  margins_ = margins_at(q_.workload.confidence, q_.workload.limits, run_, widths);
  peak_ = q_.workload.peak_requests_per_s / margins_.rate_share;
  const PoolTerms terms{.run = run_, .matching = *matching_, .unexplained = unexplained_};
  std::vector<Candidate> prefill = candidates(from, rates, gpu, PoolTask::prompts, layouts);
  if (prefill.empty()) return std::nullopt;
  std::vector<Candidate> decode = candidates(from, rates, gpu, PoolTask::answers, layouts);
  const Links links = links_of(gpu);
  if (!links.inside && !links.across) reject(gpu, run_, link_not_known(gpu));
  const double peak = peak_;
  std::vector<Pair> pairs;
  for (Candidate& p : prefill)
    for (Candidate& d : decode) {
      Pair pair{.prefill = p, .decode = d, .links = links, .terms = terms};
      if (peak > 0) {
        pair.least_prefill = std::ceil(peak / p.rate);
        pair.least_decode = std::ceil(peak / d.rate);
      }
      const double gpus = pair.gpus_of(pair.least_prefill, pair.least_decode);
      if (gpus > q_.constraints.max_gpus) {
        pair.set(pair.least_prefill, pair.least_decode);
        rejected_.add(
            "gpu-limit", gpus - q_.constraints.max_gpus, [&] { return too_many_gpus(gpus, q_.constraints.max_gpus); },
            [&] { return gpu.id + ", " + run_.engine + ", " + layout_text(run_of_pair(pair)); });
        continue;
      }
      pair.bound = peak > 0 ? gpus * gpu_goal : -q_.constraints.max_gpus / (p.gpus / p.rate + d.gpus / d.rate);
      pairs.push_back(pair);
    }
  const std::vector<std::size_t> order =
      stable_order(pairs.size(), [&](std::size_t a, std::size_t b) { return pairs[a].bound < pairs[b].bound; });
  FoundDeployment best = from;
  best.goal = goal_at_most;
  best.pools.reset();
  for (const std::size_t index : order) {
    Pair& pair = pairs[index];
    if (pair.bound > best.goal) break;
    // At equal goals a pair may still carry more.
    if (pair.bound == best.goal && (!best.pools || pair.most(pair.least_prefill, pair.least_decode) <= best.rate))
      continue;
    if (peak > 0) {
      size_for_peak(pair, gpu, gpu_goal, best);
    } else {
      split_gpus(pair, gpu, best);
    }
  }
  if (!best.pools) return std::nullopt;
  return best;
}

PoolSearch::Links PoolSearch::links_of(const Gpu& gpu) const {
  std::vector<std::string> told_later;
  Links links;
  links.node_gpus = node_gpus(q_.catalog, gpu);
  links.inside = link_of_pools(q_.catalog, gpu, links.node_gpus, told_later);
  links.across = link_of_pools(q_.catalog, gpu, links.node_gpus + 1, told_later);
  return links;
}

/// The fewest GPUs of the pair that carry the peak, where they are better than the best: inside a node where they fit,
/// whose link is the fastest, else beyond.
void PoolSearch::size_for_peak(Pair& pair, const Gpu& gpu, double gpu_goal, FoundDeployment& best) const {
  const double affordable = std::min(q_.constraints.max_gpus, best.goal / gpu_goal * (1 + 1e-12));
  const double node = pair.links.node_gpus;
  const bool kept =
      size_within(pair, std::min(affordable, node)) || (affordable > node && size_within(pair, affordable));
  if (!kept && affordable >= q_.constraints.max_gpus) reject_at_peak(pair, gpu);
  if (!kept || !startable(pair, gpu)) return;
  const double rate = std::max(peak_, pair.at_hand().most(margins_.limits, kEdgeSteps)) * margins_.rate_share;
  FoundDeployment found = made(pair, rate, pair.gpus() * gpu_goal, best);
  if (found.goal < best.goal || (best.pools && better(found, best))) best = std::move(found);
}

/// Sets the fewest replicas, with at most so many GPUs, that keep all limits at the peak; false where there are none.
bool PoolSearch::size_within(Pair& pair, double most_gpus) const {
  const double least_prefill = pair.least_prefill;
  const double least_decode = pair.least_decode;
  const auto most_prefill = [&](double decode) {
    const double affordable = std::floor((most_gpus - decode * pair.decode.gpus) / pair.prefill.gpus);
    return std::min(kMostTimes * least_prefill, affordable);
  };
  const auto most_decode = [&](double prefill) {
    const double affordable = std::floor((most_gpus - prefill * pair.prefill.gpus) / pair.decode.gpus);
    return std::min(kMostTimes * least_decode, affordable);
  };
  const auto& link = pair.links.of(most_gpus);
  if (!link || most_prefill(least_decode) < least_prefill) return false;
  const auto at = [&](double prefill, double decode) {
    pair.set(prefill, decode);
    return PoolPair(pair.prefill.pool, pair.decode.pool, *link, pair.terms);
  };
  const auto kept = [&](double prefill, double decode) { return at(prefill, decode).within(peak_, margins_.limits); };
  if (kept(least_prefill, least_decode)) return true;
  // More of both than can be paid for: what they do not keep, nothing keeps.
  if (!kept(most_prefill(least_decode), most_decode(least_prefill))) return false;

  // Limits on the first token need prefill replicas, limits on whole requests more of either pool: the more of one the
  // fewer of the other.
  const double begin = fewest(least_prefill, most_prefill(least_decode),
                              [&](double prefill) { return kept(prefill, most_decode(least_prefill)); });
  const double end =
      fewest(begin, most_prefill(least_decode), [&](double prefill) { return kept(prefill, least_decode); });
  double best_gpus = std::numeric_limits<double>::infinity();
  double best_prefill = 0;
  double best_decode = 0;
  const auto weigh = [&](double prefill, double decode) {
    const double gpus = pair.gpus_of(prefill, decode);
    if (gpus > most_gpus || gpus >= best_gpus) return;
    best_gpus = gpus;
    best_prefill = prefill;
    best_decode = decode;
  };
  if (kept(end, least_decode)) weigh(end, least_decode);
  double decode_at_most = most_decode(least_prefill);
  for (double prefill = least_prefill; prefill < end; prefill = next_replicas(prefill)) {
    const double most = std::min(decode_at_most, most_decode(prefill));
    if (prefill < begin || most < least_decode || !kept(prefill, most)) continue;
    decode_at_most = fewest(least_decode, most, [&](double decode) { return kept(prefill, decode); });
    weigh(prefill, decode_at_most);
  }
  if (!(best_prefill > 0)) return false;
  pair.set(best_prefill, best_decode);
  return true;
}

FoundDeployment PoolSearch::made(const Pair& pair, double rate, double goal, const FoundDeployment& like) const {
  FoundDeployment found = like;
  found.pools = pair.pools();
  found.prefix_hits = run_.prefix_hit_ratio;
  found.shared = run_.shared;
  found.layout = pair.decode.pool.run.parallelism;
  found.rate = rate;
  found.replicas = 1;
  found.goal = goal;
  return found;
}

/// The split of the GPUs at hand between the pools that carries most, where that is more than the best.
void PoolSearch::split_gpus(Pair& pair, const Gpu& gpu, FoundDeployment& best) const {
  const double gpus = q_.constraints.max_gpus;
  struct Split {
    double prefill = 0;
    double decode = 0;
    double bound = 0;
  };
  // A request that misses a limit alone misses it in every split; the link is nowhere faster than inside a node.
  pair.set(1, 1);
  const auto& fastest = pair.links.inside ? pair.links.inside : pair.links.across;
  if (!fastest) return;
  const PoolPair smallest(pair.prefill.pool, pair.decode.pool, *fastest, pair.terms);
  if (!smallest.within(smallest.least_loaded(), margins_.limits)) {
    const ServedLatency alone = smallest.latency(smallest.least_loaded());
    if (const auto missed = missed_limit(alone, margins_.limits, q_.workload.limits, q_.workload.confidence,
                                         alone_on(pair.gpus(), gpu.name)))
      reject(gpu, run_of_pair(pair), *missed);
    return;
  }
  std::vector<Split> splits;
  const auto add = [&](double p) {
    const double d = std::floor((gpus - p * pair.prefill.gpus) / pair.decode.gpus);
    if (p >= 1 && d >= 1) splits.push_back({p, d, pair.most(p, d)});
  };
  double kept = 0;  // prefill replicas of the best split of this pair
  const auto weigh_all = [&] {
    sort_stably(splits, [](const Split& a, const Split& b) { return a.bound > b.bound; });
    for (const Split& split : splits) {
      if (-split.bound >= best.goal) break;
      pair.set(split.prefill, split.decode);
      if (!pair.links.of(pair.gpus())) continue;
      const PoolPair pools = pair.at_hand();
      if (best.goal < 0 && !pools.within(-best.goal, margins_.limits)) continue;
      const double rate = pools.most(margins_.limits, kEdgeSteps);
      if (-rate >= best.goal || !startable(pair, gpu)) continue;
      best = made(pair, rate, -rate, best);
      kept = split.prefill;
    }
  };
  for (double p = 1; pair.gpus_of(p, 1) <= gpus; p = next_replicas(p)) add(p);
  weigh_all();
  // Between the best and those beside it: all, of very many first some and then those between.
  constexpr double kAtATime = 64;
  double stride = 0;
  for (double step = next_replicas(kept) - kept; kept > 0 && step > 1; step = stride) {
    stride = std::max(1.0, std::floor(step / kAtATime));
    splits.clear();
    for (double p = kept - step + stride; p < kept + step; p += stride)
      if (p != kept) add(p);
    weigh_all();
  }
}

/// An engine that cannot start one of the layouts says so.
bool PoolSearch::startable(const Pair& pair, const Gpu& gpu) const {
  const ServingRun run = run_of_pair(pair);
  const std::vector<std::string> obstacles = start_obstacles(q_.model, gpu, run, node_gpus(q_.catalog, gpu));
  if (!obstacles.empty()) reject(gpu, run, cannot_start(obstacles));
  return obstacles.empty();
}

/// Why no number of replicas of the pair carries the peak: a limit that more of both miss too, else the GPUs.
void PoolSearch::reject_at_peak(Pair& pair, const Gpu& gpu) const {
  pair.set(kMostTimes * pair.least_prefill, kMostTimes * pair.least_decode);
  if (!pair.links.of(pair.gpus())) return reject(gpu, run_of_pair(pair), link_not_known(gpu));
  const ServedLatency served = pair.at_hand().latency(peak_);
  const Message whose = say("alone-on/pools", "gpus"_v = pair.gpus());
  if (const auto missed = missed_limit(served, margins_.limits, q_.workload.limits, q_.workload.confidence, whose)) {
    reject(gpu, run_of_pair(pair), *missed);
  } else if (size_within(pair, kNever)) {
    reject(gpu, run_of_pair(pair), too_many_gpus(pair.gpus(), q_.constraints.max_gpus));
  }
}

void PoolSearch::reject(const Gpu& gpu, const ServingRun& run, const Infeasible& reason) const {
  rejected_.add(reason, [&] { return gpu.id + ", " + run.engine + ", " + layout_text(run); });
}

ServingRun PoolSearch::run_of_pair(const Pair& pair) const {
  ServingRun run = run_;
  run.disaggregated = pair.pools();
  return run;
}

}  // namespace podwright::sizing
