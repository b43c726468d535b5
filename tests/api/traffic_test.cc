// Traffic in requests: what the prefix cache finds enters estimates, searches and plans, and a replay agrees.
#include <gtest/gtest.h>

#include <string>

#include "support/ask.h"

namespace podwright::traffic_test {
namespace {

/// A chat whose users share system prompts and come back.
const std::string kTraffic =
    R"({"system_prompt_tokens":1000,"system_prompts":4,"turns":5,"think_time_s":40,"routing":"prefix-aware"})";

const std::string kServing =
    R"({"kind":"serving","model":"llama-3.1-70b","gpu":"h100-sxm5-80gb","gpu_count":4,"weight_precision":"fp8",
        "kv_precision":"fp8","engine":"vllm","parallelism":{"tensor":4},"input_tokens":3000,"output_tokens":250,
        "load":{"request_rate_per_s":6},"traffic":)" +
    kTraffic + "}";

const std::string kPlan =
    R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-70b","peak_requests_per_s":20,
        "input_tokens":3000,"output_tokens":250,"ttft_s_p95_max":2,"tpot_s_p95_max":0.05,"traffic":)" +
    kTraffic + R"(}],"constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0}})";

/// Of the first plan's reasons or risks.
const JsonNode* said(const JsonNode& answer, std::string_view list, std::string_view code) {
  for (const JsonNode& one : answer.find("plans")->items[0].find(list)->items)
    if (one.find("code")->text == code) return &one;
  return nullptr;
}
const JsonNode* reason_of(const JsonNode& answer, std::string_view code) { return said(answer, "reasons", code); }

TEST(Traffic, AnEstimateIsThatOfTheShareItFinds) {
  const JsonNode described = ask(kServing).answer;
  const double found = number_at(described, "/prefix_cache/prefix_hit_ratio");
  EXPECT_GT(found, 0.9);
  EXPECT_NEAR(number_at(described, "/prefix_cache/unlimited_hit_ratio"), 2800.0 / 3000, 0.005);
  const JsonNode given = ask(kServing, R"({"traffic":null,"prefix_hit_ratio":)" + std::to_string(found) + "}").answer;
  EXPECT_NEAR(number_at(described, "/latency/tpot_s") / number_at(given, "/latency/tpot_s"), 1, 0.01);
  // A load that runs alone with reuse.
  EXPECT_EQ(ask(kServing).outcome, Outcome::answer);
  EXPECT_EQ(ask(kServing, R"({"traffic":null})").outcome, Outcome::infeasible);
}

TEST(Traffic, AReplayOfTheSameRequestAgrees) {
  const JsonNode estimate = ask(kServing).answer;
  const JsonNode replay = ask(kServing, R"({"kind":"replay"})").answer;
  EXPECT_NEAR(number_at(replay, "/replay/prefix_hit_ratio"), number_at(estimate, "/prefix_cache/prefix_hit_ratio"),
              0.03);
  EXPECT_NEAR(number_at(replay, "/replay/latency/tpot_s") / number_at(estimate, "/latency/tpot_s"), 1, 0.1);
}

TEST(Traffic, ASearchNeedsFewerGpus) {
  const std::string search =
      R"({"kind":"search","type":"serving","model":"llama-3.1-70b","gpu":"h100-sxm5-80gb","peak_requests_per_s":20,
          "input_tokens":3000,"output_tokens":250,"ttft_s_p95_max":2,"tpot_s_p95_max":0.05,"traffic":)" +
      kTraffic + "}";
  const double with = number_at(ask(search).answer, "/deployments/0/gpu_count");
  const double without = number_at(ask(search, R"({"traffic":null})").answer, "/deployments/0/gpu_count");
  EXPECT_LE(1.5 * with, without);
}

TEST(Traffic, APlanSaysWhatReuseSaves) {
  const JsonNode answer = ask(kPlan).answer;
  const JsonNode without = ask(
                               kPlan, R"({"workloads":[)" +
                                          [] {
                                            JsonNode workload = parse_json(kPlan)->find("workloads")->items[0];
                                            return json_text(merged(workload, *parse_json(R"({"traffic":null})")));
                                          }() +
                                          "]}")
                               .answer;
  const double gpus = number_at(answer, "/plans/0/gpu_count");
  const double gpus_without = number_at(without, "/plans/0/gpu_count");
  EXPECT_LE(2 * gpus, gpus_without);
  ASSERT_NE(reason_of(answer, "prefix-reuse"), nullptr);
  const JsonNode* saved = reason_of(answer, "without-prefix-reuse");
  ASSERT_NE(saved, nullptr);
  EXPECT_EQ(number_at(*saved, "/values/gpus"), gpus_without);
  EXPECT_EQ(reason_of(without, "without-prefix-reuse"), nullptr);
}

/// The chat of kPlan whose sessions start in bursts.
std::string in_bursts(double dispersion) {
  JsonNode workload = parse_json(kPlan)->find("workloads")->items[0];
  workload = merged(workload, *parse_json(R"({"traffic":{"dispersion":)" + std::to_string(dispersion) + "}}"));
  return R"({"workloads":[)" + json_text(workload) + "]}";
}

// The closed forms know no bursts: they give the same plan, and a replay shows what the bursts do to it.
TEST(Traffic, APlanIsReplayedWhereClosedFormsLeaveSomethingOut) {
  const JsonNode even = ask(kPlan).answer;
  EXPECT_EQ(reason_of(even, "replayed"), nullptr);
  const JsonNode bursts = ask(kPlan, in_bursts(200)).answer;
  EXPECT_EQ(number_at(bursts, "/plans/0/gpu_count"), number_at(even, "/plans/0/gpu_count"));
  const JsonNode* replayed = reason_of(bursts, "replayed");
  ASSERT_NE(replayed, nullptr);
  EXPECT_GT(number_at(*replayed, "/values/requests"), 15000);
  EXPECT_GT(number_at(*replayed, "/values/replayed_s"), number_at(*replayed, "/values/closed_s"));
  const JsonNode* missed = said(bursts, "risks", "replay-misses/more");
  ASSERT_NE(missed, nullptr);
  EXPECT_GT(number_at(*missed, "/values/gpus"), number_at(*missed, "/values/planned_gpus"));
}

TEST(Traffic, AReplayHasBounds) {
  const auto path_of = [](const std::string& patch) {
    return first_error(ask(kServing, R"({"kind":"replay",)" + patch + "}").answer, "path");
  };
  EXPECT_EQ(path_of(R"("load":{"request_rate_per_s":1e6})"), "/duration_s");
  EXPECT_EQ(path_of(R"("load":{"request_rate_per_s":null,"concurrency":1e8})"), "/duration_s");
  EXPECT_EQ(path_of(R"("max_batched_tokens":1)"), "/max_batched_tokens");
}

TEST(Traffic, IsNotDescribedTwiceAndFitsThePrompts) {
  EXPECT_EQ(first_error(ask(kServing, R"({"prefix_hit_ratio":0.5})").answer, "path"), "/prefix_hit_ratio");
  EXPECT_EQ(first_error(ask(kServing, R"({"input_tokens":1900})").answer, "path"), "/traffic/system_prompt_tokens");
  EXPECT_EQ(first_error(ask(kServing, R"({"traffic":{"hours":[1,2,3]}})").answer, "path"), "/traffic/hours");
}

}  // namespace
}  // namespace podwright::traffic_test
