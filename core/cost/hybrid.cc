#include "cost/hybrid.h"

#include <algorithm>

namespace podwright {

double gpus_exceeded(const LoadDuration& load, double share) {
  if (share >= 1.0) return 0;
  // Shares above the first point's are of times with no more than nothing.
  if (share >= load.front().share) return load.front().share < 1.0 ? 0 : load.front().gpus;
  for (std::size_t i = 1; i < load.size(); ++i) {
    const LoadPoint& from = load[i - 1];
    const LoadPoint& to = load[i];
    if (to.share > share) continue;
    if (from.share == to.share) return from.gpus;
    return from.gpus + (to.gpus - from.gpus) * (from.share - share) / (from.share - to.share);
  }
  return load.back().gpus;
}

double mean_above(const LoadDuration& load, double gpus) {
  double mean = 0;
  const LoadPoint& first = load.front();
  if (gpus < first.gpus) mean += (first.gpus - gpus) * first.share;
  for (std::size_t i = 1; i < load.size(); ++i) {
    const LoadPoint& from = load[i - 1];
    const LoadPoint& to = load[i];
    if (to.gpus <= gpus || to.gpus == from.gpus) continue;
    const double start = std::max(gpus, from.gpus);
    const double share = from.share + (to.share - from.share) * (start - from.gpus) / (to.gpus - from.gpus);
    mean += (to.gpus - start) * (share + to.share) / 2.0;
  }
  return mean;
}

}  // namespace podwright
