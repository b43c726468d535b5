#pragma once
/// Every formula of this room, for the pages that list them and the tests that compare text and code.
#include <tuple>

#include "cost/capital.h"
#include "cost/energy.h"
#include "cost/levelised.h"
#include "cost/machine_power.h"
#include "cost/rental.h"

namespace podwright {

inline constexpr auto kCostFormulas = std::make_tuple(
    kGpuHourPrice, kInstanceCount, kBilledGpus, kRentRate, kCommitmentCost, kEffectiveSpotPrice, kMillionTokenPrice,
    kDiscountFactor, kCapitalRecovery, kResidualValue, kAnnuity, kStraightLine, kEnergyPerYear, kEnergyCost,
    kPowerPerGpu, kAvailableGpuPrice, kUsedGpuPrice, kBreakEvenUtilization, kBreakEvenTime, kPurchaseCost);

}  // namespace podwright
