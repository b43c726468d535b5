#include "cost/cloud_data.h"

#include <algorithm>

#include "cost/provider_name.h"

namespace podwright {
namespace {

using Steps = std::vector<const CloudDataPrice*>;

Steps steps_of(const Catalog& catalog, std::string_view provider, bool stored) {
  Steps steps;
  for (const CloudDataPrice& row : catalog.cloud_data_prices)
    if (row.provider == provider && row.stored == stored && (steps.empty() || row.name == steps.front()->name))
      steps.push_back(&row);
  return steps;
}

/// Price of the step that costs most; the first gigabytes are often free.
double highest(const Steps& steps) {
  double price = 0;
  for (const CloudDataPrice* step : steps) price = std::max(price, step->usd_per_gb);
  return price;
}

DataPrices prices_in(const Catalog& catalog, std::string_view provider, bool stored, const std::string& what) {
  DataPrices prices{.steps = steps_of(catalog, provider, stored), .caution = {}, .absence = {}};
  if (!prices.steps.empty()) return prices;
  if (!provider.empty())
    for (const CloudDataPrice& row : catalog.cloud_data_prices)
      if (Steps steps = steps_of(catalog, row.provider, stored); highest(steps) > highest(prices.steps))
        prices.steps = std::move(steps);
  if (prices.steps.empty())
    prices.absence = "No dated source for the price of " + what +
                     (provider.empty() ? "; no provider is named." : " at " + std::string(provider) + ".");
  else
    prices.caution = "The price of " + what + " at " + provider_name(provider) + " is not known; that of " +
                     provider_name(prices.steps.front()->provider) + ", the highest of all, is used.";
  return prices;
}

}  // namespace

DataPrices egress_prices(const Catalog& catalog, std::string_view provider) {
  return prices_in(catalog, provider, false, "data leaving the cloud");
}

DataPrices cloud_storage_prices(const Catalog& catalog, std::string_view provider) {
  return prices_in(catalog, provider, true, "storage");
}

}  // namespace podwright
