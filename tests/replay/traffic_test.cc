#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/math.h"
#include "replay/lane_support.h"
#include "replay/prefix_cache.h"
#include "replay/staged_load.h"
#include "replay/trace_file.h"
#include "replay/traffic_source.h"

namespace podwright::replay {
namespace {

DrawnTraffic drawn_chat() {
  DrawnTraffic drawn;
  drawn.pattern = {.system_prompt_tokens = 500, .system_prompts = 3, .turns = 4, .think_time_s = 20};
  drawn.requests_per_s = 50;
  drawn.input_tokens = 2000;
  drawn.output_tokens = 200;
  drawn.longest = 1e9;
  drawn.duration_s = 4000;
  return drawn;
}

/// Requests whose answers take no time.
std::vector<Request> all_of(const DrawnTraffic& drawn) {
  TrafficSource source(drawn);
  std::vector<Request> requests;
  while (source.next_at() < drawn.duration_s) {
    source.take(requests.emplace_back());
    source.answered(requests.back(), requests.back().at, 0);
  }
  return requests;
}

TEST(DrawnTraffic, HasTheMeansOfItsDescription) {
  const DrawnTraffic drawn = drawn_chat();
  const std::vector<Request> requests = all_of(drawn);
  double input = 0;
  double late = 0;
  for (const Request& request : requests)
    if (request.at > 400) {
      input += request.input_tokens;
      ++late;
    }
  EXPECT_NEAR(late / 3600, 50, 1);
  EXPECT_NEAR(input / late, 2000, 30);
}

TEST(DrawnTraffic, TurnsHoldWhatWasSaidBefore) {
  const std::vector<Request> requests = all_of(drawn_chat());
  // 2000 = 500 + fresh + (4 - 1) x (fresh + 200)
  const double fresh = 225;
  for (const Request& request : requests) {
    ASSERT_EQ(request.parts.size(), 2U);
    EXPECT_EQ(request.parts[0].tokens, 500);
    EXPECT_EQ(std::fmod(request.parts[1].tokens - fresh, fresh + 200), 0);
  }
}

TEST(DrawnTraffic, BurstsHaveTheirDispersion) {
  DrawnTraffic drawn = drawn_chat();
  drawn.pattern = {};
  for (const double dispersion : {0.0, 1.0, 4.0}) {
    drawn.pattern.dispersion = dispersion;
    std::vector<double> counts(400, 0);
    for (const Request& request : all_of(drawn)) ++counts[static_cast<std::size_t>(request.at / 10)];
    double sum = 0;
    double squares = 0;
    for (const double count : counts) {
      sum += count;
      squares += count * count;
    }
    const double mean = sum / 400;
    EXPECT_NEAR(mean, 500, 20) << dispersion;
    EXPECT_NEAR((squares / 400 - mean * mean) / mean, dispersion, 0.25 * dispersion + 0.01);
  }
}

TEST(DrawnTraffic, FollowsTheDay) {
  DrawnTraffic drawn = drawn_chat();
  drawn.pattern = {};
  drawn.requests_per_s = 1;
  drawn.duration_s = 86400;
  drawn.pattern.hours.assign(24, 1);
  drawn.pattern.hours[10] = 5;
  double busy = 0;
  double all = 0;
  for (const Request& request : all_of(drawn)) {
    ++all;
    busy += request.at >= 36000 && request.at < 39600 ? 1 : 0;
  }
  EXPECT_NEAR(all, 86400, 1500);
  EXPECT_NEAR(busy / all, 5.0 / 28, 0.01);
}

StagedLoad staged() {
  return {.stages = {{15, 50}, {3, 20}},
          .system_prompts = 150,
          .system_prompt_tokens = 6000,
          .prompts = 5,
          .input_tokens = 7200,
          .output_tokens = 1000};
}

TEST(StagedRequests, SendTheSamePromptsInTheSameOrderInEveryStage) {
  const StagedRequests staged_load = staged_requests(staged());
  ASSERT_EQ(staged_load.requests.size(), 750U + 60U);
  std::set<std::uint64_t> prompts;
  for (std::size_t i = 0; i < 750; ++i) {
    const Request& request = staged_load.requests[i];
    ASSERT_EQ(request.parts.size(), 2U);
    EXPECT_LT(request.parts[0].id, 150U);
    EXPECT_EQ((request.parts[1].id - 150) % 150, request.parts[0].id);
    prompts.insert(request.parts[1].id);
    EXPECT_LT(request.at, 50);
  }
  EXPECT_EQ(prompts.size(), 750U);
  for (std::size_t i = 0; i < 60; ++i) {
    const Request& later = staged_load.requests[750 + i];
    EXPECT_EQ(later.parts[1].id, staged_load.requests[i].parts[1].id);
    EXPECT_GE(later.at, staged_load.last_stage_at);
    EXPECT_LT(later.at, staged_load.last_stage_at + 20);
  }
}

TEST(StagedRequests, ClientsSendTheNextOneAfterTheAnswer) {
  StagedLoad load = staged();
  load.stages.clear();
  load.requests = 10;
  StagedRequests sent = staged_requests(load);
  TrafficSource source(std::move(sent.requests), 2);
  Request request;
  source.take(request);
  source.take(request);
  EXPECT_TRUE(std::isinf(source.next_at()));
  source.answered(request, 7.5, 0);
  EXPECT_EQ(source.next_at(), 7.5);
  source.take(request);
  EXPECT_EQ(request.at, 7.5);
}

/// Of the next request of the trace.
std::vector<std::size_t> lanes_that_know(TrafficSource& source, Request& request) {
  source.take(request);
  const KnownPrefix known = source.known(request);
  return {known.lanes.begin(), known.lanes.end()};
}

TEST(Trace, LanesThatAnsweredKnowWhatPromptsBeginWith) {
  std::vector<Request> trace;
  for (const double at : {0, 10, 20, 30, 40}) trace.push_back(request_at(at, 340, 10, 5));
  for (Request& request : trace) {
    request.continued = false;
    request.parts = {{5, 300}, {6, 40}};
  }
  trace[1].parts = {{5, 300}, {7, 40}};
  trace[4].parts = {{8, 40}, {6, 300}};
  TrafficSource source(trace);
  Request request;
  EXPECT_TRUE(lanes_that_know(source, request).empty());
  source.answered(request, 1, 3);
  EXPECT_EQ(lanes_that_know(source, request), std::vector<std::size_t>{3});
  EXPECT_EQ(source.known(request).tokens, 300);
  source.answered(request, 11, 1);
  // The whole prompt is known to the first alone, its start to both.
  EXPECT_EQ(lanes_that_know(source, request), std::vector<std::size_t>{3});
  EXPECT_EQ(source.known(request).tokens, 340);
  request.parts = {{5, 300}, {9, 40}};
  EXPECT_EQ(source.known(request).lanes.size(), 2U);
  source.take(request);
  EXPECT_TRUE(lanes_that_know(source, request).empty());
}

TEST(Trace, ASessionIsKnownToTheLaneOfItsLastTurn) {
  TrafficSource source({request_at(0, 300, 10, 5), request_at(10, 400, 10, 5), request_at(20, 500, 10, 5)});
  Request request;
  source.take(request);
  source.answered(request, 1, 3);
  source.take(request);
  source.answered(request, 11, 0);
  EXPECT_EQ(lanes_that_know(source, request), std::vector<std::size_t>{0});
  EXPECT_EQ(source.known(request).tokens, 500);
}

TEST(DrawnTraffic, DrawsFromATableExactly) {
  DrawnTraffic drawn = drawn_chat();
  drawn.pattern = {};
  drawn.input_lengths = lengths_of_table({{100, 3}, {4000, 1}});
  drawn.input_tokens = mean_of_lengths(drawn.input_lengths);
  double all = 0;
  double long_ones = 0;
  for (const Request& request : all_of(drawn)) {
    ASSERT_TRUE(request.input_tokens == 100 || request.input_tokens == 4000) << request.input_tokens;
    ++all;
    long_ones += request.input_tokens == 4000 ? 1 : 0;
  }
  EXPECT_NEAR(long_ones / all, 0.25, 0.005);
}

TEST(DrawnTraffic, HasItsQuantiles) {
  DrawnTraffic drawn = drawn_chat();
  drawn.pattern = {};
  drawn.output_lengths = lengths_of_quantiles({{0.5, 100}, {0.9, 1000}, {0.99, 1500}});
  drawn.output_tokens = mean_of_lengths(drawn.output_lengths);
  std::vector<double> lengths;
  double sum = 0;
  for (const Request& request : all_of(drawn)) {
    lengths.push_back(request.output_tokens);
    sum += request.output_tokens;
  }
  EXPECT_NEAR(sum / static_cast<double>(lengths.size()) / drawn.output_tokens, 1, 0.01);
  for (const auto& [share, tokens] : {std::pair{0.5, 100.0}, {0.9, 1000.0}, {0.99, 1500.0}})
    EXPECT_NEAR(math::quantile(lengths, share) / tokens, 1, 0.03) << share;
}

TEST(DrawnTraffic, OfSessionsNewTokensHaveTheShapeOfTheTable) {
  DrawnTraffic drawn = drawn_chat();
  drawn.input_lengths = lengths_of_table({{1000, 1}, {3000, 1}});
  // 225 new tokens on average, as in drawn_chat(): 113 or 338.
  for (const Request& request : all_of(drawn)) {
    if (request.lane == Request::kNoLane) {
      ASSERT_TRUE(request.parts[1].tokens == 113 || request.parts[1].tokens == 338) << request.parts[1].tokens;
    }
  }
}

TEST(PrefixCache, FindsWholeBlocksAndDropsTheOldest) {
  PrefixCache cache(1000, 16, true);
  std::vector<std::size_t> entries;
  Request first = request_at(0, 100, 10, 1);
  EXPECT_EQ(cache.found(first).here, 0);
  cache.admit(first, 100, entries);
  cache.leave(first, 100, 100, entries);
  EXPECT_EQ(cache.found(first).here, 96);  // six blocks of 16
  for (std::uint64_t id = 2; id < 12; ++id) {
    const Request other = request_at(0, 100, 10, id);
    cache.admit(other, 100, entries);
    cache.leave(other, 100, 100, entries);
  }
  EXPECT_LT(cache.found(first).here, 96);
  EXPECT_EQ(cache.found(request_at(0, 100, 10, 11)).here, 96);
  EXPECT_TRUE(cache.consistent());
}

TEST(PrefixCache, OthersUseASystemPromptWhileItsFirstRequestRuns) {
  PrefixCache cache(1000, 16, true);
  Request first = request_at(0, 300, 10, 1);
  first.parts = {{77, 160}, {1, 140}};
  std::vector<std::size_t> entries;
  cache.admit(first, 300, entries);
  Request second = first;
  second.parts[1].id = 2;
  EXPECT_EQ(cache.found(second).here, 0);
  EXPECT_EQ(cache.publish(first, entries), 160 + 128);  // whole blocks of 16
  EXPECT_EQ(cache.found(second).here, 160);
  EXPECT_EQ(cache.found(first).here, 160 + 128);  // the same question, asked by somebody else meanwhile
  // Held by a sequence, it is never dropped.
  EXPECT_TRUE(cache.fits(second, 700));
  EXPECT_FALSE(cache.fits(second, 701));
}

TEST(PrefixCache, KeepsAnswersThatNobodyAsksForUntilRoomIsNeeded) {
  PrefixCache cache(320, 16, true);
  std::vector<std::size_t> entries;
  Request first = request_at(0, 96, 64, 1);
  first.continued = false;
  cache.admit(first, 160, entries);
  const double moved = cache.publish(first, entries);
  cache.leave(first, 160 - moved, 159, entries);
  EXPECT_TRUE(cache.consistent());
  EXPECT_EQ(cache.found(first).here, 95);  // all but the token that is computed again
  // 96 of the prompt and 48 of the answer lie there: the answer goes first.
  cache.grow(320 - 96);
  EXPECT_EQ(cache.found(first).here, 95);
  cache.grow(16);
  EXPECT_EQ(cache.found(first).here, 80);
  EXPECT_TRUE(cache.consistent());
}

TEST(PrefixCache, WhatNobodyUsesMayTakeMoreRoom) {
  PrefixCache cache(320, 16, true, 2);
  std::vector<std::size_t> entries;
  const Request first = request_at(0, 320, 1, 1);
  cache.admit(first, 320, entries);
  EXPECT_EQ(cache.publish(first, entries), 320);
  EXPECT_EQ(cache.found(first).here, 319);
  cache.leave(first, 0, 320, entries);
  EXPECT_EQ(cache.found(first).here, 160);
  EXPECT_TRUE(cache.consistent());
}

TEST(TraceFile, ReadsJsonLinesAndTables) {
  const auto mooncake = read_trace(
      "{\"timestamp\": 2000, \"input_length\": 1100, \"output_length\": 50, \"hash_ids\": [0, 1, 5]}\n"
      "{\"timestamp\": 500, \"input_length\": 600, \"output_length\": 7, \"hash_ids\": [0, 9], \"user\": \"x\"}\n");
  ASSERT_TRUE(mooncake.has_value());
  ASSERT_EQ(mooncake->size(), 2U);
  EXPECT_EQ((*mooncake)[0].at, 0);
  EXPECT_EQ((*mooncake)[1].at, 1.5);
  EXPECT_EQ((*mooncake)[1].parts.size(), 3U);
  EXPECT_EQ((*mooncake)[1].parts[2].tokens, 1100 - 1024);

  const auto azure = read_trace(
      "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 23:59:59.5000000,374,44\n2023-11-17 "
      "00:00:01.2500000,396,109\n");
  ASSERT_TRUE(azure.has_value());
  EXPECT_NEAR((*azure)[1].at, 1.75, 1e-6);
  EXPECT_EQ((*azure)[1].input_tokens, 396);
}

std::vector<std::uint64_t> first_ids(std::string_view text) {
  const auto trace = read_trace(text);
  EXPECT_TRUE(trace.has_value()) << text;
  std::vector<std::uint64_t> ids;
  if (trace)
    for (const Request& request : *trace) ids.push_back(request.parts.front().id);
  return ids;
}

TEST(TraceFile, SessionsMayHaveAnyName) {
  const auto ids = first_ids(
      "arrived_at,session,input_tokens,output_tokens\n0,anna,10,5\n1,bernd,10,5\n2,anna,20,5\n3,7,10,5\n4,,10,5\n"
      "5,,10,5\n6,7,10,5\n7,-1,10,5\n");
  ASSERT_EQ(ids.size(), 8U);
  EXPECT_EQ(ids[0], ids[2]);
  EXPECT_EQ(ids[3], ids[6]);
  EXPECT_EQ(std::set<std::uint64_t>(ids.begin(), ids.end()).size(), 6U);
  // The same id in every build: FNV-1a of the name, above all others.
  EXPECT_EQ(ids[0], (std::uint64_t{1} << 62U) + (10861779068342936763U & ((std::uint64_t{1} << 62U) - 1)));
  const auto of_json = first_ids(
      "{\"at_s\":0,\"input_tokens\":10,\"output_tokens\":5,\"session_id\":\"anna\"}\n"
      "{\"at_s\":1,\"input_tokens\":10,\"output_tokens\":5,\"session_id\":9}\n"
      "{\"at_s\":2,\"input_tokens\":10,\"output_tokens\":5,\"session_id\":null}\n");
  ASSERT_EQ(of_json.size(), 3U);
  EXPECT_EQ(of_json[0], ids[0]);
  EXPECT_EQ(of_json[1], (std::uint64_t{1} << 52U) + 9);
}

TEST(TraceFile, BlocksMayHaveAnyName) {
  const auto trace = read_trace(
      R"({"timestamp":0,"input_length":1100,"output_length":5,"hash_ids":["a1","b2","c3"]}
         {"timestamp":1,"input_length":1100,"output_length":5,"hash_ids":["a1","b3","c3"]})");
  ASSERT_TRUE(trace.has_value());
  EXPECT_EQ((*trace)[0].parts[0].id, (*trace)[1].parts[0].id);
  EXPECT_NE((*trace)[0].parts[1].id, (*trace)[1].parts[1].id);
  EXPECT_NE((*trace)[0].parts[0].id, (*trace)[0].parts[1].id);
}

/// Path and message of the first error.
std::string error_of(std::string_view text) {
  const auto trace = read_trace(text);
  return trace ? "" : trace.error().front().path + " " + trace.error().front().message.substr(0, 40);
}

TEST(TraceFile, RefusesWhatNoEngineWasAsked) {
  const auto row = [](const std::string& rest) {
    return error_of("arrived_at,input_tokens,output_tokens\n0,10,5\n1," + rest + "\n");
  };
  EXPECT_EQ(row("10,0").substr(0, 23), ":3 The answer has no to");
  EXPECT_EQ(row("10,-3").substr(0, 23), ":3 The answer has no to");
  EXPECT_EQ(row("0,3").substr(0, 23), ":3 The prompt has no to");
  EXPECT_EQ(row("10,3"), "");
  const auto session = [](const std::string& id) {
    return error_of(R"({"at_s":0,"input_tokens":10,"output_tokens":5,"session":)" + id + "}").substr(0, 14);
  };
  EXPECT_EQ(session("1e300"), ":1 The session");
  EXPECT_EQ(session("[1]"), ":1 The session");
  EXPECT_EQ(session("\"\""), "");
  EXPECT_EQ(error_of(R"({"at_s":0,"input_tokens":10,"output_tokens":5,"hash_ids":[1,-2]})").substr(0, 11),
            ":1 hash_ids");
}

TEST(TraceFile, WithoutARequestIsNone) {
  for (const char* text : {"", " \n", "arrived_at,input_tokens,output_tokens\n"})
    EXPECT_EQ(error_of(text), " The trace has no request.") << text;
}

TEST(TraceFile, SaysWhichLineIsWrong) {
  const auto wrong = read_trace("arrived_at,input_tokens,output_tokens\n0,10,5\n1,,5\n");
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().front().path, ":3");
  EXPECT_FALSE(read_trace("").has_value());
  EXPECT_FALSE(read_trace("{\"timestamp\": 1}").has_value());
}

}  // namespace
}  // namespace podwright::replay
