#pragma once
/// Percentiles over requests in closed form: mean and variance of a latency from the physics of a lane, then a
/// lognormal of the same two. A scatter is a squared coefficient of variation. Also what engines compute a second time
/// that admit a sequence before its last token has room. docs/method/percentiles.md.
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/arithmetic.h"
#include "base/math.h"
#include "base/units.h"
#include "catalog/catalog.h"
#include "memory/serving_run.h"

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

/// Mean square of that time over the squared mean step; the third moment is that of a lognormal.
constexpr double residual_square(double scatter) { return (1.0 + scatter) * (1.0 + scatter) * (1.0 + scatter) / 3.0; }

/// Variance of that time over the squared mean step.
constexpr double residual_variance(double scatter) {
  return residual_square(scatter) - (1.0 + scatter) * (1.0 + scatter) / 4.0;
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

inline constexpr const char* kPercentilePage = "docs/method/percentiles.md";

enum class Percentile { mean, p50, p90, p95, p99 };
inline constexpr std::array<Percentile, 4> kPercentiles{Percentile::p50, Percentile::p90, Percentile::p95,
                                                        Percentile::p99};
struct PercentileFacts {
  std::string_view word;   ///< empty for the mean
  double normal_quantile;  ///< of the standard normal distribution; 0 for the mean, which is no quantile
  double share_above;      ///< of the requests; 1 for the mean
};
constexpr PercentileFacts facts_of(Percentile percentile) {
  constexpr std::array<PercentileFacts, 5> kFacts{{{"", 0, 1},
                                                   {"p50", 0, 0.5},
                                                   {"p90", 1.2815515655446004, 0.1},
                                                   {"p95", 1.6448536269514722, 0.05},
                                                   {"p99", 2.3263478740408408, 0.01}}};
  return kFacts[static_cast<std::size_t>(percentile)];
}

/// Quantile of a lognormal with this mean and scatter (squared coefficient of variation); the mean itself for `mean`.
double quantile_of(double mean, double scatter, Percentile percentile);
inline Seconds quantile_of(Seconds mean, double scatter, Percentile percentile) {
  return Seconds(quantile_of(mean.base_units(), scatter, percentile));
}

/// How requests come and differ.
struct Traffic {
  double input_cv = 0;   ///< coefficient of variation of the prompts' lengths
  double output_cv = 0;  ///< of the answers' lengths
  double even = 0;       ///< a stream_evenness()
  bool open = false;     ///< requests come at a rate; false: a fixed number of clients, each with one request
  double thinking = 0;   ///< share of a client's time without a request: their number in flight varies
};
Traffic traffic_of(const ServingRun& run);

/// Scatter of latencies that this model has no cause for, as coefficients of variation. Catalog: ttft-scatter and
/// tpot-scatter of operating_figures.csv; 0 where they are missing.
struct UnexplainedScatter {
  double ttft = 0;
  double tpot = 0;
};
UnexplainedScatter unexplained_scatter(const Catalog& catalog);

/// A part of the requests waits a time that is exponential.
struct Waiting {
  double waiting = 0;  ///< share of the requests, 0 to 1
  double wait = 0;     ///< s, mean of those that wait

  double mean() const {
    return cited("Sakasegawa 1977, approximation of the mean queue size of M/G/s", waiting * Seconds(wait))
        .base_units();
  }
  /// Quantile over all requests: 0 where fewer than its complement wait.
  double quantile(Percentile percentile) const;
};

/// One lane in steady state, in plain numbers. Times in seconds.
struct LaneRhythm {
  double sequences = 1;      ///< in flight in this lane
  double steps = 1;          ///< of one request, from admission
  double decode_step = 0;    ///< a step without prompts
  double mixed_step = 0;     ///< a step with prompts
  double prompt = 0;         ///< what one prompt adds to the lane
  double cycle = 0;          ///< of the engine, in which every sequence's prompt comes once
  double request = 0;        ///< from admission
  double first_token = 0;    ///< from admission
  double growing_share = 0;  ///< of a decode step's time, what grows with the sequences in flight
  double after_first = 0;    ///< output tokens behind the first
  double prompt_tokens = 0;  ///< of one request
  double prompt_room = 1;    ///< prompt tokens that one step takes
  double client = 0;         ///< of the first token: from the client to the engine and back
  double running = 0;        ///< share of the requests that find a step running
  Waiting line;              ///< of prompts that find no room in the next step
};

/// Wait for one of `servers` places; `load` is the share of the places that is taken, below 1. Diverges as the load
/// tends to 1. `even` is a stream_evenness().
Waiting open_wait(double service, double servers, double load, double service_cv, double even);

/// Squared coefficients of variation over requests.
struct LatencyScatter {
  double ttft = 0;
  double tpot = 0;
  double request = 0;
};

/// Scatter of one lane's requests, from their admission.
LatencyScatter latency_scatter(const LaneRhythm& lane, const Traffic& traffic, const UnexplainedScatter& unexplained);

/// The same for a static batch: everybody starts and ends together, so only lengths differ.
LatencyScatter static_scatter(const LaneRhythm& lane, const Traffic& traffic);

/// Percentiles in the order of kPercentiles.
template <class Tracer>
struct ServingPercentiles {
  using Times = std::array<Known<Tracer, Seconds>, 4>;
  Times ttft{};
  std::optional<Times> tpot;  ///< absent with fewer than two output tokens
  Times request{};
};

/// Tokens that preempted sequences must compute again, as a share of the prompts' tokens: what a pool of `tokens` lacks
/// on average while `sequences` grow independently of each other. 0 where `tokens` is 0: the pool admits whole lengths.
double recomputed_share(double tokens, double sequences, const ServingRun& run);

/// A sentence for people; empty where the share is below a thousandth.
std::string told_recompute(double share);

/// What one prompt adds to a lane, with its part of the tokens computed again. `sequences` share a pool of `tokens`.
template <class Tracer>
Known<Tracer, Seconds> with_recompute(Tracer& trace, double tokens, double sequences, const ServingRun& run,
                                      const Known<Tracer, Seconds>& prompt) {
  if (tokens <= 0) return prompt;
  const double share = recomputed_share(tokens, sequences, run);
  if (share <= 0) return prompt;
  const auto recomputed = trace.method("perf.recomputed_share", share, "docs/method/percentiles.md#preemption");
  return named("perf.prompt_with_recompute", prompt_with_recompute(prompt, recomputed));
}

}  // namespace podwright
