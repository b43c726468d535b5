#pragma once
/// What is said of the samples of one measurement: their median with its 95 % interval from order statistics, corrected
/// for samples that depend on their neighbours, and when enough of them are taken. docs/method/probes.md#statistics.
#include <array>
#include <optional>
#include <span>

namespace podwright {

/// Standard deviation over median absolute deviation of a normal distribution: 1 / its upper quartile.
inline constexpr double kMadToSigma = 1.4826;

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

// docs/method/probes.md#stop

/// The only sample counts at which the interval is looked at: looking after every sample would stop at lucky ones.
inline constexpr std::array<int, 10> kLooks = {11, 16, 24, 36, 54, 81, 122, 183, 274, 400};

/// Targets of half an interval's width over its median.
inline constexpr double kBandwidthTarget = 0.01;  ///< bandwidth and matrix products
inline constexpr double kLatencyTarget = 0.03;    ///< latency, small collectives
inline constexpr double kCpuTarget = 0.02;        ///< every probe of a CPU

struct StopRule {
  double target = kBandwidthTarget;
  bool back_to_back = true;  ///< false: idle time separates the samples, so that 11 of them may suffice; else 24
  double budget_s = 10;      ///< of sampling, without warm-up
};

enum class StopState {
  go_on,
  precise,  ///< the interval is as narrow as the target
  budget,   ///< time or looks are spent; the result says precision_not_reached
};

/// To be asked after every sample; cheap between the looks. `in_order` of time.
StopState stop_state(std::span<const double> in_order, double elapsed_s, const StopRule& rule);

}  // namespace podwright
