#pragma once
/// What study material would call a number of GPUs, compared with what the documents say. The bands are facts
/// (catalog/architecture_claim.h); docs/method/architecture_bands.md#study-naming.
#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace podwright {

struct StudyName {
  std::vector<std::string> names;        ///< in the order of the bands; several where bands overlap; empty in a gap
  bool gap = false;                      ///< the material names no band for this size
  std::vector<const StudyBand*> bands;   ///< that hold the size, a gap among them
  std::vector<std::string> corrections;  ///< of these bands
  std::vector<const ArchitectureClaim*> claims;  ///< statements that say more, by number
  std::vector<std::string> sources;              ///< ids: the material first, then what the corrections stand on
};

/// `gpu_count` is rounded up to a whole GPU. Below one GPU nothing is named and no gap is given. Pointers into
/// `catalog`.
StudyName study_name(const Catalog& catalog, double gpu_count);

}  // namespace podwright
