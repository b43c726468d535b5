#include <gtest/gtest.h>

#include <string>

#include "api/answer.h"
#include "base/json_read.h"

namespace podwright {
namespace {

const std::string kRun =
    R"({"kind":"training","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":64,"system":"dgx-h100",
        "sequence_length":8192,"global_batch_size":512,"parallelism":{"tensor":2,"data":32},
        "activation_recompute":"full","framework":"megatron-core"})";

JsonNode ask(const std::string& patch) {
  const Answer answer =
      answer_request(embedded_catalog_facts(), json_text(merged(*parse_json(kRun), *parse_json(patch))));
  const auto node = parse_json(answer.text);
  EXPECT_TRUE(node) << answer.text;
  return node ? *node : JsonNode{};
}

double number(const JsonNode& answer, std::string_view block, const std::string& key) {
  const JsonNode* in = answer.find(block);
  const JsonNode* value = in == nullptr ? nullptr : in->find(key);
  EXPECT_NE(value, nullptr) << block << " " << key;
  return value == nullptr ? 0 : value->number;
}

double relative_width(const JsonNode& answer) {
  return number(answer, "step", "time_s_high") / number(answer, "step", "time_s_low");
}

TEST(TrainingIntervals, StandAroundEveryPrediction) {
  const JsonNode answer = ask(R"({"tokens":1e12,"gpu_price_usd_per_hour":2,"power_kw_per_gpu":1.5})");
  const std::pair<const char*, const char*> predictions[] = {{"memory_per_gpu", "total_gib"},
                                                             {"step", "time_s"},
                                                             {"throughput", "tokens_per_s"},
                                                             {"throughput", "tokens_per_s_per_gpu"},
                                                             {"throughput", "model_tflops_per_gpu"},
                                                             {"throughput", "mfu"},
                                                             {"throughput", "hfu"},
                                                             {"calendar", "run_time_days"},
                                                             {"calendar", "run_time_days_without_interruptions"},
                                                             {"calendar", "expected_failures"},
                                                             {"calendar", "gpu_hours"},
                                                             {"calendar", "energy_kwh"},
                                                             {"calendar", "cost_usd"}};
  for (const auto& [block, key] : predictions) {
    const double x = number(answer, block, key);
    EXPECT_LT(number(answer, block, std::string(key) + "_low"), x) << key;
    EXPECT_GT(number(answer, block, std::string(key) + "_high"), x) << key;
  }
}

TEST(TrainingIntervals, OfTimeAndRateAreOneInterval) {
  const JsonNode answer = ask("{}");
  const double tokens = 512.0 * 8192;
  EXPECT_NEAR(number(answer, "step", "time_s_low") * number(answer, "throughput", "tokens_per_s_high"), tokens,
              1e-9 * tokens);
  EXPECT_NEAR(number(answer, "step", "time_s_high") * number(answer, "throughput", "tokens_per_s_low"), tokens,
              1e-9 * tokens);
}

TEST(TrainingIntervals, AreWiderWhereLessIsKnown) {
  const double known = relative_width(ask("{}"));
  EXPECT_GT(relative_width(ask(R"({"sequence_length":1048576,"global_batch_size":32})")), known);
  const JsonNode sheet =
      ask(R"({"gpu":{"base":"h100-sxm5-80gb","id":"my-gpu","compute_capability":"15.0"},"system":null})");
  if (sheet.find("step") != nullptr) {
    EXPECT_GT(relative_width(sheet), known);
  }
}

TEST(TrainingIntervals, SayWhatTheyStandOn) {
  const JsonNode answer = ask("{}");
  bool said = false;
  for (const JsonNode& assumption : answer.find("assumptions")->items)
    if (const JsonNode* message = assumption.find("message"))
      said = said || message->text.find("The interval of the time stands on") == 0;
  EXPECT_TRUE(said);
}

}  // namespace
}  // namespace podwright
