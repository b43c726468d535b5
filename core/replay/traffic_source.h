#pragma once
/// Requests in the order in which they come: of a trace, or drawn from a description. docs/method/replay.md#requests.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <vector>

#include "base/random.h"
#include "catalog/traffic.h"
#include "memory/length_distribution.h"
#include "replay/prefix_holders.h"

namespace podwright::replay {

/// A part of a prompt whose content others may have too: parts with the same id begin with the same tokens.
struct PromptPart {
  std::uint64_t id = 0;
  double tokens = 0;
};

/// One request. Its prompt is its parts, one behind the other.
struct Request {
  double at = 0;  ///< s
  double input_tokens = 0;
  double output_tokens = 0;
  std::vector<PromptPart> parts;
  bool continued = true;       ///< the answer belongs to the content of the last part
  std::size_t session = 0;     ///< of a drawn request
  std::size_t lane = kNoLane;  ///< that took the last turn of a drawn session

  static constexpr std::size_t kNoLane = static_cast<std::size_t>(-1);
};

/// Lanes that know what a prompt begins with.
struct KnownPrefix {
  std::span<const std::size_t> lanes;
  double tokens = 0;  ///< of the prompt; all of it where a session is known
};

inline constexpr std::size_t kHoursOfDay = 24;

/// Clients that wait for their answers never outrun a deployment. A day comes again: its busy hours do not excuse a
/// line that is longer at its end.
enum class Arrivals { open, open_day, of_clients };

/// Which hour of the day it is.
struct DayClock {
  double hour_s = 3600;   ///< that each hour lasts
  double first_hour = 0;  ///< at 0 s, from midnight

  double hours_before(double at) const { return std::floor(at / hour_s); }
  std::size_t hour_of_day(double hours) const { return static_cast<std::size_t>(first_hour + hours) % kHoursOfDay; }
};

/// What is drawn.
struct DrawnTraffic {
  TrafficPattern pattern;
  double requests_per_s = 0;  ///< mean of the hours; 0: a fixed number of clients
  double clients = 0;
  double clients_start_s = 0;  ///< one by one within this time
  double input_tokens = 0;
  double output_tokens = 0;
  double input_cv = 0;
  double output_cv = 0;
  LengthDistribution input_lengths;   ///< with the mean input_tokens, in place of a lognormal distribution of input_cv
  LengthDistribution output_lengths;  ///< the same
  double longest = 0;                 ///< tokens of prompt and answer that a session may reach
  double duration_s = 0;
  bool whole_day = false;
  DayClock clock;
  std::uint64_t seed = 1;
};

class TrafficSource {
 public:
  /// `clients` send them, each after its last answer; 0: they come at their times.
  explicit TrafficSource(std::vector<Request> trace, double clients = 0);
  explicit TrafficSource(const DrawnTraffic& drawn);

  /// When the next request comes; infinity after the last.
  double next_at() const;
  void take(Request& request);
  /// When the last request of a trace comes; when those that are drawn end.
  double last_at() const { return trace_.empty() ? drawn_.duration_s : trace_.back().at; }
  Arrivals arrivals() const;
  /// When requests end to come; infinity where the clients of a trace decide that.
  double ends_at() const { return has_clients_ ? std::numeric_limits<double>::infinity() : last_at(); }
  const DayClock& clock() const { return drawn_.clock; }
  /// Valid until an answer ends.
  KnownPrefix known(const Request& request) const;
  /// The answer to a request ended, on that lane.
  void answered(const Request& request, double at, std::size_t lane);

 private:
  struct Session {
    std::uint64_t id = 0;
    double system = 0;  ///< which system prompt
    double history = 0;
    double turn = 0;
    std::size_t lane = Request::kNoLane;
  };
  struct Turn {
    double at = 0;
    std::uint64_t order = 0;
    std::size_t session = 0;
    bool operator>(const Turn& other) const { return at != other.at ? at > other.at : order > other.order; }
  };

  void take_of_trace(Request& request);
  /// From `lengths` where they are known.
  double length(double mean, double cv, const LengthDistribution& lengths, std::uint64_t stream,
                std::uint64_t counter) const;
  double gap();
  void draw_next_start();
  std::size_t open_session();
  void come(std::size_t session, double at) { turns_.push({at, order_++, session}); }

  std::vector<Request> trace_;
  std::size_t next_ = 0;  ///< of the trace
  bool has_clients_ = false;
  std::priority_queue<double, std::vector<double>, std::greater<>> free_clients_;  ///< since when
  PrefixHolders holders_;                                                          ///< of parts of a trace's prompts

  DrawnTraffic drawn_;
  double fresh_ = 0;
  double start_at_ = 0;     ///< of the next session
  double operational_ = 0;  ///< the same in a time in which sessions come at a constant rate
  std::uint64_t sessions_opened_ = 0;
  std::uint64_t draws_ = 0;  ///< of gaps, some of which take several
  std::uint64_t order_ = 0;
  std::uint64_t requests_ = 0;
  std::vector<Session> sessions_;
  std::vector<std::size_t> free_;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
};

}  // namespace podwright::replay
