#pragma once
/// Formulas of fleets and spares.
#include <tuple>

#include "reliability/fleet.h"

namespace podwright {

inline constexpr auto kFleetFormulas =
    std::make_tuple(kFailuresInTime, kMeanTimeOfFailuresInTime, kYearlyFailures, kAvailability, kPairMeanTime,
                    kMachinesInRepair, kSpareMachines, kUptime);

}  // namespace podwright
