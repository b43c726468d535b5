#include "api/host_request.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/answer.h"
#include "api/requests.h"
#include "base/json_read.h"
#include "calibration/synthetic_fits.h"

namespace podwright::host_request_test {
namespace {

constexpr std::string_view kServing =
    R"({"kind":"serving","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":1,"weight_precision":"bf16","engine":"vllm","input_tokens":512,"output_tokens":128,"load":{"concurrency":8}})";
constexpr std::string_view kPlan =
    R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-8b","input_tokens":512,"output_tokens":128,"peak_requests_per_s":380,"ttft_s_p95_max":2,"tpot_s_p95_max":0.05}],"constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0}})";

/// The built-in catalog with a reference machine of the H100.
const Catalog& referenced() {
  static const Catalog catalog = with_synthetic_reference();
  return catalog;
}

Answer ask(const std::string& request, const Catalog& catalog = referenced()) {
  return answer_request(catalog, request);
}

JsonNode parsed(const std::string& text) {
  const auto node = parse_json(text);
  EXPECT_TRUE(node) << text.substr(0, 400);
  return node ? *node : JsonNode{};
}

/// `kind` about a profile, with further members.
std::string about(const std::string& kind, const SyntheticHost& host, const std::string& more = "") {
  return R"({"kind":")" + kind + R"(","profile":)" + profile_text(synthetic_h100_host(host)) + more + "}";
}

/// The request with the calibration of a host.
std::string calibrated(std::string_view request, const SyntheticHost& host, const Catalog& catalog = referenced()) {
  const JsonNode answer = parsed(ask(about("calibrate", host), catalog).text);
  const JsonNode* calibration = answer.find("calibration");
  EXPECT_NE(calibration, nullptr);
  return std::string(request.substr(0, request.size() - 1)) + R"(,"calibration":)" + json_text(*calibration) + "}";
}

double number(const JsonNode& node, std::initializer_list<std::string_view> path) {
  const JsonNode* at = &node;
  for (const std::string_view key : path) {
    at = at->find(key);
    if (at == nullptr) {
      ADD_FAILURE() << key;
      return 0;
    }
  }
  return at->number;
}

/// First error: code and path.
std::string first_error(const std::string& request) {
  const JsonNode answer = parsed(ask(request).text);
  const JsonNode* error = answer.find("error");
  return error == nullptr ? "none" : error->find("code")->text + " " + error->find("path")->text;
}

TEST(Calibrate, AnswersWithWhatRequestsCarry) {
  const Answer answer = ask(about("calibrate", {}));
  EXPECT_EQ(answer.outcome, Outcome::answer);
  const JsonNode node = parsed(answer.text);
  const JsonNode* devices = node.find("calibration")->find("devices");
  ASSERT_EQ(devices->items.size(), 1U);
  EXPECT_EQ(devices->items.front().find("gpu")->text, "h100-sxm5-80gb");
  EXPECT_GE(devices->items.front().find("rates")->items.size(), 7U);
  ASSERT_EQ(node.find("devices")->items.size(), 8U);
  const JsonNode& first = node.find("devices")->items.front();
  EXPECT_FALSE(first.find("gaps")->items.empty());
  EXPECT_NE(node.find("catalog_digest"), nullptr);
}

TEST(Calibrate, ShowsFitsWithWhatPlansTakeOfThem) {
  HardwareProfile profile = synthetic_h100_host({.gpus = 1});
  add_small_probes(profile);
  add_collectives(profile, {});
  const JsonNode node = parsed(ask(R"({"kind":"calibrate","profile":)" + profile_text(profile) + "}").text);
  const auto fit = [&](std::string_view parameter) -> const JsonNode& {
    for (const JsonNode& one : node.find("devices")->items.front().find("fits")->items)
      if (one.find("parameter")->text == parameter) return one;
    ADD_FAILURE() << parameter;
    return node;
  };
  const JsonNode& attention = fit("prefill.attn.bf16");
  EXPECT_EQ(attention.find("measured")->items.front().find("tokens")->number, 1024);
  EXPECT_GT(number(attention, {"left_out_90_error"}), 0);
  EXPECT_EQ(attention.find("in_plans")->text, "no");
  EXPECT_NE(attention.find("not_taken")->text.find("holds no result"), std::string::npos);
  EXPECT_EQ(fit("gemm.bf16").find("in_plans")->text, "rate");
  EXPECT_NE(fit("gemm.bf16").find("left_out")->text.find("the start of a product"), std::string::npos);
  EXPECT_EQ(fit("coll.allreduce/8").find("measured")->items.front().find("message_bytes")->number, 1024);
  EXPECT_EQ(fit("l2.read").find("in_plans")->text, "no");
  EXPECT_NEAR(number(fit("launch.graph"), {"time_us"}), 1.3, 0.05);
}

TEST(Calibrate, AProfileThatTellsNothingIsInfeasible) {
  const std::string empty = profile_text(HardwareProfile{});
  EXPECT_EQ(ask(R"({"kind":"calibrate","profile":)" + empty + "}").outcome, Outcome::infeasible);
}

TEST(Calibrate, ErrorsStandAtTheirPlaceInTheProfile) {
  EXPECT_EQ(first_error(R"({"kind":"calibrate","profile":{"schema":"podwright-profile/2.0"}})"),
            "out-of-range /profile/schema");
  std::string damaged = about("calibrate", {});
  damaged.replace(damaged.find("\"median\":") + 9, 1, "9");
  EXPECT_EQ(first_error(damaged), "conflict /profile/integrity/digest");
}

constexpr std::string_view kTraining =
    R"({"kind":"training","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":8,"precision":"bf16","global_batch_size":64,"micro_batch_size":1,"sequence_length":8192,"framework":"megatron-core","parallelism":{"tensor":8}})";

TEST(Calibration, OfATrainingRunShowsThePlainStepToo) {
  const JsonNode before = parsed(ask(std::string(kTraining)).text);
  const JsonNode slower = parsed(ask(calibrated(kTraining, {.speed = 0.8})).text);
  EXPECT_EQ(before.find("plain"), nullptr);
  EXPECT_EQ(number(slower, {"plain", "time_s"}), number(before, {"step", "time_s"}));
  EXPECT_EQ(number(slower, {"plain", "tokens_per_s"}), number(before, {"throughput", "tokens_per_s"}));
  EXPECT_GT(number(slower, {"step", "time_s"}), number(slower, {"plain", "time_s"}));
}

TEST(Calibration, ChangesAnEstimate) {
  const JsonNode before = parsed(ask(std::string(kServing)).text);
  const JsonNode slower = parsed(ask(calibrated(kServing, {.speed = 0.8})).text);
  const JsonNode faster = parsed(ask(calibrated(kServing, {.speed = 1.1})).text);
  EXPECT_GT(number(slower, {"latency", "tpot_s"}), 1.15 * number(before, {"latency", "tpot_s"}));
  EXPECT_LT(number(faster, {"latency", "tpot_s"}), number(before, {"latency", "tpot_s"}));
  ASSERT_NE(slower.find("calibrations"), nullptr);
  const JsonNode& told = slower.find("calibrations")->items.front();
  EXPECT_EQ(told.find("gpu")->text, "h100-sxm5-80gb");
  EXPECT_FALSE(told.find("relative")->items.empty());
  EXPECT_EQ(before.find("calibrations"), nullptr);
  // The figures without the machine stand next to those with it.
  EXPECT_EQ(before.find("plain"), nullptr);
  for (const char* key : {"ttft_s", "tpot_s", "request_s"})
    EXPECT_EQ(number(slower, {"plain", key}), number(before, {"latency", key})) << key;
  for (const char* key : {"requests_per_s", "output_tokens_per_s"})
    EXPECT_EQ(number(slower, {"plain", key}), number(before, {"throughput", key})) << key;
}

/// Every number of an answer that a step of time stands behind.
std::vector<double> figures(const JsonNode& answer) {
  std::vector<double> all;
  for (const auto& [part, key] : {std::pair{"latency", "ttft_s"},
                                  {"latency", "tpot_s"},
                                  {"throughput", "output_tokens_per_s"},
                                  {"step", "time_s"}})
    if (const JsonNode* node = answer.find(part); node != nullptr && node->find(key) != nullptr)
      all.push_back(node->find(key)->number);
  EXPECT_FALSE(all.empty());
  return all;
}

TEST(Calibration, AHealthyMachineChangesNoPlanByMoreThanItsInterval) {
  for (const std::string_view request : {kServing, kTraining}) {
    const std::vector<double> before = figures(parsed(ask(std::string(request)).text));
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const SyntheticHost healthy{.noise = 0.005, .seed = seed};
      const JsonNode calibration = parsed(ask(about("calibrate", healthy)).text);
      double widest = 0;
      for (const JsonNode& rate : calibration.find("calibration")->find("devices")->items.front().find("rates")->items)
        widest = std::max(widest, number(rate, {"against", "half_width"}));
      EXPECT_LT(widest, 0.015);
      const std::vector<double> after = figures(parsed(ask(calibrated(request, healthy)).text));
      ASSERT_EQ(after.size(), before.size());
      for (std::size_t i = 0; i < after.size(); ++i)
        EXPECT_LE(std::fabs(std::log(after[i] / before[i])), widest) << request << " seed " << seed;
    }
  }
  // Nor is a GPU more bought for it.
  const auto gpus = [](const std::string& request) {
    return number(parsed(ask(request).text).find("plans")->items.front(), {"gpu_count"});
  };
  EXPECT_EQ(gpus(calibrated(kPlan, {.noise = 0.005, .seed = 3})), gpus(std::string(kPlan)));
}

TEST(Calibration, HalfRateMemorySlowsDecodingDown) {
  const JsonNode before = parsed(ask(std::string(kServing)).text);
  const JsonNode after = parsed(ask(calibrated(kServing, {.memory_speed = 0.5})).text);
  const double ratio = number(after, {"latency", "tpot_s"}) / number(before, {"latency", "tpot_s"});
  EXPECT_GT(ratio, 1.5);  // an 8B model's decoding reads weights and keys for more than half of its time
  EXPECT_LT(ratio, 2.05);
}

TEST(Calibration, WithoutAReferenceNothingChangesAndTheAnswerSaysSo) {
  const Catalog& built_in = embedded_catalog_facts();
  for (const std::string_view request : {kServing, kTraining}) {
    const JsonNode before = parsed(ask(std::string(request), built_in).text);
    const std::string with = calibrated(request, {.speed = 0.8}, built_in);
    const JsonNode after = parsed(ask(with, built_in).text);
    EXPECT_EQ(figures(after), figures(before));
    const JsonNode& told = after.find("calibrations")->items.front();
    EXPECT_EQ(told.find("notes")->items.front().text, "No reference profile of this GPU yet: verdicts only.");
    EXPECT_EQ(told.find("relative"), nullptr);
    EXPECT_GE(told.find("unchanged")->items.size(), 4U);
    EXPECT_NE(json_text(*after.find("assumptions")).find("verdicts only"), std::string::npos);
  }
  const JsonNode calibration = parsed(ask(about("calibrate", {}), built_in).text);
  EXPECT_NE(json_text(*calibration.find("notes")).find("verdicts only"), std::string::npos);
}

TEST(Calibration, ChangesAPlan) {
  const JsonNode before = parsed(ask(std::string(kPlan)).text);
  const JsonNode slower = parsed(ask(calibrated(kPlan, {.speed = 0.5})).text);
  ASSERT_FALSE(before.find("plans")->items.empty());
  ASSERT_FALSE(slower.find("plans")->items.empty());
  EXPECT_GT(number(slower.find("plans")->items.front(), {"gpu_count"}),
            number(before.find("plans")->items.front(), {"gpu_count"}));
}

TEST(Calibration, TheTraceTellsHostReferenceAndCatalog) {
  const std::string request = calibrated(kServing, {.speed = 0.9});
  const JsonNode answer = parsed(ask(request.substr(0, request.size() - 1) + R"(,"explain":true})").text);
  std::map<std::string, const JsonNode*> nodes;
  for (const JsonNode& node : answer.find("trace")->items) nodes[node.find("id")->text] = &node;
  int found = 0;
  for (const auto& [id, node] : nodes) {
    if (id.find(":perf.calibrated_rate") == std::string::npos) continue;
    ++found;
    ASSERT_EQ(node->find("inputs")->items.size(), 2U);
    const JsonNode& catalog = *nodes.at(node->find("inputs")->items[0].text);
    const JsonNode& ratio = *nodes.at(node->find("inputs")->items[1].text);
    EXPECT_NE(catalog.find("id")->text.find(":catalog/kernel_rates.csv/"), std::string::npos);
    EXPECT_EQ(ratio.find("equation")->text, "host / reference");
    EXPECT_NEAR(number(ratio, {"value"}), 0.9, 0.01);
    const JsonNode& host = *nodes.at(ratio.find("inputs")->items[0].text);
    const JsonNode& reference = *nodes.at(ratio.find("inputs")->items[1].text);
    EXPECT_NE(host.find("id")->text.find(":calibration/h100-sxm5-80gb/"), std::string::npos);
    EXPECT_NE(reference.find("id")->text.find(":reference/h100-sxm5-80gb/"), std::string::npos);
    EXPECT_EQ(host.find("source")->text.rfind("profile-", 0), 0U);
    EXPECT_EQ(reference.find("source")->text, referenced().reference_rates.front().source);
  }
  EXPECT_GE(found, 2);
}

TEST(Calibration, BadOnesAreRefusedAtTheirPlace) {
  const auto with = [](const std::string& calibration) {
    return std::string(kServing.substr(0, kServing.size() - 1)) + R"(,"calibration":)" + calibration + "}";
  };
  const std::string digest(64, 'a');
  const auto device = [&](const std::string& rates, const std::string& gpu = "\"h100-sxm5-80gb\"") {
    return with(R"({"schema":"podwright-calibration/2","devices":[{"gpu":)" + gpu + R"(,"profile_digest":")" + digest +
                R"(","rates":)" + rates + "}]}");
  };
  EXPECT_EQ(first_error(with("{}")), "missing /calibration/schema");
  EXPECT_EQ(first_error(with("7")), "wrong-type /calibration");
  EXPECT_EQ(first_error(with(R"({"schema":"podwright-calibration/1","devices":[]})")),
            "out-of-range /calibration/schema");
  EXPECT_EQ(first_error(device("[]", "\"hal-9000\"")), "unknown-id /calibration/devices/0/gpu");
  EXPECT_EQ(first_error(device("[{}]")), "missing /calibration/devices/0/rates/0/operation");
  const std::string rate =
      R"({"operation":"gemm","precision":"bf16","probe":"gemm.bf16","low":700,"typical":600,"high":800,"unit":"TFLOP/s"})";
  EXPECT_EQ(first_error(device("[" + rate + "]")), "conflict /calibration/devices/0/rates/0/typical");
  std::string wrong_unit = rate;
  wrong_unit.replace(wrong_unit.find("700"), 3, "500");
  wrong_unit.replace(wrong_unit.find("TFLOP/s"), 7, "GB/s");
  EXPECT_EQ(first_error(device("[" + wrong_unit + "]")), "out-of-range /calibration/devices/0/rates/0/unit");
  std::string half = rate;
  half.replace(half.find("700"), 3, "500");
  const auto against = [&](const std::string& text) {
    return first_error(device("[" + half.substr(0, half.size() - 1) + R"(,"against":)" + text + "}]"));
  };
  const std::string at = "/calibration/devices/0/rates/0/against";
  EXPECT_EQ(against(R"({"host":600,"reference":650,"half_width":0.01,"source":"profile-1"})"), "none");
  EXPECT_EQ(against("7"), "wrong-type " + at);
  EXPECT_EQ(against(R"({"host":600,"half_width":0.01,"source":"profile-1"})"), "missing " + at + "/reference");
  EXPECT_EQ(against(R"({"host":0,"reference":650,"half_width":0.01,"source":"profile-1"})"),
            "out-of-range " + at + "/host");
  EXPECT_EQ(against(R"({"host":600,"reference":650,"half_width":-1,"source":"profile-1"})"),
            "out-of-range " + at + "/half_width");
  // Rates of the version before stood in place of the catalog's: they mean something else.
  const JsonNode old = parsed(ask(with(R"({"schema":"podwright-calibration/1","devices":[]})")).text);
  EXPECT_NE(json_text(old).find("podwright calibrate PROFILE -o FILE"), std::string::npos);
}

const JsonNode* assumption(const JsonNode& answer, std::string_view what) {
  for (const JsonNode& one : answer.find("plan")->find("assumptions")->items)
    if (one.find("what")->text == what) return &one;
  return nullptr;
}

TEST(Verify, AHostThatKeepsWhatAPlanAssumes) {
  // A fifth more would be beyond the data sheet, and impossible.
  const Answer answer = ask(about("verify", {.speed = 1.05}, R"(,"plan":)" + std::string(kServing)));
  EXPECT_EQ(answer.outcome, Outcome::answer) << answer.text.substr(0, 3000);
  const JsonNode node = parsed(answer.text);
  ASSERT_NE(assumption(node, "gemm bf16"), nullptr);
  EXPECT_EQ(assumption(node, "gemm bf16")->find("state")->text, "met");
  ASSERT_NE(assumption(node, "memory_driver"), nullptr);
  EXPECT_EQ(assumption(node, "memory_driver")->find("state")->text, "met");
  ASSERT_NE(assumption(node, "allocatable_memory"), nullptr);
  EXPECT_EQ(assumption(node, "allocatable_memory")->find("state")->text, "met");
}

TEST(Verify, AHostThatDoesNotIsReplanned) {
  const Answer answer = ask(about("verify", {.speed = 0.6}, R"(,"plan":)" + std::string(kPlan)));
  EXPECT_EQ(answer.outcome, Outcome::infeasible);
  const JsonNode node = parsed(answer.text);
  EXPECT_EQ(assumption(node, "weight-streaming bf16")->find("state")->text, "not_met");
  const JsonNode& plan = *node.find("plan");
  bool more = false;
  for (const JsonNode& figure : plan.find("figures")->items)
    if (figure.find("figure")->text == "gpu_count" && figure.find("workload") == nullptr)
      more = number(figure, {"after", "value"}) > number(figure, {"before", "value"});
  EXPECT_TRUE(more);
  EXPECT_EQ(plan.find("replanned")->find("trace"), nullptr);
  EXPECT_NE(plan.find("replanned")->find("plans"), nullptr);
}

TEST(Verify, EachMissedAssumptionTellsWhatItCosts) {
  const JsonNode node = parsed(ask(about("verify", {.speed = 0.6}, R"(,"plan":)" + std::string(kServing))).text);
  const JsonNode* weights = assumption(node, "weight-streaming bf16");
  ASSERT_NE(weights, nullptr);
  ASSERT_NE(weights->find("impact"), nullptr);
  const auto change = [](const JsonNode& one, std::string_view figure) {
    for (const JsonNode& of : one.find("impact")->items)
      if (of.find("figure")->text == figure) return number(of, {"after"}) / number(of, {"before"}) - 1;
    return 0.0;
  };
  // Decoding reads weights; products alone leave it nearly as it was and slow down the prompts.
  const JsonNode* products = assumption(node, "gemm bf16");
  ASSERT_NE(products, nullptr);
  EXPECT_GT(change(*weights, "tpot_s"), 0.1);
  EXPECT_LT(change(*products, "tpot_s"), change(*weights, "tpot_s"));
  EXPECT_GT(change(*products, "ttft_s"), 0.01);
  EXPECT_LT(change(*weights, "output_tokens_per_s"), -0.05);
  EXPECT_TRUE(weights->find("feasible_alone")->boolean);
  const std::string& costs = weights->find("costs")->text;
  EXPECT_EQ(costs.rfind("This alone changes ", 0), 0U) << costs;
  EXPECT_NE(costs.find("the time per output token from "), std::string::npos) << costs;
  EXPECT_NE(costs.find(" ms to "), std::string::npos) << costs;
  EXPECT_EQ(costs.find('_'), std::string::npos) << costs;  // no keys
  // What is kept costs nothing, and no plan is made for it.
  EXPECT_EQ(assumption(node, "memory_driver")->find("impact"), nullptr);
  // All together is what the plan becomes: no missed assumption alone is worse.
  for (const JsonNode& figure : node.find("plan")->find("figures")->items)
    if (figure.find("figure")->text == "tpot_s") {
      EXPECT_GE(number(figure, {"after", "value"}) / number(figure, {"before", "value"}) - 1,
                change(*weights, "tpot_s"));
    }
}

TEST(Verify, AMissedAssumptionOfAPlanCostsGpusAndMoney) {
  const JsonNode node = parsed(ask(about("verify", {.speed = 0.5}, R"(,"plan":)" + std::string(kPlan))).text);
  bool more = false;
  bool dearer = false;
  bool replicas = false;
  for (const JsonNode& one : node.find("plan")->find("assumptions")->items) {
    if (one.find("impact") == nullptr) continue;
    for (const JsonNode& figure : one.find("impact")->items) {
      const bool up = number(figure, {"after"}) > number(figure, {"before"});
      more = more || (up && figure.find("figure")->text == "gpu_count");
      replicas = replicas || (up && figure.find("figure")->text == "replicas");
      dearer = dearer || (up && figure.find("figure")->text.find("usd") != std::string::npos);
    }
  }
  EXPECT_TRUE(more);
  EXPECT_TRUE(dearer);
  EXPECT_TRUE(replicas);
}

TEST(Verify, WithoutAReferenceRatesAreUnknownAndVerdictsGoOn) {
  const Answer answer =
      ask(about("verify", {.speed = 0.6}, R"(,"plan":)" + std::string(kServing)), embedded_catalog_facts());
  const JsonNode node = parsed(answer.text);
  ASSERT_NE(assumption(node, "gemm bf16"), nullptr);
  EXPECT_EQ(assumption(node, "gemm bf16")->find("state")->text, "unknown");
  EXPECT_EQ(assumption(node, "gemm bf16")->find("sentence")->text,
            "No reference profile of this GPU yet: verdicts only.");
  EXPECT_EQ(answer.outcome, Outcome::infeasible) << "its verdicts say that it is slow";
}

TEST(Verify, WhatWasNotMeasuredIsUnknown) {
  const Answer answer = ask(about(
      "verify", {.gpus = 1, .fp8 = false},
      R"(,"plan":{"kind":"serving","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":2,"weight_precision":"fp8","engine":"vllm","input_tokens":512,"output_tokens":128,"load":{"concurrency":8},"parallelism":{"tensor":2}})"));
  const JsonNode node = parsed(answer.text);
  EXPECT_EQ(assumption(node, "gemm fp8")->find("state")->text, "unknown");
  EXPECT_EQ(assumption(node, "all-reduce-bus-bandwidth, 2 ranks")->find("state")->text, "unknown");
}

TEST(Verify, ShowsTheRentOfAYearThatThePlanShows) {
  const JsonNode plan = parsed(ask(std::string(kPlan)).text).find("plans")->items.front();
  const double planned = number(plan, {"cost", "cloud", "as_needed_usd_per_year"});
  const JsonNode node = parsed(ask(about("verify", {}, R"(,"plan":)" + std::string(kPlan))).text);
  int told = 0;
  for (const JsonNode& one : node.find("plan")->find("figures")->items) {
    EXPECT_NE(one.find("figure")->text, "cloud/usd_per_year");
    if (one.find("figure")->text != "cloud/as_needed_usd_per_year") continue;
    EXPECT_EQ(number(one, {"before", "value"}), planned);
    ++told;
  }
  EXPECT_EQ(told, 1);
}

TEST(Verify, AnotherKindOfMachineKeepsNoPlan) {
  std::string request(kServing);
  request.replace(request.find("h100-sxm5-80gb"), 14, "a100-sxm4-80gb");
  const Answer answer = ask(about("verify", {}, R"(,"plan":)" + request));
  EXPECT_EQ(answer.outcome, Outcome::infeasible);
  const JsonNode node = parsed(answer.text);
  ASSERT_NE(assumption(node, "devices"), nullptr);
  EXPECT_EQ(assumption(node, "devices")->find("state")->text, "not_met");
  EXPECT_EQ(assumption(node, "gemm bf16")->find("state")->text, "unknown");
}

TEST(Verify, AnUnfinishedProfileIsNoProof) {
  HardwareProfile profile = synthetic_h100_host();
  profile.run.complete = false;
  const Answer answer = ask(R"({"kind":"verify","profile":)" + profile_text(profile) + "}");
  EXPECT_EQ(answer.outcome, Outcome::infeasible);
  EXPECT_FALSE(parsed(answer.text).find("complete")->boolean);
}

TEST(Verify, ErrorsOfThePlanStandInIt) {
  EXPECT_EQ(first_error(about("verify", {}, R"(,"plan":{"kind":"serving"})")).rfind("missing /plan/", 0), 0U);
  EXPECT_EQ(first_error(about("verify", {}, R"(,"plan":{"kind":"mig"})")), "out-of-range /plan/kind");
}

}  // namespace
}  // namespace podwright::host_request_test
