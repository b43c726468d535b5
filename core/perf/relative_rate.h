#pragma once
/// Rates of a measured machine: the catalog's times what the machine reached against the reference machine of its GPU
/// in the same probe, so that healthy hardware leaves plans as they are. docs/method/probes.md#plans.
#include <string_view>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/kernel_rate.h"

namespace podwright {

/// Half width of the logarithm of a prediction that follows a measured ratio: both errors are independent.
auto half_width_with_ratio(Of<double> auto half_width, Of<double> auto ratio) {
  return cited("sum of independent errors", sqrt(half_width * half_width + ratio * ratio));
}

/// `value`, that of the row's `field` ("typical", "high"), traced to the catalog, the machine and its reference.
template <class Tracer, class Rate>
typename Tracer::template Known<Rate> known_rate(Tracer& trace, const KernelRate& row, std::string_view field,
                                                 Rate value) {
  if (!row.relative) return trace.fact(row, field, value);
  const RelativeRate& from = *row.relative;
  const auto catalog =
      trace.fact(from.catalog, field, Rate(field == "high" ? from.catalog.high : from.catalog.typical));
  const auto ratio = named("perf.rate_ratio", cited("docs/method/probes.md#plans",
                                                    trace.fact(from.host, "rate", Rate(from.host_rate)) /
                                                        trace.fact(from.reference, "rate", Rate(from.reference_rate))));
  return named("perf.calibrated_rate", catalog * ratio);
}

}  // namespace podwright
