#pragma once
/// Designs of the embedded catalog for tests of sites.
#include <string_view>

#include "architecture/rack_plan.h"
#include "catalog/catalog.h"

namespace podwright {

template <class Item>
const Item* item_of(const std::vector<Item>& items, std::string_view id) {
  for (const Item& item : items)
    if (item.id == id) return &item;
  return nullptr;
}

/// A system and, where named, the architecture that it is built into.
inline DesignParts design_of(std::string_view system, std::string_view architecture = "") {
  const Catalog& catalog = embedded_catalog_facts();
  DesignParts parts;
  parts.system = item_of(catalog.systems, system);
  parts.power_system = parts.system;
  parts.architecture = item_of(catalog.architectures, architecture);
  return parts;
}

inline RackLimits<NoTrace> rack_of(double power_kw, double rack_units = 48) {
  return {.power = kw(power_kw), .rack_units = rack_units, .load_kg = std::nullopt};
}

}  // namespace podwright
