#include "replay/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/math.h"
#include "base/random.h"
#include "replay/lane_support.h"

namespace podwright::replay {
namespace {

/// Arrivals at random at one server of requests that take `outputs` steps of `step` seconds each.
std::vector<Request> poisson(std::size_t count, double rate, double output, double output_cv, std::uint64_t seed) {
  DrawnTraffic drawn;
  drawn.requests_per_s = rate;
  drawn.input_tokens = 100;
  drawn.output_tokens = output;
  drawn.output_cv = output_cv;
  drawn.longest = 1e9;
  drawn.duration_s = static_cast<double>(count) / rate;
  drawn.seed = seed;
  TrafficSource source(drawn);
  std::vector<Request> requests;
  while (source.next_at() < drawn.duration_s) source.take(requests.emplace_back());
  return requests;
}

double mean_wait(const ReplayFigures& figures, double step) { return figures.ttft.mean - step; }

TEST(Replay, OneSlotWithoutBatchingIsExact) {
  // A request that finds the slot free is served at once, the others begin when their predecessor ends (Lindley 1952).
  StepClock clock = clock_of_steps(0.01);
  const std::vector<Request> requests = poisson(5000, 4, 20, 0.7, 3);
  double free_at = 0;
  double first = 0;
  double whole = 0;
  for (const Request& request : requests) {
    const double start = std::max(free_at, request.at);
    free_at = start + 0.01 * request.output_tokens;
    first += start + 0.01 - request.at;
    whole += free_at - request.at;
  }
  TrafficSource source(requests);
  const ReplayFigures figures = replay(clock, one_slot(), source, 0);
  const double count = static_cast<double>(requests.size());
  ASSERT_EQ(figures.requests, requests.size());
  EXPECT_NEAR(figures.ttft.mean, first / count, 1e-9 * first / count);
  EXPECT_NEAR(figures.request.mean, whole / count, 1e-9 * whole / count);
}

TEST(Replay, WaitsAreThoseOfPollaczekAndKhinchine) {
  // M/D/1 and M/G/1: mean wait = rate E[S^2] / (2 (1 - load)).
  StepClock clock = clock_of_steps(0.01);
  for (const double output_cv : {0.0, 0.8})
    for (const double load : {0.3, 0.5}) {
      const double service = 0.01 * 20;
      const double rate = load / service;
      const std::vector<Request> requests = poisson(400'000, rate, 20, output_cv, 11);
      double sum = 0;
      double squares = 0;
      for (const Request& request : requests) {
        sum += 0.01 * request.output_tokens;
        squares += 1e-4 * request.output_tokens * request.output_tokens;
      }
      const double came = static_cast<double>(requests.size()) / requests.back().at;
      const double count = static_cast<double>(requests.size());
      const double expected = came * (squares / count) / (2 * (1 - came * sum / count));
      TrafficSource source(requests);
      const ReplayFigures figures = replay(clock, one_slot(), source, 0);
      EXPECT_NEAR(mean_wait(figures, 0.01) / expected, 1, 0.01) << "load " << load << ", cv " << output_cv;
    }
}

TEST(Replay, BatchesSharedSteps) {
  // Two that come together: their prompts ride in one step, then each step yields a token of both.
  StepClock clock = clock_of_steps(1);
  Deployment deployment = one_slot();
  deployment.limits.max_sequences = 2;
  TrafficSource source({request_at(0, 100, 5, 1), request_at(0, 100, 5, 2)});
  const ReplayFigures figures = replay(clock, deployment, source, 0);
  // The first comes to an idle engine and begins; the second is seen when that step ends.
  EXPECT_DOUBLE_EQ(figures.ttft.mean, (1 + 2) / 2.0);
  EXPECT_DOUBLE_EQ(figures.request.mean, (5 + 6) / 2.0);
}

TEST(Replay, LongPromptsGoInPieces) {
  StepClock clock = clock_of_steps(1);
  Deployment deployment = one_slot();
  deployment.limits.step_tokens = 300;
  TrafficSource source({request_at(0, 1000, 1, 1)});
  EXPECT_DOUBLE_EQ(replay(clock, deployment, source, 0).ttft.mean, 4);
}

TEST(Replay, AFullPoolPreemptsTheYoungestAndItEndsAnyway) {
  StepClock clock = clock_of_steps(1);
  Deployment deployment = one_slot();
  deployment.limits.max_sequences = 8;
  deployment.limits.pool_tokens = 400;
  deployment.limits.keeps_prefixes = false;
  TrafficSource source({request_at(0, 100, 150, 1), request_at(0, 100, 150, 2)});
  const ReplayFigures figures = replay(clock, deployment, source, 0);
  EXPECT_EQ(figures.requests, 2U);
  EXPECT_EQ(figures.preemptions, 1U);
  // With room reserved for whole answers the second waits instead.
  deployment.limits.reserves_whole = true;
  TrafficSource again({request_at(0, 100, 150, 1), request_at(0, 100, 150, 2)});
  const ReplayFigures reserved = replay(clock, deployment, again, 0);
  EXPECT_EQ(reserved.preemptions, 0U);
  EXPECT_DOUBLE_EQ(reserved.ttft.mean, (1 + 151) / 2.0);
}

TEST(Replay, RefusesWhatNoPoolHolds) {
  StepClock clock = clock_of_steps(1);
  Deployment deployment = one_slot();
  deployment.limits.pool_tokens = 500;
  TrafficSource source({request_at(0, 490, 20, 1), request_at(1, 100, 20, 2)});
  const ReplayFigures figures = replay(clock, deployment, source, 0);
  EXPECT_EQ(figures.refused_by_cache, 1U);
  EXPECT_EQ(figures.requests, 1U);
}

TEST(Replay, RefusesWhatEnginesDoNotAccept) {
  StepClock clock = clock_of_steps(1);
  Deployment deployment = one_slot();
  deployment.longest = 500;
  TrafficSource source({request_at(0, 490, 20, 1), request_at(1, 480, 20, 2)});
  const ReplayFigures figures = replay(clock, deployment, source, 0);
  EXPECT_EQ(figures.refused_by_length, 1U);
  EXPECT_EQ(figures.refused_by_cache, 0U);
  EXPECT_EQ(figures.requests, 1U);
}

/// A deployment and a load drawn at random, small enough that pools run over.
struct Case {
  Deployment deployment;
  DrawnTraffic drawn;
};

Case random_case(std::uint64_t seed) {
  const random::Stream stream(seed, 0);
  std::uint64_t place = 0;
  const auto between = [&](double low, double high) { return low + (high - low) * stream.uniform(place++); };
  const auto chosen = [&](double share) { return stream.uniform(place++) < share; };
  Case one;
  DrawnTraffic& drawn = one.drawn;
  drawn.input_tokens = std::floor(between(50, 800));
  drawn.output_tokens = std::floor(between(2, 200));
  drawn.input_cv = chosen(0.5) ? between(0, 1) : 0;
  drawn.output_cv = chosen(0.5) ? between(0, 1) : 0;
  if (chosen(0.6)) drawn.pattern.system_prompt_tokens = std::floor(drawn.input_tokens * between(0, 0.5));
  drawn.pattern.system_prompts = std::floor(between(1, 6));
  if (chosen(0.5)) drawn.pattern.turns = std::floor(between(1, 4));
  if (fresh_tokens(drawn.pattern, drawn.input_tokens, drawn.output_tokens) < 1) drawn.pattern.turns = 1;
  drawn.pattern.think_time_s = chosen(0.5) ? between(0, 20) : 0;
  drawn.pattern.dispersion = chosen(0.5) ? 1 : between(0, 6);
  drawn.longest = 4000;
  drawn.duration_s = 40;
  drawn.seed = seed;
  if (chosen(0.8))
    drawn.requests_per_s = between(0.5, 20);
  else
    drawn.clients = std::floor(between(1, 30));
  LaneLimits& limits = one.deployment.limits;
  limits.block_tokens = chosen(0.5) ? 16 : 64;
  limits.pool_tokens = std::floor(between(2000, 30000));
  limits.max_sequences = std::floor(between(1, 40));
  limits.step_tokens = std::floor(between(64, 2048));
  limits.reserves_whole = chosen(0.3);
  limits.keeps_prefixes = chosen(0.8);
  one.deployment.lanes = static_cast<std::size_t>(between(1, 4));
  one.deployment.routing = static_cast<Routing>(static_cast<int>(between(0, 4)));
  if (chosen(0.5))
    limits.host = {.room = {.tokens = std::floor(between(1000, 60000)), .copies = chosen(0.5)},
                   .load = static_cast<HostLoad>(static_cast<int>(between(0, 3))),
                   .token_s = between(0, 1e-3),
                   .links = std::floor(between(1, 4))};
  return one;
}

TEST(Replay, TokensAndBlocksAreConservedAtEveryEvent) {
  std::size_t preempted = 0;
  double found = 0;
  double loaded = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Case one = random_case(seed);
    StepClock clock = clock_of_steps(0.02);
    TrafficSource source(one.drawn);
    std::size_t broken = 0;
    const ReplayFigures figures =
        replay(clock, one.deployment, source, 0, [&](const Lane& lane) { broken += lane.consistent() ? 0 : 1; });
    ASSERT_EQ(broken, 0U) << "seed " << seed;
    ASSERT_EQ(figures.came, figures.requests + figures.refused_by_cache + figures.refused_by_length) << "seed " << seed;
    preempted += figures.preemptions;
    found += figures.found_share;
    loaded += figures.host_share;
  }
  // The cases reach what they are there for.
  EXPECT_GT(preempted, 1000U);
  EXPECT_GT(found, 100);
  EXPECT_GT(loaded, 10);
}

TEST(Replay, ASessionThatGrowsShorterIsServed) {
  // The second shares the first's entry, which leaves no room for what it has of its own.
  StepClock clock = clock_of_steps(1);
  Deployment deployment = one_slot();
  deployment.limits.pool_tokens = 500;
  Request shorter = request_at(50, 200, 100, 1);
  shorter.parts = {{1, 32}, {2, 168}};
  TrafficSource source({request_at(0, 450, 10, 1), shorter});
  EXPECT_EQ(replay(clock, deployment, source, 0).requests, 2U);
}

TEST(Replay, IsTheSameTwice) {
  const Case one = random_case(7);
  const auto run = [&] {
    StepClock clock = clock_of_steps(0.02);
    TrafficSource source(one.drawn);
    return replay(clock, one.deployment, source, 5);
  };
  const ReplayFigures first = run();
  const ReplayFigures second = run();
  EXPECT_EQ(first.requests, second.requests);
  EXPECT_EQ(first.ttft.mean, second.ttft.mean);
  EXPECT_EQ(first.request.p99, second.request.p99);
}

}  // namespace
}  // namespace podwright::replay
