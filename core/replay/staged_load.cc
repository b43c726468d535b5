#include "replay/staged_load.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

#include "base/random.h"

namespace podwright::replay {
namespace {

constexpr std::uint64_t kSeed = 1;
enum StagedDraw : std::uint64_t { kOrder, kTimes, kAnswers };
/// From the start of a stage to that of the next, s.
constexpr double kRest = 1e5;
/// Of answers to fixed clients: alike to a token, the clients would stay in step for ever, which measured ones do not.
constexpr double kScatter = 0.1;

std::vector<std::size_t> shuffled(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const random::Stream stream(kSeed, kOrder);
  for (std::size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(stream.uniform(i) * static_cast<double>(i))]);
  return order;
}

double requests_of(const LoadStage& stage) { return std::floor(stage.requests_per_s * stage.seconds); }

/// From here on stages are sent; what they find in the caches, those before would only have put there again.
std::size_t first_stage(const StagedLoad& load) {
  std::size_t first = load.stages.empty() ? 0 : load.stages.size() - 1;
  for (double sent = 0; first > 0 && sent < load.prompts * load.system_prompts;)
    sent = requests_of(load.stages[--first]);
  return first;
}

class StagedSource {
 public:
  explicit StagedSource(const StagedLoad& load)
      : load_(load), order_(shuffled(static_cast<std::size_t>(load.prompts * load.system_prompts))) {}

  void send(double at, std::size_t turn) {
    Request request;
    request.at = at;
    request.input_tokens = load_.input_tokens;
    request.output_tokens = load_.output_tokens;
    if (load_.clients > 0)
      request.output_tokens = std::floor(
          load_.output_tokens * (1 + kScatter * (2 * random::Stream(kSeed, kAnswers).uniform(sent_) - 1)) + 0.5);
    request.continued = false;
    const auto systems = static_cast<std::uint64_t>(load_.system_prompts);
    const std::uint64_t prompt = order_.empty() ? sent_ : order_[turn % order_.size()];
    if (load_.system_prompt_tokens > 0) request.parts.push_back({prompt % systems, load_.system_prompt_tokens});
    request.parts.push_back({systems + prompt, load_.input_tokens - load_.system_prompt_tokens});
    ++sent_;
    out_.requests.push_back(std::move(request));
  }

  void send(const LoadStage& stage) {
    const auto requests = static_cast<std::size_t>(requests_of(stage));
    const random::Stream draws(kSeed, kTimes);
    std::vector<double> at;
    for (std::size_t i = 0; i < requests; ++i)
      at.push_back(load_.evenly ? static_cast<double>(i) / stage.requests_per_s
                                : draws.uniform(sent_ + i) * stage.seconds);
    // So many Poisson arrivals in a known time are as many independent times in order.
    std::sort(at.begin(), at.end());
    for (std::size_t turn = 0; turn < requests; ++turn) send(out_.last_stage_at + at[turn], turn);
  }

  StagedRequests take() {
    const std::vector<LoadStage>& stages = load_.stages;
    const std::size_t first = first_stage(load_);
    for (std::size_t i = first; i < stages.size(); ++i) {
      out_.last_stage_at = static_cast<double>(i - first) * kRest;
      send(stages[i]);
    }
    if (stages.empty())
      for (std::size_t turn = 0; static_cast<double>(turn) < load_.requests; ++turn) send(0, turn);
    return std::move(out_);
  }

 private:
  const StagedLoad& load_;
  std::vector<std::size_t> order_;
  std::uint64_t sent_ = 0;
  StagedRequests out_;
};

}  // namespace

double staged_count(const StagedLoad& load) {
  double count = load.stages.empty() ? load.requests : 0;
  for (std::size_t i = first_stage(load); i < load.stages.size(); ++i) count += requests_of(load.stages[i]);
  return count;
}

StagedRequests staged_requests(const StagedLoad& load) { return StagedSource(load).take(); }

}  // namespace podwright::replay
