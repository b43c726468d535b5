#include "sizing/search_training.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "base/append.h"
#include "base/number_text.h"
#include "base/stable_sort.h"
#include "perf/training_arithmetic.h"
#include "reliability/goodput.h"
#include "sizing/best_layouts.h"
#include "sizing/gpu_count.h"
#include "sizing/layouts.h"
#include "sizing/training_evaluator.h"
#include "sizing/training_launch.h"
#include "sizing/training_why.h"

namespace podwright::sizing {
namespace {

/// Cluster sizes looked at after the first that meets the deadline, at least up to a machine, which is billed whole, so
/// that the front shows what more GPUs buy.
constexpr int kSizesBeyond = 2;
/// More of them, where the layouts so far meet the deadline and may not fit.
constexpr int kSizesForMemory = 4;

std::string days_text(Seconds time, int digits) {
  const std::string number = human_number(time / days(1), digits);
  return number + (number == "1" ? " day" : " days");
}

/// Layouts that one reason excludes, and of them the one that misses least.
struct Tally {
  double count = 0;
  double nearest = std::numeric_limits<double>::infinity();
  double gpus = 0;
  LayoutRecord record{};

  void add(double missed_by, const TrainingRun& run, const LayoutNumbers& numbers) {
    count += 1;
    if (!(missed_by < nearest)) return;
    nearest = missed_by;
    gpus = gpus_of(run.parallelism);
    record = record_of(run, numbers.step.base_units(), numbers.memory.base_units());
  }
};

/// Looks at the layouts of one GPU type in one precision, cluster by cluster.
class Collector : public LayoutVisitor {
 public:
  Collector(TrainingEvaluator& evaluator, const Model& model, Launcher launcher, bool every_layout)
      : evaluator_(evaluator), model_(model), launcher_(launcher), every_layout_(every_layout) {}

  /// Layouts of one cluster, and of them those that take no more than `sure_memory`; a step that takes longer is late.
  void begin(BestLayouts& best, BestLayouts& sure, Bytes sure_memory, Seconds longest_step) {
    best_ = &best;
    sure_ = &sure;
    sure_memory_ = sure_memory;
    longest_step_ = longest_step;
  }
  void fixed(const TrainingRun& run) override { evaluator_.fix(run); }
  void layout(const TrainingRun& run) override {
    visited += 1;
    const bool launched = launches(launcher_, model_, run);
    if (!launched && !every_layout_) return not_launched.add(0, run, {});
    evaluated += 1;
    const LayoutNumbers numbers = evaluator_.evaluate(run);
    const double step = numbers.step.base_units();
    switch (numbers.verdict) {
      case Verdict::memory_not_known:
      case Verdict::time_not_known:
        return not_known.add(0, run, numbers);
      case Verdict::does_not_fit:
        return does_not_fit.add(numbers.memory.base_units(), run, numbers);
      case Verdict::fits:
        break;
    }
    if (!launched) return not_launched.add(step, run, numbers);
    if (numbers.step > longest_step_) late.add(lateness(numbers.step), run, numbers);
    const LayoutRecord record = record_of(run, step, numbers.memory.base_units());
    best_->offer(record);
    if (numbers.memory <= sure_memory_) sure_->offer(record);
  }

  double visited = 0;
  double evaluated = 0;
  Tally not_known, does_not_fit, not_launched, late;

 private:
  /// Time over what there is; clusters that never move on come last.
  double lateness(Seconds step) const {
    return longest_step_ > Seconds(0) ? step / longest_step_ : std::numeric_limits<double>::max();
  }

  TrainingEvaluator& evaluator_;
  const Model& model_;
  Launcher launcher_;
  bool every_layout_;
  Seconds longest_step_;
  BestLayouts* best_ = nullptr;
  BestLayouts* sure_ = nullptr;
  Bytes sure_memory_;
};

/// A layout on a cluster, before the sentences are written.
struct Found {
  LayoutRecord record;
  std::uint32_t offer = 0;
  double gpus = 0;
  double effective_share = 1;
};

/// What one GPU type gives.
struct FoundLayouts {
  std::vector<Found> clusters;  ///< the fastest of each
  std::vector<Found> in_time;
  std::vector<SizedRun> sizes;  ///< the fastest in time of each cluster
};

class LayoutSearch {
 public:
  LayoutSearch(const Catalog& catalog, const Model& model, const std::vector<GpuOffer>& offers,
               const TrainingWorkload& workload, const TrainingConstraints& constraints)
      : catalog_(catalog),
        model_(model),
        offers_(offers),
        workload_(workload),
        constraints_(constraints),
        stack_(layer_stack(model)),
        launcher_(launcher_of(workload.framework)) {}

  TrainingSearch go() {
    for (std::uint32_t i = 0; i < offers_.size(); ++i) search_offer(i);
    rank();
    TrainingRun plain = training_run(workload_);
    search_.not_modelled = training_not_modelled(catalog_, plain);
    keep_front();
    return std::move(search_);
  }

 private:
  bool has_deadline() const { return workload_.deadline > Seconds(0); }
  Seconds safe_time() const { return workload_.deadline * workload_.deadline_share; }
  double effective_share(double gpus) const { return workload_.effective_share ? workload_.effective_share(gpus) : 1; }
  /// Of one step, so that the run meets the deadline.
  Seconds longest_step(double effective_share) const {
    if (!has_deadline()) return Seconds(std::numeric_limits<double>::infinity());
    const double steps = workload_.tokens / (workload_.global_batch_size * workload_.sequence_length);
    return safe_time() * effective_share / steps;
  }

  void search_offer(std::uint32_t index) {
    const GpuOffer& offer = offers_[index];
    const double node = node_gpus(catalog_, *offer.gpu, offer.system);
    // A tensor group stays where direct links reach.
    const double domain = std::max(node, offer.gpu->link_domain_gpus.value_or(1));
    std::vector<double> counts = constraints_.gpu_counts;
    // Where even the ceiling of arithmetic asks for more GPUs than allowed, the largest cluster tells by how much it is
    // late.
    if (counts.empty())
      counts = gpu_counts(node, std::min(lower_bound(*offer.gpu), constraints_.max_gpus), constraints_.max_gpus);
    FoundLayouts predicted;
    FoundLayouts sure;
    for (const Precision precision : workload_.precisions) {
      TrainingRun run = training_run(workload_);
      run.precision = precision;
      const TrainingSpace space(model_, run, constraints_.limits, domain);
      TrainingEvaluator evaluator(catalog_, model_, stack_, *offer.gpu, offer.system, run);
      Collector collector(evaluator, model_, launcher_, constraints_.every_layout);
      int beyond = 0;
      int sure_beyond = 0;
      for (const double gpus : counts) {
        BestLayouts best(static_cast<std::size_t>(constraints_.top));
        BestLayouts best_sure = best;
        const double share = effective_share(gpus);
        const Seconds longest = longest_step(share);
        collector.begin(best, best_sure, evaluator.capacity() * workload_.memory_share, longest);
        space.visit(gpus, run, collector);
        if (best.records().empty() || !(share > 0)) continue;
        beyond += keep(predicted, best, {{}, index, gpus, share}, longest);
        sure_beyond += keep(sure, best_sure, {{}, index, gpus, share}, longest);
        // More GPUs than are needed do not come closer to the fewest.
        const bool enough = sure_beyond > kSizesBeyond || beyond > kSizesBeyond + kSizesForMemory;
        if (constraints_.objective == Objective::gpus && enough && gpus >= node) break;
      }
      search_.visited += collector.visited;
      search_.evaluated += collector.evaluated;
      append_once(search_.assumptions, evaluator.assumptions());
      reject_tallies(offer, run, collector, evaluator.capacity());
    }
    // Layouts that may not fit count where no other meets the deadline.
    FoundLayouts& chosen = sure.sizes.empty() ? predicted : sure;
    append(points_, chosen.clusters);
    append(found_, chosen.in_time);
    append(search_.in_time, chosen.sizes);
  }

  /// Of one cluster, like `from`; does one meet the deadline?
  bool keep(FoundLayouts& layouts, const BestLayouts& best, Found from, Seconds longest) const {
    if (best.records().empty()) return false;
    from.record = best.records().front();
    keep_cluster(layouts.clusters, from);
    const bool in_time = Seconds(from.record.step_s) <= longest;
    if (in_time) layouts.sizes.push_back({run_of(from.record), from.gpus});
    for (const LayoutRecord& record : best.records())
      if (from.record = record; Seconds(record.step_s) <= longest) layouts.in_time.push_back(from);
    return in_time;
  }

  void keep_cluster(std::vector<Found>& clusters, const Found& found) const {
    for (Found& known : clusters) {
      if (known.gpus != found.gpus) continue;
      if (found.record.step_s < known.record.step_s) known = found;
      return;
    }
    clusters.push_back(found);
  }

  double lower_bound(const Gpu& gpu) {
    if (!has_deadline()) return 1;
    NoTrace none;
    std::vector<std::string> ignored;
    double fewest = constraints_.max_gpus;
    for (const Precision word : workload_.precisions) {
      const auto gemm = gemm_ceiling(none, catalog_, gpu, gemm_precision(gpu, training_gemm_precision(word)), ignored);
      if (!gemm) return 1;
      const FlopsPerToken<NoTrace> flops =
          flops_per_token(none, model_, stack_, FlopsConvention{}, workload_.sequence_length);
      const Flops matmul = flops.mixer_projections + flops.mlp;
      const Flops work = workload_.method == TrainingMethod::full ? matmul : frozen_weight_work(matmul);
      fewest = std::min(fewest, fewest_gpus(work * workload_.tokens, *gemm, safe_time()));
    }
    return fewest;
  }

  // Rejections

  TrainingRun run_of(const LayoutRecord& record) const {
    TrainingRun run = training_run(workload_);
    set_layout(run, record);
    return run;
  }

  void reject_tallies(const GpuOffer& offer, const TrainingRun& plain, const Collector& seen, Bytes capacity) {
    const auto add = [&](const Tally& tally, const auto& reason_of) {
      if (tally.count == 0) return;
      TrainingRun run = plain;
      set_layout(run, tally.record);
      reject(search_.rejected, reason_of(run), offer.gpu->id + ", " + layout_text(run), tally.count);
    };
    add(seen.does_not_fit, [&](const TrainingRun& run) {
      return training_shortfall(model_, run, *offer.gpu, Bytes(seen.does_not_fit.nearest), capacity);
    });
    add(seen.not_known, [&](const TrainingRun& run) { return unknown_reason(offer, run); });
    add(seen.late, [&](const TrainingRun&) { return late_reason(Seconds(seen.late.record.step_s), seen.late.gpus); });
    add(seen.not_launched,
        [&](const TrainingRun& run) { return launch_reason(run, Seconds(seen.not_launched.nearest)); });
  }

  Infeasible unknown_reason(const GpuOffer& offer, const TrainingRun& run) const {
    NoTrace none;
    const auto estimate = estimate_training(none, catalog_, model_, stack_, *offer.gpu, run, offer.system);
    if (!estimate.reasons.empty()) return estimate.reasons.front();
    return {.code = "not-modelled", .message = say("not-modelled/layout")};
  }

  Infeasible late_reason(Seconds step, double gpus) const {
    const double share = effective_share(gpus);
    if (!(share > 0)) return {.code = "no-progress", .message = say("no-progress/gpus", "gpus"_v = gpus)};
    const Seconds run_time = *run_time_of(step.base_units(), share);
    int digits = 3;
    while (digits < 9 && days_text(run_time, digits) == days_text(safe_time(), digits)) ++digits;
    const auto time = "time"_v = days_text(run_time, digits);
    const std::string safe = days_text(safe_time(), digits);
    const auto deadline = "deadline"_v = safe;
    return {.code = "deadline",
            .message = workload_.deadline_share < 1 ? say("deadline/kept", time, "safe"_v = safe,
                                                          "deadline"_v = days_text(workload_.deadline, digits))
                       : workload_.effective_share  ? say("deadline/with-failures", time, deadline)
                                                    : say("deadline", time, deadline),
            .shortfall = (run_time - safe_time()).base_units(),
            .unit = "s",
            .ways_out = {{"/deadline_days", std::ceil(run_time / workload_.deadline_share / days(1) * 1000) / 1000}}};
  }

  Infeasible launch_reason(const TrainingRun& run, Seconds step) const {
    const std::vector<std::string> obstacles = launch_obstacles(launcher_, model_, run);
    const Message obstacle = obstacles.empty() ? Message{} : as_written(obstacles.front());
    return {.code = "framework",
            .message = step > Seconds(0) ? say("framework", "step_s"_v = step.base_units(), "obstacle"_v = obstacle)
                                         : obstacle};
  }

  // Ranking

  std::optional<Seconds> run_time_of(double step_s, double effective_share) const {
    if (!(workload_.tokens > 0)) return std::nullopt;
    const PerSecond tokens_per_s =
        tokens_per_second(tokens_per_step(workload_.global_batch_size, workload_.sequence_length), Seconds(step_s));
    const Seconds undisturbed = workload_.tokens / tokens_per_s;
    return interrupted_time(undisturbed, effective_share);
  }
  /// In base units; those of one step where the tokens are not told.
  double time_of(const Found& found) const {
    const auto run_time = run_time_of(found.record.step_s, found.effective_share);
    return run_time ? run_time->base_units() : found.record.step_s;
  }
  /// Of the whole run, what one GPU takes of it in a time; absent where either is not known.
  template <class Rate>
  auto of_run(const Found& found, const Rate& per_gpu) const {
    const auto run_time = run_time_of(found.record.step_s, found.effective_share);
    return run_time && per_gpu ? std::optional(gpu_time(found.gpus, *run_time) * *per_gpu) : std::nullopt;
  }
  /// Asked once for each number of GPUs.
  const std::optional<UsdPerSecond>& price_of(const Found& found) const {
    const GpuOffer& offer = offers_[found.offer];
    if (!offer.price_in_job) return offer.price_per_gpu;
    const auto [price, is_new] = prices_.try_emplace({found.offer, found.gpus});
    if (is_new) price->second = offer.price_in_job(found.gpus);
    return price->second;
  }
  std::optional<Usd> cost_of(const Found& found) const { return of_run(found, price_of(found)); }
  std::optional<Joules> energy_of(const Found& found) const {
    return of_run(found, offers_[found.offer].power_per_gpu);
  }
  /// Smaller is better; what has no price or power comes last.
  double goal_of(const Found& found) const {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    switch (constraints_.objective) {
      case Objective::gpus:
        return found.gpus;
      case Objective::cost:
        if (const auto cost = cost_of(found)) return cost->base_units();
        return kNever;
      case Objective::energy:
        if (const auto energy = energy_of(found)) return energy->base_units();
        return kNever;
      case Objective::time:
        break;
    }
    return time_of(found);
  }

  /// Indices are sorted, not the layouts.
  void rank() {
    std::vector<double> goals;
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < found_.size(); ++i) {
      goals.push_back(goal_of(found_[i]));
      order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (goals[a] != goals[b]) return goals[a] < goals[b];
      const double time_a = found_[a].record.step_s;
      const double time_b = found_[b].record.step_s;
      if (time_a != time_b) return time_a < time_b;
      return found_[a].gpus != found_[b].gpus ? found_[a].gpus < found_[b].gpus : a < b;
    });
    if (static_cast<double>(order.size()) > constraints_.top) order.resize(static_cast<std::size_t>(constraints_.top));
    NoTrace none;
    std::optional<TrainingEstimate<NoTrace>> best;
    for (const std::uint32_t i : order) {
      TrainingCandidate candidate = candidate_of(found_[i]);
      const auto estimate =
          estimate_training(none, catalog_, model_, stack_, *candidate.gpu, candidate.run, candidate.system);
      PODWRIGHT_ASSERT(estimate.step && estimate.memory);
      candidate.memory_per_gpu = estimate.memory->total;
      candidate.mfu = estimate.step->mfu;
      candidate.binding = estimate.step->binding;
      if (!best) {
        candidate.why = why_best(catalog_, model_, stack_, candidate, estimate);
        best = estimate;
      } else {
        candidate.why = {why_not(search_.best.front(), *best, candidate, estimate)};
      }
      search_.best.push_back(std::move(candidate));
    }
    if (search_.best.size() > 1) search_.best.front().why.push_back("The next best is " + search_.best[1].why.front());
  }

  TrainingCandidate candidate_of(const Found& found) const {
    TrainingCandidate candidate;
    candidate.run = run_of(found.record);
    candidate.gpu = offers_[found.offer].gpu;
    candidate.system = offers_[found.offer].system;
    candidate.gpus = found.gpus;
    candidate.step = Seconds(found.record.step_s);
    candidate.run_time = run_time_of(found.record.step_s, found.effective_share);
    candidate.tokens_per_s =
        tokens_per_second(tokens_per_step(workload_.global_batch_size, workload_.sequence_length), candidate.step);
    candidate.cost = cost_of(found);
    candidate.energy = energy_of(found);
    return candidate;
  }

  /// `a` is as good in all and better in one; what is not known compares as equal.
  bool beats(const Found& a, const Found& b) const {
    bool better = false;
    bool worse = false;
    const auto compare = [&](double x, double y) {
      better = better || x < y;
      worse = worse || x > y;
    };
    compare(a.gpus, b.gpus);
    compare(a.record.step_s, b.record.step_s);
    if (const auto x = cost_of(a), y = cost_of(b); x && y) compare(x->base_units(), y->base_units());
    if (const auto x = energy_of(a), y = energy_of(b); x && y) compare(x->base_units(), y->base_units());
    return better && !worse;
  }

  void keep_front() {
    std::vector<std::uint32_t> front;
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
      bool beaten = false;
      for (std::uint32_t j = 0; j < points_.size() && !beaten; ++j) beaten = beats(points_[j], points_[i]);
      if (!beaten) front.push_back(i);
    }
    sort_stably(front, [&](std::uint32_t a, std::uint32_t b) {
      if (points_[a].gpus != points_[b].gpus) return points_[a].gpus < points_[b].gpus;
      return points_[a].record.step_s < points_[b].record.step_s;
    });
    TrainingPareto& pareto = search_.pareto;
    for (const std::uint32_t i : front) {
      const Found& found = points_[i];
      const auto cost = cost_of(found);
      const auto energy = energy_of(found);
      pareto.gpu.push_back(offers_[found.offer].gpu->id);
      pareto.gpus.push_back(found.gpus);
      pareto.time.push_back(Seconds(time_of(found)));
      pareto.cost_usd.push_back(cost ? std::optional(cost->base_units()) : std::nullopt);
      pareto.energy_kwh.push_back(energy ? std::optional(*energy / kwh(1)) : std::nullopt);
      pareto.layout.push_back(layout_text(run_of(found.record)));
    }
  }

  const Catalog& catalog_;
  const Model& model_;
  const std::vector<GpuOffer>& offers_;
  mutable std::map<std::pair<std::size_t, double>, std::optional<UsdPerSecond>> prices_;
  const TrainingWorkload& workload_;
  const TrainingConstraints& constraints_;
  LayerStack stack_;
  Launcher launcher_;
  std::vector<Found> found_;
  std::vector<Found> points_;
  TrainingSearch search_;
};

}  // namespace

TrainingSearch search_training(const Catalog& catalog, const Model& model, const std::vector<GpuOffer>& offers,
                               const TrainingWorkload& workload, const TrainingConstraints& constraints) {
  return LayoutSearch(catalog, model, offers, workload, constraints).go();
}

TrainingSearch search_training(const Catalog& catalog, const Model& model, const Gpu& gpu,
                               const TrainingWorkload& workload, const SearchConstraints& constraints) {
  TrainingConstraints all;
  all.max_gpus = constraints.max_gpus;
  all.top = constraints.top;
  all.objective = Objective::gpus;
  all.limits = usual_limits(workload.sequence_length);
  return search_training(catalog, model, {GpuOffer{.gpu = &gpu}}, workload, all);
}

}  // namespace podwright::sizing
