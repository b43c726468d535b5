#include "replay/distribution.h"

#include <array>

#include "base/distributions.h"

namespace podwright::replay {

Distribution distribution_of(std::vector<double>& values) {
  Distribution of;
  if (values.empty()) return of;
  double sum = 0;
  for (const double value : values) sum += value;
  of.mean = sum / static_cast<double>(values.size());
  constexpr std::array<double, 4> kShares{0.5, 0.9, 0.95, 0.99};
  std::array<double, 4> quantiles{};
  quantiles_of(values, kShares, quantiles);
  of.p50 = quantiles[0];
  of.p90 = quantiles[1];
  of.p95 = quantiles[2];
  of.p99 = quantiles[3];
  return of;
}

}  // namespace podwright::replay
