#include "cost/cloud_data.h"

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

/// Of a provider that prints no price: the highest of all, in rows of its own, so that a list that is taken away makes
/// nobody cheaper.
constexpr std::string_view kAnyProvider = "any";

DataPrices prices_in(const Catalog& catalog, std::string_view provider, bool stored, const std::string& what) {
  DataPrices prices{.steps = steps_of(catalog, provider, stored), .caution = {}, .absence = {}};
  if (!prices.steps.empty()) return prices;
  if (!provider.empty()) prices.steps = steps_of(catalog, kAnyProvider, stored);
  if (prices.steps.empty())
    prices.absence = "No dated source for the price of " + what +
                     (provider.empty() ? "; no provider is named." : " at " + std::string(provider) + ".");
  else
    prices.caution = "The price of " + what + " at " + provider_name(provider) +
                     " is not known; the highest list price of any provider is used.";
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
