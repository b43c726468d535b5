#pragma once
/// Replicas that follow the hours of the day, and how long what they stand on is rented.
/// docs/method/decision.md#hours-of-the-day.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/operating_figure.h"
#include "catalog/traffic.h"
#include "cost/hybrid.h"
#include "plan/asked_load.h"
#include "plan/plan_request.h"

namespace podwright {

/// A place between no use at all (0), that of the plan (1) and the peak all the time (2), where every workload has the
/// same share of its way.
using UsePlace = double;

/// A mean that lies at `now` in the plan, and at `most` at its peak.
constexpr double mean_at(UsePlace place, double now, double most) {
  return place <= 1 ? now * place : now + (most - now) * (place - 1);
}

/// GPUs that serving takes on average: they follow the rate of requests, each with as many as it carries. `headroom` is
/// what all of them carry over what comes at the peak.
constexpr auto mean_serving_gpus(Of<double> auto peak_gpus, Of<double> auto mean_over_peak, Of<double> auto headroom) {
  return cited("docs/method/decision.md#demand", peak_gpus * mean_over_peak / headroom);
}

/// Replicas that answer an hour's requests, each with at most what it carries; one is always there.
auto replicas_of_hour(Of<double> auto replicas, Of<double> auto rate, Of<double> auto busiest,
                      Of<double> auto headroom) {
  return cited("docs/method/decision.md#hours-of-the-day",
               min(replicas, max(1.0, ceil(replicas * rate / (busiest * headroom)))));
}

/// From the start of a rented instance until its replica answers.
constexpr auto replica_start(Of<Seconds> auto instance, Of<Seconds> auto engine, Of<Bytes> auto weights,
                             Of<BytesPerSecond> auto read_rate) {
  return cited("docs/method/decision.md#hours-of-the-day", instance + engine + weights / read_rate);
}

template <class Tracer>
struct ServingHour {
  Known<Tracer, PerSecond> rate{};  ///< of all sites, on a day that reaches the peak
  Known<Tracer, double> replicas{};
  Known<Tracer, double> gpus{};
};

/// A serving workload whose hours are known.
template <class Tracer>
struct ServingDay {
  Known<Tracer, Seconds> start{};          ///< of a replica
  std::vector<ServingHour<Tracer>> hours;  ///< from midnight
  double mean_gpus = 0;                    ///< at the mean of these hours
};

/// Hours of several workloads that are rented together.
class DayDemand {
 public:
  /// `peak_gpus` and `mean_gpus` are in use.
  template <class Tracer>
  void add(const ServingDay<Tracer>& day, double peak_gpus, double mean_gpus) {
    for (std::size_t hour = 0; hour < gpus_.size(); ++hour) gpus_[hour] += value_of(day.hours[hour].gpus);
    start_h_ = std::max(start_h_, value_of(day.start) / hours(1));
    peak_ += peak_gpus;
    mean_ += mean_gpus;
    mean_of_hours_ += day.mean_gpus;
  }

  /// Each step from one number of GPUs to the next as work that runs for a share of the time, the longest first. What
  /// rises at an hour starts so early that it is there. Where the mean is not that of the hours, the shares go the same
  /// share of their way to none or to all of the time.
  std::vector<RunLoad> steps() const;

 private:
  std::array<double, 24> gpus_{};
  double start_h_ = 0;
  double peak_ = 0;
  double mean_ = 0;
  double mean_of_hours_ = 0;
};

namespace plan_detail {

/// Of an instance on which an engine loads `weights`. Absent where the catalog lacks a figure.
template <class Tracer>
std::optional<Known<Tracer, Seconds>> start_of_replica(Tracer& trace, const Catalog& catalog, const ServingNeed& need,
                                                       const Known<Tracer, Bytes>& weights) {
  if (need.replica_start_s) return trace.input("/replica_start_s", Seconds(*need.replica_start_s));
  const auto figure = [&](std::string_view id) { return find_operating_figure(catalog.operating_figures, id); };
  const OperatingFigure* instance = figure("instance-start");
  const OperatingFigure* engine = figure("engine-start");
  const OperatingFigure* read = figure("weights-read");
  if (instance == nullptr || engine == nullptr || read == nullptr) return std::nullopt;
  return named("plan.replica_start", replica_start(trace.fact(*instance, "typical", Seconds(instance->typical)),
                                                   trace.fact(*engine, "typical", Seconds(engine->typical)), weights,
                                                   trace.fact(*read, "typical", BytesPerSecond(read->typical))));
}

/// `gpus` are those in use at the peak. Inside the scope of the workload.
template <class Tracer>
std::optional<ServingDay<Tracer>> serving_day(Tracer& trace, const Catalog& catalog, const ServingNeed& need,
                                              const Known<Tracer, double>& gpus, double replica_gpus,
                                              const Known<Tracer, double>& headroom,
                                              const Known<Tracer, Bytes>& weights) {
  const std::vector<double>& rates = need.traffic->hours;
  const auto start = start_of_replica(trace, catalog, need, weights);
  if (!start) return std::nullopt;
  const auto page = "docs/method/decision.md#hours-of-the-day";
  const auto busiest = trace.method("plan.busiest_hour", *std::max_element(rates.begin(), rates.end()), page);
  const auto replica = trace.method("plan.replica_gpus", replica_gpus, "docs/method/search.md");
  const auto replicas = named("plan.replicas", gpus / replica);
  const auto peak_rate = peak_requests(trace, need);
  ServingDay<Tracer> day{.start = *start, .hours = {}, .mean_gpus = value_of(gpus)};
  if (const double share = mean_over_peak(*need.traffic); share < 1)
    day.mean_gpus = mean_serving_gpus(value_of(gpus), share, value_of(headroom));
  for (std::size_t hour = 0; hour < rates.size(); ++hour) {
    const auto rate = trace.input("/traffic/hours/" + std::to_string(hour), rates[hour]);
    ServingHour<Tracer> of;
    of.rate = named("plan.requests_of_hour", peak_rate * (rate / busiest));
    of.replicas = named("plan.replicas_of_hour", replicas_of_hour(replicas, rate, busiest, headroom));
    of.gpus = named("plan.gpus_of_hour", min(gpus, of.replicas * replica));
    day.hours.push_back(of);
  }
  return day;
}

}  // namespace plan_detail
}  // namespace podwright
