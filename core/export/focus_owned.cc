#include "export/focus_owned.h"

#include <utility>

namespace podwright {

bool add_owned_cluster(FocusPlan& plan, const OwnedTerms<NoTrace>& inputs, OwnedResource resource) {
  NoTrace trace;
  const OwningCost<NoTrace> cost = owning_cost(trace, inputs);
  if (!cost.total || !inputs.utilization) return false;
  const Horizon<NoTrace> horizon = horizon_of<NoTrace>(inputs.horizon_years, inputs.discount_rate);
  const double residual = inputs.fabric_residual_fraction.amount.value_or(0.0);
  const auto capital_of = [&](const CostPart<NoTrace, Usd>& part) {
    const Usd price = part.amount.value_or(Usd(0));
    return level_capital(price, fabric_residual_value(price, residual), horizon);
  };
  UsdPerSecond shared;
  const auto share = [&](const char* id, const char* name, const char* category, UsdPerSecond rate) {
    if (!(rate > UsdPerSecond(0))) return;
    shared += rate;
    plan.overheads.push_back({.id = resource.id + "/" + id, .name = name, .service_category = category, .cost = rate});
  };
  share("network", "Network", "Networking", capital_of(inputs.network));
  share("storage", "Storage", "Storage", capital_of(inputs.storage));
  share("staff", "Staff", "Management and Governance", cost.operation->staff);
  share("facility", "Building", "Other", cost.operation->facility);
  share("connection", "Lines and data that leaves", "Networking", cost.operation->connection);
  resource.gpus = inputs.gpu_count;
  resource.utilization = *inputs.utilization;
  resource.cost_per_gpu = (cost.total->yearly - shared) / inputs.gpu_count;
  plan.owned.push_back(std::move(resource));
  return true;
}

}  // namespace podwright
