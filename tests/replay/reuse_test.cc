/// What a prefix cache finds in closed form, against replays. PODWRIGHT_LONG_SHARINGS makes them so many times as long.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/random.h"
#include "catalog/catalog.h"
#include "replay/serve.h"

namespace podwright::replay {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

template <class Item>
const Item& item(const std::vector<Item>& items, std::string_view id) {
  return *std::find_if(items.begin(), items.end(), [&](const Item& one) { return one.id == id; });
}

ServingRun chat() {
  ServingRun run;
  run.weight_precision = "fp8";
  run.input_tokens = 3000;
  run.output_tokens = 250;
  run.load = {LoadKind::request_rate, 10};
  run.traffic = TrafficPattern{.system_prompt_tokens = 1000, .system_prompts = 4, .turns = 5, .think_time_s = 40};
  return run;
}

TEST(PrefixReuse, FindsAllButTheNewTokensWithoutALimit) {
  // 3000 = 1000 + fresh + 4 x (fresh + 250): 200 of 3000 tokens are new.
  const PrefixReuse reuse = prefix_reuse(chat(), {.requests_per_s = 1, .room_tokens = 1e12});
  EXPECT_NEAR(reuse.unlimited, 2800.0 / 3000, 1e-12);
  EXPECT_NEAR(reuse.hit_ratio, reuse.unlimited, 1e-6);
}

TEST(PrefixReuse, FallsWithTheRoomAndWithReplicasThatSessionsDoNotReturnTo) {
  ServingRun run = chat();
  double before = 0;
  for (const double room : {1e4, 1e5, 3e5, 1e6, 1e7}) {
    const double found = prefix_reuse(run, {.requests_per_s = 5, .room_tokens = room}).hit_ratio;
    EXPECT_GT(found, before);
    before = found;
  }
  const ReuseLoad of_four{.requests_per_s = 5, .room_tokens = 1e7, .replicas = 4};
  const double scattered = prefix_reuse(run, of_four).hit_ratio;
  run.traffic->routing = Routing::prefix_aware;
  const double gathered = prefix_reuse(run, of_four).hit_ratio;
  EXPECT_GT(gathered, scattered + 0.1);
  EXPECT_NEAR(gathered, before, 0.01);
}

TEST(PrefixReuse, AnEstimateStandsOnWhatItsLoadLeaves) {
  const Catalog& catalog = facts();
  NoTrace none;
  const Model& model = item(catalog.models.get(), "llama-3.1-8b");
  const Gpu& gpu = item(catalog.gpus, "h100-sxm5-80gb");
  double before = 1;
  for (const double rate : {1.0, 10.0, 20.0}) {
    ServingRun run = chat();
    run.load.value = rate;
    const auto estimate = estimate_serving(none, catalog, model, gpu, run);
    ASSERT_TRUE(estimate.prefix.has_value());
    EXPECT_LT(estimate.prefix->hit_ratio, before);
    before = estimate.prefix->hit_ratio;
  }
}

/// A chat at random on one to four replicas below 85 % of what they complete without a cache.
struct Sharing {
  ServingRun run;
  ReplayRun replay;
};
Sharing random_sharing(std::uint64_t seed, const Model& model, const Gpu& gpu, double longer, bool host = false) {
  const random::Stream stream(seed, 1);
  std::uint64_t place = 0;
  const auto one_of = [&](std::initializer_list<double> values) {
    const auto chosen = static_cast<std::size_t>(stream.uniform(place++) * static_cast<double>(values.size()));
    return *(values.begin() + chosen);
  };
  Sharing sharing;
  ServingRun& run = sharing.run;
  run.weight_precision = "bf16";
  run.engine = stream.uniform(place++) < 0.5 ? "vllm" : "sglang";
  TrafficPattern traffic{.system_prompt_tokens = one_of({0, 200, 1000, 3000}),
                         .system_prompts = one_of({1, 4, 30, 1000}),
                         .turns = one_of({1, 1.5, 2, 4, 8}),
                         .think_time_s = one_of({5, 30, 120}),
                         .routing = static_cast<Routing>(static_cast<int>(one_of({0, 1, 2})))};
  run.output_tokens = one_of({40, 150, 400});
  run.input_tokens = traffic.system_prompt_tokens + one_of({50, 300, 900}) * traffic.turns +
                     std::ceil((traffic.turns - 1) * run.output_tokens);
  run.input_tokens_cv = one_of({0, 0.5, 1});
  run.output_tokens_cv = one_of({0, 0.5, 1});
  run.parallelism.data = one_of({1, 2, 4});
  if (host) {
    // A small pool, and engines that load in each of the three ways.
    constexpr std::array<const char*, 3> kEngines{"vllm", "sglang", "tensorrt-llm"};
    run.engine = kEngines[seed % kEngines.size()];
    run.memory_fraction = run.engine == "tensorrt-llm" ? one_of({0.15, 0.3, 0.6}) : one_of({0.35, 0.45, 0.7});
    traffic.host_cache = gb(one_of({15, 40, 120}));
  }
  run.load = {LoadKind::request_rate, 1e-3};
  NoTrace none;
  const auto without = estimate_serving(none, facts(), model, gpu, run);
  run.load.value = (0.1 + 0.7 * stream.uniform(place++)) * without.performance->stable_requests_per_s->base_units();
  run.traffic = traffic;
  // No session runs at the start: it takes several lengths of a session until as many do as later.
  const double session_s = traffic.turns * traffic.think_time_s;
  const double enough = std::min(std::max(12000 / run.load.value, 30 * session_s), 60000 / run.load.value);
  sharing.replay.duration_s = longer * std::max(enough, 8 * session_s);
  sharing.replay.warm_up_s = sharing.replay.duration_s / 2;
  return sharing;
}

TEST(PrefixReuse, IsThatOfReplays) {
  const Catalog& catalog = facts();
  const Model& model = item(catalog.models.get(), "llama-3.1-8b");
  const Gpu& gpu = item(catalog.gpus, "h100-sxm5-80gb");
  constexpr std::size_t kSharings = 200;
  const char* times = std::getenv("PODWRIGHT_LONG_SHARINGS");
  const double longer = times == nullptr ? 1 : std::stod(times);
  std::vector<double> apart, ttft, tpot, request;
  for (std::uint64_t seed = 0; seed < kSharings; ++seed) {
    const Sharing sharing = random_sharing(seed, model, gpu, longer);
    const ReplayAnswer answer = replay_run(catalog, model, gpu, sharing.run, sharing.replay);
    ASSERT_TRUE(answer.figures) << seed;
    ASSERT_EQ(answer.estimate.prefix.has_value(), shares_prompts(sharing.run)) << seed;
    const double found = answer.estimate.prefix ? answer.estimate.prefix->hit_ratio : 0;
    apart.push_back(std::fabs(answer.figures->found_share - found));
    const auto& form = *answer.estimate.performance;
    const ReplayFigures& replayed = *answer.figures;
    // Sessions that are still young leave the prompts of a short replay shorter than they become.
    if (std::fabs(replayed.input_tokens / sharing.run.input_tokens - 1) > 0.03) continue;
    ttft.push_back(std::fabs(form.ttft->base_units() / replayed.ttft.mean - 1));
    tpot.push_back(std::fabs(form.tpot->base_units() / replayed.tpot.mean - 1));
    request.push_back(std::fabs(form.request->base_units() / replayed.request.mean - 1));
  }
  EXPECT_GT(ttft.size(), kSharings * 3 / 4);
  for (std::vector<double>* errors : {&ttft, &tpot, &request}) {
    std::sort(errors->begin(), errors->end());
    EXPECT_LT((*errors)[errors->size() / 2], 0.05);
    EXPECT_LT((*errors)[errors->size() * 9 / 10], 0.15);
  }
  std::sort(apart.begin(), apart.end());
  EXPECT_LT(apart[kSharings / 2], 0.005);
  EXPECT_LT(apart[kSharings * 95 / 100], 0.03);
  if (longer >= 3) {
    EXPECT_LT(apart.back(), 0.03);
  }
}

double prompts_in_pool(const ServingRun& run, const Model& model, const Gpu& gpu) {
  NoTrace none;
  const auto memory = *estimate_serving(none, facts(), model, gpu, run).memory;
  return memory.capacity_tokens / run.parallelism.data / (run.input_tokens + run.output_tokens);
}

TEST(PrefixReuse, WithHostMemoryIsThatOfReplays) {
  const Catalog& catalog = facts();
  const Model& model = item(catalog.models.get(), "llama-3.1-8b");
  const Gpu& gpu = item(catalog.gpus, "h100-sxm5-80gb");
  constexpr std::size_t kSharings = 90;
  const char* times = std::getenv("PODWRIGHT_LONG_SHARINGS");
  const double longer = times == nullptr ? 1 : std::stod(times);
  std::vector<double> apart, of_host, ttft, tpot;
  std::size_t matters = 0;
  for (std::uint64_t seed = 0; seed < kSharings; ++seed) {
    const Sharing sharing = random_sharing(seed, model, gpu, longer, true);
    if (!shares_prompts(sharing.run)) continue;
    // One long session more or less changes what a pool of a few keeps.
    if (prompts_in_pool(sharing.run, model, gpu) < 25) continue;
    const ReplayAnswer answer = replay_run(catalog, model, gpu, sharing.run, sharing.replay);
    ASSERT_TRUE(answer.figures && answer.host && answer.estimate.prefix->host_hit_ratio) << seed;
    const ReplayFigures& replayed = *answer.figures;
    const double host = *answer.estimate.prefix->host_hit_ratio;
    apart.push_back(std::fabs(replayed.found_share - answer.estimate.prefix->hit_ratio));
    of_host.push_back(std::fabs(replayed.host_share - host));
    if (host > 0.05) ++matters;
    const auto& form = *answer.estimate.performance;
    if (!form.ttft || std::fabs(replayed.input_tokens / sharing.run.input_tokens - 1) > 0.03) continue;
    ttft.push_back(std::fabs(form.ttft->base_units() / replayed.ttft.mean - 1));
    tpot.push_back(std::fabs(form.tpot->base_units() / replayed.tpot.mean - 1));
  }
  EXPECT_GT(matters, 25U);
  EXPECT_GT(ttft.size(), 50U);  // of 69
  for (std::vector<double>* errors : {&ttft, &tpot}) {
    std::sort(errors->begin(), errors->end());
    EXPECT_LT((*errors)[errors->size() / 2], 0.05);
    EXPECT_LT((*errors)[errors->size() * 9 / 10], 0.15);
  }
  for (std::vector<double>* errors : {&apart, &of_host}) {
    std::sort(errors->begin(), errors->end());
    EXPECT_LT((*errors)[errors->size() / 2], 0.005);
    EXPECT_LT((*errors)[errors->size() * 95 / 100], 0.03);
  }
  if (longer >= 3) {
    EXPECT_LT(of_host.back(), 0.03);
  }
}

}  // namespace
}  // namespace podwright::replay
