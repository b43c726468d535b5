#pragma once
/// What comes, what is completed and what waits in the time that is counted, and whether a deployment keeps up.
/// docs/method/replay.md#keeping-up.
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

#include "replay/traffic_source.h"

namespace podwright::replay {

/// Of the counted time. Requests that are refused are not among those that came.
struct FlowFigures {
  double counted_s = 0;
  double arrived_requests_per_s = 0;
  double completed_requests_per_s = 0;  ///< also of requests that came before
  double output_tokens_per_s = 0;
  double mean_in_flight = 0;  ///< that wait or are served, mean over time
  std::size_t waiting = 0;    ///< for a place, at the end
  bool keeps_up = true;       ///< the line of those that wait does not grow
};

class Backlog {
 public:
  /// Counts from `from` to `to` s; infinite: to the last arrival.
  Backlog(double from, double to, Arrivals arrivals) : from_(from), to_(to), arrivals_(arrivals) {}

  /// Times never decrease from call to call. `waiting` is the number that wait from then on.
  void arrived(double at, std::size_t waiting);
  void worked(double at, std::size_t waiting);
  /// One that has ended is with its client a moment later, at `at`.
  void completed(double at, double output_tokens) { under_way_.push({at, output_tokens}); }

  FlowFigures figures();

 private:
  struct Answer {
    double at = 0;
    double output_tokens = 0;
    bool operator>(const Answer& other) const { return at > other.at; }
  };
  /// Sums from `from` to some time.
  struct Sums {
    double at = 0;
    double arrived = 0;
    double completed = 0;
    double output_tokens = 0;
    double in_flight_s = 0;
  };
  static constexpr std::size_t kBlocks = 16;

  void pass(double at);
  void advance(double at);
  void note_waiting(double at, std::size_t waiting);
  double noise() const;

  double from_;
  double to_;
  Arrivals arrivals_;
  double now_ = 0;
  double in_flight_ = 0;
  std::size_t waiting_ = 0;
  std::size_t waiting_at_start_ = 0;
  std::size_t waiting_at_end_ = 0;
  std::size_t least_waiting_ = std::numeric_limits<std::size_t>::max();  ///< in the last quarter
  Sums sums_;
  Sums at_last_arrival_;
  std::array<double, kBlocks> arrived_in_{};
  std::priority_queue<Answer, std::vector<Answer>, std::greater<>> under_way_;
};

}  // namespace podwright::replay
