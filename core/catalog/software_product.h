#pragma once
/// Software of a cluster and what its licences are counted by.
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/item.h"

namespace podwright {

/// none: no licence to buy.
enum class LicenceUnit { gpu, node, none };
inline constexpr std::array<std::string_view, 3> kLicenceUnitWords{"gpu", "node", "none"};

struct SoftwareProduct : CatalogItem {
  std::string role;
  std::optional<LicenceUnit> counted_per;  ///< absent: not known
  std::string contained_in;                ///< id of a product whose licence covers this one; may be empty
  std::string note;
};

}  // namespace podwright
