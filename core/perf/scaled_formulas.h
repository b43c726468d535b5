#pragma once
/// Rates, bandwidths and times that a fit or a fact scales, of training and of serving alike.
#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// A rate times a share that a fit or a fact gives.
constexpr FlopsPerSecond scaled_rate(FlopsPerSecond rate, double share) { return rate * share; }
inline constexpr Formula<scaled_rate> kScaledRate{
    .id = "perf.scaled_rate", .inputs = {"rate", "share"}, .equation = "rate * share", .source = "definition"};

constexpr BytesPerSecond scaled_bandwidth(BytesPerSecond bandwidth, double share) { return bandwidth * share; }
inline constexpr Formula<scaled_bandwidth> kScaledBandwidth{.id = "perf.scaled_bandwidth",
                                                            .inputs = {"bandwidth", "share"},
                                                            .equation = "bandwidth * share",
                                                            .source = "definition"};

constexpr Seconds scaled_time(Seconds time, double factor) { return time * factor; }
inline constexpr Formula<scaled_time> kScaledTime{
    .id = "perf.scaled_time", .inputs = {"time", "factor"}, .equation = "time * factor", .source = "definition"};

}  // namespace podwright
