#include "plan/placement.h"

#include <algorithm>
#include <limits>

#include "cost/purchase.h"
#include "cost/rent.h"
#include "plan/plan_cost.h"
#include "plan/training_in_time.h"
#include "sizing/search_serving.h"
#include "sizing/search_training.h"

namespace podwright {
namespace {

double typical(const Catalog& catalog, std::string_view id) {
  const OperatingFigure* figure = find_operating_figure(catalog.operating_figures, id);
  return figure == nullptr ? 0 : figure->typical;
}

sizing::ServingWorkload serving_need(const Catalog& catalog, const ServingNeed& workload) {
  sizing::ServingWorkload need;
  need.peak_requests_per_s = workload.peak_requests_per_s;
  need.input_tokens = workload.input_tokens;
  need.output_tokens = workload.output_tokens;
  // Requests that come at a rate are people's, as in a serving request.
  need.input_tokens_cv = typical(catalog, "request-input-cv");
  need.output_tokens_cv = typical(catalog, "request-output-cv");
  const auto limit = [&](sizing::LatencyKind kind, const std::optional<double>& most) {
    if (most) need.limits.push_back({.latency = kind, .percentile = Percentile::p95, .most = Seconds(*most)});
  };
  limit(sizing::LatencyKind::ttft, workload.ttft_s_max);
  limit(sizing::LatencyKind::tpot, workload.tpot_s_max);
  need.engines = {workload.engine};
  need.weight_precisions = workload.weight_precisions;
  return need;
}

/// The reason that most layouts share.
std::optional<Infeasible> main_reason(const std::vector<sizing::Rejection>& rejected) {
  const auto most = std::max_element(rejected.begin(), rejected.end(),
                                     [](const auto& a, const auto& b) { return a.count < b.count; });
  if (most == rejected.end()) return std::nullopt;
  // A limit on time is nearer to a plan than a layout that does not fit: it has been reached by one that does.
  for (const sizing::Rejection& rejection : rejected)
    if (rejection.reason.code == "tpot" || rejection.reason.code == "ttft" || rejection.reason.code == "request" ||
        rejection.reason.code == "deadline" || rejection.reason.code == "no-progress")
      return rejection.reason;
  return most->reason;
}

/// Rent and power that follow from GPU and count alone.
class Front {
 public:
  Front(const Catalog& catalog, const Gpu& gpu, std::vector<ParetoPoint>& points)
      : market_(rent_market(catalog.cloud_prices, {.gpu_id = gpu.id})),
        system_(power_system(catalog, nullptr, gpu)),
        gpu_(gpu),
        points_(points) {}

  void add(ParetoPoint point) {
    point.gpu = gpu_.id;
    if (market_.cheapest_per_gpu)
      point.rent_usd_per_hour = market_.cheapest_per_gpu->base_units() * 3600 * point.gpu_count;
    if (system_ != nullptr)
      point.it_power_kw = power_per_gpu(planned_power(*system_)->value, system_->gpu_count) * point.gpu_count / kw(1);
    points_.push_back(std::move(point));
  }

 private:
  RentMarket market_;
  const System* system_;
  const Gpu& gpu_;
  std::vector<ParetoPoint>& points_;
};

Placements place_serving(const Catalog& catalog, const PlanWorkload& workload, std::size_t index, const Gpu& gpu) {
  sizing::ServingSearch search =
      sizing::search_serving(catalog, *workload.model, gpu, serving_need(catalog, *workload.serving()), {});
  Placements placements;
  for (const sizing::ServingCandidate& candidate : search.best)
    placements.best.push_back({.index = index, .run = candidate.run, .gpu_count = candidate.gpus});
  if (search.best.empty()) placements.reason = main_reason(search.rejected);
  Front front(catalog, gpu, placements.front);
  double fewest = std::numeric_limits<double>::infinity();
  for (const sizing::ServingPoint& found : search.front) {
    // Points that need as many GPUs for the peak as a faster one say nothing here.
    if (!(found.gpus < fewest)) continue;
    fewest = found.gpus;
    front.add({.gpu_count = found.gpus,
               .layout = found.layout,
               .tpot_s = found.tpot.base_units(),
               .ttft_s = found.ttft.base_units()});
  }
  placements.assumptions = std::move(search.assumptions);
  placements.not_modelled = std::move(search.not_modelled);
  return placements;
}

Placements place_training(const Catalog& catalog, const PlanRequest& request, std::size_t index, const Gpu& gpu) {
  const PlanWorkload& workload = request.workloads[index];
  sizing::TrainingSearch search = sizing::search_training(catalog, *workload.model, gpu,
                                                          training_need(catalog, request.economics, workload, gpu), {});
  Placements placements;
  for (const sizing::TrainingCandidate& candidate : search.best)
    placements.best.push_back({.index = index, .run = candidate.run, .gpu_count = candidate.gpus});
  if (search.best.empty()) placements.reason = main_reason(search.rejected);
  Front front(catalog, gpu, placements.front);
  for (std::size_t i = 0; i < search.pareto.gpus.size(); ++i)
    front.add({.gpu_count = search.pareto.gpus[i],
               .layout = search.pareto.layout[i],
               .run_s = search.pareto.time[i].base_units()});
  placements.assumptions = std::move(search.assumptions);
  placements.not_modelled = std::move(search.not_modelled);
  return placements;
}

}  // namespace

Placements place(const Catalog& catalog, const PlanRequest& request, std::size_t index, const Gpu& gpu) {
  const PlanWorkload& workload = request.workloads[index];
  return workload.serving() != nullptr ? place_serving(catalog, workload, index, gpu)
                                       : place_training(catalog, request, index, gpu);
}

}  // namespace podwright
