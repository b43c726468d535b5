#include "cost/carbon.h"

#include <algorithm>

namespace podwright {

GridCarbon grid_carbon(const Catalog& catalog, std::string_view region_id) {
  GridCarbon carbon;
  const auto found = std::find_if(catalog.energy_regions.begin(), catalog.energy_regions.end(),
                                  [&](const EnergyRegion& r) { return r.id == region_id; });
  if (found == catalog.energy_regions.end()) {
    carbon.absence = "The catalog knows no region \"" + std::string(region_id) + "\".";
    return carbon;
  }
  carbon.region = &*found;
  carbon.g_per_kwh = found->grid_gco2_per_kwh;
  if (!carbon.g_per_kwh) carbon.absence = "No dated source for the carbon of electricity in " + found->name + ".";
  return carbon;
}

EmbodiedCarbon embodied_carbon_figure(const Catalog& catalog, const Gpu& gpu) {
  EmbodiedCarbon carbon;
  const auto found =
      std::find_if(catalog.purchase_prices.begin(), catalog.purchase_prices.end(), [](const PurchasePrice& row) {
        return row.category == "carbon" && row.unit == "per GPU" && row.currency == "kgCO2e";
      });
  if (found == catalog.purchase_prices.end()) {
    carbon.absence = "No dated source for the carbon of making a " + gpu.name + ".";
    return carbon;
  }
  carbon.figure = &*found;
  if (gpu.id.find("a100") == std::string::npos)
    carbon.caution = "The carbon of making a " + gpu.name + " has no dated source; the figure is that of an A100.";
  return carbon;
}

}  // namespace podwright
