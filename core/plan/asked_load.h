#pragma once
/// The rates of requests that the load of a workload comes to, in whichever way it is given: as requests, as users at
/// once, or as tokens of a day. docs/method/decision.md#load.
#include "base/arithmetic.h"
#include "base/trace.h"
#include "perf/serving_percentiles.h"
#include "plan/plan_request.h"

namespace podwright {
namespace plan_detail {

/// Users who each have a request in work, or think about its answer. Where answers come as late as the limits allow,
/// this is the rate; a system that keeps the limits at this rate keeps them for all of the users, as with fewer of them
/// in work it would have been faster.
constexpr auto requests_of_users(Of<double> auto users, Of<Seconds> auto request, Of<Seconds> auto think_time) {
  return cited("Little 1961: users = rate * (time of a request + think time)", users / (request + think_time));
}

constexpr auto users_of_requests(Of<PerSecond> auto rate, Of<Seconds> auto request, Of<Seconds> auto think_time) {
  return cited("Little 1961: users = rate * (time of a request + think time)", rate * (request + think_time));
}

constexpr auto requests_of_tokens(Of<double> auto tokens_per_day, Of<double> auto input_tokens,
                                  Of<double> auto output_tokens) {
  return cited("definition: tokens of a day = rate * 86400 s * tokens of a request",
               tokens_per_day / (input_tokens + output_tokens) / days(1));
}

constexpr auto tokens_of_requests(Of<PerSecond> auto rate, Of<double> auto input_tokens,
                                  Of<double> auto output_tokens) {
  return cited("definition: tokens of a day = rate * 86400 s * tokens of a request",
               rate * (input_tokens + output_tokens) * days(1));
}

constexpr auto peak_of_mean(Of<PerSecond> auto mean, Of<double> auto peak_over_mean) {
  return cited("definition: peak = mean * peak_over_mean", mean * peak_over_mean);
}

constexpr auto mean_of_peak(Of<PerSecond> auto peak, Of<double> auto peak_over_mean) {
  return cited("definition: peak = mean * peak_over_mean", peak / peak_over_mean);
}

/// Of a request whose answer is as late as the limits allow. Both limits are there.
template <class Tracer>
Known<Tracer, Seconds> request_at_limits(Tracer& trace, const ServingNeed& need) {
  const auto after_first =
      named("plan.tokens_after_first", max(0.0, trace.input("/output_tokens", need.output_tokens) - 1.0));
  return named("plan.request_at_limits",
               request_time(trace.input("/ttft_s_p95_max", seconds(*need.ttft_s_max)), after_first,
                            trace.input("/tpot_s_p95_max", seconds(*need.tpot_s_max))));
}

}  // namespace plan_detail

template <class Tracer>
std::optional<Known<Tracer, PerSecond>> mean_requests(Tracer& trace, const ServingNeed& need);

/// Inside the scope of the workload.
template <class Tracer>
Known<Tracer, PerSecond> peak_requests(Tracer& trace, const ServingNeed& need) {
  const LoadNeed& load = need.load;
  if (load.users)
    return named(
        "plan.requests_of_users",
        plan_detail::requests_of_users(trace.input("/users", *load.users), plan_detail::request_at_limits(trace, need),
                                       trace.input("/think_time_s", seconds(load.think_time_s))));
  if (load.tokens_per_day)
    return named("plan.peak_requests",
                 plan_detail::peak_of_mean(*mean_requests(trace, need),
                                           trace.input("/peak_over_mean", load.peak_over_mean.value_or(1))));
  return trace.input("/peak_requests_per_s", per_second(need.peak_requests_per_s));
}

/// Inside the scope of the workload. Absent: as the peak.
template <class Tracer>
std::optional<Known<Tracer, PerSecond>> mean_requests(Tracer& trace, const ServingNeed& need) {
  const LoadNeed& load = need.load;
  if (load.tokens_per_day)
    return named("plan.requests_of_tokens",
                 plan_detail::requests_of_tokens(trace.input("/tokens_per_day", *load.tokens_per_day),
                                                 trace.input("/input_tokens", need.input_tokens),
                                                 trace.input("/output_tokens", need.output_tokens)));
  if (load.peak_over_mean)
    return named("plan.mean_requests", plan_detail::mean_of_peak(peak_requests(trace, need),
                                                                 trace.input("/peak_over_mean", *load.peak_over_mean)));
  if (!need.mean_requests_per_s) return std::nullopt;
  return trace.input("/mean_requests_per_s", per_second(*need.mean_requests_per_s));
}

/// The same load in each of the ways in which it can be given.
template <class Tracer>
struct AskedLoad {
  Known<Tracer, PerSecond> peak{};
  Known<Tracer, PerSecond> mean{};
  std::optional<Known<Tracer, double>> users;  ///< at the peak; absent without limits on both latencies
  Known<Tracer, double> tokens_per_day{};
  std::optional<Known<Tracer, double>> peak_over_mean;  ///< absent where the mean is 0
};

/// Inside the scope of the workload.
template <class Tracer>
AskedLoad<Tracer> asked_load(Tracer& trace, const ServingNeed& need) {
  AskedLoad<Tracer> load;
  load.peak = peak_requests(trace, need);
  const auto mean = mean_requests(trace, need);
  load.mean = mean ? *mean : load.peak;
  if (need.load.peak_over_mean)
    load.peak_over_mean = trace.input("/peak_over_mean", *need.load.peak_over_mean);
  else if (value_of(load.mean) > per_second(0))
    load.peak_over_mean = named("plan.peak_over_mean", load.peak / load.mean);
  if (need.ttft_s_max && need.tpot_s_max)
    load.users = need.load.users
                     ? trace.input("/users", *need.load.users)
                     : named("plan.users", plan_detail::users_of_requests(
                                               load.peak, plan_detail::request_at_limits(trace, need),
                                               trace.input("/think_time_s", seconds(need.load.think_time_s))));
  load.tokens_per_day =
      need.load.tokens_per_day
          ? trace.input("/tokens_per_day", *need.load.tokens_per_day)
          : named("plan.tokens_per_day",
                  plan_detail::tokens_of_requests(load.mean, trace.input("/input_tokens", need.input_tokens),
                                                  trace.input("/output_tokens", need.output_tokens)));
  return load;
}

}  // namespace podwright
