#pragma once
/// What a replay did in each hour of the day. docs/method/replay.md#day.
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "replay/distribution.h"
#include "replay/traffic_source.h"

namespace podwright::replay {

/// One hour of the day, over all days that were replayed. Requests are those that came in it.
struct HourFigures {
  std::size_t hour = 0;  ///< from midnight, 0 to 23
  double requests = 0;   ///< that were answered
  double arrived_requests_per_s = 0;
  double completed_requests_per_s = 0;  ///< in the hour, whenever they came
  double found_share = 0;               ///< of the prompts' tokens that lay in the cache
  double mean_in_flight = 0;            ///< requests that wait or are served
  double busy_share = 0;                ///< of the lanes' time
  Distribution ttft;                    ///< s
  Distribution tpot;
  Distribution request;
};

/// Times of an answered request, s. `tpot` is absent where there is a single token.
struct AnswerTimes {
  double ttft = 0;
  std::optional<double> tpot;
  double request = 0;
};

class DayHours {
 public:
  /// Counts what happens from `from` to `to` s.
  DayHours(const DayClock& clock, double from, double to);

  void answered(const Request& request, double found_tokens, const AnswerTimes& times);
  void in_flight(double from, double to) { add(from, to, &Hour::in_flight_s); }
  void completed(double at);
  void worked(double from, double to) { add(from, to, &Hour::busy_s); }
  /// Hours of which anything was counted, from midnight.
  std::vector<HourFigures> figures(double lanes);

 private:
  struct Hour {
    double seconds = 0;  ///< that were counted
    double in_flight_s = 0;
    double busy_s = 0;
    double completed = 0;
    double input_tokens = 0;
    double found_tokens = 0;
    std::vector<double> ttft;
    std::vector<double> tpot;
    std::vector<double> request;
  };

  /// Adds the part of a span that each hour has of it.
  void add(double from, double to, double Hour::*seconds);

  DayClock clock_;
  double from_;
  double to_;
  std::array<Hour, kHoursOfDay> hours_;
};

}  // namespace podwright::replay
