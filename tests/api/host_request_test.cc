#include "api/host_request.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "api/requests.h"
#include "base/json_read.h"
#include "calibration/synthetic_fits.h"

namespace podwright::host_request_test {
namespace {

constexpr std::string_view kServing =
    R"({"kind":"serving","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":1,"weight_precision":"bf16","engine":"vllm","input_tokens":512,"output_tokens":128,"load":{"concurrency":8}})";
constexpr std::string_view kPlan =
    R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-8b","input_tokens":512,"output_tokens":128,"peak_requests_per_s":400,"ttft_s_p95_max":2,"tpot_s_p95_max":0.05}],"constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0}})";

Answer ask(const std::string& request) { return answer_request(embedded_catalog_facts(), request); }

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
std::string calibrated(std::string_view request, const SyntheticHost& host) {
  const JsonNode answer = parsed(ask(about("calibrate", host)).text);
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
  EXPECT_EQ(attention.find("in_plans")->text, "rate");
  EXPECT_NE(attention.find("not_taken")->text.find("one rate for every length"), std::string::npos);
  EXPECT_EQ(fit("coll.allreduce/8").find("measured")->items.front().find("message_bytes")->number, 1024);
  EXPECT_EQ(fit("l2.read").find("in_plans")->text, "no");
  EXPECT_NEAR(number(fit("launch.graph"), {"time_us"}), 1.3, 0.05);
}

TEST(Calibrate, AProfileThatTellsNothingIsInfeasible) {
  const std::string empty = profile_text(HardwareProfile{});
  EXPECT_EQ(ask(R"({"kind":"calibrate","profile":)" + empty + "}").outcome, Outcome::infeasible);
}

TEST(Calibrate, ErrorsStandAtTheirPlaceInTheProfile) {
  EXPECT_EQ(first_error(R"({"kind":"calibrate"})"), "missing /profile");
  EXPECT_EQ(first_error(R"({"kind":"calibrate","profile":{"schema":"podwright-profile/2.0"}})"),
            "out-of-range /profile/schema");
  std::string damaged = about("calibrate", {});
  damaged.replace(damaged.find("\"median\":") + 9, 1, "9");
  EXPECT_EQ(first_error(damaged), "conflict /profile/integrity/digest");
}

TEST(Calibration, ChangesAnEstimateAndNarrowsIt) {
  const JsonNode before = parsed(ask(std::string(kServing)).text);
  const JsonNode slower = parsed(ask(calibrated(kServing, {.speed = 0.8})).text);
  const JsonNode faster = parsed(ask(calibrated(kServing, {.speed = 1.1})).text);
  EXPECT_GT(number(slower, {"latency", "tpot_s"}), number(before, {"latency", "tpot_s"}));
  EXPECT_LT(number(faster, {"latency", "tpot_s"}), number(slower, {"latency", "tpot_s"}));
  const auto width = [](const JsonNode& answer) {
    return std::log(number(answer, {"latency", "tpot_s_high"}) / number(answer, {"latency", "tpot_s_low"}));
  };
  EXPECT_LT(width(slower), width(before));
  ASSERT_NE(slower.find("calibrations"), nullptr);
  EXPECT_EQ(slower.find("calibrations")->items.front().find("gpu")->text, "h100-sxm5-80gb");
  EXPECT_EQ(before.find("calibrations"), nullptr);
}

TEST(Calibration, ChangesAPlan) {
  const JsonNode before = parsed(ask(std::string(kPlan)).text);
  const JsonNode slower = parsed(ask(calibrated(kPlan, {.speed = 0.5})).text);
  ASSERT_FALSE(before.find("plans")->items.empty());
  ASSERT_FALSE(slower.find("plans")->items.empty());
  EXPECT_GT(number(slower.find("plans")->items.front(), {"gpu_count"}),
            number(before.find("plans")->items.front(), {"gpu_count"}));
}

TEST(Calibration, EveryTracedRateNamesTheProfile) {
  const std::string request = calibrated(kServing, {.speed = 0.9});
  const JsonNode answer = parsed(ask(request.substr(0, request.size() - 1) + R"(,"explain":true})").text);
  bool found = false;
  for (const JsonNode& node : answer.find("trace")->items) {
    const std::string& id = node.find("id")->text;
    if (id.find("calibration/h100-sxm5-80gb/gemm/bf16") == std::string::npos) continue;
    found = true;
    EXPECT_EQ(node.find("source")->text.rfind("profile-", 0), 0U);
  }
  EXPECT_TRUE(found);
}

constexpr std::string_view kTraining =
    R"({"kind":"training","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":8,"precision":"bf16","global_batch_size":64,"micro_batch_size":1,"sequence_length":8192,"framework":"megatron-core","parallelism":{"tensor":8}})";
constexpr std::string_view kPrefill =
    R"({"kind":"serving","model":"llama-3.1-70b","gpu":"h100-sxm5-80gb","gpu_count":8,"weight_precision":"bf16","engine":"vllm","input_tokens":2000,"output_tokens":16,"load":{"concurrency":1},"parallelism":{"tensor":8}})";

/// The request with rates and times of 8 GPUs whose exchanges of 8 to 32 MiB sag.
std::string with_sag(std::string_view request, double sag) {
  HardwareProfile profile = synthetic_h100_host({.gpus = 1});
  add_collectives(profile, {.sag = sag});
  const JsonNode answer = parsed(ask(R"({"kind":"calibrate","profile":)" + profile_text(profile) + "}").text);
  return std::string(request.substr(0, request.size() - 1)) + R"(,"calibration":)" +
         json_text(*answer.find("calibration")) + "}";
}

std::string without_tables(std::string request) {
  const std::size_t at = request.find(R"(,"collectives":[)");
  EXPECT_NE(at, std::string::npos);
  return request.erase(at, request.rfind("]}]}}") + 1 - at);
}

TEST(Calibration, TimesBySizeSlowExchangesThatSag) {
  const auto compare = [](std::string_view request, std::initializer_list<std::string_view> figure) {
    const auto time = [&](const std::string& text) { return number(parsed(ask(text).text), figure); };
    const double rates = time(without_tables(with_sag(request, 1)));
    const double even = time(with_sag(request, 1));
    const double sagging = time(with_sag(request, 2));
    EXPECT_NEAR(even / rates, 1, 0.02) << request;  // the same start-up time and rate
    EXPECT_GT(sagging / even, 1.01) << request;
  };
  compare(kTraining, {"step", "time_s"});
  compare(kPrefill, {"latency", "ttft_s"});
}

TEST(Calibration, EveryTimeOfAnExchangeNamesTheProfile) {
  for (const std::string_view request : {kTraining, kPrefill}) {
    const std::string calibrated = with_sag(request, 2);
    const JsonNode answer = parsed(ask(calibrated.substr(0, calibrated.size() - 1) + R"(,"explain":true})").text);
    int found = 0;
    for (const JsonNode& node : answer.find("trace")->items) {
      if (node.find("id")->text.find("calibration/h100-sxm5-80gb/all-reduce-times/8/sizes/") == std::string::npos)
        continue;
      ++found;
      EXPECT_EQ(node.find("source")->text.rfind("profile-", 0), 0U);
    }
    EXPECT_GE(found, 2) << request;
  }
}

TEST(Calibration, SmallMessagesOfEnginesStayTheirOwn) {
  std::string decode(kPrefill);
  decode.replace(decode.find("2000"), 4, "1000");
  decode.replace(decode.find("\"output_tokens\":16"), 18, "\"output_tokens\":1024");
  const auto tpot = [&](double sag) { return number(parsed(ask(with_sag(decode, sag)).text), {"latency", "tpot_s"}); };
  EXPECT_NEAR(tpot(2) / tpot(1), 1, 0.02);
}

TEST(Calibration, BadTimesAreRefusedAtTheirPlace) {
  const auto times = [](const std::string& collectives) {
    return first_error(std::string(kServing.substr(0, kServing.size() - 1)) +
                       R"(,"calibration":{"schema":"podwright-calibration/1","devices":[{"gpu":"h100-sxm5-80gb",)"
                       R"("profile_digest":")" +
                       std::string(64, 'a') + R"(","rates":[],"collectives":)" + collectives + "}]}}");
  };
  const std::string at = "/calibration/devices/0/collectives";
  const std::string sizes = R"("sizes":[{"bytes":1024,"time_us":15},{"bytes":2048,"time_us":16}])";
  EXPECT_EQ(times(R"([{"collective":"all-reduce","ranks":8,)" + sizes + "}]"), "none");
  EXPECT_EQ(times("7"), "wrong-type " + at);
  EXPECT_EQ(times("[{}]"), "missing " + at + "/0/collective");
  EXPECT_EQ(times(R"([{"collective":"broadcast","ranks":8,)" + sizes + "}]"), "out-of-range " + at + "/0/collective");
  EXPECT_EQ(times(R"([{"collective":"all-reduce","ranks":1,)" + sizes + "}]"), "out-of-range " + at + "/0/ranks");
  EXPECT_EQ(times(R"([{"collective":"all-reduce","ranks":8,"sizes":[{"bytes":1024,"time_us":15}]}])"),
            "out-of-range " + at + "/0/sizes");
  EXPECT_EQ(
      times(
          R"([{"collective":"all-reduce","ranks":8,"sizes":[{"bytes":1024,"time_us":15},{"bytes":1024,"time_us":16}]}])"),
      "conflict " + at + "/0/sizes/1/bytes");
  EXPECT_EQ(
      times(
          R"([{"collective":"all-reduce","ranks":8,"sizes":[{"bytes":1024,"time_us":0},{"bytes":2048,"time_us":16}]}])"),
      "out-of-range " + at + "/0/sizes/0/time_us");
  EXPECT_EQ(times(R"([{"collective":"all-reduce","ranks":8,"sizes":[{"bytes":1024},{"bytes":2048,"time_us":16}]}])"),
            "missing " + at + "/0/sizes/0/time_us");
  const std::string one = R"({"collective":"all-reduce","ranks":8,)" + sizes + "}";
  EXPECT_EQ(times("[" + one + "," + one + "]"), "conflict " + at + "/1/ranks");
  EXPECT_EQ(times("[" + one.substr(0, one.size() - 1) + R"(,"half_width":-1}])"),
            "out-of-range " + at + "/0/half_width");
  EXPECT_EQ(times("[" + one.substr(0, one.size() - 1) + R"(,"other":1}])"), "unknown-key " + at + "/0/other");
}

TEST(Calibration, BadOnesAreRefusedAtTheirPlace) {
  const auto with = [](const std::string& calibration) {
    return std::string(kServing.substr(0, kServing.size() - 1)) + R"(,"calibration":)" + calibration + "}";
  };
  const std::string digest(64, 'a');
  const auto device = [&](const std::string& rates, const std::string& gpu = "\"h100-sxm5-80gb\"") {
    return with(R"({"schema":"podwright-calibration/1","devices":[{"gpu":)" + gpu + R"(,"profile_digest":")" + digest +
                R"(","rates":)" + rates + "}]}");
  };
  EXPECT_EQ(first_error(with("{}")), "missing /calibration/schema");
  EXPECT_EQ(first_error(with("7")), "wrong-type /calibration");
  EXPECT_EQ(first_error(with(R"({"schema":"podwright-calibration/2","devices":[]})")),
            "out-of-range /calibration/schema");
  EXPECT_EQ(first_error(device("[]", "\"hal-9000\"")), "unknown-id /calibration/devices/0/gpu");
  EXPECT_EQ(first_error(device("[{}]")), "missing /calibration/devices/0/rates/0/operation");
  const std::string rate =
      R"({"operation":"gemm","precision":"bf16","low":700,"typical":600,"high":800,"unit":"TFLOP/s"})";
  EXPECT_EQ(first_error(device("[" + rate + "]")), "conflict /calibration/devices/0/rates/0/typical");
  std::string wrong_unit = rate;
  wrong_unit.replace(wrong_unit.find("700"), 3, "500");
  wrong_unit.replace(wrong_unit.find("TFLOP/s"), 7, "GB/s");
  EXPECT_EQ(first_error(device("[" + wrong_unit + "]")), "out-of-range /calibration/devices/0/rates/0/unit");
  EXPECT_EQ(first_error(R"({"kind":"catalog","list":"gpus","calibration":{}})"), "unknown-key /calibration");
}

const JsonNode* assumption(const JsonNode& answer, std::string_view what) {
  for (const JsonNode& one : answer.find("plan")->find("assumptions")->items)
    if (one.find("what")->text == what) return &one;
  return nullptr;
}

TEST(Verify, AHostThatKeepsWhatAPlanAssumes) {
  const Answer answer = ask(about("verify", {.speed = 1.2}, R"(,"plan":)" + std::string(kServing)));
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

TEST(Verify, WhatWasNotMeasuredIsUnknown) {
  const Answer answer = ask(about(
      "verify", {.gpus = 1, .fp8 = false},
      R"(,"plan":{"kind":"serving","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":2,"weight_precision":"fp8","engine":"vllm","input_tokens":512,"output_tokens":128,"load":{"concurrency":8},"parallelism":{"tensor":2}})"));
  const JsonNode node = parsed(answer.text);
  EXPECT_EQ(assumption(node, "gemm fp8")->find("state")->text, "unknown");
  EXPECT_EQ(assumption(node, "all-reduce-bus-bandwidth, 2 ranks")->find("state")->text, "unknown");
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
