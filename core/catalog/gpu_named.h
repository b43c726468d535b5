#pragma once
/// Which GPU of the catalog a driver's name, or a word in a table, means.
#include <optional>
#include <string_view>

#include "base/units.h"
#include "catalog/catalog.h"

namespace podwright {

/// What is known of a GPU besides its name. The memory is what the driver reports, the bandwidth bus times clock.
struct DeviceLook {
  std::string_view name;
  std::optional<Bytes> memory;
  std::optional<double> sm_count;
  std::optional<BytesPerSecond> bandwidth;
  std::optional<Watts> power_limit;  ///< as shipped
};

struct NamedGpu {
  const Gpu* gpu = nullptr;  ///< null where none fits
  bool certain = false;      ///< no other fits as well, and nothing that is known speaks against it
};

/// The GPU whose id the name's words spell, that has the name's form (PCIe, NVL, SXM) and, where known, the memory
/// within 12 %. Of several the one that more of what is known speaks for; of equals the module, before the card. Names
/// with a word of another product (Ti, Laptop, Max-Q, GRID ...) fit no GPU without it. Of a slice (MIG) only the name
/// tells.
NamedGpu gpu_named(const Catalog& catalog, const DeviceLook& look);

}  // namespace podwright
