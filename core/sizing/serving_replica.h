#pragma once
/// One replica of a deployment, asked for latencies at any number of sequences. The number is what is chosen
/// and the rate of requests what follows, so that no number of sequences is looked for. docs/method/search.md#serving.
#include <algorithm>
#include <optional>
#include <vector>

#include "perf/estimate_serving.h"
#include "sizing/latency_limit.h"
#include "sizing/serving_question.h"

namespace podwright::sizing {

/// Of what a replica completes with all places taken, the share of requests that a search loads it with at most: at the
/// stable rate itself the wait has no end.
inline constexpr double kShareOfStableRate = kStableRoom;

/// Halvings of a range of sequences in flight or of rates: to half a percent.
inline constexpr int kEdgeSteps = 11;

/// One replica with all that its speed depends on.
struct ReadyReplica {
  ServingRun run;
  ServingLimits<NoTrace> limits;
  EngineCosts<NoTrace> costs;
};
/// That of a deployment on `gpu`; absent where it has no room or a rate is missing. The catalog's own rates are asked.
std::optional<ReadyReplica> ready_replica(const ServingQuestion& question, const FoundDeployment& found,
                                          const Gpu& gpu);

class ServingReplica {
 public:
  struct Point {
    double sequences = 0;  ///< what is chosen: requests that come while one decodes
    double rate = 0;       ///< requests/s
    double in_flight = 0;  ///< at that rate
    LaneTimes<NoTrace> lane;
  };

  /// `run` has one replica, and outlives this; costs must be those of its layout.
  ServingReplica(const ServingRun& run, const EngineCosts<NoTrace>& costs, const ServingLimits<NoTrace>& limits,
                 const UnexplainedScatter& unexplained);

  /// Requests come to so many replicas like this one.
  void share_stream(double replicas) { run_.stream_replicas = replicas; }

  /// Sequences that complete the most: all that fit, or fewer where preemption costs more than the last bring.
  double places() const { return full_.sequences; }
  double stable_rate() const { return full_.rate; }
  const Point& full() const { return full_; }
  Point point_with(double sequences) const;
  /// The fewest sequences that are asked for: a request is then as good as alone.
  double least() const { return std::min(0.1, places() / 2); }
  /// Under a stream of requests that keeps the point's number in flight; its rate must be below the stable one.
  ServedLatency latency(const Point& point) const;
  bool within(const Point& point, const std::vector<LatencyLimit>& limits) const;
  /// The most in flight that the limits and the stable rate leave, on a grid of 2^`steps` equal ratios; absent where
  /// not even one sequence alone keeps them. A looser limit never gives fewer.
  std::optional<Point> most(const std::vector<LatencyLimit>& limits, int steps) const;

 private:
  const EngineCosts<NoTrace>& costs_;
  const ServingLimits<NoTrace>& limits_;
  const UnexplainedScatter& unexplained_;
  mutable ServingRun run_;  ///< its load is that of the point looked at
  Point full_;
};

}  // namespace podwright::sizing
