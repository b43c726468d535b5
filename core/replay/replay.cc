#include "replay/replay.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>

#include "base/distributions.h"
#include "base/random.h"
#include "replay/day_hours.h"

namespace podwright::replay {
namespace {

constexpr std::uint64_t kRoutingSeed = 1;

struct LaneEvent {
  double at = 0;
  std::size_t lane = 0;
  bool operator>(const LaneEvent& other) const { return at != other.at ? at > other.at : lane > other.lane; }
};

class Replay {
 public:
  Replay(StepClock& clock, const Deployment& deployment, TrafficSource& source, double warm_up_s)
      : clock_(clock),
        deployment_(deployment),
        source_(source),
        warm_up_s_(warm_up_s),
        backlog_(warm_up_s, source.ends_at(), source.arrivals()),
        hours_(source.clock(), warm_up_s, source.last_at()) {
    for (std::size_t i = 0; i < deployment.lanes; ++i) lanes_.emplace_back(clock, deployment.limits);
  }

  ReplayFigures run(const std::function<void(const Lane&)>& after_event) {
    Request request;
    for (;;) {
      const double arrival = source_.next_at();
      while (!events_.empty() && lanes_[events_.top().lane].event_at() != events_.top().at) events_.pop();
      if (events_.empty() && arrival == Lane::kNever) break;
      if (events_.empty() || arrival <= events_.top().at) {
        source_.take(request);
        arrive(std::move(request), after_event);
        continue;
      }
      const std::size_t lane = events_.top().lane;
      events_.pop();
      last_ = lanes_[lane].event_at();
      const double busy_s = lanes_[lane].busy_s();
      const std::size_t waited = lanes_[lane].waiting();
      lanes_[lane].on_event([&](const Request& r, const Served& served) { ended(r, served, lane); });
      waiting_ = waiting_ - waited + lanes_[lane].waiting();
      backlog_.worked(last_, waiting_);
      hours_.worked(last_ - (lanes_[lane].busy_s() - busy_s), last_);
      await(lane);
      if (after_event) after_event(lanes_[lane]);
    }
    return figures();
  }

 private:
  void arrive(Request&& request, const std::function<void(const Lane&)>& after_event) {
    const std::size_t lane = route(request);
    const bool counted = request.at >= warm_up_s_;
    if (counted) {
      ++figures_.came;
      last_arrival_ = request.at;
    }
    const bool too_long = request.input_tokens + request.output_tokens > deployment_.longest;
    if (too_long || !lanes_[lane].can_hold(request)) {
      if (counted) ++(too_long ? figures_.refused_by_length : figures_.refused_by_cache);
      // A client that is refused tries its next request a second later.
      return source_.answered(request, request.at + 1, lane);
    }
    const double at = request.at;
    const std::size_t waited = lanes_[lane].waiting();
    lanes_[lane].arrive(std::move(request));
    waiting_ = waiting_ - waited + lanes_[lane].waiting();
    backlog_.arrived(at, waiting_);
    await(lane);
    if (after_event) after_event(lanes_[lane]);
  }

  void await(std::size_t lane) {
    if (lanes_[lane].event_at() != Lane::kNever) events_.push({lanes_[lane].event_at(), lane});
  }

  std::size_t least_loaded() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < lanes_.size(); ++i)
      if (lanes_[i].in_flight() < lanes_[best].in_flight()) best = i;
    return best;
  }

  std::size_t least_loaded(std::span<const std::size_t> lanes) const {
    return *std::min_element(lanes.begin(), lanes.end(), [&](std::size_t a, std::size_t b) {
      return lanes_[a].in_flight() < lanes_[b].in_flight();
    });
  }

  /// Stages of a pipeline share a cache: a session stays on its lane of the replica.
  std::size_t route(const Request& request) {
    if (lanes_.size() == 1) return 0;
    switch (deployment_.routing) {
      case Routing::round_robin:
      case Routing::random:
        break;
      case Routing::least_loaded:
        return least_loaded();
      case Routing::prefix_aware: {
        const RouterRule& router = deployment_.router;
        const KnownPrefix known = source_.known(request);
        std::size_t lane = Request::kNoLane;
        if (known.tokens > router.matched_share * request.input_tokens) lane = least_loaded(known.lanes);
        // With fewer system prompts than lanes every lane may hold them all.
        const bool spread = deployment_.system_prompts >= static_cast<double>(lanes_.size());
        if (lane == Request::kNoLane && spread && request.parts.size() > 1)
          lane = request.parts.front().id % lanes_.size();
        const std::size_t least = least_loaded();
        if (lane == Request::kNoLane) return least;
        const double load = static_cast<double>(lanes_[lane].in_flight());
        const double lowest = static_cast<double>(lanes_[least].in_flight());
        return load > lowest + router.more_requests && load > router.times_requests * lowest ? least : lane;
      }
    }
    const std::size_t of_replica = deployment_.lanes_of_replica;
    const std::uint64_t turn = turn_++;
    const std::uint64_t chosen =
        deployment_.routing == Routing::random ? random::Stream(kRoutingSeed, 0).bits(turn) : turn;
    const auto replica = static_cast<std::size_t>(chosen % (lanes_.size() / of_replica));
    return replica * of_replica + request.session % of_replica;
  }

  void ended(const Request& request, const Served& served, std::size_t lane) {
    const double first = served.first_token - served.at + clock_.client();
    const double after = served.finished - served.first_token;
    source_.answered(request, served.finished + clock_.client(), lane);
    backlog_.completed(served.finished + clock_.client(), request.output_tokens);
    hours_.completed(served.finished + clock_.client());
    hours_.in_flight(served.at, served.at + first + after);
    if (served.at < warm_up_s_) return;
    ++figures_.requests;
    figures_.preemptions += served.preempted;
    figures_.found_share += served.found_tokens;
    figures_.host_share += served.host_tokens;
    figures_.input_tokens += request.input_tokens;
    figures_.output_tokens += request.output_tokens;
    AnswerTimes times{.ttft = first, .tpot = {}, .request = first + after};
    if (request.output_tokens > 1) times.tpot = after / (request.output_tokens - 1);
    ttft_.push_back(times.ttft);
    if (times.tpot) tpot_.push_back(*times.tpot);
    request_.push_back(times.request);
    hours_.answered(request, served.found_tokens, times);
  }

  ReplayFigures figures() {
    figures_.flow = backlog_.figures();
    if (figures_.requests == 0) return figures_;
    const double count = static_cast<double>(figures_.requests);
    figures_.found_share /= figures_.input_tokens;
    figures_.host_share /= figures_.input_tokens;
    figures_.duration_s = std::max(last_, last_arrival_) - warm_up_s_;
    figures_.drain_s = std::max(0.0, figures_.duration_s - figures_.flow.counted_s);
    figures_.input_tokens /= count;
    figures_.output_tokens /= count;
    figures_.ttft = distribution_of(ttft_);
    figures_.tpot = distribution_of(tpot_);
    figures_.request = distribution_of(request_);
    double busy = 0;
    for (const Lane& lane : lanes_) busy += lane.busy_s();
    const double lanes = static_cast<double>(lanes_.size());
    figures_.busy_share = busy / (lanes * last_);
    figures_.hours = hours_.figures(lanes);
    return figures_;
  }

  StepClock& clock_;
  const Deployment& deployment_;
  TrafficSource& source_;
  double warm_up_s_;
  double last_ = 0;
  double last_arrival_ = 0;
  std::uint64_t turn_ = 0;
  std::size_t waiting_ = 0;  ///< on all lanes
  std::vector<Lane> lanes_;
  std::priority_queue<LaneEvent, std::vector<LaneEvent>, std::greater<>> events_;
  ReplayFigures figures_;
  Backlog backlog_;
  DayHours hours_;
  std::vector<double> ttft_;
  std::vector<double> tpot_;
  std::vector<double> request_;
};

}  // namespace

ReplayFigures replay(StepClock& clock, const Deployment& deployment, TrafficSource& source, double warm_up_s,
                     const std::function<void(const Lane&)>& after_event) {
  return Replay(clock, deployment, source, warm_up_s).run(after_event);
}

}  // namespace podwright::replay
