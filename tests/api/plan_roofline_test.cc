// `options.roofline` of a plan: asked for or absent, and the same numbers as the workload's own estimate.
#include <gtest/gtest.h>

#include "api/plan_example.h"
#include "base/number_text.h"

namespace podwright::plan_roofline_test {
namespace {

using namespace plan_example;

TEST(PlanRoofline, IsToldWhereItIsAskedFor) {
  const JsonNode without = answer_of(chat(kH100));
  EXPECT_EQ(find(without, {"plans", "0", "estimates", "0", "roofline"}), nullptr);
  const JsonNode with = answer_of(chat(kH100, "{}", R"({"top":1,"draws":0,"roofline":true})"));
  const JsonNode* roofline = find(with, {"plans", "0", "estimates", "0", "roofline"});
  ASSERT_NE(roofline, nullptr);
  ASSERT_EQ(roofline->find("points")->items.size(), 2u);
  const JsonNode& decode = roofline->find("points")->items[0];
  EXPECT_EQ(decode.find("phase")->text, "decode");
  // The same work in the same time, whichever way it is divided.
  EXPECT_NEAR(number(decode, {"work_tflop"}) / number(decode, {"time_s"}), number(decode, {"attained_tflops"}),
              1e-9 * number(decode, {"attained_tflops"}));
  EXPECT_NEAR(number(decode, {"attained_tflops"}) / number(decode, {"roof_tflops"}), number(decode, {"roof_fraction"}),
              1e-9);
  EXPECT_NEAR(1e3 * number(decode, {"work_tflop"}) / number(decode, {"memory_traffic_gb"}),
              number(decode, {"intensity_flop_per_byte"}), 1e-9 * number(decode, {"intensity_flop_per_byte"}));
  EXPECT_EQ(number(*roofline, {"memory_gb_per_s"}), 3350);
}

TEST(PlanRoofline, IsThatOfTheServingEstimate) {
  const JsonNode plan = answer_of(chat(kH100, "{}", R"({"top":1,"draws":0,"roofline":true})"));
  const JsonNode* layout = find(plan, {"plans", "0", "layouts", "0"});
  ASSERT_NE(layout, nullptr);
  std::string request =
      R"({"kind":"serving","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","input_tokens":1500,"output_tokens":400,)"
      R"("load":{"request_rate_per_s":60},"gpu_count":)" +
      shortest_number(number(*layout, {"gpu_count"}));
  for (const char* key : {"engine", "weight_precision", "kv_precision", "parallelism", "max_batched_tokens"})
    if (const JsonNode* chosen = layout->find(key)) request += std::string(",\"") + key + "\":" + json_text(*chosen);
  const JsonNode serving = answer_of(request + "}");
  const JsonNode* own = find(serving, {"roofline"});
  ASSERT_NE(own, nullptr) << json_text(serving);
  const JsonNode* planned = find(plan, {"plans", "0", "estimates", "0", "roofline"});
  ASSERT_NE(planned, nullptr);
  for (const char* point : {"0", "1"})
    for (const char* key : {"tokens", "time_s", "attained_tflops", "attained_tflops_low", "roof_fraction"}) {
      const double expected = number(*own, {"points", point, key});
      EXPECT_NEAR(number(*planned, {"points", point, key}), expected, 1e-12 * expected) << key;
    }
}

TEST(PlanRoofline, IsAFlag) {
  const JsonNode answer = answer_of(chat(kH100, "{}", R"({"roofline":"yes"})"));
  const JsonNode* error = find(answer, {"errors", "0"});
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->find("path")->text, "/options/roofline");
  EXPECT_EQ(error->find("code")->text, "wrong-type");
}

}  // namespace
}  // namespace podwright::plan_roofline_test
