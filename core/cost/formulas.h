#pragma once
/// Every formula of this room, for the pages that list them and the tests that compare text and code.
#include <tuple>

#include "cost/building.h"
#include "cost/capital.h"
#include "cost/cloud_formulas.h"
#include "cost/cloud_work.h"
#include "cost/decision.h"
#include "cost/egress.h"
#include "cost/electricity_claim.h"
#include "cost/energy.h"
#include "cost/fabric_price.h"
#include "cost/hosted.h"
#include "cost/levelised.h"
#include "cost/machine_power.h"
#include "cost/network_rule.h"
#include "cost/operation.h"
#include "cost/paid_rent.h"
#include "cost/rental.h"
#include "cost/resale.h"
#include "cost/tax.h"
#include "cost/work.h"

namespace podwright {

inline constexpr auto kCostFormulas = std::make_tuple(
    kGpuHourPrice, kInstanceCount, kBilledGpus, kRentRate, kCommitmentCost, kEffectiveSpotPrice, kMillionTokenPrice,
    kDiscountFactor, kCapitalRecovery, kResidualValue, kAnnuity, kStraightLine, kEnergyPerYear, kEnergyCost,
    kPowerPerGpu, kAvailableGpuPrice, kUsedGpuPrice, kBreakEvenUtilization, kBreakEvenTime, kPurchaseCost,
    kDiscountedPrice, kPaidWhileUsed, kPaidWhileIdle, kTimeBetweenInterruptions, kSpotShareOfTime, kSupportOnBill,
    kRentedRatePerGpu, kCloudPriceGrowth, kDriftedYears, kCommittedYears, kCloudBill, kDiscountedCloudBill,
    kPartYearDiscount, kTimeOfMonths, kThousandRequestPrice, kRunPrice, kAllTokens, kVolumeInTier, kVolumeAbove,
    kEgressRate, kCloudStorageRate, kInputTokenPrice, kBlendedTokenPrice, kTokenBill, kThousandRequestsOfTokens,
    kDiscountedBill, kMonthlyFlow, kMeanFlow, kOutputShare);

/// Those of owning alone.
inline constexpr auto kOwningFormulas = std::make_tuple(
    kAnnuityFactor, kBlendedFraction, kShareAfterLoss, kMonthlyRate, kMonthCount, kPerPeriod, kPayment,
    kInstallationCost, kStorageCost, kNetworkCost, kDarkTransceivers, kCapex, kFabricCost, kFabricResidualValue,
    kTerminalValue, kEscalatedCost, kNetRate, kLevelCost, kConvertedElectricityPrice, kColocationCost, kBuildingCapital,
    kBuildingOperation, kBuildingCost, kSupportCost, kLicenceCost, kLicenceRate, kStaffCount, kServersOfEight,
    kStaffCost, kOutgoingDataCost, kConnectionCost, kSiteCost, kCareCost, kOperationCost, kOwnershipCost, kImpliedRent,
    kBreakEvenSensitivity, kPaidRent, kDriftedRent, kDriftedSensitivity, kPresentOperation, kNetPresentCost,
    kPresentValue);

/// Residual value, tax, the network by rule of thumb and cost of work.
inline constexpr auto kWorkFormulas = std::make_tuple(
    kInterpolated, kShareOfWay, kAgeBeforeKink, kAgeAfterKink, kMiddleOf, kEvenDeduction, kLaterYearDeduction,
    kUndeductedBasis, kBonusDeduction, kTaxShield, kRuleOneTierSwitches, kRuleTwoTierSwitches, kRuleThreeTierSwitches,
    kRuleLinks, kTokensPrice, kPricePerPiece, kEnergyPerToken, kTokensPerSecondPerMegawatt, kInstancesForPeak,
    kTrainingGpuTime, kGpuTimePrice, kWallTime, kNeededMfu, kSavedShare, kLevelOfValue, kSavedMoney, kSavedPart,
    kIdleGpuTime, kBeyondSavedBill, kCostOfYears, kElectricityOverHardware, kClaimedOverFound, kPriceForClaim,
    kYearsForClaim);

}  // namespace podwright
