// `traffic.hours` of requests: numbers that may come again, and the mean rate of a plan that follows from them.
#include <gtest/gtest.h>

#include "api/plan_example.h"

namespace podwright::traffic_hours_test {
namespace {

using namespace plan_example;

std::string chat_of_hours(const std::string& hours, const std::string& more = "") {
  return R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-8b","peak_requests_per_s":60,)" +
         more + R"("input_tokens":1500,"output_tokens":400,"ttft_s_p95_max":2,"traffic":{"hours":)" + hours +
         R"(}}],"constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"top":1,"draws":0}})";
}

const std::string kHalf = "[1,1,1,1,1,1,1,1,1,1,1,1,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5]";

TEST(TrafficHours, GiveThePlanItsMeanRate) {
  const JsonNode hours = answer_of(chat_of_hours(kHalf));
  const JsonNode given = answer_of(chat_of_hours(kHalf, R"("mean_requests_per_s":45,)"));
  ASSERT_NE(find(hours, {"plans", "0"}), nullptr) << json_text(hours);
  for (const char* key : {"peak_gpus", "mean_gpus"})
    EXPECT_EQ(number(hours, {"plans", "0", "demand", key}), number(given, {"plans", "0", "demand", key})) << key;
  const JsonNode other = answer_of(chat_of_hours(kHalf, R"("mean_requests_per_s":30,)"));
  EXPECT_LT(number(other, {"plans", "0", "demand", "mean_gpus"}), number(hours, {"plans", "0", "demand", "mean_gpus"}));
}

TEST(TrafficHours, Are24Numbers) {
  for (const char* hours : {"[1,1]", R"([1,"2"])", "[-1]"}) {
    const JsonNode answer = answer_of(chat_of_hours(hours));
    const JsonNode* error = find(answer, {"errors", "0"});
    ASSERT_NE(error, nullptr) << hours;
    EXPECT_EQ(error->find("path")->text.rfind("/workloads/0/traffic/hours", 0), 0U) << hours;
  }
}

}  // namespace
}  // namespace podwright::traffic_hours_test
