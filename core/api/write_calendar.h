#pragma once
/// Days, GPU-hours, energy and money of a training run as a member of an answer.
#include <optional>

#include "api/requests.h"
#include "api/write_common.h"
#include "api/write_estimate.h"
#include "cost/machine_power.h"
#include "perf/calendar.h"
#include "perf/calendar_bounds.h"
#include "perf/estimate_training.h"

namespace podwright {

/// The estimate of a run and, where the request names its tokens, its calendar.
template <class Tracer>
struct CalendarEstimate : TrainingEstimate<Tracer> {
  std::optional<Calendar<Tracer>> calendar;
  std::optional<CalendarBounds<Tracer>> calendar_bounds;
  std::optional<typename Tracer::template Known<Watts>> power_per_gpu;
};

template <class Tracer>
CalendarEstimate<Tracer> estimate_with_calendar(Tracer& trace, const Catalog& catalog, const TrainingRequest& r) {
  const System* system = r.system ? &*r.system : nullptr;
  CalendarEstimate<Tracer> estimate{estimate_training(trace, catalog, *r.model, *r.gpu, r.run, system), {}, {}, {}};
  if (!r.calendar.tokens || !estimate.step) return estimate;
  if (r.power.power_kw_per_gpu)
    estimate.power_per_gpu = trace.input("/power_kw_per_gpu", kw(*r.power.power_kw_per_gpu));
  else
    estimate.power_per_gpu = mean_gpu_power(trace, catalog, system, *r.gpu, trace.input("/load", r.power.load),
                                            trace.input("/pue", r.power.pue), estimate.assumptions);
  std::optional<typename Tracer::template Known<Seconds>> per_failure;
  if (r.calendar.gpu_hours_per_failure)
    per_failure = trace.input("/gpu_hours_per_failure", hours(*r.calendar.gpu_hours_per_failure));
  const std::size_t reasons = estimate.reasons.size();
  estimate.calendar = training_calendar(
      trace, catalog, *r.model, *r.gpu, system, r.run, trace.input("/gpu_count", r.gpu_count), r.calendar, per_failure,
      estimate.step->tokens_per_s, estimate.power_per_gpu, estimate.assumptions, estimate.reasons);
  if (estimate.calendar && estimate.step_bounds)
    estimate.calendar_bounds = calendar_bounds(*estimate.calendar, estimate.step_bounds->factors);
  if (estimate.reasons.size() > reasons) estimate.feasible = false;
  return estimate;
}

/// What interrupts a run, and the share of time that is left to it.
template <class Tracer>
void write_interruptions(JsonWriter& out, const Calendar<Tracer>& calendar) {
  const auto as = [&](std::string_view key, const DisplayUnit& display, const auto& known) {
    if (known) out.quantity_as(key, display, *known);
  };
  out.quantity_as("goodput", unit::kNone, calendar.goodput.share);
  out.quantity_as("checkpoint_interval_s", unit::kSeconds, calendar.goodput.interval);
  out.quantity_as("checkpoint_write_s", unit::kSeconds, calendar.write);
  as("checkpoint_pause_s", unit::kSeconds, calendar.pause);
  as("checkpoint_gb", unit::kGb, calendar.checkpoint);
  out.quantity_as("mean_time_between_failures_h", unit::kHours, calendar.mean_time_between_failures);
}

template <class Tracer>
void write_calendar(JsonWriter& out, const CalendarEstimate<Tracer>& estimate) {
  if (!estimate.calendar) return;
  const Calendar<Tracer>& calendar = *estimate.calendar;
  const auto as = [&](std::string_view key, const DisplayUnit& display, const auto& known) {
    if (known) out.quantity_as(key, display, *known);
  };
  const CalendarBounds<Tracer>* bounds = estimate.calendar_bounds ? &*estimate.calendar_bounds : nullptr;
  const auto bounded = [&](const std::string& key, const DisplayUnit& display, const auto& known, auto of) {
    if (!known) return;
    out.quantity_as(key, display, *known);
    if (bounds != nullptr && bounds->*of) write_bounds(out, key, display, &*(bounds->*of));
  };
  out.begin_object("calendar");
  using B = CalendarBounds<Tracer>;
  bounded("run_time_days", unit::kDays, calendar.run_time, &B::run_time);
  out.quantity_as("run_time_days_without_interruptions", unit::kDays, calendar.without_interruptions);
  write_bounds(out, "run_time_days_without_interruptions", unit::kDays,
               bounds == nullptr ? nullptr : &bounds->without_interruptions);
  write_interruptions(out, calendar);
  bounded("expected_failures", unit::kNone, calendar.expected_failures, &B::expected_failures);
  as("slowest_over_mean", unit::kNone, calendar.slowest_over_mean);
  bounded("gpu_hours", unit::kHours, calendar.gpu_time, &B::gpu_time);
  as("power_kw_per_gpu", unit::kKw, estimate.power_per_gpu);
  bounded("energy_kwh", unit::kKwh, calendar.energy, &B::energy);
  bounded("cost_usd", unit::kUsd, calendar.cost, &B::cost);
  out.end_object();
}

}  // namespace podwright
