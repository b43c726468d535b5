// Deployments with pools of their own for prompts and answers, and with drafts, ranked like all others.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "api/plan_example.h"
#include "support/ask.h"

namespace podwright::plan_pools_test {
namespace {

using namespace plan_example;

/// Long prompts beside a tight time per output token, on a mixture of experts.
const std::string kPools = R"({"kind":"plan","workloads":[{"name":"c","type":"serving","model":"qwen3-235b-a22b",
    "peak_requests_per_s":8,"mean_requests_per_s":7,"input_tokens":16000,"output_tokens":1500,"ttft_s_p95_max":3,
    "tpot_s_p95_max":0.025}],"constraints":{"gpus":["b200-sxm"]},"options":{"draws":0}})";

const JsonNode* layout_of(const JsonNode& plan) { return find(plan, {"layouts", "0"}); }

double gpus_of(const JsonNode& sizes) {
  double gpus = 1;
  for (const char* key : {"tensor", "attention_data", "data"}) gpus *= sizes.find(key)->number;
  return gpus;
}

TEST(PlanPools, ArePricedWholeAndKeepTheLimits) {
  const JsonNode answer = answer_of(kPools);
  const JsonNode& plan = *find(answer, {"plans", "0"});
  const JsonNode& layout = *layout_of(plan);
  EXPECT_EQ(layout.find("parallelism"), nullptr);
  double gpus = 0;
  for (const char* pool : {"prefill", "decode"}) {
    const double of_pool = find(layout, {"pools", pool, "gpu_count"})->number;
    EXPECT_EQ(of_pool, gpus_of(*find(layout, {"pools", pool, "parallelism"})));
    gpus += of_pool;
  }
  EXPECT_EQ(gpus, number(plan, {"gpu_count"}));
  for (const JsonNode& limit : layout.find("limits")->items) EXPECT_GE(limit.find("probability")->number, 0.795);
  // All instances stand all the time, although the mean is below the peak.
  const JsonNode& cloud = *find(plan, {"cost", "cloud"});
  ASSERT_GT(cloud.find("instances")->number, 1);
  EXPECT_NEAR(cloud.find("compute_usd_per_year")->number, cloud.find("always_on_usd_per_year")->number, 1);
  EXPECT_EQ(find(plan, {"cost", "hybrid"}), nullptr);
  EXPECT_NE(find(plan, {"estimates", "0", "disaggregated"}), nullptr);
}

// Where pools are not tried, the same work costs more; of each GPU and format one plan is shown.
TEST(PlanPools, AreCheaperThanTheReplicasThatTheyReplace) {
  const JsonNode pools = answer_of(kPools);
  // Two workloads are placed without pools.
  const JsonNode both = ask(kPools, R"({"workloads":[)" + json_text(parsed(kPools).find("workloads")->items[0]) +
                                        R"(,{"name":"d","type":"serving","model":"llama-3.1-8b",
      "peak_requests_per_s":0.01,"input_tokens":100,"output_tokens":10}],"constraints":{"separate_workloads":true}})")
                            .answer;
  EXPECT_EQ(layout_of(*find(both, {"plans", "0"}))->find("pools"), nullptr);
  EXPECT_GT(layout_of(*find(both, {"plans", "0"}))->find("gpu_count")->number,
            number(pools, {"plans", "0", "gpu_count"}));
  std::vector<std::string> formats;
  for (const JsonNode& plan : pools.find("plans")->items)
    formats.push_back(layout_of(plan)->find("weight_precision")->text);
  std::sort(formats.begin(), formats.end());
  EXPECT_EQ(std::adjacent_find(formats.begin(), formats.end()), formats.end());
}

TEST(PlanPools, OnlyAnEngineThatCanHandOverHasThem) {
  JsonNode request = parsed(kPools);
  JsonNode workload = request.find("workloads")->items[0];
  const std::string one = json_text(workload);
  const JsonNode answer =
      ask(kPools, R"({"workloads":[)" + one.substr(0, one.size() - 1) + R"(,"engine":"lmdeploy"}]})").answer;
  for (const JsonNode& plan : answer.find("plans")->items) EXPECT_EQ(layout_of(plan)->find("pools"), nullptr);
}

// A draft is tried where its acceptance is known, and taken where it needs fewer GPUs.
TEST(PlanPools, ADraftIsTakenWhereItHelps) {
  const auto with = [](const std::string& more) {
    return answer_of(R"({"kind":"plan","workloads":[{"name":"c","type":"serving","model":"llama-3.1-70b",
        "peak_requests_per_s":5,"input_tokens":1000,"output_tokens":500,"tpot_s_p95_max":0.035)" +
                     more + R"(}],"constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0,"top":1}})");
  };
  const JsonNode plain = with("");
  EXPECT_EQ(layout_of(*find(plain, {"plans", "0"}))->find("draft_tokens"), nullptr);
  const JsonNode drafted = with(R"(,"speculative":{"acceptance":0.8,"draft_model":"llama-3.1-8b","draft_tokens":[2]})");
  EXPECT_EQ(number(*layout_of(*find(drafted, {"plans", "0"})), {"draft_tokens"}), 2);
  EXPECT_LT(yearly_cost(drafted), yearly_cost(plain));
  // One that is never accepted only costs time.
  const JsonNode refused = with(R"(,"speculative":{"acceptance":0})");
  EXPECT_EQ(layout_of(*find(refused, {"plans", "0"}))->find("draft_tokens"), nullptr);
  EXPECT_EQ(yearly_cost(refused), yearly_cost(plain));
  const Reply wrong = ask(kPools, R"({"workloads":[{"type":"serving","model":"llama-3.1-70b","peak_requests_per_s":1,
      "input_tokens":1,"output_tokens":2,"speculative":{"acceptance":2}}]})");
  EXPECT_EQ(find(wrong.answer, {"errors", "0", "path"})->text, "/workloads/0/speculative/acceptance");
}

// Pools that span machines need a network between them.
TEST(PlanPools, MachinesOfPoolsReachEachOther) {
  Catalog catalog = embedded_catalog_facts();
  ASSERT_GT(number(answer_of(catalog, kPools), {"plans", "0", "gpu_count"}), 8);
  for (CloudPrice& row : catalog.cloud_prices) row.network.clear();
  const JsonNode alone = answer_of(catalog, kPools);
  for (const JsonNode& one : alone.find("plans")->items)
    if (layout_of(one)->find("pools") != nullptr) {
      EXPECT_EQ(find(one, {"cost", "cloud"}), nullptr);
    }
}

}  // namespace
}  // namespace podwright::plan_pools_test
