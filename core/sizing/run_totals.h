#pragma once
/// What a whole run takes on the GPUs of a layout. docs/method/search.md#training.
#include <optional>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "perf/training_arithmetic.h"

namespace podwright::sizing {

/// Without interruptions.
template <class Tracer>
struct RunTotals {
  Known<Tracer, Seconds> time{};
  Known<Tracer, Seconds> gpu_time{};
  std::optional<Known<Tracer, Usd>> cost;       ///< absent where nobody told a price
  std::optional<Known<Tracer, Joules>> energy;  ///< absent where no power is known
};

/// `tokens_per_s` is of all `gpus`; `price` and `power` are of one of them, power as the mean at the meter.
template <class Tracer>
RunTotals<Tracer> run_totals(Tracer& trace, double tokens, double gpus, const Known<Tracer, PerSecond>& tokens_per_s,
                             const std::optional<Known<Tracer, UsdPerSecond>>& price,
                             const std::optional<Known<Tracer, Watts>>& power) {
  RunTotals<Tracer> totals;
  totals.time = named("search.run_time", trace.input("/tokens", tokens) / tokens_per_s);
  totals.gpu_time = named("search.gpu_time", trace.method("search.gpus", gpus, "docs/method/search.md") * totals.time);
  if (price) totals.cost = named("search.run_rent", totals.gpu_time * *price);
  if (power) totals.energy = named("search.run_energy", totals.gpu_time * *power);
  return totals;
}

}  // namespace podwright::sizing
