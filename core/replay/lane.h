#pragma once
/// The scheduler of one engine, event by event: continuous batching with prompts in pieces, admission by the pool of
/// keys and values, preemption of the youngest. docs/method/replay.md#scheduler.
#include <cstddef>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

#include "replay/prefix_cache.h"
#include "replay/step_clock.h"
#include "replay/traffic_source.h"

namespace podwright::replay {

/// Host memory behind the pool of a lane.
struct HostMemory {
  HostRoom room;
  HostLoad load = HostLoad::apart;
  double token_s = 0;  ///< to load a token
  double links = 1;    ///< that load for different requests
};

struct LaneLimits {
  double pool_tokens = 0;
  double block_tokens = 1;
  double max_sequences = 0;
  double step_tokens = 0;       ///< of one step
  bool reserves_whole = false;  ///< a sequence is admitted with room for its last token; else it may be preempted
  bool keeps_prefixes = true;
  double kept_weight = 1;  ///< room that a token takes which no sequence uses
  HostMemory host;
};

/// What became of a request. Times in s, of the engine.
struct Served {
  double at = 0;
  double first_token = 0;
  double finished = 0;
  double found_tokens = 0;  ///< of the prompt, in the cache when it was admitted first
  double host_tokens = 0;   ///< of these, in host memory
  std::size_t preempted = 0;
};

class Lane {
 public:
  /// Gets each request that ends.
  using Ended = std::function<void(const Request&, const Served&)>;

  Lane(StepClock& clock, const LaneLimits& limits)
      : clock_(clock),
        limits_(limits),
        cache_(limits.pool_tokens, limits.block_tokens, limits.keeps_prefixes, limits.kept_weight, limits.host.room) {}

  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// Whether the pool would hold the request if it were empty.
  bool can_hold(const Request& request) const {
    return request.input_tokens + request.output_tokens <= limits_.pool_tokens;
  }
  void arrive(Request&& request);
  /// When the step or the run of equal steps ends that is going on; kNever of an idle lane.
  double event_at() const { return event_at_; }
  void on_event(const Ended& ended);

  std::size_t in_flight() const { return waiting_.size() + prefilling_.size() + decoding_; }
  std::size_t waiting() const { return waiting_.size(); }
  std::size_t running() const { return prefilling_.size() + decoding_; }
  double busy_s() const { return busy_s_; }
  const PrefixCache& cache() const { return cache_; }
  /// What sequences hold by their own count is what the pool counts, for tests.
  bool consistent() const;

 private:
  struct Sequence {
    Request request;
    Served served;
    std::vector<std::size_t> entries;
    double own = 0;        ///< tokens of the pool that are its own, at `since`
    double since = 0;      ///< the lane's count of decode steps when it began to decode
    double target = 0;     ///< tokens to compute before it decodes: the prompt and, once preempted, its answer so far
    double computed = 0;   ///< of `target`
    double generated = 0;  ///< before it decodes
    double loaded_at = 0;  ///< when what it loads from host memory is here
    double ends_at = 0;    ///< the count of decode steps after which its answer ends
    std::size_t admitted = 0;  ///< number of its admission; 0: it waits, or has ended
    bool decodes = false;
  };
  struct Piece {
    std::size_t sequence = 0;
    double tokens = 0;
  };
  struct Admission {
    std::size_t number = 0;
    std::size_t sequence = 0;
  };
  struct End {
    double at = 0;  ///< count of decode steps
    std::size_t admitted = 0;
    std::size_t sequence = 0;
    bool operator>(const End& other) const { return at != other.at ? at > other.at : admitted > other.admitted; }
  };

  /// Of `steps` decode steps from now.
  double time_of(double steps) const;
  /// The fewest steps that end at `at` or later.
  double steps_until(double at, double most) const;
  double growth_of(double steps) const { return limits_.reserves_whole ? 0 : steps * decoding_count() * yield_; }
  double decoding_count() const { return static_cast<double>(decoding_); }
  double own_now(const Sequence& sequence) const;
  bool awaits_load(const Sequence& sequence) const;
  double load(double tokens);
  void plan();
  void plan_prompts();
  void plan_decoding();
  bool admit_next(double& room);
  void preempt_youngest();
  void decode_steps(double steps);
  void end_pieces(const Ended& ended);
  void end_answers(const Ended& ended);
  void start_decoding(std::size_t place);
  void stop(std::size_t place);
  void finish(std::size_t place, const Ended& ended);
  bool is(const Admission& admission) const;

  StepClock& clock_;
  LaneLimits limits_;
  PrefixCache cache_;
  double yield_ = 1;
  double now_ = 0;
  double event_at_ = kNever;
  double steps_planned_ = 0;  ///< of decoding alone; 0 in a step with prompts
  double base_ = 0;           ///< of a decode step without the cache, s
  double count_ = 0;          ///< decode steps so far
  double context_ = 0;        ///< tokens that decoding sequences hold together
  double busy_s_ = 0;
  double link_free_at_ = 0;  ///< of loads so far
  std::size_t admissions_ = 0;
  std::size_t decoding_ = 0;
  std::vector<Sequence> sequences_;
  std::vector<std::size_t> free_;
  std::deque<std::size_t> waiting_;
  std::deque<std::size_t> prefilling_;
  std::vector<Admission> admitted_;  ///< in their order; some that have ended
  std::vector<Piece> pieces_;        ///< of the step that is going on
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

}  // namespace podwright::replay
