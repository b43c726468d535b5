#pragma once
/// Chooses the design for a number of GPUs: size bands first, then ownership, tenancy, fabric, power and cooling, with
/// every rule that fired and every design that was turned down. docs/method/architecture_bands.md states the rules; the
/// bands themselves are facts (catalog/architecture_band.h).
#include <vector>

#include "architecture/architecture_need.h"
#include "architecture/choice.h"
#include "catalog/catalog.h"

namespace podwright {

/// The designs point into `catalog`, which must outlive them.
ArchitectureChoice choose_architecture(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need);

/// Rule 13: what to give up, and in which order, where money or the site do not allow the design.
std::vector<DesignAdvice> budget_fallbacks(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need);

}  // namespace podwright
