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

namespace podwright {
namespace {

/// Doublings and halvings of the given value that are tried.
constexpr int kMostSteps = 40;

/// Loads and times are told with so many.
constexpr int kDigits = 3;

/// Is there a plan that is shown to keep every limit?
bool fits(const Catalog& catalog, PlanRequest request) {
  request.options.draws = 0;
  request.options.top = 1;
  const std::vector<Plan> plans = make_plans(catalog, request).plans;
  return !plans.empty() && plans.front().verdict.unchecked.empty();
}

/// The hardest value of a few digits that fits, looked for from `given`; harder by `step`, which is 2 or 1/2. Absent
/// where none fits.
std::optional<double> hardest(double given, double step, const std::function<bool(double)>& fits) {
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
    if (!(std::min(good, bad) < middle && middle < std::max(good, bad))) return good;
    (fits(middle) ? good : bad) = middle;
  }
}

void scale_load(ServingNeed& need, double peak) {
  if (need.mean_requests_per_s) *need.mean_requests_per_s *= peak / need.peak_requests_per_s;
  need.peak_requests_per_s = peak;
}

GoalFound largest_load(const Catalog& catalog, const PlanRequest& request) {
  const auto loaded = [&](double peak) {
    PlanRequest changed = request;
    scale_load(std::get<ServingNeed>(changed.workloads.front().need), peak);
    return changed;
  };
  const auto peak = hardest(request.workloads.front().serving()->peak_requests_per_s, 2,
                            [&](double rate) { return fits(catalog, loaded(rate)); });
  if (!peak) return {.request = request, .says = say("goal/none")};
  return {.request = loaded(*peak), .says = say("goal/largest-load", "peak_requests_per_s"_v = *peak)};
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
  return {.request = due(*found), .says = say("goal/shortest-run", "deadline_days"_v = *found)};
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
