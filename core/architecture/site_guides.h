#pragma once
/// Which document tells each part of a design's site: the design's own, else the one that the catalog says it is like.
#include <string_view>

#include "architecture/design_size.h"
#include "catalog/catalog.h"

namespace podwright {

/// Null where no document gives the part.
struct SiteGuides {
  const ReferenceArchitecture* document =
      nullptr;  ///< of the design; for a custom design the one whose rule it continues
  const ReferenceArchitecture* fabric = nullptr;  ///< compute fabric
  const ReferenceArchitecture* racks = nullptr;   ///< a drawing of racks with such systems
  const ReferenceArchitecture* storage_network = nullptr;
  const ReferenceArchitecture* in_band = nullptr;  ///< switches and links of the in-band network
  const ReferenceArchitecture* out_of_band = nullptr;
  const ReferenceArchitecture* management = nullptr;
};

/// `fabric` is the one asked for, or any.
SiteGuides site_guides(const Catalog& catalog, const DesignParts& parts, std::string_view fabric);

}  // namespace podwright
