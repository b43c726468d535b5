#include "calibration/plan_check.h"

#include <gtest/gtest.h>

#include <string>

#include "base/words.h"

namespace podwright::plan_check_test {
namespace {

using Quantity = PlanAssumption::Quantity;

ProbeResult copy_on(const std::string& device, double gb_per_second) {
  ProbeResult result;
  result.probe = "hbm.copy";
  result.devices = {device};
  result.counted.bytes = 2e9;
  for (int i = 0; i < 24; ++i) result.samples_s.push_back(2 / gb_per_second * (1 + 0.0005 * (i % 5)));
  finish_result(result, {});
  return result;
}

HardwareProfile two_gpus() {
  HardwareProfile profile;
  profile.devices = {{.id = "d0", .kind = "gpu"}, {.id = "d1", .kind = "gpu"}, {.id = "host", .kind = "cpu"}};
  profile.devices[0].memory_allocatable_gib = 79;
  profile.devices[1].memory_allocatable_gib = 78;
  profile.results = {copy_on("d0", 2900), copy_on("d1", 2600)};
  return profile;
}

std::string state(const HardwareProfile& profile, const PlanAssumption& assumption) {
  return std::string(word_of(check_assumption(profile, assumption).state, kAssumptionStateWords));
}

TEST(PlanCheck, TheWorstDeviceDecides) {
  const HardwareProfile profile = two_gpus();
  EXPECT_EQ(state(profile, {Quantity::allocatable_memory, 77}), "met");
  const CheckedAssumption memory = check_assumption(profile, {Quantity::allocatable_memory, 78.5});
  EXPECT_EQ(memory.state, AssumptionState::not_met);
  EXPECT_EQ(memory.device, "d1");
  EXPECT_EQ(*memory.measured, 78);
  EXPECT_EQ(state(profile, {Quantity::memory_bandwidth, 2.5e12}), "met");
  EXPECT_EQ(state(profile, {Quantity::memory_bandwidth, 2.8e12}), "not_met");
  EXPECT_NE(check_assumption(profile, {Quantity::memory_bandwidth, 2.8e12}).reason.find("d1 has"), std::string::npos);
}

TEST(PlanCheck, WhatWasNotMeasuredIsUnknown) {
  HardwareProfile profile = two_gpus();
  EXPECT_EQ(state(profile, {Quantity::product_rate, 1e14, "bf16"}), "unknown");
  EXPECT_EQ(state(profile, {Quantity::collective_rate, 1e11, "", "coll.allreduce", 8}), "unknown");
  EXPECT_EQ(state({}, {Quantity::allocatable_memory, 1}), "unknown");
  profile.devices[1].memory_allocatable_gib.reset();
  EXPECT_EQ(state(profile, {Quantity::allocatable_memory, 10}), "unknown");
  EXPECT_EQ(state(profile, {Quantity::allocatable_memory, 100}), "not_met");
}

TEST(PlanCheck, AValueInsideTheIntervalIsUnknown) {
  const HardwareProfile profile = two_gpus();
  const double rate = *check_assumption(profile, {Quantity::memory_bandwidth, 1}).measured;
  EXPECT_EQ(state(profile, {Quantity::memory_bandwidth, rate}), "unknown");
}

TEST(PlanCheck, InvalidResultsTellNothing) {
  HardwareProfile profile = two_gpus();
  profile.results[1].flags.push_back({FlagKind::above_roof, ""});
  EXPECT_EQ(state(profile, {Quantity::memory_bandwidth, 1e12}), "unknown");
}

}  // namespace
}  // namespace podwright::plan_check_test
