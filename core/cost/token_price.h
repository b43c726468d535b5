#pragma once
/// Prices of a million tokens, told apart by what is counted.
#include "base/arithmetic.h"
#include "base/trace.h"
#include "cost/rental.h"

namespace podwright {

/// Steady rates of the whole deployment, all above 0.
template <class Tracer>
struct TokenRates {
  typename Tracer::template Known<PerSecond> input;
  typename Tracer::template Known<PerSecond> output;
  typename Tracer::template Known<PerSecond> total;
};

/// Each divides all of the cost by one kind of token, so they stand beside each other and are never added.
template <class Tracer>
struct TokenPrices {
  typename Tracer::template Known<Usd> input;
  typename Tracer::template Known<Usd> output;
  typename Tracer::template Known<Usd> total;
};

/// `cost` of the whole deployment, owned or rented.
template <class Tracer>
TokenPrices<Tracer> token_prices(const typename Tracer::template Known<UsdPerSecond>& cost,
                                 const TokenRates<Tracer>& rates) {
  return {.input = named("cost.million_input_tokens", million_token_price(cost, rates.input)),
          .output = named("cost.million_output_tokens", million_token_price(cost, rates.output)),
          .total = named("cost.million_tokens", million_token_price(cost, rates.total))};
}

}  // namespace podwright
