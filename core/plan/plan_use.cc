#include "plan/plan_use.h"

#include <algorithm>
#include <cmath>

#include "base/root.h"

namespace podwright {
namespace {

/// Below it there is no use; as soon as there is some, a first machine is needed.
constexpr UsePlace kNoUse = 1e-9;

/// Even steps on each side of the plan's use.
constexpr int kSteps = 16;

}  // namespace

UsePoint PlanUse::at(UsePlace asked) const {
  const UsePlace place = std::max(asked, kNoUse);
  StandingMachines then = standing;
  DemandLoad& load = then.load;
  load.serving_mean = mean_at(place, load.serving_mean, load.serving_peak);
  // The reserve comes first, and always stands.
  for (std::size_t i = reserve_gpus > 0 ? 1 : 0; i < load.runs.size(); ++i)
    load.runs[i].share = mean_at(place, load.runs[i].share, 1);
  const double below = std::min(1.0, std::floor(place));
  const auto side = static_cast<std::size_t>(below);
  return {.utilization = mean_at(place, utilization, most_utilization),
          .rented_gpus = then.instances(*row) * row->gpu_count,
          .load = loads[side] + (loads[side + 1] - loads[side]) * (place - below)};
}

UsdPerSecond PlanUse::own_at(const UsePoint& point) const {
  return loads[1] > 0 ? own + energy * (point.load / loads[1] - 1.0) : own;
}

UsdPerSecond PlanUse::rent_at(const UsePoint& point) const {
  return rent + (point.rented_gpus - standing.instances(*row) * row->gpu_count) * rent_of_gpu;
}

UsePlace PlanUse::last_place() const {
  if (most_utilization <= 1) return kUsePlaces.back();
  return 1 + (1 - utilization) / (most_utilization - utilization);
}

UsePlace PlanUse::equal_place() const {
  const auto dearer = [&](UsePlace place) {
    const UsePoint point = at(place);
    return raw(own_at(point) - rent_at(point));
  };
  const UsePlace last = last_place();
  if (dearer(0) <= 0) return 0;
  if (dearer(last) >= 0) return last;
  const UsePlace equal = falling_root(0, last, dearer);
  return equal > kNoUse ? equal : 0;
}

double PlanUse::break_even() const {
  const UsePoint most = at(last_place());
  const UsdPerSecond rent_of_most = rent_at(most);
  if (rent_of_most > UsdPerSecond(0) && own_at(most) > rent_of_most) return own_at(most) / rent_of_most;
  const UsePlace equal = equal_place();
  return equal > kNoUse ? at(equal).utilization : 0;
}

std::vector<UsePoint> PlanUse::points() const {
  std::vector<UsePlace> places{equal_place()};
  for (double step = 0; step < last_place() * kSteps; ++step) places.push_back(step / kSteps);
  places.push_back(last_place());
  std::sort(places.begin(), places.end());
  std::vector<UsePoint> points;
  for (const UsePlace place : places) {
    const UsePoint point = at(place);
    if (points.empty() || point.utilization > points.back().utilization) points.push_back(point);
  }
  return points;
}

}  // namespace podwright
