#include "replay/backlog.h"

#include <algorithm>
#include <cmath>

namespace podwright::replay {

/// Sums up to `at`; times outside those that are counted add nothing.
void Backlog::pass(double at) {
  const double begin = std::max(now_, from_);
  const double end = std::min(at, to_);
  if (end > begin) sums_.in_flight_s += in_flight_ * (end - begin);
  now_ = std::max(now_, at);
  sums_.at = end;
}

void Backlog::advance(double at) {
  while (!under_way_.empty() && under_way_.top().at <= at) {
    const Answer answer = under_way_.top();
    under_way_.pop();
    pass(answer.at);
    --in_flight_;
    if (answer.at < from_ || answer.at > to_) continue;
    ++sums_.completed;
    sums_.output_tokens += answer.output_tokens;
  }
  pass(at);
}

/// Between two events the number stays as the first left it.
void Backlog::note_waiting(double at, std::size_t waiting) {
  const double late = from_ + 0.75 * (to_ - from_);
  if (at >= late && now_ <= to_) least_waiting_ = std::min(least_waiting_, waiting_);
  if (now_ < from_ && at >= from_) waiting_at_start_ = waiting_;
  if (now_ <= to_ && at > to_) waiting_at_end_ = waiting_;
  advance(at);
  waiting_ = waiting;
}

void Backlog::arrived(double at, std::size_t waiting) {
  note_waiting(at, waiting);
  ++in_flight_;
  if (at < from_ || at > to_) return;
  ++sums_.arrived;
  at_last_arrival_ = sums_;
  if (std::isfinite(to_) && to_ > from_) {
    const double block = std::floor(kBlocks * (at - from_) / (to_ - from_));
    ++arrived_in_[std::min(kBlocks - 1, static_cast<std::size_t>(block))];
  }
}

void Backlog::worked(double at, std::size_t waiting) { note_waiting(at, waiting); }

/// Standard deviation of the number that come, from independent parts of the time; never below that of arrivals at
/// random.
double Backlog::noise() const {
  double squares = 0;
  const double mean = sums_.arrived / kBlocks;
  for (const double come : arrived_in_) squares += (come - mean) * (come - mean);
  const double variance = arrivals_ == Arrivals::open_day ? 0 : squares * kBlocks / (kBlocks - 1);
  return std::sqrt(std::max(sums_.arrived, variance));
}

FlowFigures Backlog::figures() {
  const bool known_end = std::isfinite(to_);
  if (known_end) {
    advance(to_);
    // Nothing happened after the end.
    if (now_ <= to_) waiting_at_end_ = waiting_;
  }
  const Sums& sums = known_end ? sums_ : at_last_arrival_;
  FlowFigures flow;
  flow.counted_s = std::max(0.0, (known_end ? to_ : sums.at) - from_);
  flow.waiting = known_end ? waiting_at_end_ : 0;
  if (!(flow.counted_s > 0)) return flow;
  flow.arrived_requests_per_s = sums.arrived / flow.counted_s;
  flow.completed_requests_per_s = sums.completed / flow.counted_s;
  flow.output_tokens_per_s = sums.output_tokens / flow.counted_s;
  flow.mean_in_flight = sums.in_flight_s / flow.counted_s;
  if (arrivals_ == Arrivals::of_clients || least_waiting_ == std::numeric_limits<std::size_t>::max()) return flow;
  const double least = static_cast<double>(std::min(least_waiting_, waiting_at_end_));
  flow.keeps_up = least - static_cast<double>(waiting_at_start_) <= 2 * noise();
  return flow;
}

}  // namespace podwright::replay
