#include "cost/cloud_market.h"

#include <algorithm>

#include "base/stable_sort.h"
#include "catalog/fact_date.h"

namespace podwright {

CloudMarket cloud_market(std::span<const CloudPrice> rows, const RentFilter& filter) {
  CloudMarket market{.term = filter.term, .offers = {}, .summary = rent_market(rows, filter)};
  for (const CloudPrice& row : rows) {
    if (!admits(filter, row)) continue;
    const UsdPerSecond price = *price_of(row, filter.term);
    market.offers.push_back({.row = &row,
                             .rent = rent_rate(instance_count(filter.gpu_count, row.gpu_count), price),
                             .per_gpu = gpu_hour_price(price, row.gpu_count)});
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

double stale_offers(const CloudMarket& market, const PriceDay& day) {
  return static_cast<double>(std::count_if(market.offers.begin(), market.offers.end(), [&](const CloudOffer& offer) {
    const auto age = price_age_days(offer.row->as_of, day.today);
    return age && *age > day.stale_days;
  }));
}

std::optional<double> price_age_days(std::string_view as_of, std::string_view today) {
  const auto from = earliest_day(as_of);
  const auto to = earliest_day(today);
  if (!from || !to) return std::nullopt;
  return static_cast<double>(*to - *from);
}

}  // namespace podwright
