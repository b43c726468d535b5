#include "sizing/serving_findings.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/stable_sort.h"
#include "base/words.h"
#include "perf/layout_rules.h"
#include "sizing/gpu_count.h"
#include "sizing/serving_launch.h"
#include "sizing/serving_replica.h"

namespace podwright::sizing {
namespace {

/// Tokens of an engine step that are tried; 0 is the engine's default.
constexpr double kStepTokens[] = {0, 512, 2048, 8192, 16384};
/// Halvings of the range of sequences in flight where the effort is coarse.
constexpr int kCoarseSteps = 7;

/// Replicas that do both, of every layout of one engine and format on one GPU.
class ReplicaSearch {
 public:
  /// `rates` are asked for the speed of the GPU. All must outlive this.
  ReplicaSearch(const ServingQuestion& question, const Catalog& rates, const Engine& engine, const WeightFormat& format,
                FoundDeployment from, ServingFindings& findings)
      : q_(question),
        rates_(rates),
        gpu_(*question.offers[from.offer].gpu),
        engine_(engine),
        format_(format),
        findings_(findings),
        node_(node_gpus(question.catalog, gpu_)),
        unexplained_(unexplained_scatter(question.catalog)),
        run_(run_of(from, question.workload)),
        best_(std::move(from)) {}

  void go(std::vector<ServingParallelism> layouts) {
    set_margins();
    const bool each_size = q_.constraints.each_replica_size;
    if (each_size) sort_stably(layouts, [](const auto& a, const auto& b) { return gpus_of(a) < gpus_of(b); });
    for (const ServingParallelism& layout : layouts) {
      if (each_size && gpus_of(layout) > gpus_of(run_.parallelism)) {
        keep_best();
        best_.goal = kNever;
      }
      run_.parallelism = layout;
      if (shares_prompts(run_)) find_prefixes();
      try_layout();
    }
    keep_best();
  }

 private:
  struct Kept {
    double goal = 0;
    double usual_gpus = 0;
  };
  void keep_best() {
    if (best_.goal == kNever || no_better_than_kept(best_.goal, best_.rate, gpus_of(best_.layout))) return;
    findings_.found.add(best_);
    kept_.push_back({best_.goal, usual_gpus(best_.rate, gpus_of(best_.layout))});
  }

  /// GPUs at work at the mean load, of replicas with so many that carry this rate each; one always stands.
  double usual_gpus(double rate, double replica) const {
    return replica * std::max(1.0, q_.constraints.mean_share * q_.workload.peak_requests_per_s / rate);
  }
  /// Smaller replicas need as few GPUs, and at the mean load too unless the load never varies.
  bool no_better_than_kept(double goal, double rate, double replica) const {
    return std::any_of(kept_.begin(), kept_.end(), [&](const Kept& kept) {
      return kept.goal <= goal && (q_.constraints.mean_share >= 1 || kept.usual_gpus <= usual_gpus(rate, replica));
    });
  }

  void set_margins() {
    std::optional<ServingWidths> widths;
    if (q_.workload.confidence > 0.5)
      widths = findings_.front.widths_of(
          {.offer = best_.offer, .engine = best_.engine, .precision = best_.precision, .layout = {}}, run_);
    Margins margins = margins_at(q_.workload.confidence, q_.workload.limits, run_, widths);
    limits_ = std::move(margins.limits);
    rate_share_ = margins.rate_share;
  }

  /// What the prefix cache finds under the load that the layout carries with it: from what a cache would find that
  /// forgets nothing, in a few rounds.
  [[gnu::noinline]] void find_prefixes() {
    constexpr int kRounds = 4;
    run_.max_batched_tokens.reset();
    take_measured(run_, gpu_.id, q_.workload);
    PrefixReuse found = unlimited_reuse(run_, 1);
    std::optional<HostTier> host;
    for (int round = 0; round < kRounds; ++round) {
      set_prefix_hits(run_, found);
      const auto memory = serving_memory(none_, q_.model, q_.stack, gpu_, engine_, format_, run_, false);
      if (memory.infeasible) return;
      const ServingLimits<NoTrace> limits = serving_limits(none_, memory, run_, format_);
      const auto costs = limits.max_sequences < 1 ? std::nullopt : costs_of(limits);
      if (!costs) return;
      const auto edge = ServingReplica(run_, *costs, limits, unexplained_).most(limits_, kCoarseSteps);
      if (!edge) return;
      if (round == 0) host = useful_host_tier(q_.catalog, gpu_, run_, memory, edge->lane, told_later_);
      const double rate = edge->rate * rate_share_;
      const double before = found.hit_ratio;
      found = reuse_of_replica(memory, run_, replicas_for(rate), PerSecond(rate), edge->in_flight, host);
      if (round > 0) found.hit_ratio = (found.hit_ratio + before) / 2;
    }
    set_prefix_hits(run_, found);
  }

  void try_layout() {
    std::optional<EngineCosts<NoTrace>> costs;
    double usual_step = 0;
    for (const double step_tokens : kStepTokens) {
      run_.max_batched_tokens = step_tokens > 0 ? std::optional(step_tokens) : std::nullopt;
      take_measured(run_, gpu_.id, q_.workload);
      if (step_tokens > 0 && (q_.coarse() || usual_step <= 0 || step_tokens == usual_step)) continue;
      findings_.evaluated += 1;
      const auto memory_of = [&](bool worded) {
        return serving_memory(none_, q_.model, q_.stack, gpu_, engine_, format_, run_, worded);
      };
      const ServingMemory<NoTrace> memory = memory_of(false);
      if (step_tokens == 0) usual_step = memory.step_tokens;
      if (memory.infeasible) {
        reject(memory.infeasible->code, memory.infeasible->shortfall, [&] { return *memory_of(true).infeasible; });
        if (memory.infeasible->code == "weights-do-not-fit") return;
        continue;
      }
      const ServingLimits<NoTrace> limits = serving_limits(none_, memory, run_, format_);
      if (limits.max_sequences < 1) {
        reject(no_sequence_fits());
        continue;
      }
      if (!costs) {
        if (!starts()) return;
        costs = costs_of(limits);
        if (!costs) return;
      }
      weigh({run_, *costs, limits, unexplained_}, step_tokens, 0);
      if (step_tokens == 0) try_drafts(memory, limits, *costs);
    }
  }

  /// Absent, with the reason, where a rate is missing.
  std::optional<EngineCosts<NoTrace>> costs_of(const ServingLimits<NoTrace>& limits) {
    std::vector<Infeasible> reasons;
    std::optional<EngineCosts<NoTrace>> costs;
    told_later_.clear();
    if (!step_rates_)
      step_rates_ = step_rates(none_, rates_, gpu_, q_.model, run_, limits.kv_element, told_later_, reasons);
    if (step_rates_)
      costs = costs_of_layout(none_, rates_, gpu_, q_.model, q_.stack, run_, *step_rates_, limits.kv_element,
                              told_later_, reasons);
    if (!costs)
      for (const Infeasible& reason : reasons) reject(reason);
    return costs;
  }

  /// The layout with each number of drafted tokens, at the engine's own step limit.
  void try_drafts(const ServingMemory<NoTrace>& memory, const ServingLimits<NoTrace>& limits,
                  const EngineCosts<NoTrace>& costs) {
    if (!q_.workload.draft) return;
    // A measured pool had no draft, which takes its part of it.
    run_.measured = {};
    for (const double tokens : q_.workload.draft_tokens) {
      run_.speculative = q_.workload.draft;
      run_.speculative->draft_tokens = tokens;
      findings_.evaluated += 1;
      if (!starts()) continue;
      EngineCosts<NoTrace> with_draft = costs;
      ServingLimits<NoTrace> beside_draft = limits;
      std::vector<Infeasible> reasons;
      if (add_draft(none_, rates_, q_.model, gpu_, engine_, format_, run_, memory, beside_draft, with_draft,
                    told_later_, reasons)) {
        weigh({run_, with_draft, beside_draft, unexplained_}, 0, tokens);
      } else {
        for (const Infeasible& reason : reasons) reject(reason);
      }
    }
    run_.speculative.reset();
  }

  /// What an engine without a known server cannot start is not known.
  bool starts() {
    if (!knows_server(run_.engine)) return true;
    const std::vector<std::string> obstacles = start_obstacles(q_.model, gpu_, run_, node_);
    if (obstacles.empty()) return true;
    reject(cannot_start(obstacles));
    return false;
  }

  void weigh(ServingReplica replica, double step_tokens, double draft_tokens) {
    if (step_tokens == 0)
      findings_.front.sample(replica, {.offer = best_.offer,
                                       .engine = best_.engine,
                                       .precision = best_.precision,
                                       .layout = run_.parallelism,
                                       .draft_tokens = draft_tokens});
    const double most = kShareOfStableRate * replica.stable_rate() * rate_share_;
    const double replicas_at_least = replicas_for(most);
    const double gpus_at_least = replicas_at_least * gpus_of(run_.parallelism);
    if (gpus_at_least == 1) findings_.one_gpu_may_do = true;
    if (gpus_at_least > q_.constraints.max_gpus) {
      if (!too_slow_alone(replica)) reject_gpus(gpus_at_least);
      return;
    }
    const double hoped = goal_of(replicas_at_least, most);
    if (hoped > best_.goal || hoped > findings_.found.goal_to_reach() ||
        no_better_than_kept(hoped, most, gpus_of(run_.parallelism))) {
      findings_.pruned += 1;
      return;
    }
    replica.share_stream(replicas_at_least);
    const auto edge = replica.most(limits_, q_.coarse() ? kCoarseSteps : kEdgeSteps);
    if (!edge) {
      too_slow_alone(replica);
      return;
    }
    const double rate = edge->rate * rate_share_;
    const double replicas = replicas_for(rate);
    if (replicas * gpus_of(run_.parallelism) > q_.constraints.max_gpus)
      return reject_gpus(replicas * gpus_of(run_.parallelism));
    FoundDeployment found = best_;
    found.layout = run_.parallelism;
    found.prefix_hits = run_.prefix_hit_ratio;
    found.shared = run_.shared;
    found.loads = run_.loads;
    found.step_tokens = step_tokens;
    found.draft_tokens = draft_tokens;
    found.rate = rate;
    found.replicas = replicas;
    found.goal = goal_of(replicas, rate);
    if (better(found, best_)) best_ = std::move(found);
  }

  double replicas_for(double rate) const {
    if (q_.has_peak()) return replicas(PerSecond(q_.workload.peak_requests_per_s), PerSecond(rate));
    return std::max(1.0, std::floor(q_.constraints.max_gpus / gpus_of(run_.parallelism)));
  }
  double goal_of(double replicas, double rate) const {
    if (!q_.has_peak()) return -replicas * rate;
    const double gpus = replicas * gpus_of(run_.parallelism);
    return gpus * q_.goal_of_gpu(best_.offer) + q_.behind_prices(best_.offer);
  }

  /// True, and told, where not even a request alone keeps the limits.
  bool too_slow_alone(const ServingReplica& replica) {
    const ServedLatency served = replica.latency(replica.point_with(replica.least()));
    const int missed = tightest(served, limits_);
    if (missed < 0) return false;
    const auto place = static_cast<std::size_t>(missed);
    const LatencyLimit& limit = q_.workload.limits[place];
    const Seconds takes(reached(served, limit));
    if (takes <= limits_[place].most) return false;
    const Seconds safe = limits_[place].most;
    reject(std::string(word_of(limit.latency, kLatencyWords)), (takes - safe).base_units(), [&] {
      return too_long(limit, takes, safe, q_.workload.confidence, alone_on(gpus_of(run_.parallelism), gpu_.name));
    });
    return true;
  }
  void reject_gpus(double gpus) {
    const double most = q_.constraints.max_gpus;
    reject("gpu-limit", gpus - most, [&] { return too_many_gpus(gpus, most); });
  }
  void reject(const Infeasible& reason) {
    reject(reason.code, reason.shortfall, [&] { return reason; });
  }
  template <class Reason>
  void reject(const std::string& code, double shortfall, const Reason& reason) {
    findings_.rejected.add(code, shortfall, reason,
                           [&] { return gpu_.id + ", " + run_.engine + ", " + layout_text(run_); });
  }

  const ServingQuestion& q_;
  const Catalog& rates_;
  const Gpu& gpu_;
  const Engine& engine_;
  const WeightFormat& format_;
  ServingFindings& findings_;
  const double node_;
  const UnexplainedScatter unexplained_;
  NoTrace none_;
  std::optional<StepRates<NoTrace>> step_rates_;
  std::vector<LatencyLimit> limits_;     ///< as tight as the confidence makes them
  double rate_share_ = 1;                ///< of a rate that is counted on
  ServingRun run_;                       ///< its layout is that looked at
  FoundDeployment best_;                 ///< where each size is asked for, of the one looked at
  std::vector<Kept> kept_;               ///< of smaller replicas
  std::vector<std::string> told_later_;  ///< estimates tell what they assume
};

}  // namespace

void search_replicas_of(const ServingQuestion& question, const Catalog& rates, const Engine& engine,
                        const WeightFormat& format, const FoundDeployment& from,
                        std::vector<ServingParallelism> layouts, ServingFindings& findings) {
  ReplicaSearch(question, rates, engine, format, from, findings).go(std::move(layouts));
}

}  // namespace podwright::sizing
