#include "sizing/search_serving.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/number_text.h"
#include "base/words.h"
#include "sizing/formulas.h"
#include "sizing/gpu_catalog.h"
#include "sizing/layouts.h"
#include "sizing/mig_packing.h"
#include "sizing/search_pools.h"
#include "sizing/serving_finish.h"
#include "sizing/serving_found.h"
#include "sizing/serving_front.h"
#include "sizing/serving_launch.h"
#include "sizing/serving_replica.h"
#include "sizing/serving_why.h"

namespace podwright::sizing {
namespace {

/// Tokens of an engine step that are tried; 0 is the engine's default.
constexpr double kStepTokens[] = {0, 512, 2048, 8192, 16384};
/// Sequences between two points of the front.
constexpr double kFrontRatio = 2;
constexpr double kCoarseFrontRatio = 4;
/// Halvings of the range of sequences in flight.
constexpr int kSteps = 11;
constexpr int kCoarseSteps = 7;
/// Beyond every price.
constexpr double kBehindPrices = 1e15;

struct FrontLayout {
  std::uint32_t offer = 0;
  std::uint32_t engine = 0;
  std::string precision;
  ServingParallelism layout;
  double draft_tokens = 0;
  const MigProfile* slice = nullptr;
};

class Search {
 public:
  Search(const Catalog& catalog, const Model& model, const std::vector<GpuOffer>& offers,
         const ServingWorkload& workload, const ServingConstraints& constraints)
      : catalog_(catalog),
        model_(model),
        offers_(offers),
        workload_(workload),
        constraints_(constraints),
        stack_(layer_stack(model)),
        unexplained_(unexplained_scatter(catalog)),
        run_(serving_run(workload)) {
    for (const std::string& id : workload.engines) engines_.push_back(find_engine_conventions(catalog, id));
  }

  ServingSearch go() {
    if (tries(Arrangement::aggregated))
      for (std::uint32_t i = 0; i < offers_.size(); ++i) search_offer(i);
    search_slices();
    search_pools();
    std::sort(found_.begin(), found_.end(), better);
    finish();
    keep_front();
    search_.not_modelled = serving_not_modelled();
    return std::move(search_);
  }

 private:
  // Slices

  /// Where one GPU alone completes the peak, slices of those that can be cut.
  void search_slices() {
    if (!has_peak() || coarse() || !one_may_do_) return;
    for (std::uint32_t index = 0; index < offers_.size(); ++index) {
      const Gpu& gpu = *offers_[index].gpu;
      for (const MigProfile* profile : mig_profiles_of(catalog_.mig_profiles, gpu.id))
        if (profile->instances > 1) try_slice(index, *profile, mig_slice(gpu, *profile));
    }
    std::sort(found_slices_.begin(), found_slices_.end(), better);
  }

  /// Rates of a slice are shares of its GPU's: the catalog's measured ones are not asked.
  void try_slice(std::uint32_t offer, const MigProfile& profile, const Gpu& slice) {
    run_.parallelism = {};
    run_.max_batched_tokens.reset();
    for (std::uint32_t engine = 0; engine < engines_.size(); ++engine)
      for (const std::string& precision : serving_precisions(catalog_, model_, slice, workload_)) {
        const WeightFormat* format = find_weight_format(catalog_.weight_formats, precision);
        if (engines_[engine] == nullptr || format == nullptr) continue;
        run_.engine = workload_.engines[engine];
        run_.weight_precision = precision;
        best_ = {
            .offer = offer, .engine = engine, .precision = precision, .layout = {}, .slice = &profile, .pools = {}};
        search_.evaluated += 1;
        const ServingMemory<NoTrace> memory =
            serving_memory(none_, model_, stack_, slice, *engines_[engine], *format, run_);
        if (memory.infeasible) continue;
        const ServingLimits<NoTrace> limits = serving_limits(none_, memory, run_, *format);
        if (limits.max_sequences < 1) continue;
        std::vector<Infeasible> reasons;
        const auto costs = engine_costs(none_, catalog_, slice, model_, run_, limits, told_later_, reasons);
        if (!costs) continue;
        const ServingReplica replica(run_, *costs, limits, unexplained_);
        sample(replica, 0, &profile);
        const auto edge = replica.most(workload_.limits, kSteps);
        if (!edge) continue;
        best_.rate = edge->rate;
        best_.replicas = replicas_for(edge->rate);
        best_.goal = best_.replicas / profile.instances * goal_of_gpu() + behind_prices();
        if (best_.replicas < profile.instances) found_slices_.push_back(best_);
      }
  }

  bool coarse() const { return constraints_.effort == Effort::coarse; }
  bool has_peak() const { return workload_.peak_requests_per_s > 0; }

  void search_offer(std::uint32_t index) {
    const Gpu& gpu = *offers_[index].gpu;
    rates_ = catalog_of_gpu(catalog_, gpu, std::move(rates_));
    node_ = node_gpus(catalog_, gpu);
    const std::vector<ServingParallelism> layouts = serving_layouts(catalog_, model_, gpu, constraints_.max_gpus);
    const std::vector<std::string> precisions = serving_precisions(catalog_, model_, gpu, workload_);
    for (std::uint32_t engine = 0; engine < engines_.size(); ++engine) {
      run_.engine = workload_.engines[engine];
      for (const std::string& precision : precisions) {
        run_.weight_precision = precision;
        step_rates_.reset();
        usual_obstacles_.reset();
        best_ = {.offer = index, .engine = engine, .precision = precision, .layout = {}, .pools = {}};
        const WeightFormat* format = find_weight_format(catalog_.weight_formats, precision);
        if (engines_[engine] == nullptr || format == nullptr) {
          search_.evaluated += 1;
          tally(engines_[engine] == nullptr ? "engine-not-known" : "format-not-supported", 0, [&] {
            return Infeasible{.code = engines_[engine] == nullptr ? "engine-not-known" : "format-not-supported",
                              .message = "Not known: " + (engines_[engine] == nullptr ? run_.engine : precision) + ".",
                              .shortfall = 0,
                              .unit = "",
                              .ways_out = {}};
          });
          continue;
        }
        for (const ServingParallelism& layout : layouts) {
          run_.parallelism = layout;
          try_layout(*engines_[engine], *format);
        }
        if (best_.goal < kNever) add(best_);
      }
    }
  }

  bool tries(Arrangement arrangement) const {
    const auto& asked = workload_.arrangements;
    return std::find(asked.begin(), asked.end(), arrangement) != asked.end();
  }

  /// After the replicas that do both, so that only what they leave to be won is looked at.
  void search_pools() {
    PoolSearch pools(catalog_, model_, stack_, workload_, constraints_);
    if (!tries(Arrangement::disaggregated) || coarse() || workload_.output_tokens <= 1 || !pools.possible()) return;
    for (std::uint32_t index = 0; index < offers_.size(); ++index) {
      const GpuOffer& offer = offers_[index];
      rates_ = catalog_of_gpu(catalog_, *offer.gpu, std::move(rates_));
      const std::vector<ServingParallelism> layouts =
          serving_layouts(catalog_, model_, *offer.gpu, constraints_.max_gpus);
      for (std::uint32_t engine = 0; engine < engines_.size(); ++engine)
        for (const std::string& precision : serving_precisions(catalog_, model_, *offer.gpu, workload_)) {
          if (engines_[engine] == nullptr || find_weight_format(catalog_.weight_formats, precision) == nullptr)
            continue;
          best_ = {.offer = index, .engine = engine, .precision = precision, .layout = {}, .pools = {}};
          std::optional<FoundDeployment> best;
          for (const double drafts : drafts_to_try()) {
            best_.draft_tokens = drafts;
            const double at_most = best ? best->goal : goal_to_reach() - behind_prices();
            if (auto found =
                    pools.best(best_, rates_ ? *rates_ : catalog_, *offer.gpu, goal_of_gpu(), layouts, at_most))
              best = std::move(found);
          }
          if (best) add_pools(std::move(*best));
        }
    }
    search_.evaluated += pools.evaluated();
  }
  /// 0 is none.
  std::vector<double> drafts_to_try() const {
    std::vector<double> tokens{0};
    if (workload_.draft) tokens.insert(tokens.end(), workload_.draft_tokens.begin(), workload_.draft_tokens.end());
    return tokens;
  }
  void add_pools(FoundDeployment found) {
    found.goal += behind_prices();
    add(found);
  }
  /// What has no price comes behind all that has one.
  double behind_prices() const {
    const bool ranked = !has_peak() || constraints_.objective == ServingObjective::gpus;
    return ranked || offers_[best_.offer].price_per_gpu ? 0 : kBehindPrices;
  }
  double goal_of_gpu() const {
    const auto& price = offers_[best_.offer].price_per_gpu;
    return constraints_.objective == ServingObjective::gpus || !price ? 1.0 : price->base_units();
  }

  /// Keeps the best of its GPU, engine and format, and the goals that the next must reach to be shown.
  void add(const FoundDeployment& found) {
    found_.push_back(found);
    goals_.insert(std::upper_bound(goals_.begin(), goals_.end(), found.goal), found.goal);
    if (static_cast<double>(goals_.size()) > constraints_.top) goals_.pop_back();
  }
  double goal_to_reach() const {
    return static_cast<double>(goals_.size()) < constraints_.top ? kNever : goals_.back();
  }

  void try_layout(const Engine& engine, const WeightFormat& format) {
    const Gpu& gpu = *offers_[best_.offer].gpu;
    std::optional<EngineCosts<NoTrace>> costs;
    double usual_step = 0;
    for (const double step_tokens : kStepTokens) {
      run_.max_batched_tokens = step_tokens > 0 ? std::optional(step_tokens) : std::nullopt;
      if (step_tokens > 0 && (coarse() || usual_step <= 0 || step_tokens == usual_step)) continue;
      search_.evaluated += 1;
      const auto memory_of = [&](bool worded) {
        return serving_memory(none_, model_, stack_, gpu, engine, format, run_, worded);
      };
      const ServingMemory<NoTrace> memory = memory_of(false);
      if (step_tokens == 0) usual_step = memory.step_tokens;
      if (memory.infeasible) {
        tally(memory.infeasible->code, memory.infeasible->shortfall, [&] { return *memory_of(true).infeasible; });
        if (memory.infeasible->code == "weights-do-not-fit") return;
        continue;
      }
      const ServingLimits<NoTrace> limits = serving_limits(none_, memory, run_, format);
      if (limits.max_sequences < 1) {
        tally("no-room-for-one-sequence", 0, [] {
          return Infeasible{.code = "no-room-for-one-sequence",
                            .message = "Not one sequence fits beside the weights.",
                            .shortfall = 0,
                            .unit = "",
                            .ways_out = {}};
        });
        continue;
      }
      if (!costs) {
        std::vector<Infeasible> reasons;
        told_later_.clear();
        const Catalog& facts = rates_ ? *rates_ : catalog_;
        if (!step_rates_)
          step_rates_ = step_rates(none_, facts, gpu, model_, run_, limits.kv_element, told_later_, reasons);
        if (step_rates_)
          costs = costs_of_layout(none_, facts, gpu, model_, stack_, run_, *step_rates_, limits.kv_element, told_later_,
                                  reasons);
        if (!costs) {
          for (const Infeasible& reason : reasons) tally(reason.code, reason.shortfall, [&] { return reason; });
          return;
        }
      }
      if (step_tokens == 0 && !startable(gpu)) return;
      weigh({run_, *costs, limits, unexplained_}, step_tokens, 0);
      if (step_tokens == 0) try_drafts(engine, format, memory, limits, *costs);
    }
  }

  /// The layout with each number of drafted tokens, at the engine's own step limit.
  void try_drafts(const Engine& engine, const WeightFormat& format, const ServingMemory<NoTrace>& memory,
                  const ServingLimits<NoTrace>& limits, const EngineCosts<NoTrace>& costs) {
    if (!workload_.draft) return;
    const Gpu& gpu = *offers_[best_.offer].gpu;
    for (const double tokens : workload_.draft_tokens) {
      run_.speculative = workload_.draft;
      run_.speculative->draft_tokens = tokens;
      search_.evaluated += 1;
      EngineCosts<NoTrace> with_draft = costs;
      ServingLimits<NoTrace> beside_draft = limits;
      std::vector<Infeasible> reasons;
      if (!startable(gpu)) {
        // Told there.
      } else if (add_draft(none_, rates_ ? *rates_ : catalog_, model_, gpu, engine, format, run_, memory, beside_draft,
                           with_draft, told_later_, reasons)) {
        weigh({run_, with_draft, beside_draft, unexplained_}, 0, tokens);
      } else {
        for (const Infeasible& reason : reasons) tally(reason.code, reason.shortfall, [&] { return reason; });
      }
    }
    run_.speculative.reset();
  }

  /// What stands against starting the layout of the run, beyond what stands against every layout of its engine and
  /// format.
  bool startable(const Gpu& gpu) {
    const ServingParallelism& p = run_.parallelism;
    const bool plain = p.pipeline == 1 && p.attention_data == 1 && p.expert == 1 && !run_.speculative;
    if (plain) return true;
    const auto obstacles = [&](const ServingRun& run) {
      return serving_launch_arguments(model_, gpu, run, node_).front().cannot;
    };
    const std::vector<std::string> cannot = obstacles(run_);
    if (cannot.empty()) return true;
    if (!usual_obstacles_) {
      ServingRun simplest = run_;
      simplest.parallelism = {};
      simplest.speculative.reset();
      usual_obstacles_ = obstacles(simplest).size();
    }
    if (cannot.size() <= *usual_obstacles_) return true;
    tally("engine-cannot-start", 0, [&] {
      return Infeasible{
          .code = "engine-cannot-start", .message = cannot.back(), .shortfall = 0, .unit = "", .ways_out = {}};
    });
    return false;
  }

  void weigh(const ServingReplica& replica, double step_tokens, double draft_tokens) {
    if (step_tokens == 0) sample(replica, draft_tokens);
    const double most = kShareOfStableRate * replica.stable_rate();
    const double replicas_at_least = replicas_for(most);
    const double gpus_at_least = replicas_at_least * gpus_of(run_.parallelism);
    const bool too_many = gpus_at_least > constraints_.max_gpus;
    if (gpus_at_least == 1) one_may_do_ = true;
    const double hoped = goal_of(replicas_at_least, most);
    if (!too_many && (hoped > best_.goal || hoped > goal_to_reach())) {
      search_.outdone += 1;
      return;
    }
    if (too_many) return tally_gpus(gpus_at_least);
    const auto edge = replica.most(workload_.limits, coarse() ? kCoarseSteps : kSteps);
    if (!edge) return tally_slow(replica);
    const double replicas = replicas_for(edge->rate);
    if (replicas * gpus_of(run_.parallelism) > constraints_.max_gpus)
      return tally_gpus(replicas * gpus_of(run_.parallelism));
    FoundDeployment found = best_;
    found.layout = run_.parallelism;
    found.step_tokens = step_tokens;
    found.draft_tokens = draft_tokens;
    found.rate = edge->rate;
    found.replicas = replicas;
    found.goal = goal_of(replicas, edge->rate);
    if (better(found, best_)) best_ = std::move(found);
  }

  double replicas_for(double rate) const {
    if (has_peak()) return replicas(PerSecond(workload_.peak_requests_per_s), PerSecond(rate));
    return std::max(1.0, std::floor(constraints_.max_gpus / gpus_of(run_.parallelism)));
  }
  double goal_of(double replicas, double rate) const {
    if (!has_peak()) return -replicas * rate;
    const double gpus = replicas * gpus_of(run_.parallelism);
    return gpus * goal_of_gpu() + behind_prices();
  }

  // The front

  void sample(const ServingReplica& replica, double draft_tokens, const MigProfile* slice = nullptr) {
    if (workload_.output_tokens <= 1) return;
    const double gpus = slice ? 1 / slice->instances : gpus_of(run_.parallelism);
    const auto& price = offers_[best_.offer].price_per_gpu;
    const double ratio = coarse() ? kCoarseFrontRatio : kFrontRatio;
    const auto index = static_cast<std::uint32_t>(front_layouts_.size());
    front_layouts_.push_back({best_.offer, best_.engine, best_.precision, run_.parallelism, draft_tokens, slice});
    for (double in_flight = 1;; in_flight = std::min(in_flight * ratio, replica.places())) {
      const bool last = in_flight >= replica.places();
      const ServingReplica::Point point = last ? replica.full() : replica.point_with(in_flight);
      const double tokens = point.rate * workload_.output_tokens / gpus;
      FrontPoint* const kept = front_.offer({.tpot = tpot_of(point.lane),
                                             .ttft = point.lane.first_token.base_units(),
                                             .rate = tokens,
                                             .price = price ? price->base_units() / tokens : kNever,
                                             .in_flight = point.in_flight,
                                             .requests = point.rate,
                                             .layout = index});
      if (kept != nullptr) kept->within_limits = replica.within(point, workload_.limits);
      if (last) break;
    }
  }

  double tpot_of(const LaneTimes<NoTrace>& lane) const {
    return (lane.request - lane.first_token).base_units() / (workload_.output_tokens - 1);
  }

  void keep_front() {
    for (const FrontPoint& point : front_.take()) {
      const FrontLayout& from = front_layouts_[point.layout];
      const double per_replica = from.slice ? 1 / from.slice->instances : gpus_of(from.layout);
      const ServingRun run = run_of({.offer = from.offer,
                                     .engine = from.engine,
                                     .precision = from.precision,
                                     .layout = from.layout,
                                     .draft_tokens = from.draft_tokens,
                                     .pools = {}},
                                    workload_);
      ServingPoint shown;
      shown.offer = from.offer;
      shown.tpot = Seconds(point.tpot);
      shown.ttft = Seconds(point.ttft);
      shown.in_flight = point.in_flight;
      shown.output_tokens_per_s_per_gpu = point.rate;
      if (point.price < kNever) shown.price_of_million_output = Usd(point.price * 1e6);
      shown.gpus = per_replica *
                   (has_peak() ? replicas(PerSecond(workload_.peak_requests_per_s), PerSecond(point.requests)) : 1.0);
      shown.widths = widths_of(from, run);
      shown.within_limits = point.within_limits;
      shown.gpu = offers_[from.offer].gpu->id;
      if (from.slice) shown.slice = from.slice->name;
      shown.engine = run.engine;
      shown.weight_precision = from.precision;
      shown.parallelism = from.layout;
      shown.layout = layout_text(run);
      search_.front.push_back(std::move(shown));
    }
  }

  /// Of an engine on a GPU, looked up once.
  const std::optional<ServingWidths>& widths_of(const FrontLayout& from, const ServingRun& run) {
    const auto key = std::make_tuple(from.offer, from.engine, from.slice);
    const auto known = widths_.find(key);
    if (known != widths_.end()) return known->second;
    const Gpu& whole = *offers_[from.offer].gpu;
    const ServingKnowledge knowledge =
        serving_knowledge(catalog_, model_, from.slice ? mig_slice(whole, *from.slice) : whole, run);
    return widths_.emplace(key, serving_widths(catalog_.serving_efficiency, knowledge, model_.experts > 0))
        .first->second;
  }

  // Rejections

  /// The reason and the layout are written only where they miss by less than what is known.
  template <class Reason>
  void tally(const std::string& code, double shortfall, const Reason& reason) {
    for (Rejection& known : search_.rejected) {
      if (known.reason.code != code) continue;
      known.count += 1;
      if (!(shortfall < known.reason.shortfall)) return;
      known.reason = reason();
      known.layout = name_of_run();
      return;
    }
    search_.rejected.push_back({.reason = reason(), .layout = name_of_run(), .count = 1});
  }
  std::string name_of_run() const {
    return offers_[best_.offer].gpu->id + ", " + run_.engine + ", " + layout_text(run_);
  }

  void tally_gpus(double gpus) {
    tally("gpu-limit", gpus - constraints_.max_gpus, [&] {
      return Infeasible{.code = "gpu-limit",
                        .message = "The workload takes " + human_number(gpus, 4) + " GPUs, at most " +
                                   human_number(constraints_.max_gpus, 4) + " are allowed.",
                        .shortfall = gpus - constraints_.max_gpus,
                        .unit = "GPUs",
                        .ways_out = {merge_patch("max_gpu_count", gpus)}};
    });
  }

  void tally_slow(const ServingReplica& replica) {
    const ServingReplica::Point alone = replica.point_with(std::min(0.1, replica.places() / 2));
    const ServedLatency served = replica.latency(alone);
    const int missed = tightest(served, workload_.limits);
    if (missed < 0) return;
    const LatencyLimit& limit = workload_.limits[static_cast<std::size_t>(missed)];
    const Seconds takes(reached(served, limit));
    tally(std::string(word_of(limit.latency, kLatencyWords)), (takes - limit.most).base_units(), [&] {
      return Infeasible{.code = std::string(word_of(limit.latency, kLatencyWords)),
                        .message = "Alone on " + offers_[best_.offer].gpu->name + ", a request's " + text_of(limit) +
                                   " is " + time_text(takes) + ", the limit is " + time_text(limit.most) + ".",
                        .shortfall = (takes - limit.most).base_units(),
                        .unit = "s",
                        .ways_out = {merge_patch(key_of(limit), rounded_up(takes.base_units() * 1.05))}};
    });
  }

  // The best

  struct Finished {
    FoundDeployment found;
    ServingCandidate candidate;
    std::vector<std::string> assumptions;
  };

  /// Those shown, estimated whole. Replicas that the whole takes beyond its parts change the order; they never make a
  /// deployment better, so that what comes behind the last shown stays there.
  std::vector<ServingCandidate> finished(const std::vector<FoundDeployment>& sorted) {
    const ServingFinish whole(catalog_, model_, stack_, offers_, workload_, constraints_);
    const auto before = [](const Finished& a, const Finished& b) { return better(a.found, b.found); };
    std::vector<Finished> shown;
    for (const FoundDeployment& found : sorted) {
      const bool full = static_cast<double>(shown.size()) >= constraints_.top;
      if (full && (shown.empty() || !better(found, shown.back().found))) break;
      best_ = found;
      Finished one{.found = found, .candidate = {}, .assumptions = {}};
      auto candidate = whole.candidate(one.found, one.assumptions);
      if (!candidate) {
        tally_whole();
        continue;
      }
      one.candidate = std::move(*candidate);
      one.found.goal = behind_prices() + (found.goal - behind_prices()) * one.found.replicas / found.replicas;
      shown.insert(std::upper_bound(shown.begin(), shown.end(), one, before), std::move(one));
      if (full) shown.pop_back();
    }
    std::vector<ServingCandidate> candidates;
    for (Finished& one : shown) {
      add_once(search_.assumptions, one.assumptions);
      candidates.push_back(std::move(one.candidate));
    }
    return candidates;
  }

  void tally_whole() {
    run_ = run_of(best_, workload_);
    tally("limit-missed", 0, [] {
      return Infeasible{.code = "limit-missed",
                        .message = "Estimated whole, the deployment misses a limit that its replicas alone keep.",
                        .shortfall = 0,
                        .unit = "",
                        .ways_out = {}};
    });
  }

  void finish() {
    search_.best = finished(found_);
    search_.slices = finished(found_slices_);
    if (!search_.best.empty()) search_.best[0].why = why_best(search_.best[0], workload_);
    for (std::size_t i = 1; i < search_.best.size(); ++i)
      search_.best[i].why = {why_not(search_.best[0], search_.best[i], workload_)};
    if (search_.best.empty()) return;
    if (std::string surer = surer_one(search_.best, workload_); !surer.empty())
      search_.best[0].why.push_back(std::move(surer));
  }

  const Catalog& catalog_;
  const Model& model_;
  const std::vector<GpuOffer>& offers_;
  const ServingWorkload& workload_;
  const ServingConstraints& constraints_;
  const LayerStack stack_;
  const UnexplainedScatter unexplained_;
  NoTrace none_;
  std::optional<Catalog> rates_;                  ///< of the GPU looked at
  std::optional<StepRates<NoTrace>> step_rates_;  ///< of its engine and format looked at
  std::optional<std::size_t> usual_obstacles_;    ///< to starting any layout of that engine and format
  double node_ = 1;                               ///< GPUs of a node of the GPU looked at
  ServingRun run_;                                ///< its layout is that looked at
  std::vector<const Engine*> engines_;
  FoundDeployment best_;     ///< of the GPU, engine and format looked at
  bool one_may_do_ = false;  ///< the peak is less than what some GPU alone completes
  std::vector<FoundDeployment> found_slices_;
  std::vector<FoundDeployment> found_;  ///< one of each
  std::vector<double> goals_;           ///< of the best, rising
  ServingFront front_;
  std::vector<FrontLayout> front_layouts_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, const MigProfile*>, std::optional<ServingWidths>> widths_;
  std::vector<std::string> told_later_;  ///< estimates tell what they assume
  ServingSearch search_;
};

}  // namespace

ServingRun serving_run(const ServingWorkload& workload) {
  ServingRun run;
  run.input_tokens = workload.input_tokens;
  run.output_tokens = workload.output_tokens;
  run.input_tokens_cv = workload.input_tokens_cv;
  run.output_tokens_cv = workload.output_tokens_cv;
  run.prefix_hit_ratio = workload.prefix_hit_ratio;
  run.load = {LoadKind::request_rate, workload.peak_requests_per_s};
  return run;
}

ServingSearch search_serving(const Catalog& catalog, const Model& model, const std::vector<GpuOffer>& offers,
                             const ServingWorkload& workload, const ServingConstraints& constraints) {
  return Search(catalog, model, offers, workload, constraints).go();
}

ServingSearch search_serving(const Catalog& catalog, const Model& model, const Gpu& gpu,
                             const ServingWorkload& workload, const SearchConstraints& constraints) {
  const std::vector<GpuOffer> offers{{.gpu = &gpu, .system = nullptr, .price_per_gpu = {}, .power_per_gpu = {}}};
  return search_serving(catalog, model, offers, workload,
                        {.max_gpus = constraints.max_gpus,
                         .objective = ServingObjective::gpus,
                         .effort = Effort::full,
                         .top = constraints.top});
}

std::vector<const Gpu*> data_centre_gpus(const Catalog& catalog) {
  std::vector<const Gpu*> gpus;
  for (const Gpu& gpu : catalog.gpus) {
    if (gpu.vendor != "NVIDIA" || gpu.status != "GA" || gpu.peak_dense_flops.count("bf16") == 0) continue;
    const bool in_system = std::any_of(catalog.systems.begin(), catalog.systems.end(),
                                       [&](const System& system) { return holds_gpu(system, gpu.id); });
    // Cards for desktops and workstations say RTX in their names; modules for desks and robots have LPDDR.
    const bool desktop = gpu.name.rfind("RTX", 0) == 0 || gpu.memory_type.rfind("LPDDR", 0) == 0;
    if (in_system || !desktop) gpus.push_back(&gpu);
  }
  return gpus;
}

}  // namespace podwright::sizing
