#pragma once
/// Failures of many GPUs that work on one thing: each one's failure stops all. Failures are independent and come at a
/// constant rate, so rates add. docs/method/calendar.md#failures.
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/catalog.h"

namespace podwright {

/// Mean time between failures of a job on `gpus` GPUs.
constexpr auto mean_time_between_failures(Of<Seconds> auto gpu_time_per_failure, Of<double> auto gpus) {
  return cited("arXiv 2410.21680 section 3", gpu_time_per_failure / gpus);
}

/// Failures that a run meets on average.
constexpr auto expected_failures(Of<Seconds> auto run, Of<Seconds> auto mean_time_between_failures) {
  return cited("constant failure rate", run / mean_time_between_failures);
}

/// The total of a fleet with this GPU; else with another of its family ("A100"), else of the fleet with the most GPUs
/// and days. Null where the catalog has no total.
const FailureRate* failure_rate_of(const Catalog& catalog, const Gpu& gpu);
/// "Failures come every 50,677 GPU-hours, as in Meta Llama 3 405B on H100."
std::string failure_assumption(const FailureRate& rate, const Gpu& gpu);

/// GPU time for each failure: as asked, else of the fleet that stands closest, which becomes an assumption. Absent
/// where the catalog has none.
template <class Tracer>
std::optional<Known<Tracer, Seconds>> known_time_per_failure(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                             const std::optional<Known<Tracer, Seconds>>& asked,
                                                             std::vector<std::string>& assumptions) {
  if (asked) return asked;
  const FailureRate* rate = failure_rate_of(catalog, gpu);
  if (rate == nullptr) return std::nullopt;
  assumptions.push_back(failure_assumption(*rate, gpu));
  return trace.fact(*rate, "gpu_hours_per_failure", hours(*rate->gpu_hours_per_failure));
}

}  // namespace podwright
