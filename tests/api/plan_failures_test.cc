// What a plan says it takes to answer while a machine or a site is out.
#include <gtest/gtest.h>

#include <string>

#include "api/plan_example.h"

namespace podwright::plan_failures_test {
namespace {

using namespace plan_example;

/// `more` of the constraints, `workload` of the workload.
std::string load(const std::string& more = "", const std::string& workload = R"("ttft_s_p95_max":3,)") {
  return R"({"kind":"plan","workloads":[{"name":"c","type":"serving","model":"llama-3.1-70b","peak_requests_per_s":30,)" +
         workload + R"("mean_requests_per_s":12,"input_tokens":2000,"output_tokens":500,"tpot_s_p95_max":0.06}],
      "constraints":{"gpus":["h100-sxm5-80gb"])" +
         more + R"(},"options":{"draws":0,"top":1}})";
}

/// Null where no reason of the first plan has this code, up to what follows a slash.
const JsonNode* reason(const JsonNode& answer, std::string_view code) {
  const JsonNode* reasons = find(answer, {"plans", "0", "reasons"});
  EXPECT_NE(reasons, nullptr) << json_text(answer).substr(0, 500);
  for (std::size_t i = 0; reasons != nullptr && i < reasons->items.size(); ++i)
    if (const JsonNode& one = reasons->items[i]; (one.find("code")->text + "/").rfind(std::string(code) + "/", 0) == 0)
      return &one;
  return nullptr;
}

double ranked(const JsonNode& answer) { return number(answer, {"plans", "0", "ranked_by_usd_per_year"}); }
double gpus(const JsonNode& answer) { return number(answer, {"plans", "0", "gpu_count"}); }

TEST(PlanFailures, ASpareMachineCostsWhatAPlanThatAsksForItCosts) {
  const JsonNode answer = answer_of(load());
  const JsonNode spare = answer_of(load(R"(,"spare_machines":1)"));
  const JsonNode* says = reason(answer, "spare-machine");
  ASSERT_NE(says, nullptr);
  EXPECT_EQ(number(*says, {"values", "more_gpus"}), gpus(spare) - gpus(answer));
  EXPECT_NEAR(number(*says, {"values", "more_usd_per_year"}), ranked(spare) - ranked(answer), 1);
  EXPECT_GT(ranked(spare), ranked(answer));
  EXPECT_EQ(reason(spare, "spare-machine"), nullptr);
}

TEST(PlanFailures, ASecondSiteCostsWhatAPlanThatAsksForItCosts) {
  const JsonNode answer = answer_of(load());
  const JsonNode two = answer_of(load(R"(,"sites":2,"survives_site_loss":true)"));
  const JsonNode* says = reason(answer, "second-site");
  ASSERT_NE(says, nullptr);
  EXPECT_EQ(number(*says, {"values", "more_gpus"}), 2 * gpus(two) - gpus(answer));
  EXPECT_NEAR(number(*says, {"values", "more_usd_per_year"}), ranked(two) - ranked(answer), 1);
  EXPECT_EQ(reason(two, "second-site"), nullptr);
}

// Nobody knows how far away a site is but who asks.
TEST(PlanFailures, TheRoundTripIsTheRequests) {
  EXPECT_NE(reason(answer_of(load()), "lost-site")->find("message"), nullptr);
  EXPECT_EQ(find(*reason(answer_of(load()), "lost-site"), {"values"}), nullptr);
  const JsonNode far = answer_of(load(R"(,"site_round_trip_s":0.2)"));
  const JsonNode* says = reason(far, "lost-site");
  ASSERT_NE(says, nullptr);
  EXPECT_EQ(number(*says, {"values", "round_trip_s"}), 0.2);
  EXPECT_EQ(number(*says, {"values", "limit_s"}), 3);
  EXPECT_NEAR(number(*says, {"values", "ttft_s"}), number(*reason(far, "ttft-p95"), {"values", "ttft_s"}) + 0.2, 1e-9);
  const JsonNode without_limit = answer_of(load(R"(,"sites":2,"survives_site_loss":true,"site_round_trip_s":0.2)", ""));
  says = reason(without_limit, "lost-site");
  ASSERT_NE(says, nullptr);
  EXPECT_EQ(find(*says, {"values", "ttft_s"}), nullptr);
}

TEST(PlanFailures, ARunIsNotSpreadOverSites) {
  const std::string run =
      R"({"kind":"plan","workloads":[{"name":"tune","type":"training","model":"llama-3.1-8b","tokens":1e9,"deadline_days":20}],
          "constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0,"top":1}})";
  const JsonNode answer = answer_of(run);
  EXPECT_EQ(reason(answer, "second-site"), nullptr);
  EXPECT_EQ(reason(answer, "spare-machine"), nullptr);
}

}  // namespace
}  // namespace podwright::plan_failures_test
