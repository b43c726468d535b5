#pragma once
/// The 95 % interval of a median from order statistics, corrected for samples that depend on their neighbours.
/// docs/method/probes.md#statistics.
#include <optional>
#include <span>

namespace podwright {

/// Median of values in any order: the mean of the two middle ones where their count is even. Not empty.
double median_of(std::span<const double> values);

/// Ranks (from 1) of the two order statistics that bound the median of `samples` independent samples with 95 %
/// confidence at least: the largest low rank j with P(Binomial(samples, 1/2) < j) <= 0.025, and samples + 1 - j.
/// Absent below 6 samples, which bound nothing at that confidence.
struct MedianRanks {
  int low = 0;
  int high = 0;
};
std::optional<MedianRanks> median_ranks(int samples);

/// The same of `samples` samples that are worth `effective` independent ones (at most `samples`): the ranks of the
/// smaller sample, stretched. Absent below 6 effective samples.
std::optional<MedianRanks> median_ranks(int samples, double effective);

/// How strongly samples depend on their neighbours in time.
struct SerialCorrelation {
  double rho = 0;  ///< lag-1 autocorrelation of the residuals from the median, 0..1; residuals beyond three robust
                   ///< standard deviations count as these
  double effective = 0;  ///< independent samples that are worth as many; rho with 1/sqrt(n) as caution where it exceeds
                         ///< 2/sqrt(n)
};
/// `in_order` of time, not empty.
SerialCorrelation serial_correlation(std::span<const double> in_order);

}  // namespace podwright
