#pragma once
/// What is said of the samples of one measurement. docs/method/probes.md#statistics.
#include <optional>
#include <span>

namespace podwright {

/// Times of single operations, seconds, all of the same work.
struct SampleSummary {
  int n = 0;
  double median = 0;
  std::optional<double> lo95;  ///< 95 % interval of the median; absent where the samples are worth fewer than 6
  std::optional<double> hi95;
  double min = 0;
  double q1 = 0;
  double q3 = 0;
  double p95 = 0;
  double cv = 0;     ///< standard deviation over mean; told, never a rule
  double mad = 0;    ///< median absolute deviation from the median
  double rho = 0;    ///< lag-1 autocorrelation, 0..1
  double n_eff = 0;  ///< independent samples that tell as much

  /// Half the interval's width over the median; absent without an interval.
  std::optional<double> relative_half_width() const;
};

/// `in_order` of time; all > 0, at least one.
SampleSummary summary_of(std::span<const double> in_order);

}  // namespace podwright
