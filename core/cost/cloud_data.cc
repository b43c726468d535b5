#include "cost/cloud_data.h"

namespace podwright {
namespace {

/// Which row of the purchase prices speaks of a provider: those that the row's source names.
struct ProviderRow {
  std::string_view provider;
  std::string_view item;
};
constexpr ProviderRow kEgressRows[] = {{"aws", "hyperscaler-internet-egress"},
                                       {"azure", "hyperscaler-internet-egress"},
                                       {"gcp", "hyperscaler-internet-egress"},
                                       {"coreweave", "neocloud-egress-coreweave-lambda-others"},
                                       {"lambda", "neocloud-egress-coreweave-lambda-others"}};
constexpr ProviderRow kStorageRows[] = {{"coreweave", "cloud-object-storage-hot-tier-coreweave"}};

template <std::size_t N>
DataPrice price_in(const Catalog& catalog, std::string_view provider, const ProviderRow (&rows)[N],
                   const std::string& what) {
  DataPrice price;
  for (const ProviderRow& link : rows) {
    if (link.provider != provider) continue;
    for (const PurchasePrice& row : catalog.purchase_prices)
      if (row.item == link.item && row.currency == "USD") price.row = &row;
  }
  if (price.row == nullptr)
    price.absence = "No dated source for the price of " + what +
                    (provider.empty() ? "; no provider is named." : " at " + std::string(provider) + ".");
  return price;
}

}  // namespace

DataPrice egress_price(const Catalog& catalog, std::string_view provider) {
  DataPrice price = price_in(catalog, provider, kEgressRows, "data leaving the cloud");
  if (price.row != nullptr && price.row->price.high > Usd(0))
    price.caution = "Egress at one price for every gigabyte (" + price.row->name +
                    "); the provider's steps by volume have no dated source.";
  return price;
}

DataPrice cloud_storage_price(const Catalog& catalog, std::string_view provider) {
  return price_in(catalog, provider, kStorageRows, "storage");
}

}  // namespace podwright
