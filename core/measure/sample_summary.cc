#include "measure/sample_summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "base/math.h"
#include "base/result.h"
#include "measure/measure_formulas.h"

namespace podwright {
namespace {

constexpr double kTail = 0.025;  // of a 95 % interval, on each side
constexpr double kClipSigmas = 3;
constexpr int kFewest = 6;  // 2 / 2^n <= 0.05 from here on

/// Binomial coefficients of `samples` over their largest, which keeps them in a double's reach for any count.
std::vector<double> relative_binomials(int samples) {
  std::vector<double> weights(static_cast<std::size_t>(samples) + 1);
  const auto at = [&](int k) -> double& { return weights[static_cast<std::size_t>(k)]; };
  const int middle = samples / 2;
  at(middle) = 1;
  for (int k = middle; k > 0; --k) at(k - 1) = at(k) * k / (samples - k + 1);
  for (int k = middle; k < samples; ++k) at(k + 1) = at(k) * (samples - k) / (k + 1);
  return weights;
}

/// Largest j with P(Binomial(samples, 1/2) < j) <= 0.025.
int low_rank(int samples) {
  const std::vector<double> weights = relative_binomials(samples);
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  double below = 0;
  int rank = 0;
  while (below + weights[static_cast<std::size_t>(rank)] <= kTail * all)
    below += weights[static_cast<std::size_t>(rank++)];
  return rank;
}

/// Standard deviation over mean; 0 of one sample.
double coefficient_of_variation(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / (count - 1)) / mean;
}

double median_deviation(std::span<const double> values, double median) {
  std::vector<double> sizes(values.begin(), values.end());
  for (double& size : sizes) size = std::fabs(size - median);
  return median_of(sizes);
}

/// Fewer samples cannot tell how strongly neighbours depend on each other.
constexpr int kFewestBackToBack = 24;

bool is_look(int samples) { return std::find(kLooks.begin(), kLooks.end(), samples) != kLooks.end(); }

}  // namespace

double median_of(std::span<const double> values) {
  PODWRIGHT_ASSERT(!values.empty());
  std::vector<double> sorted(values.begin(), values.end());
  const std::size_t half = sorted.size() / 2;
  std::sort(sorted.begin(), sorted.end());
  return sorted.size() % 2 == 1 ? sorted[half] : sorted[half - 1] + (sorted[half] - sorted[half - 1]) / 2;
}

std::optional<MedianRanks> median_ranks(int samples) { return median_ranks(samples, samples); }

std::optional<MedianRanks> median_ranks(int samples, double effective) {
  PODWRIGHT_ASSERT(effective <= samples);
  if (effective < kFewest) return std::nullopt;
  const auto counted = static_cast<int>(std::floor(effective));
  const auto stretched = static_cast<long long>(low_rank(counted)) * (samples + 1) / (counted + 1);
  const int low = std::max(1, static_cast<int>(stretched));
  return MedianRanks{low, samples + 1 - low};
}

SerialCorrelation serial_correlation(std::span<const double> in_order) {
  const double median = median_of(in_order);
  std::vector<double> residuals(in_order.begin(), in_order.end());
  for (double& residual : residuals) residual -= median;
  std::vector<double> sizes = residuals;
  for (double& size : sizes) size = std::fabs(size);
  const double limit = kClipSigmas * kMadToSigma * median_of(sizes);
  double products = 0;
  double squares = 0;
  double before = 0;
  for (const double residual : residuals) {
    const double clipped = std::clamp(residual, -limit, limit);
    products += before * clipped;
    squares += clipped * clipped;
    before = clipped;
  }
  const auto samples = static_cast<double>(in_order.size());
  const double rho = squares > 0 ? std::clamp(products / squares, 0.0, 1.0) : 0.0;
  const double caution = rho > 2 / std::sqrt(samples) ? 1 / std::sqrt(samples) : 0.0;
  return {.rho = rho, .effective = effective_samples(samples, std::min(1.0, rho + caution))};
}

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

StopState stop_state(std::span<const double> in_order, double elapsed_s, const StopRule& rule) {
  const int samples = static_cast<int>(in_order.size());
  const bool may_stop = is_look(samples) && (!rule.back_to_back || samples >= kFewestBackToBack);
  if (may_stop) {
    const auto half_width = summary_of(in_order).relative_half_width();
    if (half_width && *half_width <= rule.target) return StopState::precise;
  }
  return samples >= kLooks.back() || elapsed_s >= rule.budget_s ? StopState::budget : StopState::go_on;
}

}  // namespace podwright
