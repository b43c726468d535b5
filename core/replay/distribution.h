#pragma once
/// Mean and percentiles of what was measured of many requests.
#include <vector>

namespace podwright::replay {

/// In the unit of the values.
struct Distribution {
  double mean = 0;
  double p50 = 0;
  double p90 = 0;
  double p95 = 0;
  double p99 = 0;
};
Distribution distribution_of(std::vector<double>& values);

}  // namespace podwright::replay
