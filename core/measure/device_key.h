#pragma once
/// Which item of the catalog a measured device is.
#include "catalog/catalog.h"
#include "measure/profile.h"

namespace podwright {

/// Sets key and key_match of a GPU by what its driver says about it.
void name_device(const Catalog& catalog, ProfileDevice& device);

/// The same for imported devices. Those that have a key keep it.
void name_devices(const Catalog& catalog, HardwareProfile& profile);

}  // namespace podwright
