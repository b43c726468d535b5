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

namespace podwright {

/// What a machine reaches of the reference machine; of start-up times, how much longer it takes.
template <class Rate>
constexpr double rate_ratio(Rate host, Rate reference) {
  return host / reference;
}
template <class Rate>
inline constexpr Formula<rate_ratio<Rate>> kRateRatio{.id = "perf.rate_ratio",
                                                      .inputs = {"host", "reference"},
                                                      .equation = "host / reference",
                                                      .source = "docs/method/probes.md#plans"};

/// The catalog's rate on this machine.
template <class Rate>
constexpr Rate calibrated_rate(Rate catalog, double ratio) {
  return catalog * ratio;
}
template <class Rate>
inline constexpr Formula<calibrated_rate<Rate>> kCalibratedRate{.id = "perf.calibrated_rate",
                                                                .inputs = {"catalog", "ratio"},
                                                                .equation = "catalog * ratio",
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
  const auto ratio =
      trace.step("perf.rate_ratio", kRateRatio<Rate>, trace.fact(from.host, "rate", Rate(from.host_rate)),
                 trace.fact(from.reference, "rate", Rate(from.reference_rate)));
  const Rate catalog(field == "high" ? from.catalog.high : from.catalog.typical);
  return trace.step("perf.calibrated_rate", kCalibratedRate<Rate>, trace.fact(from.catalog, field, catalog), ratio);
}

}  // namespace podwright
