/// What was measured at an engine, in requests and next to what is computed.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "api/answer.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "measure/engine_samples.h"
#include "measure/foreign_samples.h"

namespace podwright::measured_test {
namespace {

const std::string kDeployment = R"({"kind":"serving","model":"llama-3.1-70b","gpu":"h200-sxm5-141gb","gpu_count":2,
  "weight_precision":"bf16","kv_precision":"fp8","engine":"vllm","engine_version":"0.11","parallelism":{"tensor":2},
  "input_tokens":2000,"output_tokens":500,"load":{"max_throughput":true}})";

JsonNode patched(const std::string& patch, const std::string& request = kDeployment) {
  return merged(*parse_json(request), *parse_json(patch));
}

JsonNode asked(const JsonNode& request, Outcome outcome = Outcome::answer) {
  const Answer answer = answer_request(embedded_catalog_facts(), json_text(request));
  EXPECT_EQ(answer.outcome, outcome) << answer.text.substr(0, 600);
  const auto node = parse_json(answer.text);
  EXPECT_TRUE(node) << answer.text.substr(0, 400);
  return node ? *node : JsonNode{};
}

double number(const JsonNode& answer, const std::vector<std::string>& path) {
  const JsonNode* node = &answer;
  for (const std::string& key : path) {
    node = node->find(key);
    if (node == nullptr) {
      ADD_FAILURE() << key << " is missing";
      return NAN;
    }
  }
  return node->number;
}

const JsonNode& figure(const JsonNode& answer, const std::string& name) {
  static const JsonNode kNone;
  const JsonNode* figures = answer.find("engine_figures");
  if (figures != nullptr)
    for (const JsonNode& one : figures->items)
      if (one.find("figure")->text == name) return one;
  ADD_FAILURE() << name << " is not shown";
  return kNone;
}

TEST(Measured, WithoutItNothingIsShownBeside) {
  const JsonNode answer = asked(patched("{}"));
  for (const char* key : {"engine_figures", "plain", "calibrated"}) EXPECT_EQ(answer.find(key), nullptr) << key;
}

TEST(Measured, APoolIsUsedAndShownNextToTheComputedOne) {
  const JsonNode plain = asked(patched("{}"));
  const double computed = number(plain, {"kv_cache", "capacity_tokens"});
  const double measured = std::floor(0.97 * computed / 16) * 16;
  JsonNode request = patched(R"({"measured":{"kv_cache_tokens":)" + std::to_string(measured) + "}}");
  const JsonNode answer = asked(request);
  EXPECT_EQ(number(answer, {"kv_cache", "capacity_tokens"}), measured);
  EXPECT_LT(number(answer, {"kv_cache", "max_sequences"}), number(plain, {"kv_cache", "max_sequences"}));
  const JsonNode& shown = figure(answer, "kv_cache_tokens");
  EXPECT_EQ(number(shown, {"computed"}), computed);
  EXPECT_EQ(number(shown, {"measured"}), measured);
  EXPECT_NEAR(number(shown, {"difference"}), measured / computed - 1, 1e-12);
  EXPECT_LT(number(shown, {"computed_low"}), measured);
  EXPECT_GT(number(shown, {"computed_high"}), computed);
  EXPECT_NE(shown.find("message")->text.find("3 % less"), std::string::npos) << shown.find("message")->text;
  EXPECT_EQ(shown.find("check"), nullptr);
  // What it replaces is there too.
  for (const char* key : {"capacity_tokens", "max_sequences"})
    EXPECT_EQ(number(answer, {"plain", key}), number(plain, {"kv_cache", key})) << key;
  for (const char* key : {"ttft_s", "tpot_s", "request_s"})
    EXPECT_EQ(number(answer, {"plain", key}), number(plain, {"latency", key})) << key;
  EXPECT_EQ(number(answer, {"plain", "requests_per_s"}), number(plain, {"throughput", "requests_per_s"}));
  EXPECT_LT(number(answer, {"throughput", "requests_per_s"}), number(answer, {"plain", "requests_per_s"}));
}

TEST(Measured, APoolOutsideTheIntervalSaysWhatToCheck) {
  const double computed = number(asked(patched("{}")), {"kv_cache", "capacity_tokens"});
  for (const double share : {0.6, 1.5}) {
    const JsonNode answer =
        asked(patched(R"({"measured":{"kv_cache_tokens":)" + std::to_string(std::floor(share * computed)) + "}}"));
    const JsonNode& shown = figure(answer, "kv_cache_tokens");
    ASSERT_NE(shown.find("check"), nullptr);
    const JsonNode& check = shown.find("check")->items.front();
    EXPECT_EQ(check.find("code")->text, share < 1 ? "check-pool/less" : "check-pool/more");
    EXPECT_NE(check.find("message")->text.find(share < 1 ? "memory_fraction" : "kv_precision"), std::string::npos);
  }
}

TEST(Measured, SequencesAtOnceBoundWhatIsServedAtOnce) {
  const JsonNode answer = asked(patched(R"({"measured":{"running_sequences":71}})"));
  EXPECT_EQ(number(answer, {"kv_cache", "max_sequences"}), 71);
  EXPECT_EQ(number(answer, {"admitted_concurrency"}), 71);
  const JsonNode& shown = figure(answer, "running_sequences");
  EXPECT_GT(number(shown, {"computed"}), 71);
  EXPECT_EQ(shown.find("check")->items.front().find("code")->text, "check-sequences/less");
}

const std::string kTraffic =
    R"({"traffic":{"system_prompt_tokens":500,"turns":3,"think_time_s":30},"load":{"max_throughput":null,
    "request_rate_per_s":1}})";

TEST(Measured, AHitRatioReplacesWhatFollowsFromTheTraffic) {
  const JsonNode request = patched(kTraffic);
  const JsonNode plain = asked(request);
  const double computed = number(plain, {"prefix_cache", "prefix_hit_ratio"});
  const double unlimited = number(plain, {"prefix_cache", "unlimited_hit_ratio"});
  const JsonNode low = asked(patched(R"({"measured":{"prefix_hit_ratio":0.2}})", json_text(request)));
  EXPECT_EQ(number(low, {"prefix_cache", "prefix_hit_ratio"}), 0.2);
  EXPECT_EQ(number(figure(low, "prefix_hit_ratio"), {"computed"}), computed);
  EXPECT_EQ(figure(low, "prefix_hit_ratio").find("check"), nullptr);
  EXPECT_GT(number(low, {"latency", "ttft_s"}), number(plain, {"latency", "ttft_s"}));
  const JsonNode high = asked(patched(R"({"measured":{"prefix_hit_ratio":0.97}})", json_text(request)));
  const JsonNode& shown = figure(high, "prefix_hit_ratio");
  EXPECT_EQ(number(shown, {"computed_high"}), unlimited);
  EXPECT_EQ(shown.find("check")->items.front().find("code")->text, "check-hits/more");
}

TEST(Measured, WithoutTrafficAHitRatioIsThatOfTheRequest) {
  const JsonNode measured = asked(patched(R"({"measured":{"prefix_hit_ratio":0.4}})"));
  const JsonNode said = asked(patched(R"({"prefix_hit_ratio":0.4})"));
  EXPECT_EQ(number(measured, {"latency", "ttft_s"}), number(said, {"latency", "ttft_s"}));
  EXPECT_EQ(figure(measured, "prefix_hit_ratio").find("computed"), nullptr);
  EXPECT_EQ(number(measured, {"plain", "ttft_s"}), number(asked(patched("{}")), {"latency", "ttft_s"}));
  const JsonNode twice =
      asked(patched(R"({"prefix_hit_ratio":0.4,"measured":{"prefix_hit_ratio":0.4}})"), Outcome::wrong_input);
  EXPECT_EQ(twice.find("error")->find("path")->text, "/prefix_hit_ratio");
}

TEST(Measured, FactorsOfABenchmarkGiveCalibratedFiguresNextToTheComputedOnes) {
  const JsonNode answer = asked(patched(R"({"measured":{"ttft_factor":1.5,"tpot_factor":0.8,"rate_factor":1.1}})"));
  EXPECT_NEAR(number(answer, {"calibrated", "ttft_s"}), 1.5 * number(answer, {"latency", "ttft_s"}), 1e-12);
  EXPECT_NEAR(number(answer, {"calibrated", "tpot_s"}), 0.8 * number(answer, {"latency", "tpot_s"}), 1e-12);
  EXPECT_NEAR(number(answer, {"calibrated", "request_s"}),
              number(answer, {"calibrated", "ttft_s"}) + 499 * number(answer, {"calibrated", "tpot_s"}), 1e-9);
  EXPECT_NEAR(number(answer, {"calibrated", "requests_per_s"}), 1.1 * number(answer, {"throughput", "requests_per_s"}),
              1e-12);
  EXPECT_EQ(answer.find("plain"), nullptr);  // the computed figures are the plain ones
  EXPECT_EQ(answer.find("engine_figures"), nullptr);
}

TEST(Measured, AReplayTakesThePoolToo) {
  JsonNode request = patched(R"({"kind":"replay","duration_s":60,"load":{"max_throughput":null,"concurrency":40},
    "measured":{"kv_cache_tokens":64000,"running_sequences":20}})");
  const JsonNode answer = asked(request);
  EXPECT_EQ(number(answer, {"capacity_tokens"}), 64000);
  EXPECT_LE(number(answer, {"replay", "mean_in_flight"}), 40);
  EXPECT_EQ(figure(answer, "kv_cache_tokens").find("check")->items.size(), 1U);
}

TEST(Measured, WaysOutOfAnEngineStartedOtherwiseLeaveItOut) {
  const JsonNode answer = asked(patched(R"({"measured":{"kv_cache_tokens":2000}})"), Outcome::infeasible);
  bool any = false;
  for (const JsonNode& way : answer.find("reasons")->items.front().find("ways_out")->items) {
    if (way.find("parallelism") == nullptr && way.find("weight_precision") == nullptr && way.find("gpu") == nullptr)
      continue;
    any = true;
    ASSERT_NE(way.find("measured"), nullptr) << json_text(way);
    EXPECT_EQ(way.find("measured")->type, JsonType::null);
  }
  EXPECT_TRUE(any) << json_text(*answer.find("reasons"));
}

const std::string kSearch = R"({"kind":"search","type":"serving","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb",
  "gpu_count":1,"input_tokens":4000,"output_tokens":400,"ttft_s_p95_max":8,"tpot_s_p95_max":0.2,"engines":["vllm"],
  "weight_precisions":["bf16"],"top":1})";

TEST(Measured, ASearchCountsWithTheCacheOfTheSameDeployment) {
  const auto with_cache = [](const std::string& tensor) {
    return patched(R"({"measured":[{"gpu":"h100-sxm5-80gb","engine":"vllm","weight_precision":"bf16",
      "parallelism":{"tensor":)" +
                       tensor + R"(},"kv_cache_tokens":64000}]})",
                   kSearch);
  };
  const auto best = [](const JsonNode& answer) { return answer.find("deployments")->items.front(); };
  const JsonNode plain = best(asked(patched("{}", kSearch)));
  const JsonNode other = best(asked(with_cache("2")));
  const JsonNode same = best(asked(with_cache("1")));
  EXPECT_EQ(plain.find("measured"), nullptr);
  EXPECT_EQ(json_text(other), json_text(plain));
  const double most = number(plain, {"max_requests_per_s"});
  // Another limit of a step is another engine, whose cache is computed.
  if (same.find("measured") != nullptr) {
    EXPECT_EQ(number(same, {"measured", "kv_cache_tokens"}), 64000);
    EXPECT_EQ(number(same, {"kv_cache", "capacity_tokens"}), 64000);
    EXPECT_LT(number(same, {"max_requests_per_s"}), most);
  } else {
    EXPECT_NE(same.find("max_batched_tokens"), nullptr);
    EXPECT_LE(number(same, {"max_requests_per_s"}), most);
  }
}

TEST(Measured, AnEngineWithADraftHasPrintedWhatTheDraftLeaves) {
  const std::string draft = R"({"speculative":{"draft_tokens":3,"acceptance":0.7}})";
  const JsonNode request = patched(draft);
  const JsonNode plain = asked(request);
  const JsonNode answer = asked(patched(R"({"measured":{"kv_cache_tokens":700000}})", json_text(request)));
  const JsonNode& shown = figure(answer, "kv_cache_tokens");
  EXPECT_LT(number(shown, {"computed"}), number(asked(patched("{}")), {"kv_cache", "capacity_tokens"}));
  EXPECT_GT(number(answer, {"admitted_concurrency"}),
            0.9 * 700000 / number(shown, {"computed"}) * number(plain, {"admitted_concurrency"}));
}

TEST(Measured, PoolsOfTheirOwnHaveNone) {
  const JsonNode answer = asked(patched(R"({"gpu_count":4,"load":{"max_throughput":null,"concurrency":8},
    "disaggregated":{"prefill_gpus":2,"decode_gpus":2},"measured":{"kv_cache_tokens":64000}})"),
                                Outcome::wrong_input);
  EXPECT_EQ(answer.find("error")->find("path")->text, "/measured");
}

std::string import_of(const std::vector<std::string>& texts, const std::string& request) {
  JsonWriter out;
  out.begin_object();
  out.text("kind", "import");
  out.begin_list("files");
  for (const std::string& text : texts) {
    out.begin_object();
    out.text("name", "a file");
    out.text("text", text);
    out.end_object();
  }
  out.end_list();
  if (!request.empty()) out.key("request"), out.verbatim(request);
  out.end_object();
  return out.take();
}

TEST(Measured, AnImportWritesTheRequestOfTheEngine) {
  const JsonNode answer = asked(*parse_json(import_of({kVllmLog, kVllmMetrics, kVllm}, kDeployment)));
  EXPECT_EQ(number(answer, {"engine", "kv_cache_tokens"}), 748080);
  EXPECT_EQ(json_text(answer).find("secret"), std::string::npos);
  const JsonNode& request = *answer.find("request");
  EXPECT_EQ(number(request, {"measured", "kv_cache_tokens"}), 748080);
  EXPECT_EQ(number(request, {"max_batched_tokens"}), 8192);
  EXPECT_EQ(number(request, {"max_batch_size"}), 256);
  EXPECT_EQ(request.find("engine_version")->text, "0.11");  // as the request says it
  EXPECT_GT(number(request, {"measured", "tpot_factor"}), 0.01);
  const JsonNode estimated = asked(request);
  EXPECT_EQ(number(figure(estimated, "kv_cache_tokens"), {"measured"}), 748080);
  EXPECT_EQ(figure(estimated, "kv_cache_tokens").find("check"), nullptr)
      << json_text(figure(estimated, "kv_cache_tokens"));
  // The factors make the benchmark's figures of those that are computed for its load.
  JsonNode of_benchmark = merged(request, *parse_json(R"({"input_tokens":1024,"output_tokens":128,
    "load":{"max_throughput":null,"concurrency":16}})"));
  const JsonNode again = asked(of_benchmark);
  EXPECT_NEAR(number(again, {"calibrated", "tpot_s"}) / 0.012, 1, 1e-3);
  EXPECT_NEAR(number(again, {"calibrated", "ttft_s"}) / 0.08, 1, 1e-3);
  EXPECT_NEAR(number(again, {"calibrated", "requests_per_s"}) / 10, 1, 1e-3);
}

TEST(Measured, AnImportNamesWhatTheRequestSaysOtherwise) {
  const JsonNode answer =
      asked(*parse_json(import_of({kVllmLog}, json_text(patched(R"({"kv_precision":"bf16"})")))), Outcome::wrong_input);
  EXPECT_EQ(answer.find("error")->find("path")->text, "/request/kv_precision");
  EXPECT_EQ(answer.find("error")->find("code")->text, "conflict");
  const JsonNode other = asked(*parse_json(import_of({kVllmLog}, R"({"kind":"plan"})")), Outcome::wrong_input);
  EXPECT_EQ(other.find("error")->find("path")->text, "/request/kind");
  const JsonNode none = asked(*parse_json(import_of({kBandwidth}, kDeployment)), Outcome::wrong_input);
  EXPECT_EQ(none.find("error")->find("path")->text, "/request");
}

}  // namespace
}  // namespace podwright::measured_test
