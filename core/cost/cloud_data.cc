#include "cost/cloud_data.h"

#include <set>

namespace podwright {
namespace {

DataPrices prices_in(const Catalog& catalog, std::string_view provider, bool stored, const std::string& what) {
  DataPrices prices;
  for (const CloudDataPrice& row : catalog.cloud_data_prices)
    if (row.provider == provider && row.stored == stored &&
        (prices.steps.empty() || row.name == prices.steps.front()->name))
      prices.steps.push_back(&row);
  if (prices.steps.empty())
    prices.absence = "No dated source for the price of " + what +
                     (provider.empty() ? "; no provider is named." : " at " + std::string(provider) + ".");
  return prices;
}

}  // namespace

DataPrices egress_prices(const Catalog& catalog, std::string_view provider) {
  return prices_in(catalog, provider, false, "data leaving the cloud");
}

DataPrices cloud_storage_prices(const Catalog& catalog, std::string_view provider) {
  return prices_in(catalog, provider, true, "storage");
}

std::optional<std::vector<std::string>> providers_with_data_prices(const Catalog& catalog, bool egress, bool storage) {
  if (!egress && !storage) return std::nullopt;
  std::set<std::string> providers;
  for (const CloudDataPrice& row : catalog.cloud_data_prices)
    if ((!egress || !egress_prices(catalog, row.provider).steps.empty()) &&
        (!storage || !cloud_storage_prices(catalog, row.provider).steps.empty()))
      providers.insert(row.provider);
  return std::vector<std::string>(providers.begin(), providers.end());
}

}  // namespace podwright
