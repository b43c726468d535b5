#pragma once
/// Equations of how far requests scatter around their mean latency. A scatter is a squared coefficient of variation.
/// Derivation and limits: docs/method/percentiles.md.
#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Share of a lane's time that goes into prompts, from what one prompt adds to an engine's cycle, in which every
/// sequence's prompt comes once. 0 to below 1.
constexpr double share_of_prompts(double sequences, Seconds prompt, Seconds cycle) {
  return sequences * prompt / cycle;
}
inline constexpr Formula<share_of_prompts> kShareOfPrompts{.id = "perf.share_of_prompts",
                                                           .inputs = {"sequences", "prompt", "cycle"},
                                                           .equation = "sequences * prompt / cycle",
                                                           .source = "docs/method/percentiles.md#steps"};

/// Squared coefficient of variation of a step's time when prompts come at random: a longer step gathers more of them,
/// which makes the next one longer too. `dispersion` = 1 + squared coefficient of variation of the prompts' lengths.
constexpr double step_scatter(double prompt_share, double dispersion, double prompts_per_step) {
  return prompt_share * prompt_share * dispersion / (prompts_per_step * (1.0 - prompt_share * prompt_share));
}
inline constexpr Formula<step_scatter> kStepScatter{
    .id = "perf.step_scatter",
    .inputs = {"prompt_share", "dispersion", "prompts_per_step"},
    .equation = "prompt_share^2 * dispersion / (prompts_per_step * (1 - prompt_share^2))",
    .source = "docs/method/percentiles.md#steps"};

/// No quantity between `least` and `most` scatters more around its mean.
constexpr double largest_scatter(Seconds mean, Seconds least, Seconds most) {
  return (most / mean - 1.0) * (1.0 - least / mean);
}
inline constexpr Formula<largest_scatter> kLargestScatter{.id = "perf.largest_scatter",
                                                          .inputs = {"mean", "least", "most"},
                                                          .equation = "(most / mean - 1) * (1 - least / mean)",
                                                          .source =
                                                              "Bhatia and Davis 2000, a better bound on the "
                                                              "variance"};

/// Mean of a request's own steps, which follow each other with correlation `prompt_share`; short answers average over
/// few of them.
constexpr double mean_step_scatter(double prompt_share, double step_scatter, double output_cv, double steps) {
  return (1.0 + prompt_share) / (1.0 - prompt_share) * step_scatter * (1.0 + output_cv * output_cv) / steps;
}
inline constexpr Formula<mean_step_scatter> kMeanStepScatter{
    .id = "perf.mean_step_scatter",
    .inputs = {"prompt_share", "step_scatter", "output_cv", "steps"},
    .equation = "(1 + prompt_share) / (1 - prompt_share) * step_scatter * (1 + output_cv^2) / steps",
    .source = "docs/method/percentiles.md#time-per-output-token"};

/// The number in flight of an open load varies as a Poisson number, slowly: averaged over one request's time two thirds
/// of its variance are left. `growing_share` of a step's time grows with it.
constexpr double population_scatter(double growing_share, double sequences) {
  return growing_share * growing_share * 2.0 / (3.0 * sequences);
}
inline constexpr Formula<population_scatter> kPopulationScatter{
    .id = "perf.population_scatter",
    .inputs = {"growing_share", "sequences"},
    .equation = "growing_share^2 * 2 / (3 * sequences)",
    .source = "docs/method/percentiles.md#time-per-output-token"};

/// Mean time until the running step ends, seen by a request that comes at any moment.
constexpr Seconds residual_mean(Seconds step, double scatter) { return step * (1.0 + scatter) / 2.0; }
inline constexpr Formula<residual_mean> kResidualMean{.id = "perf.residual_mean",
                                                      .inputs = {"step", "scatter"},
                                                      .equation = "step * (1 + scatter) / 2",
                                                      .source = "residual of a renewal, Feller 1971 XI.4"};

/// Variance of that time over the squared mean step; the third moment is that of a lognormal.
constexpr double residual_variance(double scatter) {
  return (1.0 + scatter) * (1.0 + scatter) * (1.0 + scatter) / 3.0 - (1.0 + scatter) * (1.0 + scatter) / 4.0;
}
inline constexpr Formula<residual_variance> kResidualVariance{.id = "perf.residual_variance",
                                                              .inputs = {"scatter"},
                                                              .equation = "(1 + scatter)^3 / 3 - (1 + scatter)^2 / 4",
                                                              .source = "residual of a renewal, Feller 1971 XI.4"};

/// Wait of those that must wait, with Poisson arrivals at `servers` places that are busy a share `load` of the time.
constexpr Seconds wait_of_waiting(Seconds service, double servers, double load, double service_cv) {
  return service * (1.0 + service_cv * service_cv) / (2.0 * servers * (1.0 - load));
}
inline constexpr Formula<wait_of_waiting> kWaitOfWaiting{
    .id = "perf.wait_of_waiting",
    .inputs = {"service", "servers", "load", "service_cv"},
    .equation = "service * (1 + service_cv^2) / (2 * servers * (1 - load))",
    .source = "Sakasegawa 1977, approximation of the mean queue size of M/G/s"};

/// The same where a place serves the slower the more of them are taken: `stable` is the rate that all places together
/// complete, `rate` what comes.
constexpr Seconds wait_below_stable(PerSecond rate, PerSecond stable, double replicas, double service_cv) {
  return replicas * (1.0 + service_cv * service_cv) / (2.0 * (stable - rate));
}
inline constexpr Formula<wait_below_stable> kWaitBelowStable{
    .id = "perf.wait_below_stable",
    .inputs = {"rate", "stable", "replicas", "service_cv"},
    .equation = "replicas * (1 + service_cv^2) / (2 * (stable - rate))",
    .source = "Sakasegawa 1977, approximation of the mean queue size of M/G/s"};

/// A part `waiting` of the requests waits a time that is exponential with the mean `wait`.
constexpr Seconds mean_wait(double waiting, Seconds wait) { return waiting * wait; }
inline constexpr Formula<mean_wait> kMeanWait{.id = "perf.mean_wait",
                                              .inputs = {"waiting", "wait"},
                                              .equation = "waiting * wait",
                                              .source =
                                                  "Sakasegawa 1977, approximation of the mean queue size of "
                                                  "M/G/s"};

/// First token and all that follow: squared coefficient of variation of the time after the first token.
constexpr double product_scatter(double length_scatter, double time_scatter) {
  return (1.0 + length_scatter) * (1.0 + time_scatter) - 1.0;
}
inline constexpr Formula<product_scatter> kProductScatter{.id = "perf.product_scatter",
                                                          .inputs = {"length_scatter", "time_scatter"},
                                                          .equation = "(1 + length_scatter) * (1 + time_scatter) - 1",
                                                          .source = "variance of a product of independent quantities"};

/// Time of a request, from its parts.
constexpr Seconds request_time(Seconds first_token, double after_first, Seconds per_output_token) {
  return first_token + after_first * per_output_token;
}
inline constexpr Formula<request_time> kRequestTime{
    .id = "perf.request_time",
    .inputs = {"first_token", "after_first", "per_output_token"},
    .equation = "first_token + after_first * per_output_token",
    .source = "definition: request = ttft + (output_tokens - 1) * tpot"};

/// Longer by what must be computed again: `recomputed` is a share of the tokens that prompts bring.
constexpr Seconds prompt_with_recompute(Seconds prompt, double recomputed) { return prompt * (1.0 + recomputed); }
inline constexpr Formula<prompt_with_recompute> kPromptWithRecompute{.id = "perf.prompt_with_recompute",
                                                                     .inputs = {"prompt", "recomputed"},
                                                                     .equation = "prompt * (1 + recomputed)",
                                                                     .source = "docs/method/percentiles.md#preemption"};

}  // namespace podwright
