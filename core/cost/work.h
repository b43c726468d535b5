#pragma once
/// Cost, energy and machines for a unit of work: tokens, requests, training runs.
#include <optional>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "cost/cloud_cost.h"
#include "cost/hybrid.h"
#include "cost/rent.h"

namespace podwright {

/// Tokens per second from each megawatt at the meter.
constexpr auto tokens_per_s_per_megawatt(Of<PerSecond> auto tokens_per_s, Of<Watts> auto power) {
  return tokens_per_s * seconds(1) / (power / watts(1e6));
}

/// Instances of a model that hold the peak.
auto instances_for_peak(Of<PerSecond> auto peak_requests_per_s, Of<PerSecond> auto requests_per_s_per_instance) {
  return cited("docs/method/ownership.md#work", ceil(peak_requests_per_s / requests_per_s_per_instance));
}

// A rate of money per unit of work. Input, output and all tokens are three prices of the same bill and never added.

/// Price of a thousand requests at a sustained rate of the whole deployment.
constexpr auto thousand_request_price(Of<UsdPerSecond> auto rent, Of<PerSecond> auto requests_per_s) {
  return cited("docs/method/cloud_cost.md#work", rent / requests_per_s * 1e3);
}

/// Price of a training run: GPU time that moves it on, over the share of time in which work moves on.
constexpr auto run_price(Of<UsdPerSecond> auto price_per_gpu, Of<Seconds> auto gpu_time, Of<double> auto goodput) {
  return cited("docs/method/cloud_cost.md#work", price_per_gpu * gpu_time / goodput);
}

/// What the GPUs do while they are in use, all of them together.
template <class Tracer>
struct WorkRates {
  template <class T>
  using Maybe = std::optional<Known<Tracer, T>>;
  Maybe<PerSecond> input_tokens;
  Maybe<PerSecond> output_tokens;
  Maybe<PerSecond> requests;
  Maybe<Seconds> run_gpu_time;  ///< of one training run without failures
  Maybe<double> run_goodput;    ///< with it, or the run has no price
};

/// Absent where the rate is.
template <class Tracer>
struct WorkPrices {
  using Price = std::optional<Known<Tracer, Usd>>;
  Price million_output_tokens;
  Price million_input_tokens;
  Price million_tokens;  ///< input and output together
  Price thousand_requests;
  Price training_run;
};

/// `per_used_gpu` is what an hour of use of one GPU costs, everything counted.
template <class Tracer>
WorkPrices<Tracer> work_prices(const Known<Tracer, UsdPerSecond>& per_used_gpu, const Known<Tracer, double>& gpu_count,
                               const WorkRates<Tracer>& work) {
  WorkPrices<Tracer> prices;
  const auto rate = named("cost.rate_in_use", gpu_count * per_used_gpu);
  if (work.output_tokens)
    prices.million_output_tokens = named("cost.million_output_tokens", million_token_price(rate, *work.output_tokens));
  if (work.input_tokens)
    prices.million_input_tokens = named("cost.million_input_tokens", million_token_price(rate, *work.input_tokens));
  if (work.input_tokens && work.output_tokens)
    prices.million_tokens =
        named("cost.million_tokens",
              million_token_price(rate, named("cost.tokens_per_s", *work.input_tokens + *work.output_tokens)));
  if (work.requests)
    prices.thousand_requests = named("cost.thousand_requests", thousand_request_price(rate, *work.requests));
  if (work.run_gpu_time && work.run_goodput)
    prices.training_run = named("cost.training_run", run_price(per_used_gpu, *work.run_gpu_time, *work.run_goodput));
  return prices;
}

}  // namespace podwright
