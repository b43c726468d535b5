#pragma once
/// Draw of machines with the plant around them.
#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Mean draw at the meter: `load` is mean over maximum power of the machines, `pue` facility over machines.
constexpr Watts facility_power(Watts it_power, double load, double pue) { return it_power * load * pue; }
inline constexpr Formula<facility_power> kFacilityPower{.id = "architecture.facility_power",
                                                        .inputs = {"it_power", "load", "pue"},
                                                        .equation = "it_power * load * pue",
                                                        .source = "docs/method/prices.md#energy"};

}  // namespace podwright
