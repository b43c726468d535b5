#pragma once
/// Equations of the factors by which engines, generations of GPUs and exchanges differ.
/// docs/method/serving_time.md#factors.
#include <algorithm>

#include "base/formula.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// Factor of an engine and of the period of its version, both told as logarithms.
inline double engine_factor(double of_engine, double of_period) { return math::exp(of_engine + of_period); }
inline constexpr Formula<engine_factor> kEngineFactor{.id = "perf.engine_factor",
                                                      .inputs = {"of_engine", "of_period"},
                                                      .equation = "exp(of_engine + of_period)",
                                                      .source = "docs/method/serving_time.md#engines"};

constexpr double factor_product(double factor, double other) { return factor * other; }
inline constexpr Formula<factor_product> kFactorProduct{.id = "perf.factor_product",
                                                        .inputs = {"factor", "other"},
                                                        .equation = "factor * other",
                                                        .source = "docs/method/serving_time.md#factors"};

/// On a rate, from that on the times.
constexpr double rate_factor(double time_factor) { return 1.0 / time_factor; }
inline constexpr Formula<rate_factor> kRateFactor{
    .id = "perf.rate_factor", .inputs = {"time_factor"}, .equation = "1 / time_factor", .source = "definition"};

/// A figure of an engine: the constant that all share and the engine's own factor.
constexpr Seconds engine_time(Seconds constant, double factor) { return constant * factor; }
inline constexpr Formula<engine_time> kEngineTime{.id = "perf.engine_time",
                                                  .inputs = {"constant", "factor"},
                                                  .equation = "constant * factor",
                                                  .source = "docs/method/serving_time.md#engines"};

/// Start of a layer of experts, against the layers of 256 experts that the constant is told for.
inline double expert_start_factor(double starts, double experts, double power) {
  return starts * math::pow(experts / 256.0, power);
}
inline constexpr Formula<expert_start_factor> kExpertStartFactor{.id = "perf.expert_start_factor",
                                                                 .inputs = {"starts", "experts", "power"},
                                                                 .equation = "starts * (experts / 256) ^ power",
                                                                 .source = "docs/method/serving_time.md#experts"};

/// Tokens that choose their experts independently of each other: those of a text choose alike.
constexpr double independent_tokens(double tokens, double routing_spread) {
  return std::max(1.0, tokens * routing_spread);
}
inline constexpr Formula<independent_tokens> kIndependentTokens{.id = "perf.independent_tokens",
                                                                .inputs = {"tokens", "routing_spread"},
                                                                .equation = "max(1, tokens * routing_spread)",
                                                                .source = "docs/method/serving_time.md#experts"};

/// Work of the hosts in each step. `streamed` is the share of it that remains where no client waits for single tokens.
constexpr Seconds host_step_time(double stages, double streamed, Seconds host_step, Seconds per_stage) {
  return stages * (streamed * host_step + per_stage);
}
inline constexpr Formula<host_step_time> kHostStepTime{.id = "perf.host_step_time",
                                                       .inputs = {"stages", "streamed", "host_step", "per_stage"},
                                                       .equation = "stages * (streamed * host_step + per_stage)",
                                                       .source = "docs/method/serving_time.md#layers"};

}  // namespace podwright
