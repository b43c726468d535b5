// Replay requests: what does not keep up, what a trace says in place of the request, and what is refused.
#include <gtest/gtest.h>

#include <string>

#include "support/ask.h"

namespace podwright::replay_request_test {
namespace {

const std::string kReplay =
    R"({"kind":"replay","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":1,"weight_precision":"fp8",
        "engine":"vllm","input_tokens":2000,"output_tokens":200,"load":{"request_rate_per_s":1},"duration_s":300})";

/// Without lengths and load, which its trace says.
std::string with_trace(const std::string& trace, const std::string& more = "") {
  return R"({"kind":"replay","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":1,"weight_precision":"fp8",
             "engine":"vllm","trace":")" +
         trace + "\"" + more + "}";
}
const std::string kHead = R"(arrived_at,input_tokens,output_tokens\n)";

std::string error_of(const Reply& reply) {
  const JsonNode* errors = reply.answer.find("errors");
  if (errors == nullptr || errors->items.size() != 1) return json_text(reply.answer);
  return errors->items[0].find("path")->text + " " + errors->items[0].find("hint")->text;
}

/// The default of a field and where it comes from, as "value source"; empty where the answer lists none.
std::string assumed(const JsonNode& answer, std::string_view path) {
  for (const JsonNode& assumption : answer.find("assumptions")->items)
    if (const JsonNode* at = assumption.find("path"); at != nullptr && at->text == path)
      return json_text(*assumption.find("value")) + " " + assumption.find("source")->text;
  return "";
}

/// Its only reason, which is of this code.
JsonNode reason_of(const Reply& reply, std::string_view code) {
  EXPECT_EQ(reply.outcome, Outcome::infeasible);
  const JsonNode* reasons = reply.answer.find("reasons");
  if (reasons == nullptr || reasons->items.size() != 1) {
    ADD_FAILURE() << json_text(reply.answer);
    return {};
  }
  EXPECT_EQ(reasons->items[0].find("code")->text, code);
  return reasons->items[0];
}

TEST(ReplayRequests, MoreThanIsCompletedIsInfeasibleAndShown) {
  const Reply reply = ask(kReplay, R"({"load":{"request_rate_per_s":60}})");
  const JsonNode reason = reason_of(reply, "does-not-keep-up");
  const double arrived = number_at(reply.answer, "/replay/arrived_requests_per_s");
  const double completed = number_at(reply.answer, "/replay/completed_requests_per_s");
  EXPECT_NEAR(arrived, 60, 2);
  EXPECT_LT(completed, 30);
  EXPECT_DOUBLE_EQ(number_at(reason, "/shortfall"), arrived - completed);
  // Those that are in flight are those that came and were not completed.
  const double left = (arrived - completed) * number_at(reply.answer, "/replay/counted_s");
  EXPECT_GT(number_at(reply.answer, "/replay/mean_in_flight"), 0.4 * left);
  EXPECT_LT(number_at(reply.answer, "/replay/mean_in_flight"), 0.7 * left);
  EXPECT_GT(number_at(reply.answer, "/replay/drain_s"), 100);
  // Each way out, by itself, keeps up.
  const JsonNode* ways = reason.find("ways_out");
  ASSERT_NE(ways, nullptr);
  ASSERT_EQ(ways->items.size(), 2U) << json_text(reason);
  for (const JsonNode& patch : ways->items)
    EXPECT_EQ(ask(kReplay, json_text(merged(*parse_json(R"({"load":{"request_rate_per_s":60}})"), patch))).outcome,
              Outcome::answer)
        << json_text(patch);
}

TEST(ReplayRequests, WhatIsCompletedIsWhatComesWhereItKeepsUp) {
  const Reply reply = ask(kReplay, R"({"load":{"request_rate_per_s":8},"duration_s":2000})");
  ASSERT_EQ(reply.outcome, Outcome::answer) << json_text(reply.answer);
  const JsonNode& answer = reply.answer;
  const double arrived = number_at(answer, "/replay/arrived_requests_per_s");
  EXPECT_NEAR(number_at(answer, "/replay/completed_requests_per_s") / arrived, 1, 0.01);
  // Little's law.
  EXPECT_NEAR(number_at(answer, "/replay/mean_in_flight") / (arrived * number_at(answer, "/replay/latency/request_s")),
              1, 0.02);
}

TEST(ReplayRequests, ATraceThatOutrunsTheDeploymentMayGetMoreReplicas) {
  std::string trace = kHead;
  for (int i = 0; i < 6000; ++i) trace += std::to_string(i / 40.0) + R"(,2000,200\n)";
  const JsonNode reason = reason_of(ask(with_trace(trace)), "does-not-keep-up");
  ASSERT_EQ(reason.find("ways_out")->items.size(), 1U);
  EXPECT_GT(number_at(reason.find("ways_out")->items[0], "/gpu_count"), 1);
}

TEST(ReplayRequests, WaysOutOfAFullGpuAreLegal) {
  const std::string full = R"({"model":"llama-3.1-70b","weight_precision":"bf16"})";
  const JsonNode reason = reason_of(ask(kReplay, full), "weights-do-not-fit");
  const JsonNode* ways = reason.find("ways_out");
  ASSERT_NE(ways, nullptr);
  ASSERT_FALSE(ways->items.empty());
  for (const JsonNode& patch : ways->items)
    EXPECT_NE(ask(kReplay, json_text(merged(*parse_json(full), patch))).outcome, Outcome::wrong_input)
        << json_text(patch);
}

TEST(ReplayRequests, NothingCountedIsNeverAZero) {
  const Reply rare = ask(kReplay, R"({"load":{"request_rate_per_s":1e-5},"duration_s":10})");
  reason_of(rare, "nothing-counted");
  EXPECT_EQ(rare.answer.find("replay"), nullptr);
  const Reply refused = ask(with_trace(kHead + R"(0,140000,5\n)"));
  reason_of(refused, "all-refused");
  EXPECT_EQ(refused.answer.find("replay"), nullptr);
  EXPECT_EQ(error_of(ask(kReplay, R"({"warm_up_s":300})")), "/warm_up_s Legal: below 300 s, the duration_s.");
  EXPECT_EQ(error_of(ask(with_trace(kHead + R"(5,10,5\n17,10,5\n)", R"(,"warm_up_s":13)"))),
            "/warm_up_s Legal: up to 12 s, when its last request comes.");
}

TEST(ReplayRequests, AnEmptyTraceIsAnError) {
  for (const std::string& trace : {std::string(), std::string(R"(\n)"), kHead})
    EXPECT_EQ(error_of(ask(with_trace(trace))).substr(0, 34), "/trace Each request needs a time, ") << trace;
}

TEST(ReplayRequests, ATraceSaysLengthsAndRate) {
  const Reply reply = ask(with_trace(kHead + R"(0,100,5\n1,300,15\n4,200,10\n)"));
  ASSERT_EQ(reply.outcome, Outcome::answer) << json_text(reply.answer);
  EXPECT_EQ(assumed(reply.answer, "/input_tokens"), "200 mean of the trace");
  EXPECT_EQ(assumed(reply.answer, "/output_tokens"), "10 mean of the trace");
  EXPECT_EQ(assumed(reply.answer, "/input_tokens_cv").substr(0, 5), "0.408");
  EXPECT_EQ(assumed(reply.answer, "/load/request_rate_per_s"), "0.75 mean rate of the trace");
  // Neither what is drawn nor a share that is found is assumed.
  for (const char* path : {"/duration_s", "/seed", "/prefix_hit_ratio"}) EXPECT_EQ(assumed(reply.answer, path), "");
  EXPECT_EQ(number_at(reply.answer, "/replay/mean_input_tokens"), 200);
  // A request that says more than it needs to is answered too.
  EXPECT_EQ(ask(kReplay, R"({"trace":"arrived_at,input_tokens,output_tokens\n0,100,5\n"})").outcome, Outcome::answer);
  // What prompts of drawn traffic share says nothing of it.
  EXPECT_EQ(ask(with_trace(kHead + R"(0,100,5\n)", R"(,"traffic":{"system_prompt_tokens":5000,"turns":9})")).outcome,
            Outcome::answer);
  EXPECT_EQ(error_of(ask(with_trace(kHead + R"(0,100,5\n)", R"(,"prefix_hit_ratio":0.5)"))),
            "/prefix_hit_ratio Leave prefix_hit_ratio out.");
}

TEST(ReplayRequests, WhatTheTrafficSaysIsNotAssumed) {
  const JsonNode plain = ask(kReplay).answer;
  EXPECT_EQ(assumed(plain, "/prefix_hit_ratio"), "0 not requested");
  const JsonNode shared = ask(kReplay, R"({"traffic":{"system_prompt_tokens":500}})").answer;
  EXPECT_EQ(assumed(shared, "/prefix_hit_ratio"), "");
}

TEST(ReplayRequests, EnginesRefuseWhatIsLongerThanTheirContext) {
  const std::string trace = kHead + R"(0,100,5\n1,131000,100\n2,100,5\n)";
  const JsonNode context = ask(with_trace(trace)).answer;
  EXPECT_EQ(number_at(context, "/replay/refused_by_length"), 1);
  EXPECT_EQ(number_at(context, "/replay/requests"), 2);
  const JsonNode given =
      ask(with_trace(kHead + R"(0,100,5\n1,300,100\n2,100,5\n)", R"(,"max_model_tokens":350)")).answer;
  EXPECT_EQ(number_at(given, "/replay/refused_by_length"), 1);
}

TEST(ReplayRequests, SessionsOfATraceMayHaveNames) {
  std::string named = R"(arrived_at,session,input_tokens,output_tokens\n)";
  std::string numbered = named;
  for (int i = 0; i < 40; ++i) {
    const std::string rest = "," + std::to_string(500 * (1 + i / 4)) + R"(,20\n)";
    named += std::to_string(5 * i) + ",user-" + std::string(1, static_cast<char>('a' + i % 4)) + rest;
    numbered += std::to_string(5 * i) + "," + std::to_string(i % 4) + rest;
  }
  const double found = number_at(ask(with_trace(named)).answer, "/replay/prefix_hit_ratio");
  EXPECT_GT(found, 0.7);
  EXPECT_EQ(found, number_at(ask(with_trace(numbered)).answer, "/replay/prefix_hit_ratio"));
}

TEST(ReplayRequests, TheRateOfALoadIsThatOfItsBusiestHour) {
  const std::string hours = "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,10,1,1,1,1,1,1,1,1,1]";
  const std::string load = R"("load":{"request_rate_per_s":4},)";
  const JsonNode hour = ask(kReplay, "{" + load + R"("duration_s":3600,"traffic":{"hours":)" + hours + "}}").answer;
  EXPECT_NEAR(number_at(hour, "/replay/arrived_requests_per_s"), 4, 0.1);
  EXPECT_EQ(number_at(hour, "/hours_of_day/0/hour"), 14);
  const JsonNode day = ask(kReplay, "{" + load + R"("whole_day":true,"traffic":{"hours":)" + hours + "}}").answer;
  EXPECT_NEAR(number_at(day, "/hours_of_day/14/arrived_requests_per_s"), 4, 0.2);
  EXPECT_NEAR(number_at(day, "/hours_of_day/3/arrived_requests_per_s"), 0.4, 0.05);
  // A replay of a day that is not joined to 24 hours agrees.
  const JsonNode long_one =
      ask(kReplay, "{" + load + R"("duration_s":86400,"warm_up_s":0,"traffic":{"hours":)" + hours + "}}").answer;
  EXPECT_NEAR(number_at(long_one, "/replay/arrived_requests_per_s"), 4 * 33 / 240.0, 0.02);
}

TEST(ReplayRequests, HintsNameNumbers) {
  EXPECT_EQ(error_of(ask(kReplay, R"({"load":{"request_rate_per_s":10000},"duration_s":3600})")),
            "/duration_s Legal: up to 200 s at this rate.");
  EXPECT_EQ(error_of(ask(kReplay, R"({"load":{"request_rate_per_s":1000},"whole_day":true})")),
            "/whole_day Legal: a load of up to 667 requests/s, or no whole_day.");
  EXPECT_EQ(error_of(ask(kReplay, R"({"max_batched_tokens":1})")),
            "/max_batched_tokens Legal: at least 2, or leave it out.");
  EXPECT_EQ(error_of(ask(kReplay, R"({"max_model_tokens":2000})")),
            "/max_model_tokens Legal: at least 2200, or leave it out.");
}

TEST(ReplayRequests, TheCacheIsAsLargeAsInAnEstimate) {
  for (const char* traffic :
       {"null", R"({"system_prompt_tokens":700,"system_prompts":5})", R"({"turns":4,"think_time_s":30})"}) {
    const std::string patch = std::string(R"({"traffic":)") + traffic;
    const double replayed = number_at(ask(kReplay, patch + "}").answer, "/capacity_tokens");
    const double estimated =
        number_at(ask(kReplay, patch + R"(,"kind":"serving","duration_s":null})").answer, "/kv_cache/capacity_tokens");
    EXPECT_EQ(replayed, estimated) << traffic;
  }
}

}  // namespace
}  // namespace podwright::replay_request_test
