#include "cost/cost_inputs.h"

#include <gtest/gtest.h>

namespace podwright::cost_inputs_test {
namespace {

DefaultRange range(CostInput input, double typical) { return default_range(embedded_catalog_facts(), input, typical); }

TEST(DefaultRange, SharesAndRatesTakeTheEndsOfTheirRow) {
  const DefaultRange pue = range(CostInput::pue, 1.3);
  ASSERT_NE(pue.row, nullptr);
  EXPECT_EQ(pue.number.low, 1.09);
  EXPECT_EQ(pue.number.high, 1.56);
  EXPECT_EQ(range(CostInput::utilization, 0.6).number.high, 0.8);
  EXPECT_EQ(range(CostInput::discount_rate, 0.08).number.low, 0.06);
  EXPECT_EQ(range(CostInput::life_years, 5).number.high, 6);
  // A number outside its row widens the range.
  EXPECT_EQ(range(CostInput::pue, 1.05).number.low, 1.05);
  EXPECT_EQ(range(CostInput::utilization, 0.9).number.high, 0.9);
}

TEST(DefaultRange, AmountsScaleWithTheirRow) {
  const DefaultRange staff = range(CostInput::staff_pay, raw(usd(100000) / years(1)));
  EXPECT_NEAR(staff.number.low, raw(usd(75000) / years(1)), 1e-12);
  EXPECT_NEAR(staff.number.high, raw(usd(220000) / years(1)), 1e-12);
  EXPECT_NEAR(range(CostInput::network, 32000).number.high, 40000, 1e-9);
}

TEST(DefaultRange, WhatHasNoRowOrIsNotThereIsCertain) {
  EXPECT_TRUE(range(CostInput::it_power, 10200).number.certain());
  EXPECT_EQ(range(CostInput::it_power, 10200).row, nullptr);
  EXPECT_TRUE(range(CostInput::network, 0).number.certain());
}

TEST(DefaultRange, AllRowsExistAndCanBeDrawnFrom) {
  UncertainCosts costs;
  costs.gpu_count = 8;
  int uncertain = 0;
  for (std::size_t i = 0; i < kCostInputCount; ++i) {
    const auto input = static_cast<CostInput>(i);
    const DefaultRange found = range(input, input == CostInput::pue ? 1.3 : 0.1);
    costs.inputs[i] = found.number;
    if (found.row != nullptr) ++uncertain;
  }
  EXPECT_EQ(uncertain, 14);
  costs[CostInput::life_years] = range(CostInput::life_years, 5).number;
  CostInput input{};
  EXPECT_EQ(uncertain_costs_problem(costs, input), "") << kCostInputWords[index_of(input)].name;
}

}  // namespace
}  // namespace podwright::cost_inputs_test
