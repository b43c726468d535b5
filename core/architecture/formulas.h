#pragma once
/// Every formula of this room, for the pages that list them and the tests that compare text and code.
#include <tuple>

#include "architecture/sizes.h"

namespace podwright {

inline constexpr auto kArchitectureFormulas =
    std::make_tuple(kHorizonGpuCount, kNodeCount, kInstalledGpus, kNodesPerScalableUnit, kScalableUnits, kNodesPerRack,
                    kRackCount, kSystemsPower);

}  // namespace podwright
