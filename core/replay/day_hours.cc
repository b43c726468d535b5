#include "replay/day_hours.h"

#include <algorithm>

namespace podwright::replay {

DayHours::DayHours(const DayClock& clock, double from, double to) : clock_(clock), from_(from), to_(to) {
  add(from, to, &Hour::seconds);
}

void DayHours::add(double from, double to, double Hour::*seconds) {
  double at = std::max(from, from_);
  const double end = std::min(to, to_);
  for (double hour = clock_.hours_before(at); at < end; ++hour) {
    const double next = std::min(end, (hour + 1) * clock_.hour_s);
    hours_[clock_.hour_of_day(hour)].*seconds += std::max(0.0, next - at);
    at = std::max(at, next);
  }
}

void DayHours::answered(const Request& request, double found_tokens, const AnswerTimes& times) {
  Hour& hour = hours_[clock_.hour_of_day(clock_.hours_before(request.at))];
  hour.input_tokens += request.input_tokens;
  hour.found_tokens += found_tokens;
  hour.ttft.push_back(times.ttft);
  if (times.tpot) hour.tpot.push_back(*times.tpot);
  hour.request.push_back(times.request);
}

void DayHours::completed(double at) {
  if (at >= from_ && at < to_) ++hours_[clock_.hour_of_day(clock_.hours_before(at))].completed;
}

std::vector<HourFigures> DayHours::figures(double lanes) {
  std::vector<HourFigures> figures;
  for (std::size_t i = 0; i < kHoursOfDay; ++i) {
    Hour& hour = hours_[i];
    if (!(hour.seconds > 0)) continue;
    const double requests = static_cast<double>(hour.request.size());
    figures.push_back({.hour = i,
                       .requests = requests,
                       .arrived_requests_per_s = requests / hour.seconds,
                       .completed_requests_per_s = hour.completed / hour.seconds,
                       .found_share = hour.input_tokens > 0 ? hour.found_tokens / hour.input_tokens : 0,
                       .mean_in_flight = hour.in_flight_s / hour.seconds,
                       .busy_share = hour.busy_s / (lanes * hour.seconds),
                       .ttft = distribution_of(hour.ttft),
                       .tpot = distribution_of(hour.tpot),
                       .request = distribution_of(hour.request)});
  }
  return figures;
}

}  // namespace podwright::replay
