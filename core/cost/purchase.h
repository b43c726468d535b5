#pragma once
/// What owned machines cost to buy and to feed, where the catalog has a dated price.
#include <optional>
#include <string>
#include <vector>

#include "architecture/design_size.h"
#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/catalog.h"
#include "cost/ownership_formulas.h"

namespace podwright {

/// Price of an item by the id of its row; null where there is none in USD.
const PurchasePrice* purchase_price(const Catalog& catalog, std::string_view id);
/// A figure of the same table that is no money: a fraction, a number of years.
const PurchasePrice* purchase_figure(const Catalog& catalog, std::string_view id);
/// A region of the energy table; null where there is none.
const EnergyRegion* find_energy_region(const Catalog& catalog, std::string_view id);

/// Where the price of the machines comes from.
struct MachinePricing {
  const PurchasePrice* system_price = nullptr;  ///< price of one system ...
  const Gpu* boards = nullptr;  ///< ... or, where none is known, the GPU whose bare price stands in; both null: absent
  std::string caution;          ///< what to know before using the price
  std::string absence;          ///< why there is no price; empty where there is one
};

/// `system` may be null (no system of the catalog). Prices in another currency than USD count as absent.
MachinePricing machine_pricing(const Catalog& catalog, const System* system, const Gpu& gpu);

/// Value in USD of one unit of a region's currency, as the catalog has it for the time of the prices; null for prices
/// in USD and where the catalog has none.
const OperatingFigure* exchange_rate_figure(const Catalog& catalog, std::string_view region_id);

/// That a region's price was converted, and at which rate.
std::string exchange_rate_text(const EnergyRegion& region, double usd_per_currency);

template <class Tracer>
struct MachineCost {
  Known<Tracer, Usd> low;
  Known<Tracer, Usd> typical;
  Known<Tracer, Usd> high;
};

/// Systems times their price, or boards times theirs, less the `discount` on it; absent where `pricing` is.
template <class Tracer>
std::optional<MachineCost<Tracer>> machine_cost(Tracer& trace, const MachinePricing& pricing,
                                                const Known<Tracer, double>& nodes, const Known<Tracer, double>& gpus,
                                                const std::optional<Known<Tracer, double>>& discount = std::nullopt) {
  const auto times = [&](const auto& item, const auto& count, const Price& price, const std::string& prefix) {
    const auto at = [&](std::string_view id, const char* end, Usd each) {
      const auto list = purchase_cost(count, trace.fact(item, prefix + end, each));
      if (!discount) return Known<Tracer, Usd>(named(id, list));
      return Known<Tracer, Usd>(named(id, list * (1.0 - *discount)));
    };
    return MachineCost<Tracer>{.low = at("cost.machines_low", "low", price.low),
                               .typical = at("cost.machines", "typical", price.typical),
                               .high = at("cost.machines_high", "high", price.high)};
  };
  if (pricing.system_price != nullptr) return times(*pricing.system_price, nodes, pricing.system_price->price, "");
  if (pricing.boards != nullptr && pricing.boards->price)
    return times(*pricing.boards, gpus, *pricing.boards->price, "price_usd.");
  return std::nullopt;
}

/// Price of electricity in a region, or why there is none.
struct ElectricityPricing {
  const EnergyRegion* region = nullptr;
  std::optional<UsdPerJoule> price;
  std::string caution;  ///< e.g. a continent's average
  std::string absence;
};
/// `usd_per_currency` is the value in USD of one unit of the region's currency, for regions priced in another; without
/// it they are absent.
ElectricityPricing electricity_pricing(const Catalog& catalog, std::string_view region_id,
                                       std::optional<double> usd_per_currency = std::nullopt);

/// The price found, in USD; `pricing.price` must be there. A price in another currency is converted at
/// `usd_per_currency`, and `assumptions` tells the rate.
template <class Tracer>
Known<Tracer, UsdPerJoule> electricity_price(Tracer& trace, const ElectricityPricing& pricing,
                                             const std::optional<Known<Tracer, double>>& usd_per_currency,
                                             std::vector<std::string>& assumptions) {
  const EnergyRegion& region = *pricing.region;
  if (region.price_currency == "USD" || !usd_per_currency)
    return trace.fact(region, "electricity_price_kwh", *pricing.price);
  assumptions.push_back(exchange_rate_text(region, value_of(*usd_per_currency)));
  return named("cost.electricity_price",
               converted_electricity_price(trace.fact(region, "electricity_price_kwh", *region.electricity_price_kwh),
                                           *usd_per_currency));
}

/// Power and energy of machines at the meter.
template <class Tracer>
struct MachineEnergy {
  Known<Tracer, double> load;               ///< mean over maximum power
  Known<Tracer, Watts> facility_power_max;  ///< all machines at full load: what a site must supply
  Known<Tracer, Watts> facility_power;      ///< on average: what is paid for
  Known<Tracer, Joules> per_year;
};

template <class Tracer>
MachineEnergy<Tracer> machine_energy(const Known<Tracer, Watts>& it_power, const Known<Tracer, double>& load,
                                     const Known<Tracer, double>& pue) {
  const auto power = named("cost.facility_power", podwright::facility_power(it_power, load, pue));
  return {.load = load,
          .facility_power_max = named("cost.facility_power_max", podwright::facility_power(it_power, 1.0, pue)),
          .facility_power = power,
          .per_year = named("cost.energy_per_year", energy_per_year(power))};
}

// Power that a GPU accounts for, with everything around it.

/// A GPU's share of its machine at full load.
constexpr auto power_per_gpu(Of<Watts> auto machine, Of<double> auto gpus_per_machine) {
  return cited("docs/method/prices.md#energy", machine / gpus_per_machine);
}

/// The system whose planned power stands for a GPU: `given` (may be null), else the first of the catalog that holds it.
/// Null where none states a power.
const System* power_system(const Catalog& catalog, const System* given, const Gpu& gpu);

/// Mean power at the meter for each GPU: its share of the machine, else its board alone (given in `assumptions`), times
/// `load` and `pue`. Absent where neither is known.
template <class Tracer>
std::optional<Known<Tracer, Watts>> mean_gpu_power(Tracer& trace, const Catalog& catalog, const System* given,
                                                   const Gpu& gpu, const Known<Tracer, double>& load,
                                                   const Known<Tracer, double>& pue,
                                                   std::vector<std::string>& assumptions) {
  if (const System* system = power_system(catalog, given, gpu)) {
    const PlannedPower power = *planned_power(*system);
    if (system != given) assumptions.push_back("Each GPU draws its share of " + system->name + " at full load.");
    const auto share = named("cost.power_per_gpu", power_per_gpu(trace.fact(*system, power.field, power.value),
                                                                 trace.fact(*system, "gpu_count", system->gpu_count)));
    return named("cost.mean_power_per_gpu", facility_power(share, load, pue));
  }
  if (!gpu.board_power) return std::nullopt;
  assumptions.push_back("No power of a machine with " + gpu.name +
                        " is known: energy is that of the GPU boards alone, without their hosts.");
  return named("cost.mean_power_per_gpu",
               facility_power(trace.fact(gpu, "board_power_w", *gpu.board_power), load, pue));
}

}  // namespace podwright
