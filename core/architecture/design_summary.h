#pragma once
/// A design in one sentence.
#include <string>

#include "architecture/design.h"

namespace podwright {

/// "DGX SuperPOD, DGX H100: 127 DGX H100 with 1,016 GPUs in 4 scalable units; 48 compute switches in two tiers; 38
/// racks; 1,410 kW." What is not known is left out.
std::string design_summary(const ArchitectureDesign& choice, const Design<NoTrace>& design);

}  // namespace podwright
