#pragma once
/// Draw of machines with the plant around them.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Mean draw at the meter: `load` is mean over maximum power of the machines, `pue` facility over machines.
constexpr auto facility_power(Of<Watts> auto it_power, Of<double> auto load, Of<double> auto pue) {
  return cited("docs/method/prices.md#energy", it_power * load * pue);
}

}  // namespace podwright
