#include "measure/sample_summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/math.h"
#include "base/result.h"
#include "measure/median_interval.h"

namespace podwright {
namespace {

/// Standard deviation over mean; 0 of one sample.
double coefficient_of_variation(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / (count - 1)) / mean;
}

double median_deviation(std::span<const double> values, double median) {
  std::vector<double> sizes(values.begin(), values.end());
  for (double& size : sizes) size = std::fabs(size - median);
  return median_of(sizes);
}

}  // namespace

std::optional<double> SampleSummary::relative_half_width() const {
  if (!lo95 || !hi95) return std::nullopt;
  return (*hi95 - *lo95) / 2 / median;
}

SampleSummary summary_of(std::span<const double> in_order) {
  PODWRIGHT_ASSERT(!in_order.empty());
  std::vector<double> sorted(in_order.begin(), in_order.end());
  std::sort(sorted.begin(), sorted.end());
  const SerialCorrelation correlation = serial_correlation(in_order);
  SampleSummary summary;
  summary.n = static_cast<int>(sorted.size());
  summary.median = median_of(sorted);
  summary.min = sorted.front();
  summary.q1 = math::quantile(sorted, 0.25);
  summary.q3 = math::quantile(sorted, 0.75);
  summary.p95 = math::quantile(sorted, 0.95);
  summary.cv = coefficient_of_variation(in_order);
  summary.mad = median_deviation(sorted, summary.median);
  summary.rho = correlation.rho;
  summary.n_eff = correlation.effective;
  if (const auto ranks = median_ranks(summary.n, correlation.effective)) {
    summary.lo95 = sorted[static_cast<std::size_t>(ranks->low - 1)];
    summary.hi95 = sorted[static_cast<std::size_t>(ranks->high - 1)];
  }
  return summary;
}

}  // namespace podwright
