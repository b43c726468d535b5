#include "sizing/serving_replica.h"

#include <cmath>

namespace podwright::sizing {

std::optional<ReadyReplica> ready_replica(const ServingQuestion& question, const FoundDeployment& found,
                                          const Gpu& gpu) {
  NoTrace none;
  const Catalog& catalog = question.catalog;
  const Model& model = question.model;
  ReadyReplica replica{.run = run_of(found, question.workload), .limits = {}, .costs = {}};
  replica.run.stream_replicas = found.replicas;
  take_measured(replica.run, gpu.id, question.workload);
  const ServingRun& run = replica.run;
  const Engine& engine = *find_engine_conventions(catalog, run.engine);
  const WeightFormat& format = *find_weight_format(catalog.weight_formats, found.precision);
  const ServingMemory<NoTrace> memory = serving_memory(none, model, question.stack, gpu, engine, format, run);
  if (memory.infeasible) return std::nullopt;
  replica.limits = serving_limits(none, memory, run, format);
  if (replica.limits.max_sequences < 1) return std::nullopt;
  std::vector<std::string> told_elsewhere;
  std::vector<Infeasible> reasons;
  auto costs = engine_costs(none, catalog, gpu, model, question.stack, run, replica.limits, told_elsewhere, reasons);
  if (!costs || (run.speculative && !add_draft(none, catalog, model, gpu, engine, format, run, memory, replica.limits,
                                               *costs, told_elsewhere, reasons)))
    return std::nullopt;
  replica.costs = std::move(*costs);
  return replica;
}

ServingReplica::ServingReplica(const ServingRun& run, const EngineCosts<NoTrace>& costs,
                               const ServingLimits<NoTrace>& limits, const UnexplainedScatter& unexplained)
    : costs_(costs), limits_(limits), unexplained_(unexplained), run_(run) {
  run_.load = {LoadKind::request_rate, 0};
  full_ = point_with(serving_speed::best_sequences(costs_, run_, limits_));
}

ServingReplica::Point ServingReplica::point_with(double sequences) const {
  const serving_speed::OpenPoint open = serving_speed::open_point(costs_, run_, limits_, sequences);
  return {.sequences = sequences,
          .rate = open.rate,
          .in_flight = open.rate * open.lane.request.base_units(),
          .lane = open.lane};
}

ServedLatency ServingReplica::latency(const Point& point) const {
  run_.load.value = point.rate;
  const Occupancy held{.in_flight = point.in_flight, .places = limits_.memory_sequences, .stable_rate = full_.rate};
  const LaneRhythm rhythm = rhythm_of(point.lane, costs_, run_, limits_);
  return served_latency(rhythm, run_, held, unexplained_);
}

bool ServingReplica::within(const Point& point, const std::vector<LatencyLimit>& limits) const {
  if (point.rate > kShareOfStableRate * full_.rate) return false;
  return limits.empty() || sizing::within(latency(point), limits);
}

std::optional<ServingReplica::Point> ServingReplica::most(const std::vector<LatencyLimit>& limits, int steps) const {
  // A place at hand that is taken a tenth of the time serves no one in time where one request alone does not.
  double low = least();
  Point best = point_with(low);
  if (!within(best, limits)) return std::nullopt;
  double high = places();
  for (int i = 0; i < steps; ++i) {
    const double middle = std::sqrt(low * high);
    Point point = point_with(middle);
    if (within(point, limits)) {
      low = middle;
      best = point;
    } else {
      high = middle;
    }
  }
  return best;
}

}  // namespace podwright::sizing
