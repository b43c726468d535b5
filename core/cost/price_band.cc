#include "cost/price_band.h"

#include <algorithm>

#include "base/math.h"

namespace podwright {
namespace {

constexpr std::size_t kFewestProviders = 3;
/// Of the interquartile range. Tukey, Exploratory Data Analysis (1977), chapter 2.
constexpr double kFence = 1.5;

}  // namespace

PriceBands price_bands(std::span<const CloudPrice> rows, RentFilter filter) {
  filter.policy.all_offers = true;
  PriceBands found{.term = filter.term, .bands = {}, .outliers = {}};
  const auto per_gpu = [&](const CloudPrice& row) {
    return raw(gpu_hour_price(*price_of(row, filter.term), row.gpu_count));
  };
  for (const CloudSegment segment : {CloudSegment::hyperscaler, CloudSegment::neocloud, CloudSegment::marketplace}) {
    std::vector<const CloudPrice*> lowest;  // of each provider
    for (const CloudPrice& row : rows) {
      if (row.segment != segment || !admits(filter, row)) continue;
      const auto same = std::find_if(lowest.begin(), lowest.end(),
                                     [&](const CloudPrice* other) { return other->provider == row.provider; });
      if (same == lowest.end())
        lowest.push_back(&row);
      else if (per_gpu(row) < per_gpu(**same))
        *same = &row;
    }
    if (lowest.empty()) continue;
    PriceBand& band = found.bands.emplace_back(
        PriceBand{.segment = segment, .providers = static_cast<double>(lowest.size()), .quartiles = {}});
    if (lowest.size() < kFewestProviders) continue;
    std::vector<double> prices;
    for (const CloudPrice* row : lowest) prices.push_back(per_gpu(*row));
    const double lower = math::quantile(prices, 0.25);
    const double upper = math::quantile(prices, 0.75);
    band.quartiles = {UsdPerSecond(lower), UsdPerSecond(math::quantile(prices, 0.5)), UsdPerSecond(upper)};
    const double reach = kFence * (upper - lower);
    for (const CloudPrice* row : lowest)
      if (per_gpu(*row) < lower - reach || per_gpu(*row) > upper + reach) found.outliers.push_back(row);
  }
  return found;
}

}  // namespace podwright
