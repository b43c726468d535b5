#include "architecture/management_plan.h"

#include <algorithm>

namespace podwright {

std::vector<const SoftwareProduct*> software_stack(const Catalog& catalog, const ReferenceArchitecture& architecture) {
  std::vector<const SoftwareProduct*> stack;
  for (const SoftwareProduct& product : catalog.software_products) {
    const bool listed =
        std::any_of(architecture.site.software.begin(), architecture.site.software.end(),
                    [&](const std::string& text) { return text.find(product.name) != std::string::npos; });
    if (listed) stack.push_back(&product);
  }
  return stack;
}

}  // namespace podwright
