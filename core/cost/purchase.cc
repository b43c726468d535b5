#include "cost/purchase.h"

#include "base/lower_case.h"
#include "base/number_text.h"

namespace podwright {

const PurchasePrice* purchase_figure(const Catalog& catalog, std::string_view id) {
  return row_with_id(catalog.purchase_prices, id);
}

const PurchasePrice* purchase_price(const Catalog& catalog, std::string_view id) {
  const PurchasePrice* row = purchase_figure(catalog, id);
  return row == nullptr || row->currency != "USD" ? nullptr : row;
}

const EnergyRegion* find_energy_region(const Catalog& catalog, std::string_view id) {
  return row_with_id(catalog.energy_regions, id);
}

MachinePricing machine_pricing(const Catalog& catalog, const System* system, const Gpu& gpu) {
  MachinePricing pricing;
  if (system != nullptr)
    for (const ServerPrice& link : catalog.server_prices) {
      if (link.system_id != system->id || link.gpu_id != gpu.id) continue;
      pricing.system_price = purchase_price(catalog, link.price_item);
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
  const EnergyRegion* region = find_energy_region(catalog, region_id);
  if (region == nullptr || region->price_currency == "USD") return nullptr;
  return find_operating_figure(catalog.operating_figures, "usd-per-" + lower_case(region->price_currency));
}

std::string exchange_rate_text(const EnergyRegion& region, double usd_per_currency) {
  return "Electricity in " + region.name + " is priced in " + region.price_currency + ", converted at " +
         shortest_number(usd_per_currency) + " USD for 1 " + region.price_currency + ".";
}

ElectricityPricing electricity_pricing(const Catalog& catalog, std::string_view region_id,
                                       std::optional<double> usd_per_currency) {
  ElectricityPricing pricing;
  const EnergyRegion* found = find_energy_region(catalog, region_id);
  if (found == nullptr) {
    pricing.absence = "The catalog has no region \"" + std::string(region_id) + "\".";
    return pricing;
  }
  pricing.region = found;
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

const System* power_system(const Catalog& catalog, const System* given, const Gpu& gpu) {
  const auto usable = [](const System& system) { return system.gpu_count > 0 && planned_power(system).has_value(); };
  if (given != nullptr && usable(*given)) return given;
  for (const System& system : catalog.systems)
    if (usable(system) && holds_gpu(system, gpu.id)) return &system;
  return nullptr;
}

}  // namespace podwright
