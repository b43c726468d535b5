#pragma once
/// Bounds of the 90 % prediction interval of days, GPU time, energy and money. docs/method/accuracy.md#intervals.
#include <optional>

#include "perf/bounds.h"
#include "perf/calendar.h"
#include "perf/interval_formulas.h"
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
CalendarBounds<Tracer> calendar_bounds(Tracer& trace, const Calendar<Tracer>& calendar,
                                       const BoundFactors<Tracer>& factors) {
  CalendarBounds<Tracer> bounds;
  bounds.without_interruptions = factors.template of<Seconds>(trace, "perf.run_time_without_interruptions_bound",
                                                              kBoundOfTime, calendar.without_interruptions);
  if (calendar.run_time)
    bounds.run_time = factors.template of<Seconds>(trace, "perf.run_time_bound", kBoundOfTime, *calendar.run_time);
  if (calendar.expected_failures)
    bounds.expected_failures =
        factors.template of<double>(trace, "perf.failures_bound", kBoundOfRatio, *calendar.expected_failures);
  if (calendar.gpu_time)
    bounds.gpu_time = factors.template of<Seconds>(trace, "perf.gpu_time_bound", kBoundOfTime, *calendar.gpu_time);
  if (calendar.energy)
    bounds.energy = factors.template of<Joules>(trace, "perf.run_energy_bound", kBoundOfEnergy, *calendar.energy);
  if (calendar.cost)
    bounds.cost = factors.template of<Usd>(trace, "perf.run_rent_bound", kBoundOfMoney, *calendar.cost);
  return bounds;
}

}  // namespace podwright
