#include "plan/plan_load.h"

#include <gtest/gtest.h>

namespace podwright::plan_load_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }
const Gpu& h100() { return **find_gpu(facts(), "h100-sxm5-80gb"); }

// A board of 700 W with 0.25 of it in any case, 483 W at the peak, half of the peak on average: 175 + 308 / 2.
static_assert(power_at_share(watts(700), 0.25, watts(483), 0.5) == watts(329));
// Eight of them in a machine of 10.2 kW.
static_assert(machine_load(kw(10.2), 8.0, watts(700), watts(700)) == 1.0);
static_assert(machine_load(kw(10), 8.0, watts(700), watts(450)) == 0.8);

PlanDemand<NoTrace> serving(Watts at_peak, double mean_gpus) {
  PlanDemand<NoTrace> demand;
  WorkloadNumbers<NoTrace> numbers;
  numbers.serving.emplace();
  numbers.serving->energy = ServingEnergy<NoTrace>{.gpu_power = at_peak};
  numbers.demand.peak_gpus = 16;
  numbers.demand.mean_gpus = mean_gpus;
  demand.workloads.push_back(std::move(numbers));
  return demand;
}
double load_of(const PlanDemand<NoTrace>& demand, bool at_peak, const PlanEconomics& economics = {}) {
  NoTrace none;
  const double standing = 16;
  return plan_load(none, facts(), economics, h100(), nullptr, demand, at_peak ? nullptr : &standing);
}

TEST(PlanLoad, FollowsThePowerOfTheGpus) {
  const PlanDemand<NoTrace> demand = serving(watts(483), 8);
  const System* system = power_system(facts(), nullptr, h100());
  ASSERT_NE(system, nullptr);
  const double machine = raw(planned_power(*system)->value);
  EXPECT_NEAR(load_of(demand, true), 1 - system->gpu_count * (700 - 483) / machine, 1e-12);
  const double ready = facts().serving_efficiency[ServingConstant::power_ready];
  const double drawn = 700 * ready + (483 - 700 * ready) / 2;
  EXPECT_NEAR(load_of(demand, false), 1 - system->gpu_count * (700 - drawn) / machine, 1e-12);
}

// A rack of 72 for 16 GPUs: 56 draw what they draw with an engine on them.
TEST(PlanLoad, CountsWhatStandsIdle) {
  NoTrace none;
  const System* system = power_system(facts(), nullptr, h100());
  const double machine = raw(planned_power(*system)->value);
  const auto load = [&](double drawn) { return 1 - system->gpu_count * (700 - drawn) / machine; };
  const double standing = 72;
  const double ready = facts().serving_efficiency[ServingConstant::power_ready];
  EXPECT_NEAR(plan_load(none, facts(), {}, h100(), nullptr, serving(watts(483), 16), &standing),
              (16 * load(483) + 56 * load(700 * ready)) / 72, 1e-12);
}

TEST(PlanLoad, IsThatOfTheRequestWhereItNamesOne) {
  PlanEconomics economics;
  economics.load = 0.4;
  EXPECT_EQ(load_of(serving(watts(483), 8), true, economics), 0.4);
}

TEST(PlanLoad, IsTheConventionWhereNoPowerIsPredicted) {
  PlanDemand<NoTrace> training;
  training.workloads.emplace_back();
  training.workloads.back().demand.peak_gpus = 8;
  EXPECT_EQ(load_of(training, true), kMeanLoad);
  PlanDemand<NoTrace> both = serving(watts(700), 16);  // 16 GPUs at full power, 8 at the convention
  both.workloads.push_back(training.workloads.back());
  EXPECT_NEAR(load_of(both, true), (16 * 1.0 + 8 * kMeanLoad) / 24, 1e-12);
}

}  // namespace
}  // namespace podwright::plan_load_test
