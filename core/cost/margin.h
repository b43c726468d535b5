#pragma once
/// What a seller keeps.
#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Share of the price that is not cost; negative where the price does not cover it.
constexpr double gross_margin(Usd cost, Usd price) { return 1.0 - cost / price; }
inline constexpr Formula<gross_margin> kGrossMargin{
    .id = "cost.gross_margin", .inputs = {"cost", "price"}, .equation = "1 - cost / price", .source = "definition"};

}  // namespace podwright
