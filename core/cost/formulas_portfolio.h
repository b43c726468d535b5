#pragma once
/// Formulas of uncertainty, portfolios, reliability's cost and carbon.
#include <tuple>

#include "cost/growth.h"

namespace podwright {

inline constexpr auto kPortfolioFormulas = std::make_tuple(kGrowingPresentValue);

}  // namespace podwright
