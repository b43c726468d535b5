#pragma once
/// Equations of the factors by which engines, generations of GPUs and exchanges differ.
/// docs/method/serving_time.md#factors.
#include <algorithm>

#include "base/arithmetic.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// Factor of an engine and of the period of its version, both told as logarithms.
auto engine_factor(Of<double> auto of_engine, Of<double> auto of_period) {
  return cited("docs/method/serving_time.md#engines", math::exp(of_engine + of_period));
}

constexpr auto factor_product(Of<double> auto factor, Of<double> auto other) {
  return cited("docs/method/serving_time.md#factors", factor * other);
}

/// On a rate, from that on the times.
constexpr auto rate_factor(Of<double> auto time_factor) { return 1.0 / time_factor; }

/// A figure of an engine: the constant that all share and the engine's own factor.
constexpr auto engine_time(Of<Seconds> auto constant, Of<double> auto factor) {
  return cited("docs/method/serving_time.md#engines", constant * factor);
}

/// Start of a layer of experts, against the layers of 256 experts that the constant is told for.
auto expert_start_factor(Of<double> auto starts, Of<double> auto experts, Of<double> auto power) {
  return cited("docs/method/serving_time.md#experts", starts * math::pow(experts / 256.0, power));
}

/// Tokens that choose their experts independently of each other: those of a text choose alike.
constexpr auto independent_tokens(Of<double> auto tokens, Of<double> auto routing_spread) {
  return cited("docs/method/serving_time.md#experts", max(1.0, tokens * routing_spread));
}

/// Work of the hosts in each step. `streamed` is the share of it that remains where no client waits for single tokens.
constexpr auto host_step_time(Of<double> auto stages, Of<double> auto streamed, Of<Seconds> auto host_step,
                              Of<Seconds> auto per_stage) {
  return cited("docs/method/serving_time.md#layers", stages * (streamed * host_step + per_stage));
}

}  // namespace podwright
