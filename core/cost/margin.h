#pragma once
/// What a seller keeps.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Share of the price that is not cost; negative where the price does not cover it.
constexpr auto gross_margin(Of<Usd> auto cost, Of<Usd> auto price) { return 1.0 - cost / price; }

}  // namespace podwright
