#pragma once
/// How requests come and what their prompts share. docs/method/replay.md#requests.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace podwright {

/// Which replica a request goes to.
enum class Routing { round_robin, least_loaded, prefix_aware, random };
inline constexpr std::array<std::string_view, 4> kRoutingWords{"round-robin", "least-loaded", "prefix-aware", "random"};

/// Requests belong to sessions: each turn's prompt is a system prompt, all that was said before, and new tokens.
struct TrafficPattern {
  double system_prompt_tokens = 0;  ///< at the start of each prompt
  double system_prompts = 1;        ///< different ones, equally frequent among sessions
  double turns = 1;                 ///< requests of a session, mean of a geometric distribution
  double think_time_s = 0;          ///< from an answer to the next request of its session, mean of an exponential one
  double dispersion = 1;            ///< of session starts: variance over mean of their number in a long time
  std::vector<double> hours;        ///< 24 relative rates, from midnight; empty: the same all day
  Routing routing = Routing::round_robin;
  Bytes host_cache;  ///< host memory of each GPU for what the prefix cache drops; 0: none
};

/// So many requests a second for so long.
struct LoadStage {
  double requests_per_s = 0;
  double seconds = 0;
};

/// What clients of benchmarks send: the same prompts in the same order in every stage, each stage after the last answer
/// of the one before.
struct StagedLoad {
  std::vector<LoadStage> stages;  ///< empty: `clients`
  bool evenly = false;            ///< constant gaps; else exponential ones
  double clients = 0;             ///< each sends its next request after its last answer
  double requests = 0;            ///< of all clients
  double system_prompts = 1;
  double system_prompt_tokens = 0;
  double prompts = 0;  ///< different ones with the same system prompt; 0: none comes twice
  double input_tokens = 0;
  double output_tokens = 0;
};

/// Whether prompts begin with what others have computed, so that what a prefix cache finds follows.
constexpr bool shares_prompts(const TrafficPattern& traffic) {
  return traffic.system_prompt_tokens > 0 || traffic.turns > 1;
}

/// How much evener than at random the requests of one of `lanes` come, 0 to 1/2: half of what the variance over the
/// mean of their number in a long time lacks to 1. Of lanes that take turns each has every so many of the requests.
/// Bursts of all lanes together are not counted.
inline double stream_evenness(const TrafficPattern& traffic, double lanes) {
  // Later turns come a random time after the ones before them.
  const double dispersion = 1 + (traffic.dispersion - 1) / traffic.turns;
  const bool in_turn = traffic.routing == Routing::round_robin || traffic.routing == Routing::least_loaded;
  return std::max(0.0, (1 - (in_turn ? dispersion / lanes : lanes > 1 ? 1 : dispersion)) / 2);
}

/// Mean rate of the day over that of its busiest hour.
inline double mean_over_peak(const TrafficPattern& traffic) {
  double sum = 0;
  double most = 0;
  for (const double hour : traffic.hours) {
    sum += hour;
    most = std::max(most, hour);
  }
  return most > 0 ? sum / (most * static_cast<double>(traffic.hours.size())) : 1;
}

/// Tokens of a prompt that are neither system prompt nor history, where prompts have `input` tokens on average: in a
/// geometric number of turns a request finds turns - 1 before it. Negative where the prompts are too short for both.
constexpr double fresh_tokens(const TrafficPattern& traffic, double input, double output) {
  return (input - traffic.system_prompt_tokens - (traffic.turns - 1) * output) / traffic.turns;
}

}  // namespace podwright
