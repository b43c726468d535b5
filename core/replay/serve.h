#pragma once
/// The replay of one fully specified deployment. docs/method/replay.md.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perf/estimate_serving.h"
#include "replay/replay.h"

namespace podwright::replay {

/// A replay keeps the times of every request.
inline constexpr double kMostRequests = 2e6;

/// How a whole day is replayed: an hour before it to warm up, then the 24 from midnight.
struct ReplayDay {
  double requests_per_s = 0;  ///< mean of the day
  double hour_s = 0;          ///< that each hour lasts

  /// Of all that is drawn.
  double duration_s() const { return (kHoursOfDay + 1) * hour_s; }
  double requests() const { return requests_per_s * duration_s(); }
};

/// The most requests a second in the busiest hour that a day may have.
double most_requests_of_day(const ServingRun& run);

/// The rate of the run is that of the busiest hour. An hour lasts an hour, or for as long as it takes to have half a
/// million requests in all and to hold two sessions.
ReplayDay replay_day(const ServingRun& run);

struct ReplayRun {
  std::vector<Request> trace;  ///< in place of what is drawn
  double trace_clients = 0;    ///< that send it, each after its last answer; 0: the requests come at their times
  double duration_s = 3600;    ///< of drawn requests
  std::optional<double> warm_up_s;
  std::optional<ReplayDay> day;  ///< in place of duration and warm-up
  double seed = 1;
  LengthDistribution input_lengths;   ///< of prompts; empty: lognormal
  LengthDistribution output_lengths;  ///< of answers
};

/// Code of the reason of a deployment whose line grows.
inline constexpr std::string_view kDoesNotKeepUp = "does-not-keep-up";

struct ReplayAnswer {
  ServingEstimate<NoTrace> estimate;  ///< of the same load in closed form
  std::optional<ReplayFigures> figures;
  std::optional<HostTier> host;             ///< that counts
  std::optional<BytesPerSecond> host_load;  ///< from it over the link of each GPU, in the counted time
  double warm_up_s = 0;
  double capacity_tokens = 0;       ///< of the pools of the whole deployment
  std::vector<Infeasible> reasons;  ///< why there are no figures, or why those that there are do not last
};

/// Requests come at the run's rate, that of the busiest hour where there are hours, or from its clients. Not of
/// disaggregated deployments and static batches.
ReplayAnswer replay_run(const Catalog& catalog, const Model& model, const Gpu& gpu, const ServingRun& run,
                        const ReplayRun& asked);

}  // namespace podwright::replay
