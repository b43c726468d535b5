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

TEST(Traffic, HostMemoryHoldsWhatTheGpusDoNot) {
  const std::string longer = R"({"load":{"request_rate_per_s":5},"traffic":{"turns":4,"think_time_s":150)";
  const JsonNode without = ask(kServing, longer + "}}").answer;
  const std::string host = longer + R"(,"host_cache_gb":500}})";
  const JsonNode with = ask(kServing, host).answer;
  EXPECT_EQ(without.find("prefix_cache")->find("host_hit_ratio"), nullptr);
  const double loaded = number_at(with, "/prefix_cache/host_hit_ratio");
  EXPECT_GT(loaded, 0.05);
  EXPECT_NEAR(number_at(with, "/prefix_cache/prefix_hit_ratio") - loaded,
              number_at(without, "/prefix_cache/prefix_hit_ratio"), 0.03);
  EXPECT_LT(number_at(with, "/latency/ttft_s"), number_at(without, "/latency/ttft_s"));
  const JsonNode replay = ask(kServing, host.substr(0, host.size() - 1) + R"(,"kind":"replay"})").answer;
  EXPECT_NEAR(number_at(replay, "/replay/host_hit_ratio"), loaded, 0.03);
  EXPECT_NEAR(number_at(replay, "/replay/host_load_gb_per_s") / number_at(with, "/prefix_cache/host_load_gb_per_s"), 1,
              0.2);
}

TEST(Traffic, HostMemoryIsForPromptsThatShare) {
  const char* const alone = R"({"traffic":{"system_prompt_tokens":0,"turns":1,"host_cache_gb":100}})";
  EXPECT_EQ(first_error(ask(kServing, alone).answer, "path"), "/traffic/host_cache_gb");
  EXPECT_EQ(first_error(ask(kServing, R"({"traffic":{"host_cache_gb":-1}})").answer, "path"), "/traffic/host_cache_gb");
}

TEST(Traffic, APlanSaysWhatHostMemorySaves) {
  const std::string host = R"({"workloads":[{"name":"chat","type":"serving","model":"llama-3.1-70b",
      "peak_requests_per_s":20,"input_tokens":6000,"output_tokens":250,"ttft_s_p95_max":2,"tpot_s_p95_max":0.05,
      "traffic":{"turns":8,"think_time_s":300,"routing":"prefix-aware","host_cache_gb":400}}]})";
  const JsonNode answer = ask(kPlan, host).answer;
  const JsonNode* loaded = reason_of(answer, "host-memory");
  const JsonNode* saved = reason_of(answer, "without-host-memory");
  ASSERT_TRUE(loaded != nullptr && saved != nullptr);
  EXPECT_GT(number_at(*loaded, "/values/loaded"), 0.1);
  EXPECT_LT(number_at(*loaded, "/values/load_gb_per_s"), number_at(*loaded, "/values/link_gb_per_s"));
  EXPECT_GT(number_at(*saved, "/values/gpus"), number_at(answer, "/plans/0/gpu_count"));
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
  const JsonNode bursts = ask(kPlan, in_bursts(1000)).answer;
  EXPECT_EQ(number_at(bursts, "/plans/0/gpu_count"), number_at(even, "/plans/0/gpu_count"));
  const JsonNode* replayed = reason_of(bursts, "replayed");
  ASSERT_NE(replayed, nullptr);
  EXPECT_GT(number_at(*replayed, "/values/requests"), 15000);
  EXPECT_GT(number_at(*replayed, "/values/replayed_s"), number_at(*replayed, "/values/closed_s"));
  const JsonNode* missed = said(bursts, "risks", "replay-misses/more");
  ASSERT_NE(missed, nullptr);
  EXPECT_GT(number_at(*missed, "/values/gpus"), number_at(*missed, "/values/planned_gpus"));
}

// Prompts that scatter widely queue up behind each other on each of many replicas, which the answers' times do not
// show.
TEST(Traffic, APlanWhoseReplayDoesNotKeepUpSaysSo) {
  const JsonNode plan = ask(
                            R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-8b",
      "peak_requests_per_s":100,"input_tokens":8000,"input_tokens_cv":3,"output_tokens":50,"output_tokens_cv":0.5,
      "tpot_s_p95_max":0.5}],"constraints":{"gpus":["l40s"],"confidence":0.5},"options":{"draws":0,"top":1}})")
                            .answer;
  const JsonNode* replayed = reason_of(plan, "replayed");
  ASSERT_NE(replayed, nullptr);
  EXPECT_LT(number_at(*replayed, "/values/replayed_s"), number_at(*replayed, "/values/limit_s"));
  const JsonNode* overloaded = said(plan, "risks", "replay-overloaded");
  ASSERT_NE(overloaded, nullptr);
  EXPECT_GT(number_at(*overloaded, "/values/arrived_requests_per_s"),
            number_at(*overloaded, "/values/completed_requests_per_s"));
  EXPECT_NE(said(plan, "risks", "replay-misses/more"), nullptr);
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
  // Hours may be alike.
  EXPECT_EQ(ask(kServing, R"({"traffic":{"hours":[1,1,1,1,1,1,1,1,0.5,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}})").outcome,
            Outcome::answer);
  // Bursts say nothing of what is found, so a ratio may.
  EXPECT_EQ(ask(kServing, R"({"traffic":{"system_prompt_tokens":0,"turns":1,"dispersion":3},"prefix_hit_ratio":0.93})")
                .outcome,
            Outcome::answer);
}

/// A request that leaves lengths to `traffic` or to lists of lengths.
const std::string kOpen =
    R"({"kind":"serving","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":1,"weight_precision":"fp8",
        "engine":"vllm","load":{"request_rate_per_s":1}})";

/// The default of a field and where it comes from, as "value source"; empty where the answer lists none.
std::string assumed(const JsonNode& answer, std::string_view path) {
  const JsonNode* list = answer.find("assumptions");
  if (list != nullptr)
    for (const JsonNode& assumption : list->items)
      if (const JsonNode* at = assumption.find("path"); at != nullptr && at->text == path)
        return json_text(*assumption.find("value")) + " " + assumption.find("source")->text;
  return "";
}

std::string path_of(const std::string& patch) { return first_error(ask(kOpen, patch).answer, "path"); }

TEST(TrafficPreset, FillsWhatTheRequestLeavesOut) {
  const JsonNode answer =
      ask(kOpen, R"({"traffic":{"preset":"mooncake-conversation","think_time_s":60},"output_tokens":500})").answer;
  const std::string source = " mooncake-traces (mooncake-conversation)";
  EXPECT_EQ(assumed(answer, "/input_tokens"), "12035" + source);
  EXPECT_EQ(assumed(answer, "/input_tokens_cv"), "1.31" + source);
  EXPECT_EQ(assumed(answer, "/traffic/turns"), "1.49" + source);
  EXPECT_EQ(assumed(answer, "/traffic/dispersion"), "2.5" + source);
  // What the request says.
  EXPECT_EQ(assumed(answer, "/output_tokens"), "");
  EXPECT_EQ(assumed(answer, "/traffic/think_time_s"), "");
  EXPECT_GT(number_at(answer, "/prefix_cache/prefix_hit_ratio"), 0);
}

TEST(TrafficPreset, IsTheRequestThatWritesItsValues) {
  const JsonNode named = ask(kOpen, R"({"traffic":{"preset":"azure-conversation-2023"}})").answer;
  const JsonNode written = ask(kOpen, R"({"input_tokens":1155,"input_tokens_cv":0.96,"output_tokens":211,
                                          "output_tokens_cv":0.771,"traffic":{"dispersion":1.39}})")
                               .answer;
  EXPECT_EQ(json_text(*named.find("latency")), json_text(*written.find("latency")));
  // Clients too send requests of different lengths where a preset says so.
  const JsonNode clients =
      ask(kOpen, R"({"load":{"request_rate_per_s":null,"concurrency":8},"traffic":{"preset":"azure-code-2023"}})")
          .answer;
  EXPECT_EQ(assumed(clients, "/output_tokens_cv"), "2.15 azure-llm-traces-2023 (azure-code-2023)");
}

TEST(TrafficPreset, GivesARatioOrWhatPromptsShareAndTheRequestGoesFirst) {
  const auto ratio = [](const std::string& patch) { return assumed(ask(kOpen, patch).answer, "/prefix_hit_ratio"); };
  EXPECT_EQ(ratio(R"({"traffic":{"preset":"mooncake-toolagent"}})"), "0.59 mooncake-paper (mooncake-toolagent)");
  EXPECT_EQ(ratio(R"({"traffic":{"preset":"mooncake-toolagent","turns":3}})"), "");
  const JsonNode given = ask(kOpen, R"({"traffic":{"preset":"mooncake-conversation"},"prefix_hit_ratio":0.2})").answer;
  EXPECT_EQ(assumed(given, "/traffic/turns").substr(0, 2), "1 ");
  EXPECT_EQ(assumed(given, "/traffic/dispersion"), "2.5 mooncake-traces (mooncake-conversation)");
}

TEST(TrafficPreset, EachMakesARequest) {
  for (const TrafficPreset& preset : embedded_catalog_facts().traffic_presets) {
    const Reply reply =
        ask(kOpen, R"({"model":"qwen3-coder-480b-a35b","gpu":"b200-sxm","gpu_count":8,"parallelism":{"tensor":8},
                       "load":{"request_rate_per_s":0.01},"traffic":{"preset":")" +
                       preset.id + R"("}})");
    EXPECT_EQ(reply.outcome, Outcome::answer) << preset.id << json_text(reply.answer).substr(0, 300);
  }
}

TEST(TrafficPreset, IsKnownToSearchesAndPlans) {
  const JsonNode search = ask(R"({"kind":"search","type":"serving","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb",
                                  "peak_requests_per_s":2,"traffic":{"preset":"azure-conversation-2023"}})")
                              .answer;
  EXPECT_EQ(assumed(search, "/input_tokens_cv"), "0.96 azure-llm-traces-2023 (azure-conversation-2023)");
  const std::string plan = R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-8b",
      "peak_requests_per_s":20,"tpot_s_p95_max":0.05,"traffic":{"preset":"azure-conversation-2023"}}],
      "constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0}})";
  EXPECT_EQ(assumed(ask(plan).answer, "/workloads/0/output_tokens_cv"),
            "0.771 azure-llm-traces-2023 (azure-conversation-2023)");
}

TEST(TrafficPreset, WrongOnesAreOneError) {
  const JsonNode answer = ask(kOpen, R"({"traffic":{"preset":"azure-conversation"}})").answer;
  ASSERT_EQ(answer.find("errors")->items.size(), 1U);
  EXPECT_EQ(first_error(answer, "path"), "/traffic/preset");
  EXPECT_NE(first_error(answer, "hint").find("azure-conversation-2023"), std::string::npos);
  EXPECT_EQ(path_of("{}"), "/input_tokens");
  EXPECT_EQ(path_of(R"({"traffic":{"turns":2}})"), "/input_tokens");
  // Its system prompt is longer than the prompts that the request names.
  EXPECT_EQ(path_of(R"({"traffic":{"preset":"mooncake-conversation"},"input_tokens":500})"),
            "/traffic/system_prompt_tokens");
}

TEST(Lengths, MeanAndScatterFollowFromTheirDistribution) {
  const JsonNode answer = ask(kOpen, R"({"input_lengths":{"table":[{"tokens":100,"share":3},{"tokens":500,"share":1}]},
                                         "output_lengths":{"min":100,"max":1000}})")
                              .answer;
  EXPECT_EQ(assumed(answer, "/input_tokens"), "200 mean of input_lengths");
  EXPECT_EQ(assumed(answer, "/input_tokens_cv").substr(0, 8), "0.866025");
  EXPECT_EQ(assumed(answer, "/output_tokens").substr(0, 7), "390.865");
  const JsonNode replay = ask(kOpen, R"({"kind":"replay","duration_s":20000,"output_lengths":{"min":100,"max":1000},
                     "input_lengths":{"table":[{"tokens":100,"share":3},{"tokens":500,"share":1}]}})")
                              .answer;
  EXPECT_NEAR(number_at(replay, "/replay/mean_input_tokens"), 200, 4);
  EXPECT_NEAR(number_at(replay, "/replay/mean_output_tokens"), 390.9, 8);
  // Those of the request go before those of a preset.
  const JsonNode preset =
      ask(kOpen, R"({"input_lengths":{"p50":1000,"p90":3000},"traffic":{"preset":"azure-conversation-2023"}})").answer;
  EXPECT_EQ(assumed(preset, "/input_tokens_cv").substr(18), " scatter of input_lengths");
}

TEST(Lengths, AreSaidOnce) {
  EXPECT_EQ(path_of(R"({"output_tokens":5,"input_lengths":{"p50":100}})"), "/input_lengths/table");
  EXPECT_EQ(path_of(R"({"output_tokens":5,"input_lengths":{"p50":100,"p90":50}})"), "/input_lengths/table");
  EXPECT_EQ(path_of(R"({"output_tokens":5,"input_lengths":{"p50":100,"p90":200},"input_tokens":120})"),
            "/input_tokens");
  EXPECT_EQ(path_of(R"({"output_tokens":5,"input_lengths":{"p50":100,"p90":200},"input_tokens_cv":1})"),
            "/input_tokens_cv");
  EXPECT_EQ(path_of(R"({"output_tokens":5,"input_lengths":{"table":[{"tokens":0,"share":1}]}})"),
            "/input_lengths/table/0/tokens");
  EXPECT_EQ(path_of(R"({"input_lengths":{"p50":100,"p90":200}})"), "/output_tokens");
}

}  // namespace
}  // namespace podwright::traffic_test
