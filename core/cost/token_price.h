#pragma once
/// Prices of a million tokens, told apart by what is counted.
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
TokenPrices<Tracer> token_prices(Tracer& trace, const typename Tracer::template Known<UsdPerSecond>& cost,
                                 const TokenRates<Tracer>& rates) {
  return {.input = trace.step("cost.million_input_tokens", kMillionTokenPrice, cost, rates.input),
          .output = trace.step("cost.million_output_tokens", kMillionTokenPrice, cost, rates.output),
          .total = trace.step("cost.million_tokens", kMillionTokenPrice, cost, rates.total)};
}

}  // namespace podwright
