#pragma once
/// From the step of a training run to its days, GPU-hours, energy and money: failures, checkpoints, restarts and
/// stragglers. docs/method/calendar.md.
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/infeasible.h"
#include "base/math.h"
#include "base/number_text.h"
#include "catalog/catalog.h"
#include "memory/training_memory.h"
#include "memory/training_run.h"
#include "model/parameters.h"
#include "perf/bounds.h"
#include "perf/calendar_request.h"
#include "perf/ceilings.h"
#include "perf/estimate_training.h"
#include "perf/lane_schedule.h"
#include "perf/training_arithmetic.h"
#include "perf/training_step.h"
#include "reliability/failures.h"
#include "reliability/goodput.h"

namespace podwright {

template <class Tracer>
struct Calendar {
  Known<Tracer, Seconds> without_interruptions{};
  Known<Tracer, Seconds> mean_time_between_failures{};
  std::optional<Known<Tracer, Bytes>> checkpoint;  ///< absent where the request gives its write time
  Known<Tracer, Seconds> write{};
  std::optional<Known<Tracer, Seconds>> pause;  ///< of an asynchronous checkpoint
  Goodput<Tracer> goodput;
  std::optional<Known<Tracer, double>> slowest_over_mean;  ///< absent without variation
  /// Absent where no progress is possible, as all that follow.
  std::optional<Known<Tracer, Seconds>> run_time;
  std::optional<Known<Tracer, double>> expected_failures;
  std::optional<Known<Tracer, Seconds>> gpu_time;
  std::optional<Known<Tracer, Joules>> energy;  ///< absent where no power is known
  std::optional<Known<Tracer, Usd>> cost;       ///< absent without a price
};

/// A run that never moves on. Ways out are not tried.
Infeasible no_progress(const CalendarRequest& request, Seconds mean_time_between_failures, Seconds restart,
                       Seconds write);
/// A run that ends after its deadline. Ways out are not tried.
Infeasible missed_deadline(const TrainingRun& run, double gpu_count, Seconds run_time, double deadline_days);

namespace calendar_detail {

/// Bytes of a checkpoint; absent where no formula says what the software keeps.
template <class Tracer>
std::optional<Known<Tracer, Bytes>> checkpoint(Tracer& trace, const Catalog& catalog, const Model& model,
                                               const TrainingRun& run) {
  const TrainingRecipe recipe = training_recipe(catalog.training_recipes, run);
  if (!recipe) return std::nullopt;
  const auto per_parameter =
      named("reliability.checkpoint_bytes_per_parameter",
            checkpoint_bytes_per_parameter(recipe_fact(trace, recipe, "weight_bytes", recipe.bytes().weight),
                                           recipe_fact(trace, recipe, "master_bytes", recipe.bytes().master),
                                           moment_bytes(trace, recipe, run.optimizer)));
  const auto trained = run.method == TrainingMethod::full
                           ? parameter_parts(trace, model).total
                           : trace.method("perf.adapter_parameters", adapter_parameters(model, layer_stack(model), run),
                                          "docs/method/calendar.md#checkpoints");
  return named("reliability.checkpoint_size", trained * per_parameter);
}

/// Rate at which the storage takes checkpoints: the request's, else the least that the storage guide asks for.
template <class Tracer>
std::optional<Known<Tracer, BytesPerSecond>> storage_rate(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                          const System* system, const CalendarRequest& request,
                                                          const Known<Tracer, double>& gpus,
                                                          std::vector<std::string>& assumptions) {
  if (request.storage_write_gb_per_s)
    return trace.input("/checkpoint/storage_write_gb_per_s", gb_per_s(*request.storage_write_gb_per_s));
  const OperatingFigure* node = find_operating_figure(catalog.operating_figures, "storage-write-per-node");
  const OperatingFigure* unit = find_operating_figure(catalog.operating_figures, "storage-write-per-unit");
  const OperatingFigure* unit_gpus = find_operating_figure(catalog.operating_figures, "storage-unit-gpus");
  if (node == nullptr || unit == nullptr || unit_gpus == nullptr) return std::nullopt;
  const double node_size = node_gpus(catalog, gpu, system);
  const auto nodes =
      trace.method("perf.nodes_of_run", std::ceil(value_of(gpus) / node_size), "docs/method/calendar.md#checkpoints");
  const auto units = named("perf.storage_units", gpus / trace.fact(*unit_gpus, "typical", unit_gpus->typical));
  const auto rate = named("reliability.storage_write_rate",
                          storage_write_rate(nodes, trace.fact(*node, "typical", BytesPerSecond(node->typical)), units,
                                             trace.fact(*unit, "typical", BytesPerSecond(unit->typical))));
  assumptions.push_back("Checkpoints are written at " + human_number(value_of(rate).base_units() / 1e9) +
                        " GB/s, the least that the storage guide (" + unit->source +
                        ") asks for; set checkpoint.storage_write_gb_per_s.");
  return rate;
}

}  // namespace calendar_detail

/// `asked_per_failure` is the GPU time for each failure, absent: as the catalog knows it. `gpus` and `tokens_per_s` are
/// of the whole run; `power_per_gpu` the mean at the meter. Absent, with the reason, where the catalog lacks a figure.
/// A run without progress or after its deadline adds its reason.
template <class Tracer>
std::optional<Calendar<Tracer>> training_calendar(Tracer& trace, const Catalog& catalog, const Model& model,
                                                  const Gpu& gpu, const System* system, const TrainingRun& run,
                                                  const Known<Tracer, double>& gpus, const CalendarRequest& request,
                                                  const std::optional<Known<Tracer, Seconds>>& asked_per_failure,
                                                  const Known<Tracer, PerSecond>& tokens_per_s,
                                                  const std::optional<Known<Tracer, Watts>>& power_per_gpu,
                                                  std::vector<std::string>& assumptions,
                                                  std::vector<Infeasible>& reasons) {
  Calendar<Tracer> calendar;
  const auto lacks = [&](Message message, Patch way_out) {
    reasons.push_back({.code = "figure-unknown", .message = std::move(message), .ways_out = {std::move(way_out)}});
    return std::nullopt;
  };
  const double gpu_count = value_of(gpus);
  Interruptions<Tracer> losses;

  const auto per_failure = known_time_per_failure(trace, catalog, gpu, asked_per_failure, assumptions);
  if (!per_failure) return lacks(say("figure-unknown/failures"), {"/gpu_hours_per_failure", 50000});
  losses.mean_time_between_failures =
      named("reliability.mean_time_between_failures", podwright::mean_time_between_failures(*per_failure, gpus));
  calendar.mean_time_between_failures = losses.mean_time_between_failures;

  if (request.restart_s) {
    losses.restart = trace.input("/restart_s", seconds(*request.restart_s));
  } else {
    const OperatingFigure* restart = find_operating_figure(catalog.operating_figures, "restart-time");
    if (restart == nullptr) return lacks(say("figure-unknown/restart"), {"/restart_s", 300});
    losses.restart = trace.fact(*restart, "typical", seconds(restart->typical));
    assumptions.push_back("A failure costs " + human_number(restart->typical) + " s until training moves again (" +
                          restart->source + "); set restart_s.");
  }

  if (request.write_s) {
    losses.write = trace.input("/checkpoint/write_s", seconds(*request.write_s));
  }
  if (!request.write_s || request.asynchronous)
    calendar.checkpoint = calendar_detail::checkpoint(trace, catalog, model, run);
  if (!request.write_s) {
    const auto rate = calendar_detail::storage_rate(trace, catalog, gpu, system, request, gpus, assumptions);
    if (!calendar.checkpoint || !rate) return lacks(say("figure-unknown/checkpoint"), {"/checkpoint/write_s", 60});
    losses.write = named("reliability.checkpoint_write_time", *calendar.checkpoint / *rate);
  }
  calendar.write = losses.write;
  losses.pause = losses.write;
  if (request.asynchronous) {
    const auto link = host_link(trace, catalog, gpu, assumptions);
    if (link && calendar.checkpoint) {
      const auto copy = named("reliability.host_copy_time", host_copy_time(*calendar.checkpoint, gpus, *link));
      if (value_of(copy) < value_of(losses.write)) losses.pause = copy;
    } else {
      assumptions.push_back("The link between " + gpu.name +
                            " and its host is not known, so training is taken to wait for the whole checkpoint.");
    }
    calendar.pause = losses.pause;
  }
  if (request.interval_s) losses.interval = trace.input("/checkpoint/interval_s", seconds(*request.interval_s));
  calendar.goodput = run_goodput(trace, losses);

  calendar.without_interruptions = named("perf.run_time", trace.input("/tokens", *request.tokens) / tokens_per_s);
  if (request.step_time_variation > 0 && gpu_count > 1) {
    const double log_gpus = math::log(gpu_count);
    const char* const page = "docs/method/calendar.md#stragglers";
    calendar.slowest_over_mean =
        named("reliability.slowest_over_mean",
              podwright::slowest_over_mean(trace.input("/step_time_variation", request.step_time_variation),
                                           trace.method("reliability.log_gpus", log_gpus, page),
                                           trace.method("reliability.log_log_gpus", math::log(log_gpus), page)));
    calendar.without_interruptions = named(
        "perf.run_time_with_stragglers",
        cited("docs/method/calendar.md#stragglers", calendar.without_interruptions * *calendar.slowest_over_mean));
  }
  if (!calendar.goodput.progress) {
    reasons.push_back(no_progress(request, value_of(losses.mean_time_between_failures), value_of(losses.restart),
                                  value_of(losses.write)));
    return calendar;
  }
  calendar.run_time =
      named("perf.run_time_with_interruptions", calendar.without_interruptions / calendar.goodput.share);
  calendar.expected_failures =
      named("reliability.expected_failures",
            podwright::expected_failures(*calendar.run_time, losses.mean_time_between_failures));
  calendar.gpu_time = named("perf.gpu_time", gpus * *calendar.run_time);
  if (power_per_gpu) calendar.energy = named("perf.run_energy", *calendar.gpu_time * *power_per_gpu);
  if (request.gpu_price_usd_per_hour)
    calendar.cost = named(
        "perf.run_rent",
        *calendar.gpu_time * trace.input("/gpu_price_usd_per_hour", usd_per_hour(*request.gpu_price_usd_per_hour)));
  if (request.deadline_days && value_of(*calendar.run_time) > days(*request.deadline_days))
    reasons.push_back(missed_deadline(run, gpu_count, value_of(*calendar.run_time), *request.deadline_days));
  return calendar;
}

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
