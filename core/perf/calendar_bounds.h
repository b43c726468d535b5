#pragma once
/// Bounds of the 90 % prediction interval of days, GPU time, energy and money. docs/method/accuracy.md#intervals.
#include <optional>

#include "perf/bounds.h"
#include "perf/calendar.h"
#include "perf/training_bounds.h"

namespace podwright {

/// Bounds of what follows from the rate of tokens; failures, power and price are taken as told.
template <class Tracer>
struct CalendarBounds {
  Bounds<Tracer, Seconds> without_interruptions;
  std::optional<Bounds<Tracer, Seconds>> run_time;
  std::optional<Bounds<Tracer, double>> expected_failures;
  std::optional<Bounds<Tracer, Seconds>> gpu_time;
  std::optional<Bounds<Tracer, Joules>> energy;
  std::optional<Bounds<Tracer, Usd>> cost;
};

template <class Tracer>
CalendarBounds<Tracer> calendar_bounds(const Calendar<Tracer>& calendar, const BoundFactors<Tracer>& factors) {
  CalendarBounds<Tracer> bounds;
  bounds.without_interruptions =
      factors.of("perf.run_time_without_interruptions_bound", calendar.without_interruptions);
  if (calendar.run_time) bounds.run_time = factors.of("perf.run_time_bound", *calendar.run_time);
  if (calendar.expected_failures)
    bounds.expected_failures = factors.of("perf.failures_bound", *calendar.expected_failures);
  if (calendar.gpu_time) bounds.gpu_time = factors.of("perf.gpu_time_bound", *calendar.gpu_time);
  if (calendar.energy) bounds.energy = factors.of("perf.run_energy_bound", *calendar.energy);
  if (calendar.cost) bounds.cost = factors.of("perf.run_rent_bound", *calendar.cost);
  return bounds;
}

}  // namespace podwright
