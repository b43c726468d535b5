#include "replay/traffic_source.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/distributions.h"
#include "base/math.h"

namespace podwright::replay {
namespace {

/// One stream of random numbers for each thing that is drawn.
enum Draw : std::uint64_t { kGaps, kInputs, kOutputs, kEnds, kThinking, kSystems };

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Exponential with mean 1.
double exponential(double uniform) { return -math::log(uniform); }

}  // namespace

TrafficSource::TrafficSource(std::vector<Request> trace, double clients)
    : trace_(std::move(trace)), has_clients_(clients > 0), start_at_(kNever) {
  for (double client = 0; client < clients; ++client) free_clients_.push(0);
}

TrafficSource::TrafficSource(const DrawnTraffic& drawn) : drawn_(drawn) {
  fresh_ = fresh_tokens(drawn.pattern, drawn.input_tokens, drawn.output_tokens);
  // What is new in a prompt has the shape of the prompts' lengths.
  const double scale = drawn.input_lengths.empty() ? 1 : fresh_ / mean_of_lengths(drawn.input_lengths);
  for (LengthPiece& piece : drawn_.input_lengths) piece = {piece.share, piece.shortest * scale, piece.longest * scale};
  if (drawn.requests_per_s > 0) {
    draw_next_start();
    return;
  }
  start_at_ = kNever;
  for (double client = 0; client < drawn.clients; ++client)
    come(open_session(), client * drawn.clients_start_s / drawn.clients);
}

double TrafficSource::next_at() const {
  if (next_ < trace_.size()) {
    if (!has_clients_) return trace_[next_].at;
    return free_clients_.empty() ? kNever : free_clients_.top();
  }
  const double turn = turns_.empty() ? kNever : turns_.top().at;
  const double at = std::min(turn, start_at_);
  return at < drawn_.duration_s ? at : kNever;
}

Arrivals TrafficSource::arrivals() const {
  if (has_clients_ || drawn_.clients > 0) return Arrivals::of_clients;
  return drawn_.whole_day ? Arrivals::open_day : Arrivals::open;
}

void TrafficSource::take(Request& request) {
  if (next_ < trace_.size()) return take_of_trace(request);
  std::size_t place = 0;
  if (turns_.empty() || start_at_ < turns_.top().at) {
    place = open_session();
    request.at = start_at_;
    draw_next_start();
  } else {
    place = turns_.top().session;
    request.at = turns_.top().at;
    turns_.pop();
  }
  Session& session = sessions_[place];
  const double system = drawn_.pattern.system_prompt_tokens;
  const std::uint64_t number = requests_++;
  // The scatter of prompts is that of what is new in them.
  const double known = system + session.history;
  request.output_tokens =
      std::min(length(drawn_.output_tokens, drawn_.output_cv, drawn_.output_lengths, kOutputs, number),
               drawn_.longest - known - 1);
  const double fresh = std::min(length(fresh_, drawn_.input_cv, drawn_.input_lengths, kInputs, number),
                                drawn_.longest - known - request.output_tokens);
  request.input_tokens = known + fresh;
  request.session = place;
  request.lane = session.lane;
  request.continued = true;
  request.parts.clear();
  if (system > 0) request.parts.push_back({static_cast<std::uint64_t>(session.system), system});
  request.parts.push_back({session.id, request.input_tokens - system});
  session.history += fresh + request.output_tokens;
}

void TrafficSource::take_of_trace(Request& request) {
  request = trace_[next_++];
  if (!has_clients_) return;
  request.at = free_clients_.top();
  free_clients_.pop();
}

KnownPrefix TrafficSource::known(const Request& request) const {
  if (request.lane != Request::kNoLane) return {{&request.lane, 1}, request.input_tokens};
  KnownPrefix known;
  double before = 0;
  for (const PromptPart& part : request.parts) {
    const auto lanes = holders_.of(part.id);
    if (lanes.empty()) break;
    before += part.tokens;
    known = {lanes, before};
  }
  return known;
}

void TrafficSource::answered(const Request& request, double at, std::size_t lane) {
  if (has_clients_) free_clients_.push(at);
  if (!trace_.empty()) {
    for (const PromptPart& part : request.parts)
      request.continued ? holders_.set(part.id, lane) : holders_.add(part.id, lane);
    return;
  }
  Session& session = sessions_[request.session];
  session.lane = lane;
  ++session.turn;
  const random::Stream ends(drawn_.seed, kEnds);
  const double longest_next = drawn_.pattern.system_prompt_tokens + session.history + fresh_ + drawn_.output_tokens;
  const bool ended =
      ends.uniform(session.id * 4096 + static_cast<std::uint64_t>(session.turn)) * drawn_.pattern.turns < 1 ||
      longest_next > drawn_.longest;
  double think = 0;
  if (drawn_.pattern.think_time_s > 0)
    think = drawn_.pattern.think_time_s *
            exponential(random::Stream(drawn_.seed, kThinking)
                            .uniform(session.id * 4096 + static_cast<std::uint64_t>(session.turn)));
  if (!ended) return come(request.session, at + think);
  free_.push_back(request.session);
  if (drawn_.clients > 0) come(open_session(), at + think);
}

double TrafficSource::length(double mean, double cv, const LengthDistribution& lengths, std::uint64_t stream,
                             std::uint64_t counter) const {
  double drawn = mean;
  const double place = random::Stream(drawn_.seed, stream).uniform(counter);
  if (!lengths.empty()) {
    drawn = length_at(lengths, place);
  } else if (cv > 0) {
    const double variance = math::log(1 + cv * cv);
    drawn = mean * math::exp(normal_quantile(place) * std::sqrt(variance) - variance / 2);
  }
  return std::max(1.0, std::floor(drawn + 0.5));
}

/// Between two session starts, with mean 1 and a squared coefficient of variation of `dispersion`: a gamma
/// distribution. Marsaglia and Tsang 2000, doi 10.1145/358407.358414.
double TrafficSource::gap() {
  const random::Stream stream(drawn_.seed, kGaps);
  const double dispersion = drawn_.pattern.dispersion;
  if (!(dispersion > 0)) return 1;
  if (dispersion == 1) return exponential(stream.uniform(draws_++));
  const double shape = 1 / dispersion;
  const double boosted = shape < 1 ? shape + 1 : shape;
  const double d = boosted - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal_quantile(stream.uniform(draws_++));
    const double u = stream.uniform(draws_++);
    const double v = (1 + c * x) * (1 + c * x) * (1 + c * x);
    if (!(v > 0) || math::log(u) >= x * x / 2 + d - d * v + d * math::log(v)) continue;
    const double gamma = shape < 1 ? d * v * math::pow(stream.uniform(draws_++), 1 / shape) : d * v;
    return gamma * dispersion;
  }
}

/// Sessions start at a rate that follows the day: gaps are drawn in a time that runs with the rate.
void TrafficSource::draw_next_start() {
  const double rate = drawn_.requests_per_s / drawn_.pattern.turns;
  operational_ += gap();
  const std::vector<double>& hours = drawn_.pattern.hours;
  if (hours.empty()) {
    start_at_ = operational_ / rate;
    return;
  }
  const DayClock& clock = drawn_.clock;
  const double mean = std::accumulate(hours.begin(), hours.end(), 0.0) / kHoursOfDay;
  const double day = clock.hour_s * kHoursOfDay;
  const double days = std::floor(operational_ / rate / day);
  double left = operational_ / rate - days * day;
  double hour = days * kHoursOfDay;
  for (std::size_t i = 0; i < kHoursOfDay; ++i, ++hour) {
    const double share = hours[clock.hour_of_day(hour)] / mean;
    if (left < share * clock.hour_s) {
      start_at_ = hour * clock.hour_s + left / share;
      return;
    }
    left -= share * clock.hour_s;
  }
  start_at_ = hour * clock.hour_s;
}

std::size_t TrafficSource::open_session() {
  std::size_t place = sessions_.size();
  if (free_.empty()) {
    sessions_.emplace_back();
  } else {
    place = free_.back();
    free_.pop_back();
  }
  const double systems = std::max(1.0, drawn_.pattern.system_prompts);
  // System prompts have the first ids.
  const std::uint64_t id = static_cast<std::uint64_t>(systems) + sessions_opened_++;
  const double chosen = std::floor(random::Stream(drawn_.seed, kSystems).uniform(id) * systems);
  sessions_[place] = {.id = id, .system = chosen};
  return place;
}

}  // namespace podwright::replay
