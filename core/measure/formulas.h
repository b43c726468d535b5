#pragma once
/// Every formula of this room.
#include <tuple>

#include "measure/measure_formulas.h"

namespace podwright {

inline constexpr auto kMeasureFormulas =
    std::make_tuple(kEffectiveSamples, kMatrixProductWork, kMatrixProductBytes, kDriverBandwidth, kBusBandwidth,
                    kOperationEnergy, kOverlapEfficiency, kAllReduceFactor, kGatherFactor);

}  // namespace podwright
