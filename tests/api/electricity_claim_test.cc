#include <gtest/gtest.h>

#include "support/ask.h"

namespace podwright::electricity_claim_test {
namespace {

/// One server with eight H100; docs/method/ownership.md.
const std::string kClaim =
    R"({"kind":"explain","claim":{"electricity_over_hardware":1,"servers_usd":285000,"it_power_kw":10.2,
        "electricity_usd_per_kwh":0.083}})";

TEST(ElectricityClaim, ElectricityIsAnEighthOfTheServer) {
  const Reply asked = ask(kClaim);
  EXPECT_EQ(asked.outcome, Outcome::infeasible);
  EXPECT_EQ(asked.answer.find("verdict")->text, "wrong");
  EXPECT_NEAR(number_at(asked.answer, "/electricity_over_hardware"), 7230.81 * 5 / 285000, 1e-7);
  EXPECT_NEAR(number_at(asked.answer, "/electricity_over_hardware"), 0.127, 5e-4);
  EXPECT_NEAR(number_at(asked.answer, "/claim_would_need/electricity_usd_per_kwh"), 0.083 / 0.126856, 1e-5);
  EXPECT_NEAR(number_at(asked.answer, "/claim_would_need/years"), 5 / 0.126856, 1e-3);
  EXPECT_NE(asked.answer.find("summary")->text.find("0.127 of the machines' $285,000, not 1."), std::string::npos);
}

// The same numbers as those of a cost request about the server.
TEST(ElectricityClaim, IsMadeOfTheCostOfOwning) {
  const JsonNode cost = ask(R"({"kind":"cost","gpu_count":8,"uncertainty":{"draws":100},"on_premises":{
      "servers_usd":285000,"it_power_kw":10.2,"electricity_usd_per_kwh":0.083}})")
                            .answer;
  const JsonNode claim = ask(kClaim).answer;
  EXPECT_EQ(number_at(claim, "/electricity_usd_per_year"), number_at(cost, "/on_premises/energy_usd_per_year"));
  EXPECT_EQ(number_at(claim, "/energy_per_year_kwh"), number_at(cost, "/on_premises/energy_per_year_kwh"));
}

TEST(ElectricityClaim, WhatItNeedsMakesItRight) {
  const double price = number_at(ask(kClaim).answer, "/claim_would_need/electricity_usd_per_kwh");
  const Reply asked = ask(kClaim, R"({"claim":{"electricity_usd_per_kwh":)" + std::to_string(price) + "}}");
  EXPECT_EQ(asked.outcome, Outcome::answer);
  EXPECT_EQ(asked.answer.find("verdict")->text, "right");
  EXPECT_NEAR(number_at(asked.answer, "/electricity_over_hardware"), 1, 1e-5);
}

// 8 B parameters and 100 B tokens on eight A100 in eight days: study material, refused with the MFU it would need.
TEST(TrainingClaim, TheEightDaysOfStudyMaterialAreRefused) {
  const Reply asked = ask(R"({"kind":"explain","claim":{"parameters":8e9,"tokens":100e9,"gpu":"a100-sxm4-80gb",
      "gpu_count":8,"days":8}})");
  EXPECT_EQ(asked.outcome, Outcome::infeasible);
  EXPECT_FALSE(asked.answer.find("feasible")->boolean);
  EXPECT_NEAR(number_at(asked.answer, "/needed_tflops_per_gpu"), 868.1, 0.05);
  EXPECT_NEAR(number_at(asked.answer, "/mfu"), 868.1 / 312, 5e-4);
  EXPECT_GT(number_at(asked.answer, "/mfu"), 1);
  EXPECT_NE(asked.answer.find("reasons")->items[0].find("message")->text.find("55.6 days"), std::string::npos);
}

}  // namespace
}  // namespace podwright::electricity_claim_test
