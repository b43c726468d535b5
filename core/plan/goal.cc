#include "plan/goal.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/stable_sort.h"
#include "model/parameters.h"
#include "plan/planner.h"
#include "sizing/workload.h"

namespace podwright {
namespace {

/// Doublings and halvings of the given value that are tried.
constexpr int kMostSteps = 40;

/// Loads and times are told with so many.
constexpr int kDigits = 3;

Plans quick_plans(const Catalog& catalog, PlanRequest request) {
  request.options.draws = 0;
  request.options.top = 1;
  return make_plans(catalog, request);
}

/// Is there a plan that is shown to keep every limit?
bool fits(const Catalog& catalog, const PlanRequest& request) {
  const std::vector<Plan> plans = quick_plans(catalog, request).plans;
  return !plans.empty() && plans.front().verdict.unchecked.empty();
}

/// The GPUs that the search tries at most, where they end what the GPU of `good` can do: `bad` asks for a little more,
/// and has no plan on that GPU although clusters were tried that cannot be doubled.
std::optional<double> gpus_that_end(const Catalog& catalog, const PlanRequest& good, const PlanRequest& bad) {
  if (good.constraints.max_gpus) return good.constraints.max_gpus;
  const double most = good.workloads.front().serving() != nullptr ? sizing::ServingConstraints().max_gpus
                                                                  : sizing::TrainingConstraints().max_gpus;
  const Plans kept = quick_plans(catalog, good);
  const Plans missed = quick_plans(catalog, bad);
  for (const RejectedGpu& rejected : missed.rejected) {
    if (kept.plans.empty() || rejected.gpu != kept.plans.front().decision.gpu->id) continue;
    const bool large = std::any_of(missed.pareto.begin(), missed.pareto.end(), [&](const ParetoPoint& point) {
      return point.gpu == rejected.gpu && point.gpu_count * 2 > most;
    });
    if (rejected.reason.code == "gpu-limit" || (rejected.reason.code == "deadline" && large)) return most;
  }
  return std::nullopt;
}

/// A value that fits, and the next one, which does not.
struct Edge {
  double good = 0;
  double bad = 0;
};

/// The hardest value of a few digits that fits, looked for from `given`; harder by `step`, which is 2 or 1/2. Absent
/// where none fits.
std::optional<Edge> hardest(double given, double step, const std::function<bool(double)>& fits) {
  double good = given;
  double bad = given;
  int tried = 0;
  if (fits(given))
    for (bad *= step; ++tried < kMostSteps && fits(bad); bad *= step) good = bad;
  else
    for (good /= step; !fits(good); good /= step) {
      if (++tried == kMostSteps) return std::nullopt;
      bad = good;
    }
  while (true) {
    const double middle = rounded_for_display(std::sqrt(good * bad), kDigits);
    if (!(std::min(good, bad) < middle && middle < std::max(good, bad))) return Edge{good, bad};
    (fits(middle) ? good : bad) = middle;
  }
}

void scale_load(ServingNeed& need, double peak) {
  if (need.mean_requests_per_s) *need.mean_requests_per_s *= peak / need.peak_requests_per_s;
  need.peak_requests_per_s = peak;
  need.load = {};
}

GoalFound largest_load(const Catalog& catalog, const PlanRequest& request) {
  const auto loaded = [&](double peak) {
    PlanRequest changed = request;
    scale_load(std::get<ServingNeed>(changed.workloads.front().need), peak);
    return changed;
  };
  const auto found = hardest(request.workloads.front().serving()->peak_requests_per_s, 2,
                             [&](double rate) { return fits(catalog, loaded(rate)); });
  if (!found) return {.request = request, .says = say("goal/none")};
  const auto peak = "peak_requests_per_s"_v = found->good;
  const auto most = gpus_that_end(catalog, loaded(found->good), loaded(found->bad));
  return {.request = loaded(found->good),
          .says = most ? say("goal/largest-load-tried", peak, "most_gpus"_v = *most) : say("goal/largest-load", peak),
          .most_gpus_tried = most};
}

GoalFound shortest_run(const Catalog& catalog, const PlanRequest& request) {
  const auto due = [&](double deadline_days) {
    PlanRequest changed = request;
    std::get<TrainingNeed>(changed.workloads.front().need).deadline_days = deadline_days;
    return changed;
  };
  const auto found = hardest(request.workloads.front().training()->deadline_days, 0.5,
                             [&](double deadline_days) { return fits(catalog, due(deadline_days)); });
  if (!found) return {.request = request, .says = say("goal/none")};
  const auto deadline = "deadline_days"_v = found->good;
  const auto most = gpus_that_end(catalog, due(found->good), due(found->bad));
  return {.request = due(found->good),
          .says = most ? say("goal/shortest-run-tried", deadline, "most_gpus"_v = *most)
                       : say("goal/shortest-run", deadline),
          .most_gpus_tried = most};
}

/// The model that the request names is the smallest that would do.
GoalFound largest_model(const Catalog& catalog, const PlanRequest& request) {
  const PlanWorkload& workload = request.workloads.front();
  const double tokens =
      workload.serving() != nullptr ? workload.serving()->input_tokens + workload.serving()->output_tokens : 0;
  NoTrace none;
  const double least = parameter_parts(none, *workload.model).total;
  std::vector<std::pair<double, const Model*>> larger;
  for (const Model& model : catalog.models) {
    const double parameters = parameter_parts(none, model).total;
    const bool holds_context = model.context_tokens <= 0 || tokens <= model.context_tokens;
    if (parameters > least && holds_context) larger.emplace_back(parameters, &model);
  }
  sort_stably(larger, [](const auto& a, const auto& b) { return a.first > b.first; });
  GoalFound found{.request = request, .says = say("goal/largest-model", "model"_v = workload.model->name)};
  for (const auto& [parameters, model] : larger) {
    GoalFound other{.request = request, .says = say("goal/largest-model", "model"_v = model->name)};
    other.request.workloads.front().model = *model;
    if (fits(catalog, other.request)) return other;
  }
  if (!fits(catalog, request)) found.says = say("goal/none");
  return found;
}

}  // namespace

GoalFound most_of_goal(const Catalog& catalog, const PlanRequest& request) {
  switch (request.goal) {
    case PlanGoal::largest_load:
      return largest_load(catalog, request);
    case PlanGoal::shortest_run:
      return shortest_run(catalog, request);
    case PlanGoal::largest_model:
      return largest_model(catalog, request);
    case PlanGoal::least_cost:
      break;
  }
  return {.request = request, .says = {}};
}

}  // namespace podwright
