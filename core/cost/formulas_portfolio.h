#pragma once
/// Formulas of uncertainty, portfolios, reliability's cost and carbon.
#include <tuple>

#include "cost/carbon.h"
#include "cost/growth.h"
#include "cost/hybrid.h"
#include "cost/interruptions.h"
#include "cost/margin.h"

namespace podwright {

inline constexpr auto kPortfolioFormulas =
    std::make_tuple(kGrowingPresentValue, kOwnAboveShare, kDemandExponent, kExceededDemand, kDemandAbove, kRestOfDemand,
                    kCostOfGpus, kLostOfGoodput, kCostOfInterruptions, kRunCost, kCostOfSpares, kGrossMargin,
                    kOperationCarbon, kEmbodiedCarbon, kEmbodiedShare, kYearlyPart, kGramsEach);

}  // namespace podwright
