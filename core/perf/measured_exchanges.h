#pragma once
/// Exchanges inside a node from times that probes of this machine measured by size, in place of one start-up time and
/// one rate. docs/method/probes.md#measured-exchanges.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/formula.h"
#include "base/math.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/catalog.h"

namespace podwright {

inline constexpr const char* kMeasuredExchangesPage = "docs/method/probes.md#measured-exchanges";

/// Time of a message from that of the nearest smaller measured one, along a straight line of logarithms.
inline Seconds time_between_sizes(Bytes message, Bytes size, Seconds time, double slope) {
  return time * math::exp(slope * math::log(message / size));
}
inline constexpr Formula<time_between_sizes> kTimeBetweenSizes{.id = "perf.time_between_sizes",
                                                               .inputs = {"message", "size", "time", "slope"},
                                                               .equation = "time * (message / size) ^ slope",
                                                               .source = "docs/method/probes.md#collectives"};

/// An exchange beside the work of a step, from its measured time alone on the machine: what it takes beyond an empty
/// message runs at a share of its rate.
constexpr Seconds measured_exchange_time(Seconds start, Seconds measured, double start_factor, double rate_share) {
  return start * start_factor + std::max(Seconds(0), measured - start) / rate_share;
}
inline constexpr Formula<measured_exchange_time> kMeasuredExchangeTime{
    .id = "perf.measured_exchange_time",
    .inputs = {"start", "measured", "start_factor", "rate_share"},
    .equation = "start * start_factor + max(0, measured - start) / rate_share",
    .source = "docs/method/probes.md#measured-exchanges"};

/// Which measured size a message is told from, and how its time grows beyond it.
struct SizeBelow {
  std::size_t index = 0;
  double slope = 0;  ///< 0: the message is no larger than any measured one; 1: beyond all, in proportion
};
/// `sizes` ascending, at least one.
SizeBelow size_below(const std::vector<TransferPoint>& sizes, Bytes message);
/// Between sizes as time_between_sizes(); the first size's time below it; in proportion beyond the last.
Seconds time_of_message(const std::vector<TransferPoint>& sizes, Bytes message);

/// Times of "all-reduce" or "all-gather" among exactly so many GPUs of one node; null where the machine told none.
const CollectiveTimes* measured_times(const Catalog& catalog, std::string_view gpu_id, std::string_view collective,
                                      double ranks);

/// Time of the message on the machine alone, traced to its profile.
template <class Tracer>
typename Tracer::template Known<Seconds> measured_time(Tracer& trace, const CollectiveTimes& times,
                                                       const typename Tracer::template Known<Bytes>& message) {
  const SizeBelow below = size_below(times.sizes, value_of(message));
  const TransferPoint& point = times.sizes[below.index];
  const auto field = [&](const char* name) {
    return Tracer::kRecords ? "sizes/" + std::to_string(below.index) + "/" + name : std::string();
  };
  const auto time = trace.fact(times, field("time_us"), point.time);
  if (below.slope == 0) return time;
  return trace.step("perf.time_between_sizes", kTimeBetweenSizes, message,
                    trace.fact(times, field("bytes"), point.bytes), time,
                    trace.method("perf.slope_between_sizes", below.slope, kMeasuredExchangesPage));
}

/// Its smallest message, which is all start-up.
template <class Tracer>
typename Tracer::template Known<Seconds> measured_start(Tracer& trace, const CollectiveTimes& times) {
  return trace.fact(times, "sizes/0/time_us", times.sizes.front().time);
}

}  // namespace podwright
