#pragma once
/// A rate of money per unit of work. Input, output and all tokens are three prices of the same bill and never added.
#include <optional>

#include "base/trace.h"
#include "cost/cloud_formulas.h"
#include "cost/hybrid.h"
#include "cost/rental.h"

namespace podwright {

/// Price of a thousand requests at a sustained rate of the whole deployment.
constexpr Usd thousand_request_price(UsdPerSecond rent, PerSecond requests_per_s) {
  return rent / requests_per_s * 1e3;
}
inline constexpr Formula<thousand_request_price> kThousandRequestPrice{.id = "cost.thousand_request_price",
                                                                       .inputs = {"rent", "requests_per_s"},
                                                                       .equation = "rent / requests_per_s * 1000",
                                                                       .source = "docs/method/cloud_cost.md#work"};

/// Price of a training run: GPU time that moves it on, over the share of time in which work moves on.
constexpr Usd run_price(UsdPerSecond price_per_gpu, Seconds gpu_time, double goodput) {
  return price_per_gpu * gpu_time / goodput;
}
inline constexpr Formula<run_price> kRunPrice{.id = "cost.run_price",
                                              .inputs = {"price_per_gpu", "gpu_time", "goodput"},
                                              .equation = "price_per_gpu * gpu_time / goodput",
                                              .source = "docs/method/cloud_cost.md#work"};

/// All tokens that a deployment reads and writes.
constexpr PerSecond all_tokens(PerSecond input_tokens_per_s, PerSecond output_tokens_per_s) {
  return input_tokens_per_s + output_tokens_per_s;
}
inline constexpr Formula<all_tokens> kAllTokens{.id = "cost.all_tokens",
                                                .inputs = {"input_tokens_per_s", "output_tokens_per_s"},
                                                .equation = "input_tokens_per_s + output_tokens_per_s",
                                                .source = "definition"};

/// What the GPUs do while they are in use, all of them together.
template <class Tracer>
struct WorkRates {
  template <class T>
  using Maybe = std::optional<typename Tracer::template Known<T>>;
  Maybe<PerSecond> input_tokens;
  Maybe<PerSecond> output_tokens;
  Maybe<PerSecond> requests;
  Maybe<Seconds> run_gpu_time;  ///< of one training run without failures
  Maybe<double> run_goodput;    ///< with it, or the run has no price
};

/// Absent where the rate is.
template <class Tracer>
struct WorkPrices {
  using Price = std::optional<typename Tracer::template Known<Usd>>;
  Price million_output_tokens;
  Price million_input_tokens;
  Price million_tokens;  ///< input and output together
  Price thousand_requests;
  Price training_run;
};

/// `per_used_gpu` is what an hour of use of one GPU costs, everything counted.
template <class Tracer>
WorkPrices<Tracer> work_prices(Tracer& trace, const typename Tracer::template Known<UsdPerSecond>& per_used_gpu,
                               const typename Tracer::template Known<double>& gpu_count,
                               const WorkRates<Tracer>& work) {
  WorkPrices<Tracer> prices;
  const auto rate = trace.step("cost.rate_in_use", kCostOfGpus, gpu_count, per_used_gpu);
  if (work.output_tokens)
    prices.million_output_tokens =
        trace.step("cost.million_output_tokens", kMillionTokenPrice, rate, *work.output_tokens);
  if (work.input_tokens)
    prices.million_input_tokens = trace.step("cost.million_input_tokens", kMillionTokenPrice, rate, *work.input_tokens);
  if (work.input_tokens && work.output_tokens)
    prices.million_tokens =
        trace.step("cost.million_tokens", kMillionTokenPrice, rate,
                   trace.step("cost.tokens_per_s", kAllTokens, *work.input_tokens, *work.output_tokens));
  if (work.requests)
    prices.thousand_requests = trace.step("cost.thousand_requests", kThousandRequestPrice, rate, *work.requests);
  if (work.run_gpu_time && work.run_goodput)
    prices.training_run =
        trace.step("cost.training_run", kRunPrice, per_used_gpu, *work.run_gpu_time, *work.run_goodput);
  return prices;
}

}  // namespace podwright
