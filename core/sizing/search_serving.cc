#include "sizing/search_serving.h"
#include "base/append.h"

#include <algorithm>
#include <utility>

#include "sizing/gpu_catalog.h"
#include "sizing/layouts.h"
#include "sizing/search_pools.h"
#include "sizing/serving_findings.h"
#include "sizing/serving_finish.h"
#include "sizing/serving_launch.h"
#include "sizing/serving_why.h"

namespace podwright::sizing {
namespace {

class DeploymentSearch {
 public:
  explicit DeploymentSearch(const ServingQuestion& question)
      : q_(question), findings_{FoundDeployments(question.constraints.top), FrontSearch(question), {}} {}

  ServingSearch go() {
    for (std::uint32_t i = 0; i < q_.offers.size(); ++i)
      if (q_.tries(Arrangement::aggregated)) search_replicas(i);
    SliceSearch slices;
    if (q_.has_peak() && !q_.coarse() && findings_.one_gpu_may_do) slices = search_slices(q_, findings_.front);
    if (pools_are_tried()) search_pools();
    findings_.evaluated += slices.evaluated;
    search_.best = finished(findings_.found.take());
    search_.slices = finished(slices.found);
    tell_why(search_.best, q_.workload, q_.constraints.objective);
    search_.front = findings_.front.take();
    search_.rejected = findings_.rejected.take();
    search_.evaluated = findings_.evaluated;
    search_.pruned = findings_.pruned;
    search_.not_modelled = serving_not_modelled();
    return std::move(search_);
  }

 private:
  /// Calls `each` with engine, format and what they are of the deployment, for all that the engine starts on the GPU.
  /// Pools of their own must be startable with the simplest layouts.
  template <class Each>
  void for_engines(std::uint32_t offer, bool pools, const Each& each) {
    const Gpu& gpu = *q_.offers[offer].gpu;
    for (std::uint32_t index = 0; index < q_.workload.engines.size(); ++index) {
      const std::string& id = q_.workload.engines[index];
      const Engine* engine = find_engine_conventions(q_.catalog, id);
      for (const std::string& precision : serving_precisions(q_.catalog, q_.model, gpu, q_.workload)) {
        const FoundDeployment from{.offer = offer, .engine = index, .precision = precision, .layout = {}, .pools = {}};
        const WeightFormat* format = find_weight_format(q_.catalog.weight_formats, precision);
        ServingRun run = run_of(from, q_.workload);
        if (pools) run.disaggregated = Disaggregated{};
        const auto reject = [&](const Infeasible& reason) {
          findings_.evaluated += 1;
          findings_.rejected.add(reason, [&] { return gpu.id + ", " + id + ", " + precision; });
        };
        if (engine == nullptr || format == nullptr) {
          reject(not_known(engine == nullptr, engine == nullptr ? id : precision));
          continue;
        }
        const std::vector<std::string> obstacles = start_obstacles(q_.model, gpu, run, node_gpus(q_.catalog, gpu));
        if (!obstacles.empty() && (pools || knows_server(id))) {
          reject(cannot_start(obstacles));
          continue;
        }
        each(*engine, *format, from);
      }
    }
  }

  static Infeasible not_known(bool engine, const std::string& id) {
    return {.code = engine ? "engine-not-known" : "format-not-supported", .message = say("not-known", "id"_v = id)};
  }

  /// The catalog that is asked for the speed of an offer's GPU.
  const Catalog& rates_of(std::uint32_t offer) {
    rates_ = catalog_of_gpu(q_.catalog, *q_.offers[offer].gpu, std::move(rates_));
    return rates_ ? *rates_ : q_.catalog;
  }

  void search_replicas(std::uint32_t offer) {
    const Catalog& rates = rates_of(offer);
    const std::vector<ServingParallelism> layouts =
        serving_layouts(q_.catalog, q_.model, *q_.offers[offer].gpu, q_.constraints.max_gpus);
    for_engines(offer, false, [&](const Engine& engine, const WeightFormat& format, const FoundDeployment& from) {
      search_replicas_of(q_, rates, engine, format, from, layouts, findings_);
    });
  }

  bool pools_are_tried() const {
    return q_.tries(Arrangement::disaggregated) && !q_.coarse() && q_.workload.output_tokens > 1;
  }
  /// After the replicas that do both, so that only what they leave to be won is looked at.
  void search_pools() {
    PoolSearch pools(q_, findings_.rejected);
    if (!pools.possible()) return;
    for (std::uint32_t offer = 0; offer < q_.offers.size(); ++offer) {
      const Catalog& rates = rates_of(offer);
      const Gpu& gpu = *q_.offers[offer].gpu;
      const std::vector<ServingParallelism> layouts =
          serving_layouts(q_.catalog, q_.model, gpu, q_.constraints.max_gpus);
      for_engines(offer, true, [&](const Engine&, const WeightFormat&, FoundDeployment from) {
        std::optional<FoundDeployment> best;
        for (const double drafts : drafts_to_try()) {
          from.draft_tokens = drafts;
          const double at_most = best ? best->goal : findings_.found.goal_to_reach() - q_.behind_prices(offer);
          if (auto found = pools.best(from, rates, gpu, q_.goal_of_gpu(offer), layouts, at_most))
            best = std::move(found);
        }
        if (!best) return;
        best->goal += q_.behind_prices(offer);
        findings_.found.add(*best);
      });
    }
    findings_.evaluated += pools.evaluated();
  }
  /// 0 is none.
  std::vector<double> drafts_to_try() const {
    std::vector<double> tokens{0};
    const std::vector<double>& more = q_.workload.draft_tokens;
    if (q_.workload.draft) tokens.insert(tokens.end(), more.begin(), more.end());
    return tokens;
  }

  struct Finished {
    FoundDeployment found;
    ServingCandidate candidate;
    std::vector<std::string> assumptions;
  };

  /// Those shown, estimated whole. Replicas that the whole takes beyond its parts change the order; they never make a
  /// deployment better, so that what comes behind the last shown stays there.
  std::vector<ServingCandidate> finished(const std::vector<FoundDeployment>& sorted) {
    const ServingFinish whole(q_);
    const auto before = [](const Finished& a, const Finished& b) { return better(a.found, b.found); };
    std::vector<Finished> shown;
    for (const FoundDeployment& found : sorted) {
      const bool full = static_cast<double>(shown.size()) >= q_.constraints.top;
      if (full && (shown.empty() || !better(found, shown.back().found))) break;
      Finished one{.found = found, .candidate = {}, .assumptions = {}};
      auto candidate = whole.candidate(one.found, one.assumptions);
      if (!candidate) {
        reject_whole(found);
        continue;
      }
      one.candidate = std::move(*candidate);
      const double behind = q_.behind_prices(found.offer);
      one.found.goal = behind + (found.goal - behind) * one.found.replicas / found.replicas;
      shown.insert(std::upper_bound(shown.begin(), shown.end(), one, before), std::move(one));
      if (full) shown.pop_back();
    }
    std::vector<ServingCandidate> candidates;
    for (Finished& one : shown) {
      append_once(search_.assumptions, one.assumptions);
      candidates.push_back(std::move(one.candidate));
    }
    return candidates;
  }

  void reject_whole(const FoundDeployment& found) {
    findings_.rejected.add({.code = "limit-missed", .message = say("limit-missed")}, [&] {
      const ServingRun run = run_of(found, q_.workload);
      return q_.offers[found.offer].gpu->id + ", " + run.engine + ", " + layout_text(run);
    });
  }

  const ServingQuestion& q_;
  ServingFindings findings_;
  std::optional<Catalog> rates_;  ///< of the GPU looked at
  ServingSearch search_;
};

}  // namespace

ServingSearch search_serving(const Catalog& catalog, const Model& model, const std::vector<GpuOffer>& offers,
                             const ServingWorkload& workload, const ServingConstraints& constraints) {
  const LayerStack stack = layer_stack(model);
  const ServingQuestion question{.catalog = catalog,
                                 .model = model,
                                 .stack = stack,
                                 .offers = offers,
                                 .workload = workload,
                                 .constraints = constraints};
  return DeploymentSearch(question).go();
}

ServingSearch search_serving(const Catalog& catalog, const Model& model, const Gpu& gpu,
                             const ServingWorkload& workload, const SearchConstraints& constraints) {
  const std::vector<GpuOffer> offers{{.gpu = &gpu, .system = nullptr, .price_per_gpu = {}, .power_per_gpu = {}}};
  return search_serving(catalog, model, offers, workload,
                        {.max_gpus = constraints.max_gpus,
                         .objective = ServingObjective::gpus,
                         .effort = Effort::full,
                         .top = constraints.top,
                         .each_replica_size = constraints.each_replica_size,
                         .mean_share = constraints.mean_share});
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
