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

/// Why machines must be owned; absent where they need not be.
std::optional<Message> why_owned(const PlanRequest& request, const PlanWorkload* bound) {
  if (bound != nullptr)
    return say("owned-because/bound", "workload"_v = bound->name,
               "sovereignty"_v = word_of(sovereignty_of(request, *bound)));
  const Ownership asked = request.constraints.ownership;
  if (asks_for_machines(asked)) return say("owned-because/asked", "ownership"_v = word_of(asked));
  return std::nullopt;
}

}  // namespace

std::vector<Infeasible> contradictions(const PlanRequest& request) {
  const PlanConstraints& site = request.constraints;
  const PlanWorkload* bound = first_bound(request);
  const std::optional<Message> why = why_owned(request, bound);
  std::vector<Infeasible> found;
  if (!why) return found;
  const auto owned = "owned"_v = *why;
  const Patch any_ownership("/constraints/ownership", std::string(word_of(Ownership::any)));
  // Asking for no machines lifts a conflict only where no workload is bound as well.
  const auto ways = [&](Patch own_way) {
    return bound == nullptr ? std::vector<Patch>{std::move(own_way), any_ownership}
                            : std::vector<Patch>{std::move(own_way)};
  };
  if (site.no_capital)
    found.push_back({.code = "no-capital",
                     .message = say("contradiction/no-capital", owned),
                     .ways_out = ways({"/constraints/no_capital", false})});
  if (site.no_staff && site.services == Services::self)
    found.push_back({.code = "no-staff",
                     .message = say("contradiction/no-staff", owned),
                     .ways_out = ways({"/constraints/services", std::string(word_of(Services::partner))})});
  if (bound != nullptr && site.ownership == Ownership::cloud)
    found.push_back(
        {.code = "cloud-asked", .message = say("contradiction/cloud-asked", owned), .ways_out = {any_ownership}});
  return found;
}

Plans plans_or_contradictions(const Catalog& catalog, const PlanRequest& request) {
  Plans none;
  for (Infeasible& reason : contradictions(request)) none.rejected.push_back({"", "", std::move(reason)});
  return none.rejected.empty() ? make_plans(catalog, request) : none;
}

}  // namespace podwright
