#include "cost/purchase.h"

#include <algorithm>

#include "base/lower_case.h"
#include "base/number_text.h"

namespace podwright {
namespace {

const PurchasePrice* price_item(const Catalog& catalog, std::string_view id) {
  const auto found = std::find_if(catalog.purchase_prices.begin(), catalog.purchase_prices.end(),
                                  [&](const PurchasePrice& p) { return p.id == id; });
  return found == catalog.purchase_prices.end() || found->currency != "USD" ? nullptr : &*found;
}

}  // namespace

MachinePricing machine_pricing(const Catalog& catalog, const System* system, const Gpu& gpu) {
  MachinePricing pricing;
  if (system != nullptr)
    for (const ServerPrice& link : catalog.server_prices) {
      if (link.system_id != system->id || link.gpu_id != gpu.id) continue;
      pricing.system_price = price_item(catalog, link.price_item);
      pricing.caution = link.caution;
      if (pricing.system_price != nullptr) return pricing;
    }
  const std::string machine = system == nullptr ? "a computer with " + gpu.name : system->name + " with " + gpu.name;
  if (gpu.price) {
    pricing.boards = &gpu;
    pricing.caution = "Bare boards only: the price of " + machine +
                      " has no dated source, so the computer around the GPUs is left out.";
    if (!gpu.price_basis.empty()) pricing.caution += " Basis of the board's price: " + gpu.price_basis + ".";
    return pricing;
  }
  pricing.caution.clear();
  pricing.absence = "No dated source for the price of " + machine + ".";
  return pricing;
}

const OperatingFigure* exchange_rate_figure(const Catalog& catalog, std::string_view region_id) {
  for (const EnergyRegion& region : catalog.energy_regions)
    if (region.id == region_id && region.price_currency != "USD")
      return find_operating_figure(catalog.operating_figures, "usd-per-" + lower_case(region.price_currency));
  return nullptr;
}

std::string exchange_rate_text(const EnergyRegion& region, double usd_per_currency) {
  return "Electricity in " + region.name + " is priced in " + region.price_currency + ", converted at " +
         shortest_number(usd_per_currency) + " USD for 1 " + region.price_currency + ".";
}

ElectricityPricing electricity_pricing(const Catalog& catalog, std::string_view region_id,
                                       std::optional<double> usd_per_currency) {
  ElectricityPricing pricing;
  const auto found = std::find_if(catalog.energy_regions.begin(), catalog.energy_regions.end(),
                                  [&](const EnergyRegion& r) { return r.id == region_id; });
  if (found == catalog.energy_regions.end()) {
    pricing.absence = "The catalog knows no region \"" + std::string(region_id) + "\".";
    return pricing;
  }
  pricing.region = &*found;
  if (!found->electricity_price_kwh) {
    pricing.absence = "No dated source for the price of electricity in " + found->name + ".";
    return pricing;
  }
  if (found->price_currency != "USD" && !usd_per_currency) {
    pricing.absence = "The price of electricity in " + found->name + " is in " + found->price_currency +
                      ", and no exchange rate was given.";
    return pricing;
  }
  if (found->price_is_fallback)
    pricing.caution = "The price of electricity is a continent's average, not a figure of " + found->name + ".";
  pricing.price =
      usd_per_kwh(*found->electricity_price_kwh * (found->price_currency == "USD" ? 1.0 : *usd_per_currency));
  return pricing;
}

}  // namespace podwright
