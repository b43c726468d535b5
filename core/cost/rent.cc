#include "cost/rent.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/math.h"

namespace podwright {

bool admits(const RentFilter& filter, const CloudPrice& row) {
  return row.gpu_id == filter.gpu_id && !row.gpu_id.empty() && row.gpu_count >= filter.min_instance_gpus &&
         price_of(row, filter.term).has_value() && (filter.region.empty() || row.region == filter.region) &&
         (filter.provider.empty() || row.provider == filter.provider) &&
         (filter.not_before.empty() || row.as_of >= filter.not_before);
}

std::optional<UsdPerSecond> price_of(const CloudPrice& row, RentTerm term) {
  static constexpr std::optional<UsdPerSecond> CloudPrice::*kPrices[] = {
      &CloudPrice::on_demand, &CloudPrice::spot, &CloudPrice::reserved_1y, &CloudPrice::reserved_3y};
  return row.*kPrices[static_cast<std::size_t>(term)];
}

RentMarket rent_market(std::span<const CloudPrice> rows, const RentFilter& filter) {
  RentMarket market;
  std::map<std::string, UsdPerSecond> cheapest_of_provider;
  UsdPerSecond least_total;
  for (const CloudPrice& row : rows) {
    if (!admits(filter, row)) continue;
    const UsdPerSecond price = *price_of(row, filter.term);
    const UsdPerSecond per_gpu = gpu_hour_price(price, row.gpu_count);
    const UsdPerSecond total = rent_rate(instance_count(filter.gpu_count, row.gpu_count), price);
    if (market.cheapest == nullptr || total < least_total ||
        (total == least_total && row.as_of > market.cheapest->as_of)) {
      market.cheapest = &row;
      market.cheapest_per_gpu = per_gpu;
      least_total = total;
    }
    const auto [entry, is_new] = cheapest_of_provider.emplace(row.provider, per_gpu);
    if (!is_new) entry->second = std::min(entry->second, per_gpu);
    if (market.offers == 0 || row.as_of < market.oldest_as_of) market.oldest_as_of = row.as_of;
    if (market.offers == 0 || row.as_of > market.newest_as_of) market.newest_as_of = row.as_of;
    ++market.offers;
  }
  if (cheapest_of_provider.empty()) return market;
  std::vector<double> prices;
  for (const auto& [provider, price] : cheapest_of_provider) prices.push_back(raw(price));
  market.providers = static_cast<double>(prices.size());
  market.median_per_gpu = UsdPerSecond(math::quantile(std::move(prices), 0.5));
  return market;
}

}  // namespace podwright
