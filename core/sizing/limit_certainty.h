#pragma once
/// How sure a deployment keeps a limit: predicted latencies carry 90 % intervals, and a limit may lie inside one.
/// docs/method/search.md#how-sure-a-limit-is-kept.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perf/estimate_serving.h"
#include "sizing/latency_limit.h"

namespace podwright::sizing {

struct LimitCertainty {
  LatencyLimit limit;
  Seconds reached;  ///< as predicted, at the limit's percentile
  /// Of the 90 % interval; absent where no fit tells one.
  std::optional<Seconds> low;
  std::optional<Seconds> high;
  std::optional<double> probability;  ///< that the limit is kept, errors taken as lognormal
};

/// What an estimate reaches of the kind that a limit speaks of; 0 where there is none (tpot of one token).
Seconds reached(const ServingPerformance<NoTrace>& performance, const LatencyLimit& limit);
bool within(const ServingPerformance<NoTrace>& performance, const std::vector<LatencyLimit>& limits);

/// One entry for each limit. The estimate must have a performance; without bounds nothing is said of certainty.
std::vector<LimitCertainty> limit_certainty(const ServingEstimate<NoTrace>& estimate,
                                            const std::vector<LatencyLimit>& limits);

/// Share of an error's distribution below `limit` when `high` is the upper bound of the 90 % interval of `reached`.
double share_below(Seconds limit, Seconds reached, Seconds high);

/// "certain": the limit lies above the interval; "likely", "unlikely": inside, above or below the prediction. Empty
/// where there is no interval.
std::string_view certainty_word(const LimitCertainty& kept);

/// "about 64 %", "more than 99 %".
std::string chance_text(double probability);
/// "ttft p95 is 1.7 s (90 % interval 1.2 to 2.4 s), the limit of 2 s lies inside: it is kept with about 79 %".
std::string certainty_text(const LimitCertainty& kept);

}  // namespace podwright::sizing
