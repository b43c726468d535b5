#pragma once
/// Models behind someone else's interface, paid by the token. docs/method/cloud_cost.md#hosted. Prices are of a
/// million tokens.
#include <optional>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "cost/cloud_data.h"

namespace podwright {

/// Mean price of input tokens where a share of them is found in the provider's cache.
constexpr auto input_token_price(Of<Usd> auto input, Of<Usd> auto cached_input, Of<double> auto cached_share) {
  return cited("docs/method/cloud_cost.md#hosted", (1.0 - cached_share) * input + cached_share * cached_input);
}

/// Mean price over input and output tokens.
constexpr auto blended_token_price(Of<Usd> auto mean_input, Of<Usd> auto output, Of<double> auto output_share,
                                   Of<double> auto discount) {
  return cited("docs/method/cloud_cost.md#hosted",
               (1.0 - discount) * ((1.0 - output_share) * mean_input + output_share * output));
}

/// Money per time for a flow of tokens.
constexpr auto token_bill(Of<Usd> auto million_tokens, Of<PerSecond> auto tokens_per_s) {
  return cited("docs/method/cloud_cost.md#hosted", million_tokens * tokens_per_s / 1e6);
}

/// Price of a thousand requests, each with a given number of tokens.
constexpr auto thousand_requests_of_tokens(Of<double> auto input_tokens, Of<Usd> auto mean_input,
                                           Of<double> auto output_tokens, Of<Usd> auto output) {
  return cited("docs/method/cloud_cost.md#hosted", (input_tokens * mean_input + output_tokens * output) / 1e3);
}

constexpr auto discounted_bill(Of<Usd> auto bill, Of<double> auto discount) {
  return cited("docs/method/cloud_cost.md#hosted", bill * (1.0 - discount));
}

/// A number of tokens per month of 730 hours as a flow.
constexpr auto monthly_flow(Of<double> auto tokens_per_month) { return tokens_per_month / kMonth; }

/// Share of all tokens that is written.
constexpr auto output_share(Of<PerSecond> auto input_tokens_per_s, Of<PerSecond> auto output_tokens_per_s) {
  return output_tokens_per_s / (input_tokens_per_s + output_tokens_per_s);
}

template <class Tracer>
struct HostedInputs {
  Known<Tracer, Usd> input{};
  Known<Tracer, Usd> cached_input{};
  Known<Tracer, Usd> output{};
  Known<Tracer, double> output_share{};
  Known<Tracer, double> cached_share{};
  Known<Tracer, double> discount{};
  std::optional<Known<Tracer, PerSecond>> tokens_per_s;  ///< input and output together, mean over the year
  std::optional<Known<Tracer, double>> request_input_tokens;
  std::optional<Known<Tracer, double>> request_output_tokens;  ///< with the input's, or requests have no price
};

template <class Tracer>
struct HostedCost {
  Known<Tracer, Usd> million_tokens{};
  std::optional<Known<Tracer, UsdPerSecond>> rate;  ///< absent without a number of tokens
  std::optional<Known<Tracer, Usd>> thousand_requests;
};

template <class Tracer>
HostedCost<Tracer> hosted_cost(const HostedInputs<Tracer>& in) {
  const auto mean_input = named("cost.hosted_input", input_token_price(in.input, in.cached_input, in.cached_share));
  HostedCost<Tracer> cost;
  cost.million_tokens =
      named("cost.hosted_million_tokens", blended_token_price(mean_input, in.output, in.output_share, in.discount));
  if (in.tokens_per_s) cost.rate = named("cost.hosted", token_bill(cost.million_tokens, *in.tokens_per_s));
  if (in.request_input_tokens && in.request_output_tokens)
    cost.thousand_requests =
        named("cost.hosted_thousand_requests",
              discounted_bill(
                  named("cost.hosted_thousand_list", thousand_requests_of_tokens(*in.request_input_tokens, mean_input,
                                                                                 *in.request_output_tokens, in.output)),
                  in.discount));
  return cost;
}

}  // namespace podwright
