// The load of a plan as people know it: requests, users at once, tokens of a day; and the headlines of a plan.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/ask.h"

namespace podwright::asked_load_test {
namespace {

/// A load of its own is merged into it.
const std::string kChat =
    R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-8b","LOAD":0,
        "input_tokens":1000,"output_tokens":201,"ttft_s_p95_max":2,"tpot_s_p95_max":0.04}],
        "constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0,"top":1}})";

Reply plan_of(const std::string& load, const std::string& patch = "{}") {
  std::string request = kChat;
  request.replace(request.find("\"LOAD\":0"), 8, load);
  return ask(request, patch);
}

double load_at(const JsonNode& answer, const std::string& key) { return number_at(answer, "/loads/0/" + key); }

TEST(AskedLoad, UsersSendWhatTheirAnswersLetThem) {
  // 2 s and 200 tokens more at 40 ms: 10 s; 20 s to think.
  const JsonNode answer = plan_of(R"("users":600,"think_time_s":20)").answer;
  EXPECT_DOUBLE_EQ(load_at(answer, "peak_requests_per_s"), 20);
  EXPECT_DOUBLE_EQ(load_at(answer, "mean_requests_per_s"), 20);
  EXPECT_DOUBLE_EQ(load_at(answer, "tokens_per_day"), 20.0 * 1201 * 86400);
  const JsonNode same = plan_of(R"("peak_requests_per_s":20)").answer;
  EXPECT_EQ(number_at(answer, "/plans/0/gpu_count"), number_at(same, "/plans/0/gpu_count"));
  EXPECT_EQ(number_at(answer, "/plans/0/ranked_by_usd_per_year"), number_at(same, "/plans/0/ranked_by_usd_per_year"));
  // All of them wait for an answer.
  EXPECT_DOUBLE_EQ(load_at(plan_of(R"("users":600)").answer, "peak_requests_per_s"), 60);
}

const JsonNode* risk_of(const JsonNode& answer, std::string_view code) {
  for (const JsonNode& risk : answer.find("plans")->items[0].find("risks")->items)
    if (risk.find("code")->text == code) return &risk;
  return nullptr;
}

TEST(AskedLoad, APlanSaysWhereItsLoadIsAtItsHighestForWantOfMore) {
  const JsonNode most = plan_of(R"("users":600)").answer;
  ASSERT_NE(risk_of(most, "users-at-once"), nullptr);
  EXPECT_EQ(risk_of(most, "users-at-once")->find("message")->text,
            "The 600 users are taken to ask again as soon as they have an answer, which makes 60 requests/s. With a "
            "think time of 60 s before the next question, they would send 8.57 requests/s.");
  EXPECT_NE(risk_of(most, "always-at-peak"), nullptr);
  const JsonNode said = plan_of(R"("users":600,"think_time_s":20,"peak_over_mean":2)").answer;
  EXPECT_EQ(risk_of(said, "users-at-once"), nullptr);
  EXPECT_EQ(risk_of(said, "always-at-peak"), nullptr);
  const JsonNode rate = plan_of(R"("peak_requests_per_s":20)").answer;
  EXPECT_EQ(risk_of(rate, "users-at-once"), nullptr);
  EXPECT_NE(risk_of(rate, "always-at-peak"), nullptr);
  EXPECT_EQ(risk_of(plan_of(R"("tokens_per_day":1e9)").answer, "always-at-peak"), nullptr);
}

// The users of a plan, all of them with a request in work, get their answers in the time that they were counted with.
TEST(AskedLoad, UsersAreServedWithinTheirLimits) {
  const std::string kTime = R"("input_tokens":1000,"output_tokens":201)";  // 2 s and 200 tokens more at 50 ms: 12 s
  const JsonNode answer = ask(R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"qwen3-32b",
                                  "users":600,"ttft_s_p95_max":2,"tpot_s_p95_max":0.05,)" +
                              kTime + R"(}],"constraints":{"gpus":["h100-sxm5-80gb"],"ownership":"oem"},
                                  "options":{"draws":0,"top":1}})")
                              .answer;
  EXPECT_DOUBLE_EQ(load_at(answer, "peak_requests_per_s"), 50);
  const JsonNode& layout = answer.find("plans")->items[0].find("layouts")->items[0];
  ASSERT_NE(layout.find("parallelism"), nullptr);
  const JsonNode estimate =
      ask(R"({"kind":"serving","model":"qwen3-32b","gpu":"h100-sxm5-80gb","engine":"vllm",)" + kTime +
          R"(,"gpu_count":)" + std::to_string(static_cast<int>(number_at(layout, "/gpu_count"))) +
          R"(,"parallelism":)" + json_text(*layout.find("parallelism")) + R"(,"weight_precision":")" +
          layout.find("weight_precision")->text + R"(","load":{"concurrency":600}})")
          .answer;
  EXPECT_LE(number_at(estimate, "/latency/request_s"), 12);
  EXPECT_GE(number_at(estimate, "/throughput/requests_per_s"), 50);
}

TEST(AskedLoad, TokensOfADayHaveAPeak) {
  const JsonNode plain = plan_of(R"("tokens_per_day":1037664000)").answer;  // 10 requests/s on average
  EXPECT_DOUBLE_EQ(load_at(plain, "mean_requests_per_s"), 10);
  EXPECT_DOUBLE_EQ(load_at(plain, "peak_requests_per_s"), 20);
  const JsonNode even = plan_of(R"("tokens_per_day":1037664000,"peak_over_mean":1)").answer;
  EXPECT_DOUBLE_EQ(load_at(even, "peak_requests_per_s"), 10);
  // Half of the hours have twice the rate of the others.
  const std::string hours = R"("tokens_per_day":1037664000,"traffic":{"hours":[)" +
                            std::string("1,2,1,2,1,2,1,2,1,2,1,2,") + "1,2,1,2,1,2,1,2,1,2,1,2]}";
  EXPECT_NEAR(load_at(plan_of(hours).answer, "peak_requests_per_s"), 40.0 / 3, 1e-9);
}

TEST(AskedLoad, EachWayGivesTheOthers) {
  const JsonNode first = plan_of(R"("peak_requests_per_s":24,"mean_requests_per_s":9)").answer;
  EXPECT_DOUBLE_EQ(load_at(first, "peak_over_mean"), 24.0 / 9);
  for (const std::string key : {"users", "tokens_per_day"}) {
    const std::string load = "\"" + key + "\":" + std::to_string(load_at(first, key)) + R"(,"peak_over_mean":)" +
                             std::to_string(load_at(first, "peak_over_mean"));
    const JsonNode again = plan_of(load).answer;
    EXPECT_NEAR(load_at(again, "peak_requests_per_s"), 24, 1e-4) << key;
    EXPECT_NEAR(load_at(again, "mean_requests_per_s"), 9, 1e-4) << key;
  }
}

TEST(AskedLoad, WhatDoesNotFitIsAnErrorAtItsField) {
  const auto path_of = [](const std::string& load, const std::string& patch = "{}") {
    return first_error(plan_of(load, patch).answer, "path");
  };
  EXPECT_EQ(path_of(R"("users":10,"peak_requests_per_s":1)"), "/workloads/0/peak_requests_per_s");
  EXPECT_EQ(path_of(R"("prefix_hit_ratio":0)"), "/workloads/0/peak_requests_per_s");
  EXPECT_EQ(path_of(R"("tokens_per_day":1e9,"mean_requests_per_s":1)"), "/workloads/0/peak_over_mean");
  EXPECT_EQ(path_of(R"("peak_requests_per_s":9,"peak_over_mean":0.5)"), "/workloads/0/peak_over_mean");
  const std::string unlimited =
      R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-8b","users":10,
          "input_tokens":1000,"output_tokens":200}]})";
  EXPECT_EQ(first_error(ask(unlimited).answer, "path"), "/workloads/0/users");
}

TEST(AskedLoad, ItsNumbersAreExplained) {
  const JsonNode answer = plan_of(R"("users":600,"think_time_s":20)", R"({"options":{"explain":true}})").answer;
  const auto named = [&](const std::string& id) {
    for (const JsonNode& entry : answer.find("trace")->items)
      if (entry.find("id")->text.ends_with(":" + id)) return true;
    return false;
  };
  EXPECT_TRUE(named("plan.requests_of_users"));
  EXPECT_TRUE(named("plan.request_at_limits"));
}

/// Twice the load in whichever way it is given never costs less.
TEST(AskedLoad, MoreOfItIsNoCheaper) {
  for (const std::string key : {"users", "tokens_per_day", "peak_requests_per_s"}) {
    double before = 0;
    for (const double load : {1.0, 2.0, 4.0}) {
      const double unit = key == "users" ? 300 : key == "tokens_per_day" ? 2e9 : 20;
      const JsonNode answer = plan_of("\"" + key + "\":" + std::to_string(unit * load)).answer;
      const double cost = number_at(answer, "/plans/0/ranked_by_usd_per_year");
      EXPECT_GE(cost, before) << key << " " << load;
      before = cost;
    }
  }
}

const JsonNode* headline(const JsonNode& answer, const std::string& id) {
  for (const JsonNode& one : answer.find("plans")->items[0].find("headlines")->items)
    if (one.find("id")->text == id) return &one;
  return nullptr;
}

TEST(Headlines, SayStatisticIntervalTargetAndOdds) {
  const JsonNode answer = plan_of(R"("peak_requests_per_s":20)",
                                  R"({"options":{"draws":200},"constraints":{"budget_usd_per_year":5000000}})")
                              .answer;
  const JsonNode* token = headline(answer, "output_token");
  ASSERT_NE(token, nullptr);
  EXPECT_EQ(token->find("statistic")->text, "p95");
  EXPECT_EQ(token->find("target")->find("text")->text, "40 ms");
  for (const char* key : {"value", "low", "high", "target", "probability"}) {
    ASSERT_NE(token->find(key), nullptr) << key;
    const JsonNode& number = *token->find(key);
    EXPECT_GE(number_at(answer, "/plans/0" + number.find("place")->text), 0) << key;
  }
  const JsonNode* cost = headline(answer, "cost_per_year");
  ASSERT_NE(cost, nullptr);
  EXPECT_EQ(cost->find("target")->find("text")->text, "$5 million");
  const std::string place = cost->find("value")->find("place")->text;
  EXPECT_EQ(number_at(answer, "/plans/0" + place), number_at(answer, "/plans/0/ranked_by_usd_per_year"));
}

// Without a limit the mean is shown, as its interval is known.
TEST(Headlines, WithoutALimitAreTheMean) {
  const JsonNode answer = ask(R"({"kind":"plan","workloads":[{"name":"batch","type":"serving","model":"llama-3.1-8b",
              "peak_requests_per_s":20,"input_tokens":1000,"output_tokens":200}],
              "constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0,"top":1}})")
                              .answer;
  const JsonNode* token = headline(answer, "output_token");
  ASSERT_NE(token, nullptr);
  EXPECT_EQ(token->find("statistic")->text, "mean");
  EXPECT_NE(token->find("low"), nullptr);
  EXPECT_EQ(token->find("target"), nullptr);
}

}  // namespace
}  // namespace podwright::asked_load_test
