#pragma once
/// The designs that a need turned down, in words.
#include <string>
#include <vector>

#include "architecture/choice.h"
#include "architecture/judged_band.h"

namespace podwright {

/// "DGX BasePOD, current edition"; "Custom design" and "Single node" where there is no document.
std::string title_of(const DesignParts& parts);

/// One entry for each design and system of which no band fits, those closest to being possible first.
std::vector<RejectedDesign> rejections(const ArchitectureNeed& need, const std::vector<JudgedBand>& bands);

/// A design that fits and stands behind those shown.
RejectedDesign lower_in_order(const JudgedBand& judged);

/// `rejected` of a need that nothing serves: the first entry also names other GPUs that are served, largest memory
/// first, few enough to read. With limits of a rack or of the site these are GPUs whose systems are known to stand it.
void add_other_gpus(const Catalog& catalog, const ArchitectureNeed& need, const std::vector<ServedGpu>& served,
                    std::vector<RejectedDesign>& rejected);

}  // namespace podwright
