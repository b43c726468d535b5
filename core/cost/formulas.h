#pragma once
/// Every formula of this room, for the pages that list them and the tests that compare text and code.
#include <tuple>

#include "cost/capital.h"
#include "cost/cloud_formulas.h"
#include "cost/cloud_work.h"
#include "cost/egress.h"
#include "cost/energy.h"
#include "cost/hosted.h"
#include "cost/levelised.h"
#include "cost/machine_power.h"
#include "cost/rental.h"

namespace podwright {

inline constexpr auto kCostFormulas = std::make_tuple(
    kGpuHourPrice, kInstanceCount, kBilledGpus, kRentRate, kCommitmentCost, kEffectiveSpotPrice, kMillionTokenPrice,
    kDiscountFactor, kCapitalRecovery, kResidualValue, kAnnuity, kStraightLine, kEnergyPerYear, kEnergyCost,
    kPowerPerGpu, kAvailableGpuPrice, kUsedGpuPrice, kBreakEvenUtilization, kBreakEvenTime, kPurchaseCost,
    kDiscountedPrice, kRateOfGpus, kPaidWhileUsed, kPaidWhileIdle, kTimeBetweenInterruptions, kLostToInterruptions,
    kSpotShareOfTime, kSupportOnBill, kRentedRatePerGpu, kCloudPriceGrowth, kDriftedYears, kCommittedYears, kCloudBill,
    kDiscountedCloudBill, kImpliedRent, kTimeOfMonths, kBillOfTime, kPriceOfGpuTime, kShareSaved, kThousandRequestPrice,
    kRunPrice, kAllTokens, kVolumeInTier, kVolumeAbove, kEgressRate, kCloudStorageRate, kInputTokenPrice,
    kBlendedTokenPrice, kTokenBill, kThousandRequestsOfTokens, kDiscountedBill, kMonthlyFlow, kMeanFlow, kOutputShare);

}  // namespace podwright
