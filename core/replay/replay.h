#pragma once
/// Requests through the engines of a deployment, event by event. docs/method/replay.md.
#include <cstddef>
#include <limits>
#include <vector>

#include "replay/backlog.h"
#include "replay/day_hours.h"
#include "replay/distribution.h"
#include "replay/lane.h"
#include "replay/step_clock.h"
#include "replay/traffic_source.h"

namespace podwright::replay {

/// When a prefix-aware router follows what a prompt begins with. Catalog: router-... of operating_figures.csv.
struct RouterRule {
  double matched_share = 0;   ///< of the prompt, above which it does
  double more_requests = 0;   ///< that the lane may have above the least loaded one
  double times_requests = 1;  ///< and times as many
};

/// The deployment: lanes that never share a step. `LaneLimits` are of each.
struct Deployment {
  LaneLimits limits;
  std::size_t lanes = 1;
  std::size_t lanes_of_replica = 1;  ///< stages of a pipeline
  Routing routing = Routing::round_robin;
  RouterRule router;
  double system_prompts = 1;                                 ///< different ones
  double longest = std::numeric_limits<double>::infinity();  ///< tokens of prompt and answer that engines accept
};

/// Of the requests that came after the warm-up.
struct ReplayFigures {
  std::size_t came = 0;
  std::size_t requests = 0;           ///< that were answered: all but the refused
  std::size_t refused_by_length = 0;  ///< longer than engines accept
  std::size_t refused_by_cache = 0;   ///< longer than the pool
  std::size_t preemptions = 0;
  FlowFigures flow;
  double duration_s = 0;    ///< from the end of the warm-up to the last answer, or to the last arrival
  double drain_s = 0;       ///< from the end of the counted time to the last answer
  double input_tokens = 0;  ///< mean
  double output_tokens = 0;
  double found_share = 0;  ///< of the prompts' tokens that lay in the cache
  double host_share = 0;   ///< of the prompts' tokens that lay in host memory alone
  double busy_share = 0;   ///< of the lanes' time until the last answer
  Distribution ttft;       ///< s
  Distribution tpot;       ///< of answers with two tokens or more; zeros where there is none
  Distribution request;
  std::vector<HourFigures> hours;
};

/// Deterministic. Requests before `warm_up_s` are served and not counted. `after_event` is for tests.
ReplayFigures replay(StepClock& clock, const Deployment& deployment, TrafficSource& source, double warm_up_s,
                     const std::function<void(const Lane&)>& after_event = nullptr);

}  // namespace podwright::replay
