#pragma once
/// Formulas of portfolios, interruptions and carbon.
#include <tuple>

#include "cost/carbon.h"
#include "cost/fleet_cost.h"
#include "cost/hybrid.h"
#include "cost/interruptions.h"
#include "cost/margin.h"

namespace podwright {

inline constexpr auto kPortfolioFormulas = std::make_tuple(
    kMeanOfPeak, kOwnAboveShare, kDemandExponent, kExceededDemand, kShareExceeding, kDemandAbove, kRestOfDemand,
    kCostOfGpus, kLostOfGoodput, kRunCost, kCostOfInterruptions, kCostOfSpares, kGrossMargin, kOperationCarbon,
    kEmbodiedCarbon, kEmbodiedShare, kYearlyPart, kGramsEach, kWorkingServers, kPriceOfEach, kBillWithoutProgress);

}  // namespace podwright
