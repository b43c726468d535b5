#pragma once
/// Rates of a measured machine: the catalog's times what the machine reached against the reference machine of its GPU
/// in the same probe, so that healthy hardware leaves plans as they are. docs/method/probes.md#plans.
#include <cmath>
#include <string_view>
#include <type_traits>

#include "base/formula.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/kernel_rate.h"
#include "perf/scaled_formulas.h"

namespace podwright {

/// What a machine reaches of the reference machine.
constexpr double ratio_of_rates(FlopsPerSecond host, FlopsPerSecond reference) { return host / reference; }
inline constexpr Formula<ratio_of_rates> kRatioOfRates{.id = "perf.ratio_of_rates",
                                                       .inputs = {"host", "reference"},
                                                       .equation = "host / reference",
                                                       .source = "docs/method/probes.md#plans"};

constexpr double ratio_of_bandwidths(BytesPerSecond host, BytesPerSecond reference) { return host / reference; }
inline constexpr Formula<ratio_of_bandwidths> kRatioOfBandwidths{.id = "perf.ratio_of_bandwidths",
                                                                 .inputs = {"host", "reference"},
                                                                 .equation = "host / reference",
                                                                 .source = "docs/method/probes.md#plans"};

/// How much longer it takes.
constexpr double ratio_of_times(Seconds host, Seconds reference) { return host / reference; }
inline constexpr Formula<ratio_of_times> kRatioOfTimes{.id = "perf.ratio_of_times",
                                                       .inputs = {"host", "reference"},
                                                       .equation = "host / reference",
                                                       .source = "docs/method/probes.md#plans"};

/// Half width of the logarithm of a prediction that follows a measured ratio: both errors are independent.
inline double half_width_with_ratio(double half_width, double ratio) {
  return std::sqrt(half_width * half_width + ratio * ratio);
}
inline constexpr Formula<half_width_with_ratio> kHalfWidthWithRatio{.id = "perf.half_width_with_ratio",
                                                                    .inputs = {"half_width", "ratio"},
                                                                    .equation = "sqrt(half_width^2 + ratio^2)",
                                                                    .source = "sum of independent errors"};

/// `value`, that of the row's `field` ("typical", "high"), traced to the catalog, the machine and its reference.
template <class Tracer, class Rate>
typename Tracer::template Known<Rate> known_rate(Tracer& trace, const KernelRate& row, std::string_view field,
                                                 Rate value) {
  if (!row.relative) return trace.fact(row, field, value);
  const RelativeRate& from = *row.relative;
  const auto catalog =
      trace.fact(from.catalog, field, Rate(field == "high" ? from.catalog.high : from.catalog.typical));
  const auto scaled = [&](const auto& ratio, const auto& product) {
    return trace.step("perf.calibrated_rate", product, catalog,
                      trace.step("perf.rate_ratio", ratio, trace.fact(from.host, "rate", Rate(from.host_rate)),
                                 trace.fact(from.reference, "rate", Rate(from.reference_rate))));
  };
  if constexpr (std::is_same_v<Rate, FlopsPerSecond>)
    return scaled(kRatioOfRates, kScaledRate);
  else if constexpr (std::is_same_v<Rate, BytesPerSecond>)
    return scaled(kRatioOfBandwidths, kScaledBandwidth);
  else
    return scaled(kRatioOfTimes, kScaledTime);
}

}  // namespace podwright
