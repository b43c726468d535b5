#pragma once
/// From the explained model of owning to the one that is drawn.
#include <optional>

#include "cost/cost_inputs.h"
#include "cost/owned_cluster.h"

namespace podwright {

/// Everything certain at the numbers of the explained model, nothing rented yet; own_or_rent() then agrees with
/// owning_cost() to rounding. Absent where a part of the cost or the utilization is not known.
template <class Tracer>
std::optional<UncertainCosts> certain_owning(const OwningInputs<Tracer>& inputs) {
  UncertainCosts costs;
  costs.gpu_count = value_of(inputs.gpu_count);
  bool complete = inputs.utilization.has_value();
  const auto put = [&](CostInput input, const auto& part, double neutral = 0.0) {
    complete = complete && (part.amount || part.absence.empty());
    costs[input] = part.amount ? certain(value_of(*part.amount)) : certain(neutral);
  };
  if (inputs.utilization) costs[CostInput::utilization] = certain(value_of(*inputs.utilization));
  costs[CostInput::life_years] = certain(value_of(inputs.horizon_years));
  costs[CostInput::discount_rate] = certain(value_of(inputs.discount_rate));
  put(CostInput::servers, inputs.servers);
  put(CostInput::network, inputs.network);
  put(CostInput::storage, inputs.storage);
  put(CostInput::spares, inputs.spares);
  put(CostInput::installation_fraction, inputs.installation_fraction);
  put(CostInput::residual_fraction, inputs.residual_fraction);
  put(CostInput::fabric_residual_fraction, inputs.fabric_residual_fraction);
  put(CostInput::decommissioning, inputs.decommissioning);
  put(CostInput::it_power, inputs.it_power);
  put(CostInput::load, inputs.load, 1.0);
  put(CostInput::pue, inputs.pue, 1.0);
  put(CostInput::electricity_price, inputs.electricity_price);
  put(CostInput::electricity_growth, inputs.escalation);
  put(CostInput::facility, inputs.facility);
  put(CostInput::support_fraction, inputs.support_fraction);
  put(CostInput::license_per_gpu, inputs.licence_per_gpu);
  put(CostInput::staff_fte, inputs.staff);
  put(CostInput::staff_pay, inputs.salary);
  put(CostInput::connection, inputs.lines);
  const double lines = costs[CostInput::connection].typical;
  put(CostInput::connection, inputs.outgoing_data);
  costs[CostInput::connection] = certain(lines + costs[CostInput::connection].typical);
  if (!complete) return std::nullopt;
  return costs;
}

}  // namespace podwright
