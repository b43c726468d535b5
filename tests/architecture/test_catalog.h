#pragma once

#include <string>

#include "catalog/catalog.h"

namespace podwright {

/// The real size bands over a handful of systems and designs written out here.
const Catalog& selection_catalog();
/// A GPU of the given id; only what the choice looks at is set.
Gpu gpu_named(std::string id, std::string form_factor = "SXM5");

}  // namespace podwright
