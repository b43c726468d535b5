#include "cost/cloud_market.h"

#include <algorithm>

#include "base/stable_sort.h"

namespace podwright {

CloudMarket cloud_market(std::span<const CloudPrice> rows, const RentFilter& filter) {
  CloudMarket market{
      .term = filter.term, .offers = {}, .summary = rent_market(rows, filter), .bands = price_bands(rows, filter)};
  for (const CloudPrice& row : rows) {
    if (too_old(filter, row)) market.stale_offers += 1;
    if (!admits(filter, row)) continue;
    market.offers.push_back({.row = &row,
                             .rent = bill_of(filter, row),
                             .per_gpu = gpu_hour_price(*price_of(row, filter.term), row.gpu_count)});
  }
  const auto cheaper = [](const CloudOffer& a, const CloudOffer& b) { return a.per_gpu < b.per_gpu; };
  if (!market.offers.empty())
    market.highest = std::max_element(market.offers.begin(), market.offers.end(), cheaper)->row;
  sort_stably(market.offers, [](const CloudOffer& a, const CloudOffer& b) {
    return a.rent != b.rent ? a.rent < b.rent : a.row->as_of > b.row->as_of;
  });
  if (!market.offers.empty())
    market.lowest = std::min_element(market.offers.begin(), market.offers.end(), cheaper)->row;
  return market;
}

}  // namespace podwright
