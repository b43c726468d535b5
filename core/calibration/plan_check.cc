#include "calibration/plan_check.h"

#include <algorithm>

#include "base/number_text.h"
#include "calibration/usable_points.h"
#include "measure/verdict.h"

namespace podwright {
namespace {

using Quantity = PlanAssumption::Quantity;

bool tells(const ProbeResult& result, const PlanAssumption& assumption) {
  switch (assumption.quantity) {
    case Quantity::memory_bandwidth:
      return transfer_point(result).has_value() && result.probe.find("pcie.") == std::string::npos;
    case Quantity::product_rate:
      return product_point(result).has_value() && result.dtype == assumption.dtype;
    case Quantity::collective_rate:
      return result.probe == assumption.probe && result.size.ranks.value_or(0) == assumption.ranks;
    default:
      return false;
  }
}

/// The larger work counts, and of the same work the sustained one.
bool tells_more(const ProbeResult& a, const ProbeResult& b) {
  const double work_a = std::max(a.counted.flops, a.counted.bytes);
  const double work_b = std::max(b.counted.flops, b.counted.bytes);
  return work_a > work_b || (work_a == work_b && a.mode == ProbeMode::sustained && b.mode == ProbeMode::burst);
}

std::optional<MeasuredRate> reached(const HardwareProfile& profile, const ProfileDevice& device,
                                    const PlanAssumption& assumption) {
  if (assumption.quantity == Quantity::allocatable_memory) {
    if (!device.memory_allocatable_gib) return std::nullopt;
    const double gib = *device.memory_allocatable_gib;
    return MeasuredRate{gib, gib, gib};
  }
  const ProbeResult* best = nullptr;
  for (const ProbeResult& result : profile.results) {
    if (!result.usable() || !is_on(result, device) || !tells(result, assumption)) continue;
    if (best == nullptr || tells_more(result, *best)) best = &result;
  }
  return best == nullptr ? std::nullopt : measured_rate(*best);
}

CheckedAssumption of_device(const HardwareProfile& profile, const ProfileDevice& device,
                            const PlanAssumption& assumption) {
  const auto rate = reached(profile, device, assumption);
  if (!rate) return {AssumptionState::unknown, std::nullopt, device.id, device.id + " was not measured for it."};
  const std::string share = human_number(100 * rate->rate / assumption.value) + " % of what the plan assumes";
  if (rate->low >= assumption.value)
    return {AssumptionState::met, rate->rate, device.id, device.id + " has " + share + "."};
  if (rate->high < assumption.value)
    return {AssumptionState::not_met, rate->rate, device.id, device.id + " has " + share + "."};
  return {AssumptionState::unknown, rate->rate, device.id,
          device.id + " has " + share + ", and the measurement is too coarse to decide."};
}

/// not_met, then unknown, then met; of equals the smaller measurement.
bool worse(const CheckedAssumption& a, const CheckedAssumption& b) {
  const auto rank = [](AssumptionState state) {
    return state == AssumptionState::not_met ? 0 : state == AssumptionState::unknown ? 1 : 2;
  };
  if (rank(a.state) != rank(b.state)) return rank(a.state) < rank(b.state);
  return a.measured.value_or(0) < b.measured.value_or(0);
}

}  // namespace

CheckedAssumption check_assumption(const HardwareProfile& profile, const PlanAssumption& assumption) {
  const bool has_gpu = std::any_of(profile.devices.begin(), profile.devices.end(),
                                   [](const ProfileDevice& device) { return device.kind == "gpu"; });
  std::optional<CheckedAssumption> worst;
  for (const ProfileDevice& device : profile.devices) {
    if (has_gpu && device.kind != "gpu") continue;
    const CheckedAssumption checked = of_device(profile, device, assumption);
    if (!worst || worse(checked, *worst)) worst = checked;
  }
  return worst.value_or(CheckedAssumption{AssumptionState::unknown, std::nullopt, "", "The profile has no device."});
}

}  // namespace podwright
