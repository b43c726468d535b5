#pragma once
/// How sure a deployment keeps a limit: predicted latencies carry 90 % intervals, and a limit may lie inside one.
/// docs/method/search.md#how-sure-a-limit-is-kept.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perf/estimate_serving.h"
#include "perf/interval_odds.h"
#include "sizing/latency_limit.h"

namespace podwright::sizing {

struct LimitCertainty {
  LatencyLimit limit;
  Seconds reached;  ///< as predicted, at the limit's percentile
  /// Of the 90 % interval; absent where no fit gives one.
  std::optional<Seconds> low;
  std::optional<Seconds> high;
  /// By so many standard deviations all times and rates may be worse before the limit is missed, the wait under the
  /// load and what the deployment completes included. Absent where no fit gives an interval.
  std::optional<double> deviations;
  std::optional<double> probability;  ///< that the limit is kept, errors taken as lognormal
};

/// Limits, and the share of a rate that is counted on, as tight as a confidence makes them.
struct Margins {
  std::vector<LatencyLimit> limits;
  double rate_share = 1;
};
/// `widths` of the 90 % intervals of `run`; without them, or at 0.5, limits are taken as predicted.
Margins margins_at(double confidence, std::vector<LatencyLimit> limits, const ServingRun& run,
                   const std::optional<ServingWidths>& widths);

/// What an estimate reaches of the kind that a limit speaks of; 0 where there is none (tpot of one token).
Seconds reached(const ServingPerformance<NoTrace>& performance, const LatencyLimit& limit);
bool within(const ServingPerformance<NoTrace>& performance, const std::vector<LatencyLimit>& limits);

/// One entry for each limit, but for deviations and probability. The estimate must have a performance; without bounds
/// there is no interval.
std::vector<LimitCertainty> limit_certainty(const ServingEstimate<NoTrace>& estimate,
                                            const std::vector<LatencyLimit>& limits);

/// A deployment under one load.
struct LoadedTo {
  double rate = 0;  ///< requests/s
  ServedLatency latency;
};

/// Deviations by which times and rates may be worse before a limit is missed at `load` requests/s. The deployment is
/// asked by `at` at loads that rise from `low` to `high`, the last it stands. With all times longer by e^(d s) it is as
/// loaded as at a rate higher by as much, and a limit is worth as much less: the largest d that some load leaves to
/// both is what is left to the deployment. `half_width_of_rate` is of the 90 % interval of a rate's logarithm; `kept`
/// gives the limit and its interval.
template <class At>
double deviations_left(const At& at, double low, double high, const LimitCertainty& kept, double load,
                       double half_width_of_rate) {
  const double deviation_of_time = math::log(*kept.high / kept.reached) / kDeviationsOfInterval;
  const double deviation_of_rate = half_width_of_rate / kDeviationsOfInterval;
  struct Left {
    double to_limit;
    double to_rate;
  };
  const auto left = [&](double x) {
    const LoadedTo loaded = at(x);
    return Left{math::log(kept.limit.most.base_units() / reached(loaded.latency, kept.limit)) / deviation_of_time,
                math::log(loaded.rate / load) / deviation_of_rate};
  };
  const Left full = left(high);
  if (full.to_limit >= full.to_rate) return full.to_rate;
  const Left alone = left(low);
  if (alone.to_limit <= alone.to_rate) return alone.to_limit;
  for (int i = 0; i < 50; ++i) {
    const double middle = std::sqrt(low * high);
    const Left here = left(middle);
    (here.to_limit > here.to_rate ? low : high) = middle;
  }
  return left(low).to_rate;
}

/// "certain": kept at the slow end of the 90 % intervals too; "likely", "unlikely": kept, or not, as predicted. Empty
/// where there is no interval.
std::string_view certainty_word(const LimitCertainty& kept);

/// "about 64 %", "more than 99 %".
std::string chance_text(double probability);
/// "ttft p95 is 1.7 s (90 % interval 1.2 s to 2.4 s): the limit of 2 s lies inside the interval, it is kept with about
/// 79 %."
std::string certainty_text(const LimitCertainty& kept);

}  // namespace podwright::sizing
