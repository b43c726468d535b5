#pragma once
/// Models behind somebody else's interface, paid by the token. docs/method/cloud_cost.md#hosted. Prices are of a
/// million tokens.
#include <optional>

#include "base/formula.h"
#include "base/trace.h"
#include "base/units.h"
#include "cost/egress.h"

namespace podwright {

/// Mean price of input tokens where a share of them is found in the provider's cache.
constexpr Usd input_token_price(Usd input, Usd cached_input, double cached_share) {
  return (1.0 - cached_share) * input + cached_share * cached_input;
}
inline constexpr Formula<input_token_price> kInputTokenPrice{
    .id = "cost.input_token_price",
    .inputs = {"input", "cached_input", "cached_share"},
    .equation = "(1 - cached_share) * input + cached_share * cached_input",
    .source = "docs/method/cloud_cost.md#hosted"};

/// Mean price over input and output tokens.
constexpr Usd blended_token_price(Usd mean_input, Usd output, double output_share, double discount) {
  return (1.0 - discount) * ((1.0 - output_share) * mean_input + output_share * output);
}
inline constexpr Formula<blended_token_price> kBlendedTokenPrice{
    .id = "cost.blended_token_price",
    .inputs = {"mean_input", "output", "output_share", "discount"},
    .equation = "(1 - discount) * ((1 - output_share) * mean_input + output_share * output)",
    .source = "docs/method/cloud_cost.md#hosted"};

/// Money per time for a flow of tokens.
constexpr UsdPerSecond token_bill(Usd million_tokens, PerSecond tokens_per_s) {
  return million_tokens * tokens_per_s / 1e6;
}
inline constexpr Formula<token_bill> kTokenBill{.id = "cost.token_bill",
                                                .inputs = {"million_tokens", "tokens_per_s"},
                                                .equation = "million_tokens * tokens_per_s / 1000000",
                                                .source = "docs/method/cloud_cost.md#hosted"};

/// Price of a thousand requests, each with so many tokens.
constexpr Usd thousand_requests_of_tokens(double input_tokens, Usd mean_input, double output_tokens, Usd output) {
  return (input_tokens * mean_input + output_tokens * output) / 1e3;
}
inline constexpr Formula<thousand_requests_of_tokens> kThousandRequestsOfTokens{
    .id = "cost.thousand_requests_of_tokens",
    .inputs = {"input_tokens", "mean_input", "output_tokens", "output"},
    .equation = "(input_tokens * mean_input + output_tokens * output) / 1000",
    .source = "docs/method/cloud_cost.md#hosted"};

constexpr Usd discounted_bill(Usd bill, double discount) { return bill * (1.0 - discount); }
inline constexpr Formula<discounted_bill> kDiscountedBill{.id = "cost.discounted_bill",
                                                          .inputs = {"bill", "discount"},
                                                          .equation = "bill * (1 - discount)",
                                                          .source = "docs/method/cloud_cost.md#hosted"};

/// A number of tokens per month of 730 hours as a flow.
constexpr PerSecond monthly_flow(double tokens_per_month) { return tokens_per_month / kMonth; }
inline constexpr Formula<monthly_flow> kMonthlyFlow{.id = "cost.monthly_flow",
                                                    .inputs = {"tokens_per_month"},
                                                    .equation = "tokens_per_month / 2628000",
                                                    .source = "definition"};

/// Mean flow of work that is there only part of the time.
constexpr PerSecond mean_flow(PerSecond tokens_per_s, double utilization) { return tokens_per_s * utilization; }
inline constexpr Formula<mean_flow> kMeanFlow{.id = "cost.mean_flow",
                                              .inputs = {"tokens_per_s", "utilization"},
                                              .equation = "tokens_per_s * utilization",
                                              .source = "definition"};

/// Share of all tokens that is written.
constexpr double output_share(PerSecond input_tokens_per_s, PerSecond output_tokens_per_s) {
  return output_tokens_per_s / (input_tokens_per_s + output_tokens_per_s);
}
inline constexpr Formula<output_share> kOutputShare{
    .id = "cost.output_share",
    .inputs = {"input_tokens_per_s", "output_tokens_per_s"},
    .equation = "output_tokens_per_s / (input_tokens_per_s + output_tokens_per_s)",
    .source = "definition"};

template <class Tracer>
struct HostedInputs {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<Usd> input{};
  Known<Usd> cached_input{};
  Known<Usd> output{};
  Known<double> output_share{};
  Known<double> cached_share{};
  Known<double> discount{};
  std::optional<Known<PerSecond>> tokens_per_s;  ///< input and output together, mean over the year
  std::optional<Known<double>> request_input_tokens;
  std::optional<Known<double>> request_output_tokens;  ///< with the input's, or requests have no price
};

template <class Tracer>
struct HostedCost {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<Usd> million_tokens{};
  std::optional<Known<UsdPerSecond>> rate;  ///< absent without a number of tokens
  std::optional<Known<Usd>> thousand_requests;
};

template <class Tracer>
HostedCost<Tracer> hosted_cost(Tracer& trace, const HostedInputs<Tracer>& in) {
  const auto mean_input = trace.step("cost.hosted_input", kInputTokenPrice, in.input, in.cached_input, in.cached_share);
  HostedCost<Tracer> cost;
  cost.million_tokens =
      trace.step("cost.hosted_million_tokens", kBlendedTokenPrice, mean_input, in.output, in.output_share, in.discount);
  if (in.tokens_per_s) cost.rate = trace.step("cost.hosted", kTokenBill, cost.million_tokens, *in.tokens_per_s);
  if (in.request_input_tokens && in.request_output_tokens)
    cost.thousand_requests =
        trace.step("cost.hosted_thousand_requests", kDiscountedBill,
                   trace.step("cost.hosted_thousand_list", kThousandRequestsOfTokens, *in.request_input_tokens,
                              mean_input, *in.request_output_tokens, in.output),
                   in.discount);
  return cost;
}

}  // namespace podwright
