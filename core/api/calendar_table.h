#pragma once
/// Days, GPU-hours, energy and money of a training run, and their fields.
#include <optional>

#include "api/answer_field.h"
#include "api/requests.h"
#include "cost/purchase.h"
#include "perf/calendar.h"
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
template <class Table, class Tracer>
void describe_interruptions(Table& v, const Calendar<Tracer>& calendar) {
  v.number({"goodput", "Goodput (productive share of time)"}, calendar.goodput.share);
  v.number({"checkpoint_interval_s", unit::kSeconds}, calendar.goodput.interval);
  v.number({"checkpoint_write_s", unit::kSeconds}, calendar.write);
  v.number({"checkpoint_pause_s", unit::kSeconds}, calendar.pause);
  v.number({"checkpoint_gb", unit::kGb}, calendar.checkpoint);
  v.number({"mean_time_between_failures_h", "Time between failures", unit::kHours},
           calendar.mean_time_between_failures);
}

template <class Table, class Tracer>
void describe_calendar(Table& v, const CalendarEstimate<Tracer>& estimate) {
  using B = CalendarBounds<Tracer>;
  const std::optional<B>& bounds = estimate.calendar_bounds;
  v.object({"calendar", "The whole run"}, estimate.calendar, [&](const Calendar<Tracer>& calendar) {
    v.number({"run_time_days", unit::kDays}, calendar.run_time, member_of(bounds, &B::run_time));
    v.number({"run_time_days_without_interruptions", "Time without failures", unit::kDays},
             calendar.without_interruptions, member_of(bounds, &B::without_interruptions));
    describe_interruptions(v, calendar);
    v.number({"expected_failures"}, calendar.expected_failures, member_of(bounds, &B::expected_failures));
    v.number({"slowest_over_mean", "Slowest rank over the mean"}, calendar.slowest_over_mean);
    v.number({"gpu_hours", "GPU-hours", unit::kHours}, calendar.gpu_time, member_of(bounds, &B::gpu_time));
    v.number({"power_kw_per_gpu", "Mean power per GPU", unit::kKw}, estimate.power_per_gpu);
    v.number({"energy_kwh", unit::kKwh}, calendar.energy, member_of(bounds, &B::energy));
    v.number({"cost_usd", unit::kUsd}, calendar.cost, member_of(bounds, &B::cost));
  });
}

}  // namespace podwright
