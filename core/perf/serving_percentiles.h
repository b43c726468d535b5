#pragma once
/// Percentiles over requests in closed form: mean and variance of a latency from the physics of a lane, then a
/// lognormal of the same two. docs/method/percentiles.md.
#include <array>
#include <optional>

#include "base/math.h"
#include "base/units.h"
#include "catalog/catalog.h"
#include "memory/serving_run.h"
#include "perf/latency_scatter.h"

namespace podwright {

inline constexpr const char* kPercentilePage = "docs/method/percentiles.md";

enum class Percentile { mean, p50, p90, p95, p99 };
inline constexpr std::array<Percentile, 4> kPercentiles{Percentile::p50, Percentile::p90, Percentile::p95,
                                                        Percentile::p99};
/// Quantile of the standard normal distribution; 0 for the mean, which is no quantile.
constexpr double normal_quantile(Percentile percentile) {
  switch (percentile) {
    case Percentile::p90:
      return 1.2815515655446004;
    case Percentile::p95:
      return 1.6448536269514722;
    case Percentile::p99:
      return 2.3263478740408408;
    default:
      return 0;
  }
}

/// Share of the requests above the percentile; 1 for the mean.
constexpr double share_above(Percentile percentile) {
  switch (percentile) {
    case Percentile::p50:
      return 0.5;
    case Percentile::p90:
      return 0.1;
    case Percentile::p95:
      return 0.05;
    case Percentile::p99:
      return 0.01;
    default:
      return 1;
  }
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
  bool open = false;     ///< Poisson arrivals at a rate; false: a fixed number of clients, each with one request
};
Traffic traffic_of(const ServingRun& run);

/// Scatter of latencies that this model has no cause for, as coefficients of variation. Catalog: ttft-scatter and
/// tpot-scatter of operating_figures.csv; 0 where they are missing.
struct UnexplainedScatter {
  double ttft = 0;
  double tpot = 0;
};
UnexplainedScatter unexplained_scatter(const Catalog& catalog);

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
};

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

/// Wait for one of `servers` places with Poisson arrivals; `load` is the share of the places that is taken, below 1.
/// Diverges as the load tends to 1.
Waiting open_wait(double service, double servers, double load, double service_cv);

/// Wait of the prompts that find the next step full.
Waiting prompt_wait(const LaneRhythm& lane, const Traffic& traffic);

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
  using Times = std::array<typename Tracer::template Known<Seconds>, 4>;
  Times ttft{};
  std::optional<Times> tpot;  ///< absent with fewer than two output tokens
  Times request{};
};

}  // namespace podwright
