#include "cost/carbon.h"

#include <algorithm>

#include "cost/purchase.h"

namespace podwright {

GridCarbon grid_carbon(const Catalog& catalog, std::string_view region_id) {
  GridCarbon carbon;
  carbon.region = find_energy_region(catalog, region_id);
  if (carbon.region == nullptr) {
    carbon.absence = "The catalog has no region \"" + std::string(region_id) + "\".";
    return carbon;
  }
  carbon.g_per_kwh = carbon.region->grid_gco2_per_kwh;
  if (!carbon.g_per_kwh)
    carbon.absence = "No dated source for the carbon of electricity in " + carbon.region->name + ".";
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
