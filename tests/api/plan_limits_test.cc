#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "api/plan_example.h"
#include "support/ask.h"

namespace podwright::plan_limits_test {
namespace {

const std::string kPretrain =
    R"({"kind":"plan","workloads":[{"name":"pretrain","type":"training","model":"llama-3.1-70b","tokens":3e11,
    "deadline_days":20,"sequence_length":8192,"global_batch_size":1024}],
    "constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"top":1,"draws":0}})";

const std::string kChat =
    R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-8b","peak_requests_per_s":60,
    "mean_requests_per_s":25,"input_tokens":1500,"output_tokens":400,"ttft_s_p95_max":2,"tpot_s_p95_max":0.05}],
    "constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"top":1,"draws":0}})";

std::string with_workload(const std::string& request, const std::string& patch) {
  JsonNode tree = *parse_json(request);
  for (std::size_t i = 0; i < tree.keys.size(); ++i)
    if (tree.keys[i] == "workloads") tree.items[i].items[0] = merged(tree.items[i].items[0], *parse_json(patch));
  return json_text(tree);
}

const JsonNode* rejected(const Reply& asked) {
  const JsonNode* list = asked.answer.find("rejected");
  return list == nullptr || list->items.empty() ? nullptr : &list->items.front();
}

double run(const Reply& asked, const std::string& member) {
  return number_at(asked.answer, "/plans/0/estimates/0/run/" + member);
}

TEST(PlanTraining, TakesFailuresAndCheckpointsIntoTheTime) {
  const Reply asked = ask(kPretrain);
  ASSERT_EQ(asked.outcome, Outcome::answer);
  EXPECT_NEAR(run(asked, "time_days") * run(asked, "goodput"), run(asked, "time_without_interruptions_days"), 1e-9);
  EXPECT_LT(run(asked, "goodput"), 1);
  EXPECT_GT(run(asked, "goodput"), 0.9);
  EXPECT_GT(run(asked, "expected_failures"), 0);
  EXPECT_LE(run(asked, "time_days"), 20);
  EXPECT_NEAR(run(asked, "gpu_hours"), number_at(asked.answer, "/plans/0/gpu_count") * 24 * run(asked, "time_days"),
              1e-6 * run(asked, "gpu_hours"));
}

TEST(PlanTraining, FailuresAskForMoreGpus) {
  const Reply usual = ask(kPretrain);
  const Reply often =
      ask(with_workload(kPretrain, R"({"restart_s":1800})"), R"({"economics":{"gpu_hours_per_failure":500}})");
  ASSERT_EQ(often.outcome, Outcome::answer);
  EXPECT_GT(number_at(often.answer, "/plans/0/gpu_count"), number_at(usual.answer, "/plans/0/gpu_count"));
  EXPECT_LE(run(often, "time_days"), 20);
  EXPECT_LT(run(often, "goodput"), run(usual, "goodput"));
}

// The search takes the first network that a GPU comes with; the design's may be slower.
TEST(PlanTraining, ThatIsLateOnTheNetworkOfItsDesignIsRejected) {
  Catalog catalog = embedded_catalog_facts();
  for (System& system : catalog.systems)
    if (system.id == "oem-hgx-8-gpu" && system.compute_nic_bandwidth)
      system.compute_nic_bandwidth = 1e-4 * *system.compute_nic_bandwidth;
  const std::string request =
      json_text(merged(*parse_json(kPretrain), *parse_json(R"({"constraints":{"ownership":"oem"}})")));
  const Answer answer = answer_request(catalog, request);
  EXPECT_EQ(answer.outcome, Outcome::infeasible);
  const JsonNode reason = parse_json(answer.text)->find("rejected")->items[0];
  EXPECT_EQ(reason.find("code")->text, "deadline");
  EXPECT_NE(reason.find("message")->text.find("on the network of the design"), std::string::npos);
  EXPECT_GT(number_at(reason, "/shortfall"), 0);
}

TEST(PlanTraining, ARunThatNeverMovesOnHasNoPlan) {
  const Reply asked =
      ask(with_workload(kPretrain, R"({"restart_s":7200})"), R"({"economics":{"gpu_hours_per_failure":1}})");
  EXPECT_EQ(asked.outcome, Outcome::infeasible);
  ASSERT_NE(rejected(asked), nullptr);
  EXPECT_EQ(rejected(asked)->find("code")->text, "no-progress");
}

TEST(PlanLimits, ABudgetTakesOwningOutAndLeavesRenting) {
  const Reply asked = ask(kChat, R"({"constraints":{"budget_usd":1000}})");
  ASSERT_EQ(asked.outcome, Outcome::answer);
  EXPECT_EQ(asked.answer.find("plans")->items[0].find("way")->text.rfind("rent", 0), 0u);
}

TEST(PlanLimits, AHybridShrinksToTheBudgetAndThePower) {
  const std::string chat = R"({"kind":"plan","workloads":[{"name":"c","type":"serving","model":"llama-3.1-70b",
      "peak_requests_per_s":50,"mean_requests_per_s":30,"input_tokens":2048,"output_tokens":512,"ttft_s_p95_max":2,
      "tpot_s_p95_max":0.05}],"constraints":{"gpus":["b200-sxm"]},"options":{"top":1,"draws":0}})";
  const auto own = [](const JsonNode& answer) { return number_at(answer, "/plans/0/cost/hybrid/own_gpus"); };
  const JsonNode free = ask(chat).answer;
  for (const char* limit : {R"({"constraints":{"budget_usd":1000000}})", R"({"constraints":{"site_power_kw":35}})"}) {
    const JsonNode limited = ask(chat, limit).answer;
    EXPECT_EQ(limited.find("plans")->items[0].find("way")->text, "hybrid") << limit;
    EXPECT_LT(own(limited), own(free)) << limit;
    EXPECT_LE(number_at(limited, "/plans/0/cost/hybrid/capex_usd"), 1e6) << limit;
    EXPECT_GE(number_at(limited, "/plans/0/cost/hybrid/usd_per_year"),
              number_at(free, "/plans/0/cost/hybrid/usd_per_year"));
  }
}

TEST(PlanLimits, ABudgetRejectsWhatMustBeOwned) {
  const Reply asked = ask(kChat, R"({"constraints":{"budget_usd":1000,"sovereignty":"on-premises"}})");
  EXPECT_EQ(asked.outcome, Outcome::infeasible);
  ASSERT_NE(rejected(asked), nullptr);
  EXPECT_EQ(rejected(asked)->find("code")->text, "budget");
}

TEST(PlanLimits, WithEveryWayTakenOutTheReasonsAreTheAnswer) {
  const Reply asked = ask(kChat, R"({"constraints":{"no_capital":true,"sovereignty":"on-premises"}})");
  EXPECT_EQ(asked.outcome, Outcome::infeasible);
  ASSERT_NE(rejected(asked), nullptr);
  const JsonNode& reason = *rejected(asked);
  EXPECT_EQ(reason.find("code")->text, "no-capital");
  EXPECT_NE(reason.find("message")->text.find("no_capital"), std::string::npos);
  EXPECT_NE(reason.find("message")->text.find("own premises"), std::string::npos);
  EXPECT_FALSE(reason.find("ways_out")->items.empty());
}

TEST(PlanLimits, OneBoundWorkloadIsJudgedByTheOwnedPart) {
  const std::string two =
      R"({"kind":"plan","workloads":[{"name":"secret","type":"serving","model":"llama-3.1-8b",
      "peak_requests_per_s":10,"input_tokens":1500,"output_tokens":400,"sovereignty":"on-premises"},
      {"name":"open","type":"serving","model":"llama-3.1-8b","peak_requests_per_s":400,"mean_requests_per_s":40,
      "input_tokens":1500,"output_tokens":400}],
      "constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"top":1,"draws":0}})";
  const Reply free = ask(two);
  ASSERT_EQ(free.outcome, Outcome::answer);
  const double whole = number_at(free.answer, "/plans/0/cost/on_premises/capex_usd");
  const Reply asked = ask(two, R"({"constraints":{"budget_usd":)" + std::to_string(0.6 * whole) + "}}");
  ASSERT_EQ(asked.outcome, Outcome::answer);
  EXPECT_EQ(asked.answer.find("plans")->items[0].find("way")->text, "hybrid");
}

TEST(PlanSentences, ARentedPlanCountsNoMachines) {
  const Reply asked = ask(kChat, R"({"constraints":{"no_capital":true}})");
  const JsonNode& plan = asked.answer.find("plans")->items[0];
  ASSERT_EQ(plan.find("way")->text.rfind("rent", 0), 0u);
  EXPECT_EQ(plan.find("summary")->text.find("DGX"), std::string::npos) << plan.find("summary")->text;
  for (const JsonNode& flip : asked.answer.find("what_would_change_the_decision")->items)
    EXPECT_EQ(flip.find("message")->text.find("Owning"), std::string::npos) << flip.find("message")->text;
}

// One time to first token: its mean has the wait in it, and the reason gives those of the estimate.
TEST(PlanServing, TimeToFirstTokenIsOneNumberWithItsParts) {
  const Reply asked = ask(kChat, R"({"options":{"explain":true}})");
  const auto latency = [&](const std::string& key) {
    return number_at(asked.answer, "/plans/0/estimates/0/latency/" + key);
  };
  EXPECT_GT(latency("wait_s"), 0);
  EXPECT_LT(latency("wait_s"), latency("ttft_s"));
  bool told = false;
  for (const JsonNode& reason : asked.answer.find("plans")->items.front().find("reasons")->items) {
    if (reason.find("code")->text != "ttft-p95/odds") continue;
    told = true;
    EXPECT_NEAR(number_at(reason, "/values/mean_s"), latency("ttft_s"), 1e-9);
    EXPECT_NEAR(number_at(reason, "/values/wait_s"), latency("wait_s"), 1e-9);
    EXPECT_NEAR(number_at(reason, "/values/ttft_s"), latency("ttft_s_p95"), 1e-9);
  }
  EXPECT_TRUE(told);
  const std::vector<JsonNode>& nodes = asked.answer.find("trace")->items;
  double sum = -1;
  for (const JsonNode& node : nodes) {
    if (!node.find("id")->text.ends_with(":perf.ttft")) continue;
    sum = 0;
    for (const JsonNode& input : node.find("inputs")->items)
      for (const JsonNode& part : nodes)
        if (part.find("id")->text == input.text) sum += number_at(part, "/value");
  }
  EXPECT_NEAR(sum, latency("ttft_s"), 1e-12);
}

TEST(PlanTraining, MemoryIsKeptWithTheConfidenceWhereALayoutDoes) {
  const auto asked = [](double confidence) {
    return ask(R"({"kind":"plan","workloads":[{"name":"t","type":"training","model":"llama-3.1-8b","tokens":1e12,
        "deadline_days":30}],"options":{"draws":0}})",
               R"({"constraints":{"confidence":)" + std::to_string(confidence) + "}}")
        .answer;
  };
  for (const double confidence : {0.5, 0.8, 0.95}) {
    const JsonNode answer = asked(confidence);
    EXPECT_GE(number_at(answer, "/plans/0/estimates/0/memory_per_gpu/fit_probability"), confidence);
    EXPECT_NE(plan_example::find(answer, {"plans", "0", "reasons", "0", "code"})->text, "memory-may-not-do");
  }
}

TEST(PlanTraining, MemoryThatMayNotDoIsSaidFirst) {
  const JsonNode answer = ask(R"({"kind":"plan","workloads":[{"name":"t","type":"training","model":"llama-3.1-405b",
      "method":"full","tokens":1e10,"deadline_days":200,"sequence_length":8192,"global_batch_size":32}],
      "constraints":{"gpus":["l4"]},"economics":{"region":"USA"},
      "options":{"draws":0}})")
                              .answer;
  const JsonNode* plan = plan_example::find(answer, {"plans", "0"});
  ASSERT_NE(plan, nullptr);
  ASSERT_LT(number_at(answer, "/plans/0/estimates/0/memory_per_gpu/fit_probability"), 0.8);
  EXPECT_EQ(plan_example::find(*plan, {"reasons", "0", "code"})->text, "memory-may-not-do");
  EXPECT_EQ(json_text(*plan).find("meet every limit"), std::string::npos);
}

using plan_example::answer_of;
using plan_example::find;

// What is told as the way out is planned, and 15 % less is not: it has a margin of 5 % and two digits, rounded up.
TEST(PlanLimits, TheNearestWayOutIsTheBestThatAnyPlanReaches) {
  const auto asked = [](const std::string& limits, const std::string& gpus) {
    return answer_of(R"({"kind":"plan","workloads":[{"name":"w","type":"serving","model":"llama-3.1-70b",
        "peak_requests_per_s":50,"mean_requests_per_s":30,"input_tokens":2048,"output_tokens":512,)" +
                     limits + R"(}],"constraints":{)" + gpus + R"(},"options":{"draws":0,"top":1}})");
  };
  const auto with = [](double ttft, double tpot) {
    return R"("ttft_s_p95_max":)" + std::to_string(ttft) + R"(,"tpot_s_p95_max":)" + std::to_string(tpot);
  };
  for (const auto& [ttft, tpot] : {std::pair(2.0, 0.0005), std::pair(0.001, 0.05), std::pair(0.001, 0.0005)})
    for (const char* gpus : {"", R"("gpus":["h100-sxm5-80gb","b200-sxm"])"}) {
      const JsonNode missed = asked(with(ttft, tpot), gpus);
      const JsonNode* out = find(missed, {"reasons", "0", "ways_out", "0", "workloads", "0"});
      ASSERT_NE(out, nullptr) << ttft << " " << tpot;
      const double first = out->find("ttft_s_p95_max")->number;
      const double each = out->find("tpot_s_p95_max")->number;
      SCOPED_TRACE(with(first, each));
      EXPECT_NE(find(asked(with(first, each), gpus), {"plans", "0"}), nullptr);
      // What was not missed stays as it was asked.
      if (tpot < each && ttft == first) {
        EXPECT_EQ(find(asked(with(first, 0.85 * each), gpus), {"plans", "0"}), nullptr);
      }
      if (ttft < first && tpot == each) {
        EXPECT_EQ(find(asked(with(0.85 * first, each), gpus), {"plans", "0"}), nullptr);
      }
    }
}

}  // namespace
}  // namespace podwright::plan_limits_test
