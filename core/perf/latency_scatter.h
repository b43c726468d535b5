#pragma once
/// Equations of how far requests scatter around their mean latency. A scatter is a squared coefficient of variation.
/// Derivation and limits: docs/method/percentiles.md.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Share of a lane's time that goes into prompts, from what one prompt adds to an engine's cycle, in which every
/// sequence's prompt comes once. 0 to below 1.
constexpr auto share_of_prompts(Of<double> auto sequences, Of<Seconds> auto prompt, Of<Seconds> auto cycle) {
  return cited("docs/method/percentiles.md#steps", sequences * prompt / cycle);
}

/// Squared coefficient of variation of a step's time when prompts come at random: a longer step gathers more of them,
/// which makes the next one longer too. `dispersion` = 1 + squared coefficient of variation of the prompts' lengths.
constexpr auto step_scatter(Of<double> auto prompt_share, Of<double> auto dispersion,
                            Of<double> auto prompts_per_step) {
  return cited("docs/method/percentiles.md#steps",
               prompt_share * prompt_share * dispersion / (prompts_per_step * (1.0 - prompt_share * prompt_share)));
}

/// No quantity between `least` and `most` scatters more around its mean.
constexpr auto largest_scatter(Of<Seconds> auto mean, Of<Seconds> auto least, Of<Seconds> auto most) {
  return cited("Bhatia and Davis 2000, a better bound on the variance", (most / mean - 1.0) * (1.0 - least / mean));
}

/// Mean of a request's own steps, which follow each other with correlation `prompt_share`; short answers average over
/// few of them.
constexpr auto mean_step_scatter(Of<double> auto prompt_share, Of<double> auto step_scatter, Of<double> auto output_cv,
                                 Of<double> auto steps) {
  return cited("docs/method/percentiles.md#time-per-output-token",
               (1.0 + prompt_share) / (1.0 - prompt_share) * step_scatter * (1.0 + output_cv * output_cv) / steps);
}

/// The number in flight of an open load varies as a Poisson number, slowly: averaged over one request's time two thirds
/// of its variance are left. `growing_share` of a step's time grows with it.
constexpr auto population_scatter(Of<double> auto growing_share, Of<double> auto sequences) {
  return cited("docs/method/percentiles.md#time-per-output-token",
               growing_share * growing_share * 2.0 / (3.0 * sequences));
}

/// Mean time until the running step ends, seen by a request that comes at any moment.
constexpr auto residual_mean(Of<Seconds> auto step, Of<double> auto scatter) {
  return cited("residual of a renewal, Feller 1971 XI.4", step * (1.0 + scatter) / 2.0);
}

/// Variance of that time over the squared mean step; the third moment is that of a lognormal.
constexpr auto residual_variance(Of<double> auto scatter) {
  return cited("residual of a renewal, Feller 1971 XI.4",
               (1.0 + scatter) * (1.0 + scatter) * (1.0 + scatter) / 3.0 - (1.0 + scatter) * (1.0 + scatter) / 4.0);
}

/// Wait of those that must wait, with Poisson arrivals at `servers` places that are busy a share `load` of the time.
constexpr auto wait_of_waiting(Of<Seconds> auto service, Of<double> auto servers, Of<double> auto load,
                               Of<double> auto service_cv) {
  return cited("Sakasegawa 1977, approximation of the mean queue size of M/G/s",
               service * (1.0 + service_cv * service_cv) / (2.0 * servers * (1.0 - load)));
}

/// The same where a place serves the slower the more of them are taken: `stable` is the rate that all places together
/// complete, `rate` what comes.
constexpr auto wait_below_stable(Of<PerSecond> auto rate, Of<PerSecond> auto stable, Of<double> auto replicas,
                                 Of<double> auto service_cv) {
  return cited("Sakasegawa 1977, approximation of the mean queue size of M/G/s",
               replicas * (1.0 + service_cv * service_cv) / (2.0 * (stable - rate)));
}

/// First token and all that follow: squared coefficient of variation of the time after the first token.
constexpr auto product_scatter(Of<double> auto length_scatter, Of<double> auto time_scatter) {
  return cited("variance of a product of independent quantities", (1.0 + length_scatter) * (1.0 + time_scatter) - 1.0);
}

/// Time of a request, from its parts.
constexpr auto request_time(Of<Seconds> auto first_token, Of<double> auto after_first,
                            Of<Seconds> auto per_output_token) {
  return cited("definition: request = ttft + (output_tokens - 1) * tpot", first_token + after_first * per_output_token);
}

/// Longer by what must be computed again: `recomputed` is a share of the tokens that prompts bring.
constexpr auto prompt_with_recompute(Of<Seconds> auto prompt, Of<double> auto recomputed) {
  return cited("docs/method/percentiles.md#preemption", prompt * (1.0 + recomputed));
}

}  // namespace podwright
