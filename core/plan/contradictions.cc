#include "plan/contradictions.h"

#include <algorithm>
#include <string>

#include "plan/plan_demand.h"

namespace podwright {
namespace {

const PlanWorkload* first_bound(const PlanRequest& request) {
  for (const PlanWorkload& workload : request.workloads)
    if (stays_on_own_ground(sovereignty_of(request, workload))) return &workload;
  return nullptr;
}

bool asks_for_machines(const PlanRequest& request) {
  const std::string& ownership = request.constraints.ownership;
  return ownership != "any" && ownership != "cloud";
}

/// Why machines must be owned; empty where they need not be.
std::string why_owned(const PlanRequest& request, const PlanWorkload* bound) {
  if (bound != nullptr)
    return "\"" + bound->name + "\" must stay on own ground (sovereignty " + sovereignty_of(request, *bound) + ")";
  if (asks_for_machines(request))
    return "machines of one's own are asked for (ownership " + request.constraints.ownership + ")";
  return "";
}

Infeasible reason(std::string code, std::string message, std::vector<std::string> ways_out) {
  return {.code = std::move(code),
          .message = std::move(message),
          .shortfall = 0,
          .unit = "",
          .ways_out = std::move(ways_out)};
}

}  // namespace

std::vector<Infeasible> contradictions(const PlanRequest& request) {
  const PlanConstraints& site = request.constraints;
  const PlanWorkload* bound = first_bound(request);
  const std::string owned = why_owned(request, bound);
  std::vector<Infeasible> found;
  if (owned.empty()) return found;
  // Asking for no machines lifts a conflict only where no workload is bound as well.
  const auto ways = [&](std::string own_way) {
    std::vector<std::string> patches{std::move(own_way)};
    if (bound == nullptr) patches.emplace_back("{\"constraints\":{\"ownership\":\"any\"}}");
    return patches;
  };
  if (site.no_capital)
    found.push_back(reason("no-capital",
                           "Nothing can be bought up front (no_capital), but " + owned + ": no way of paying is left.",
                           ways("{\"constraints\":{\"no_capital\":false}}")));
  if (site.no_staff && site.services == "self")
    found.push_back(reason(
        "no-staff",
        "Nobody is there to run machines (no_staff, services self), but " + owned + ": no way of paying is left.",
        ways("{\"constraints\":{\"services\":\"partner\"}}")));
  if (bound != nullptr && site.ownership == "cloud")
    found.push_back(reason("cloud-asked",
                           "Only clouds are asked for (ownership cloud), but " + owned + ": no way of paying is left.",
                           {"{\"constraints\":{\"ownership\":\"any\"}}"}));
  return found;
}

Plans plans_or_contradictions(const Catalog& catalog, const PlanRequest& request) {
  Plans none;
  for (Infeasible& reason : contradictions(request)) none.rejected.push_back({"", "", std::move(reason)});
  return none.rejected.empty() ? make_plans(catalog, request) : none;
}

}  // namespace podwright
