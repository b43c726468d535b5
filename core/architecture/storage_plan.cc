#include "architecture/storage_plan.h"

#include <algorithm>

namespace podwright {

StorageGuide storage_guide(const Catalog& catalog, const ReferenceArchitecture* architecture) {
  if (architecture != nullptr && !architecture->site.storage_levels.empty()) return {.architecture = architecture};
  for (const ReferenceArchitecture& other : catalog.architectures)
    if (other.id == "dgx-superpod-h100" && !other.site.storage_levels.empty())
      return {.architecture = &other, .borrowed = true};
  return {};
}

std::size_t level_for(DataPattern pattern, std::size_t levels) {
  if (levels == 0) return 0;
  if (pattern == DataPattern::single_pass) return levels - 1;
  if (pattern == DataPattern::compressed_images && levels > 2) return 1;
  return 0;
}

}  // namespace podwright
