#include <gtest/gtest.h>

#include <string>

#include "support/ask.h"

namespace podwright::interval_test {
namespace {

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
  const JsonNode answer =
      ask(kTrainingRun, R"({"tokens":1e12,"gpu_price_usd_per_hour":2,"power_kw_per_gpu":1.5})").answer;
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
  const JsonNode answer = ask(kTrainingRun, "{}").answer;
  const double tokens = 512.0 * 8192;
  EXPECT_NEAR(number(answer, "step", "time_s_low") * number(answer, "throughput", "tokens_per_s_high"), tokens,
              1e-9 * tokens);
  EXPECT_NEAR(number(answer, "step", "time_s_high") * number(answer, "throughput", "tokens_per_s_low"), tokens,
              1e-9 * tokens);
}

TEST(TrainingIntervals, AreWiderWhereLessIsKnown) {
  const double known = relative_width(ask(kTrainingRun, "{}").answer);
  EXPECT_GT(relative_width(ask(kTrainingRun, R"({"sequence_length":1048576,"global_batch_size":32})").answer), known);
  const JsonNode sheet =
      ask(kTrainingRun, R"({"gpu":{"base":"h100-sxm5-80gb","id":"my-gpu","compute_capability":"15.0"},"system":null})")
          .answer;
  if (sheet.find("step") != nullptr) {
    EXPECT_GT(relative_width(sheet), known);
  }
}

TEST(TrainingIntervals, SayWhatTheyStandOn) {
  const JsonNode answer = ask(kTrainingRun, "{}").answer;
  bool said = false;
  for (const JsonNode& assumption : answer.find("assumptions")->items)
    if (const JsonNode* message = assumption.find("message"))
      said = said || message->text.find("The interval of the time is based on") == 0;
  EXPECT_TRUE(said);
}

}  // namespace
}  // namespace podwright::interval_test
