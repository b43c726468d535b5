/// Host memory behind the prefix cache: what it keeps, and what waits for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "replay/lane_support.h"
#include "replay/serve.h"

namespace podwright::replay {
namespace {

/// Prompts of 100 tokens that share nothing leave six blocks of 16 each.
void pass_through(PrefixCache& cache, std::uint64_t id) {
  std::vector<std::size_t> entries;
  const Request request = request_at(0, 100, 1, id);
  const double own = 100 - cache.found(request).here;
  cache.admit(request, own, entries);
  cache.leave(request, own, 100, entries);
}

TEST(HostMemory, KeepsWhatThePoolDropsUntilItIsFullItself) {
  PrefixCache cache(200, 16, true, 1, {.tokens = 192});
  for (std::uint64_t id = 1; id <= 4; ++id) pass_through(cache, id);
  // Two prompts of 96 tokens lie in the pool, the two before them in host memory.
  EXPECT_EQ(cache.found(request_at(0, 100, 1, 4)).here, 96);
  EXPECT_EQ(cache.found(request_at(0, 100, 1, 1)).here, 0);
  EXPECT_EQ(cache.found(request_at(0, 100, 1, 1)).host, 96);
  pass_through(cache, 5);
  EXPECT_EQ(cache.found(request_at(0, 100, 1, 1)).host, 0);
  EXPECT_EQ(cache.found(request_at(0, 100, 1, 2)).host, 96);
  // What is used again comes back, and lies in host memory no longer.
  pass_through(cache, 2);
  EXPECT_EQ(cache.found(request_at(0, 100, 1, 2)).here, 96);
  EXPECT_EQ(cache.found(request_at(0, 100, 1, 2)).host, 0);
  EXPECT_TRUE(cache.consistent());
}

TEST(HostMemory, OfCopiesIsOfUseBeyondTheSizeOfThePool) {
  for (const double tokens : {192.0, 400.0}) {
    PrefixCache cache(200, 16, true, 1, {.tokens = tokens, .copies = true});
    for (std::uint64_t id = 1; id <= 4; ++id) pass_through(cache, id);
    EXPECT_EQ(cache.found(request_at(0, 100, 1, 1)).host, tokens > 192 ? 96 : 0);
    EXPECT_TRUE(cache.consistent());
  }
}

/// The first prompt is dropped for the second and comes back with the third, whose 96 tokens take 2.4 s to load; each
/// step takes 1 s. With `company` a fourth request decodes meanwhile.
ReplayFigures third_of(HostLoad load, bool company) {
  StepClock clock = clock_of_steps(1);
  Deployment deployment = one_slot();
  deployment.limits.pool_tokens = 130;
  deployment.limits.max_sequences = 2;
  deployment.limits.host = {.room = {.tokens = 1000}, .load = load, .token_s = 0.025};
  std::vector<Request> requests{request_at(0, 100, 1, 1), request_at(10, 100, 1, 2), request_at(20, 100, 1, 3)};
  if (company) requests.push_back(request_at(29.5, 20, 9, 4));
  requests.push_back(request_at(30, 100, 1, 1));
  TrafficSource source(std::move(requests));
  return replay(clock, deployment, source, 29.7);
}

TEST(HostMemory, LoadsTakeTheirTime) {
  const ReplayFigures alone = third_of(HostLoad::apart, false);
  ASSERT_EQ(alone.requests, 1U);
  EXPECT_DOUBLE_EQ(alone.host_share, 0.96);
  EXPECT_DOUBLE_EQ(alone.found_share, 0.96);
  EXPECT_DOUBLE_EQ(alone.ttft.mean, 2.4 + 1);
  EXPECT_DOUBLE_EQ(third_of(HostLoad::before_step, false).ttft.mean, 2.4 + 1);
  // Layers are loaded while those before them are computed.
  EXPECT_DOUBLE_EQ(third_of(HostLoad::by_layer, false).ttft.mean, 2.4);
}

TEST(HostMemory, StepsOfOthersGoOnMeanwhileOrWait) {
  // The running step ends at 30.5 s, the load at 32.9; the next step begins at 33.5.
  EXPECT_DOUBLE_EQ(third_of(HostLoad::apart, true).ttft.mean, 4.5);
  EXPECT_DOUBLE_EQ(third_of(HostLoad::before_step, true).ttft.mean, 0.5 + 2.4 + 1);
  EXPECT_DOUBLE_EQ(third_of(HostLoad::by_layer, true).ttft.mean, 0.5 + 2.4);
}

ServingRun sessions_on(const char* engine) {
  ServingRun run;
  run.weight_precision = "bf16";
  run.engine = engine;
  run.input_tokens = 2400;
  run.output_tokens = 400;
  run.load = {LoadKind::request_rate, 3};
  run.traffic = TrafficPattern{.turns = 4, .think_time_s = 120, .host_cache = gb(100)};
  return run;
}

template <class Item>
const Item& with_id(const std::vector<Item>& items, std::string_view id) {
  return *std::find_if(items.begin(), items.end(), [&](const Item& one) { return one.id == id; });
}

ServingEstimate<NoTrace> estimate_on(const char* engine, const char* gpu, double host_gb = 100) {
  const Catalog& catalog = embedded_catalog_facts();
  NoTrace none;
  ServingRun run = sessions_on(engine);
  run.traffic->host_cache = gb(host_gb);
  return estimate_serving(none, catalog, with_id(catalog.models.get(), "llama-3.1-8b"), with_id(catalog.gpus, gpu),
                          run);
}

TEST(HostMemory, MakesAnEstimateFindMoreAndAnswerSooner) {
  const auto without = estimate_on("vllm", "h100-sxm5-80gb", 0);
  const auto with = estimate_on("vllm", "h100-sxm5-80gb");
  ASSERT_TRUE(with.host && with.prefix->host_hit_ratio);
  EXPECT_FALSE(without.prefix->host_hit_ratio);
  EXPECT_GT(with.prefix->hit_ratio, without.prefix->hit_ratio + 0.1);
  EXPECT_LT(*with.performance->ttft, *without.performance->ttft);
  // 128 KiB a token over what nvbandwidth reached on the same PCIe generation.
  EXPECT_DOUBLE_EQ(with.host->token.base_units(), 131072);
  EXPECT_NEAR(with.host->token_s, 131072 / 55.06e9, 1e-12);
  EXPECT_NEAR(with.prefix->host_load->base_units(), 3 * 2400 * *with.prefix->host_hit_ratio * 131072, 1);
}

TEST(HostMemory, CountsNothingWhereItIsNotKnownOrSlower) {
  const auto told = [](const ServingEstimate<NoTrace>& estimate, std::string_view what) {
    return std::any_of(estimate.assumptions.begin(), estimate.assumptions.end(),
                       [&](const std::string& sentence) { return sentence.find(what) != std::string::npos; });
  };
  const auto nothing = estimate_on("vllm", "b300-sxm", 0);
  const auto unknown = estimate_on("vllm", "b300-sxm");
  EXPECT_FALSE(unknown.host);
  EXPECT_EQ(unknown.prefix->hit_ratio, nothing.prefix->hit_ratio);
  EXPECT_TRUE(told(unknown, "is not known"));
  EXPECT_TRUE(told(estimate_on("lmdeploy", "h100-sxm5-80gb"), "is not known here to keep prefixes"));
  std::vector<std::string> why;
  EXPECT_FALSE(sooner_than(HostTier{.token_s = 2e-5}, 1e-5, why));
  EXPECT_EQ(why.size(), 1U);
}

}  // namespace
}  // namespace podwright::replay
