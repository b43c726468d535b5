#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cost/owning_example.h"

namespace podwright::owning_test {
namespace {

TEST(Owning, OneServerByParts) {
  const OwningCost<NoTrace> cost = owned(one_server());
  ASSERT_TRUE(cost.total.has_value());
  EXPECT_TRUE(cost.missing.empty());
  EXPECT_EQ(cost.capital->capex, usd(342000));
  EXPECT_NEAR(cost.operation->energy_per_year / kwh(1), 87118.2, 0.05);
  EXPECT_NEAR(yearly(cost.operation->energy), 7230.81, 0.005);
  EXPECT_NEAR(yearly(cost.operation->support), 28500, 1e-6);
  EXPECT_NEAR(yearly(cost.operation->licences), 36000, 1e-6);
  EXPECT_NEAR(yearly(cost.operation->staff), 20000, 1e-6);
  EXPECT_EQ(cost.operation->facility, UsdPerSecond(0));
  EXPECT_NEAR(yearly(cost.operation->yearly), 91730.81, 0.005);
  EXPECT_NEAR(yearly(cost.capital->yearly), 75940.09, 0.005);
  EXPECT_NEAR(yearly(cost.total->yearly), 167670.90, 0.005);
  EXPECT_NEAR(hourly(cost.total->available), 2.392564, 5e-7);
  EXPECT_NEAR(hourly(*cost.used), 3.987607, 5e-7);
  EXPECT_NEAR(cost.total->net_present_cost / usd(1), 669461.29, 0.005);
  EXPECT_NEAR(hourly(*cost.straight_line_available), 2.122300, 5e-7);
}

// The example's electricity over five years is 0.127 of the server's price.
TEST(Owning, ElectricityIsNoHardware) {
  const OwningCost<NoTrace> cost = owned(one_server());
  EXPECT_NEAR(cost.operation->energy * years(5) / usd(285000), 0.127, 5e-4);
}

TEST(Owning, YearsOfTheExampleAreAlike) {
  const OwningCost<NoTrace> cost = owned(one_server());
  ASSERT_EQ(cost.by_year.size(), 5u);
  Usd present = cost.capital->capex;
  for (const OwningYear<NoTrace>& year : cost.by_year) {
    EXPECT_NEAR(yearly(year.total), 167670.90, 0.005);
    present += year.present_operation;
  }
  EXPECT_NEAR(cost.by_year.back().present_operation / usd(1), 91730.81 * 0.680583197, 0.01);
  EXPECT_NEAR((present - cost.capital->terminal * 0.6805831970) / usd(1), 669461.29, 0.005);
}

// Published swings of the used GPU-hour, one parameter at a time.
struct Swing {
  const char* name;
  double expected;
  double low;
  double high;
  void (*set)(OwnedTerms<NoTrace>&, double);
};
const Swing kSwings[] = {
    {"utilisation", 4.9845, 0.3, 0.8, [](OwnedTerms<NoTrace>& i, double x) { i.utilization = x; }},
    {"server", 1.2038, 190000, 350000, [](OwnedTerms<NoTrace>& i, double x) { i.servers.amount = usd(x); }},
    {"staff", 0.9513, 0.05, 0.25, [](OwnedTerms<NoTrace>& i, double x) { i.staff.amount = x; }},
    {"licence", 0.8562, 0, 4500, [](OwnedTerms<NoTrace>& i, double x) { i.licence_per_gpu.amount = usd_per_year(x); }},
    {"support", 0.6778, 0.05, 0.15, [](OwnedTerms<NoTrace>& i, double x) { i.support_fraction.amount = x; }},
    {"life", 0.5802, 4, 6, [](OwnedTerms<NoTrace>& i, double x) { i.horizon_years = x; }},
    {"rate", 0.4129, 0.06, 0.13, [](OwnedTerms<NoTrace>& i, double x) { i.discount_rate = x; }},
    {"residual", 0.2888, 0.10, 0.35, [](OwnedTerms<NoTrace>& i, double x) { i.residual_fraction.amount = x; }},
    {"electricity", 0.2673, 0.075, 0.204,
     [](OwnedTerms<NoTrace>& i, double x) { i.electricity_price.amount = usd_per_kwh(x); }},
    {"network", 0.1620, 1600, 5000, [](OwnedTerms<NoTrace>& i, double x) { i.network.amount = usd(8 * x); }},
    {"PUE", 0.0622, 1.09, 1.56, [](OwnedTerms<NoTrace>& i, double x) { i.pue.amount = x; }},
};

TEST(Owning, OneParameterAtATime) {
  for (const Swing& swing : kSwings) {
    OwnedTerms<NoTrace> low = one_server();
    OwnedTerms<NoTrace> high = one_server();
    swing.set(low, swing.low);
    swing.set(high, swing.high);
    EXPECT_NEAR(std::fabs(hourly(*owned(high).used) - hourly(*owned(low).used)), swing.expected, 5e-5) << swing.name;
  }
}

// NVIDIA's inference cost of 2025-06: a server of 320,000 over four years, hosting 3,000, a licence of 4,500 as printed
// for the server, and for each of its eight GPUs.
TEST(Owning, PublishedServerYear) {
  OwnedTerms<NoTrace> inputs;
  inputs.gpu_count = 1;
  inputs.horizon_years = 4;
  inputs.discount_rate = 0;
  inputs.servers.amount = usd(320000);
  inputs.facility.amount = usd_per_year(3000);
  inputs.licence_per_gpu.amount = usd_per_year(4500);
  EXPECT_NEAR(yearly(owned(inputs).total->yearly), 87500, 1e-6);
  inputs.gpu_count = 8;
  EXPECT_NEAR(yearly(owned(inputs).total->yearly), 119000, 1e-6);
}

TEST(Owning, WhatIsNoPartCountsNothing) {
  OwnedTerms<NoTrace> inputs;
  inputs.gpu_count = 8;
  inputs.horizon_years = 5;
  inputs.discount_rate = 0.08;
  inputs.servers.amount = usd(1000);
  const OwningCost<NoTrace> cost = owned(inputs);
  EXPECT_EQ(cost.capital->capex, usd(1000));
  EXPECT_EQ(cost.operation->yearly, UsdPerSecond(0));
  EXPECT_FALSE(cost.used.has_value());
}

template <class T>
void expect_absent_without(CostPart<NoTrace, T> OwnedTerms<NoTrace>::*part, const char* name) {
  OwnedTerms<NoTrace> inputs = one_server();
  inputs.*part = {.amount = {}, .absence = std::string("No dated source for ") + name + "."};
  const OwningCost<NoTrace> cost = owned(inputs);
  EXPECT_FALSE(cost.total.has_value()) << name;
  EXPECT_FALSE(cost.used.has_value()) << name;
  EXPECT_TRUE(cost.by_year.empty()) << name;
  ASSERT_EQ(cost.missing.size(), 1u) << name;
  EXPECT_EQ(cost.missing[0], std::string("No dated source for ") + name + ".");
}

TEST(Owning, WithoutAnyPartThereIsNoTotal) {
  using Inputs = OwnedTerms<NoTrace>;
  expect_absent_without(&Inputs::servers, "servers");
  expect_absent_without(&Inputs::network, "network");
  expect_absent_without(&Inputs::storage, "storage");
  expect_absent_without(&Inputs::spares, "spares");
  expect_absent_without(&Inputs::installation_fraction, "installation");
  expect_absent_without(&Inputs::residual_fraction, "residual value");
  expect_absent_without(&Inputs::fabric_residual_fraction, "residual value of the network");
  expect_absent_without(&Inputs::decommissioning, "decommissioning");
  expect_absent_without(&Inputs::it_power, "power");
  expect_absent_without(&Inputs::load, "load");
  expect_absent_without(&Inputs::pue, "PUE");
  expect_absent_without(&Inputs::electricity_price, "electricity");
  expect_absent_without(&Inputs::escalation, "escalation");
  expect_absent_without(&Inputs::facility, "facility");
  expect_absent_without(&Inputs::support_fraction, "support");
  expect_absent_without(&Inputs::licence_per_gpu, "licences");
  expect_absent_without(&Inputs::staff, "staff");
  expect_absent_without(&Inputs::salary, "salary");
  expect_absent_without(&Inputs::connection, "lines");
}

TEST(Owning, WithoutThePowerTheCapitalIsStillKnown) {
  OwnedTerms<NoTrace> inputs = one_server();
  inputs.it_power = {.amount = {}, .absence = "No power."};
  const OwningCost<NoTrace> cost = owned(inputs);
  EXPECT_NEAR(yearly(cost.capital->yearly), 75940.09, 0.005);
  EXPECT_FALSE(cost.operation.has_value());
}

TEST(Owning, RisingElectricity) {
  OwnedTerms<NoTrace> inputs = one_server();
  inputs.escalation.amount = 0.05;
  const OwningCost<NoTrace> cost = owned(inputs);
  const double first = 7230.8106;
  double present = 0;
  double factor = 0;
  for (int year = 1; year <= 5; ++year) {
    present += first * std::pow(1.05, year - 1) / std::pow(1.08, year);
    factor += 1 / std::pow(1.08, year);
    EXPECT_NEAR(yearly(cost.by_year[static_cast<std::size_t>(year - 1)].energy), first * std::pow(1.05, year - 1),
                1e-6);
  }
  EXPECT_NEAR(yearly(cost.operation->energy), present / factor, 1e-6);
  EXPECT_NEAR(yearly(cost.operation->energy_first_year), first, 1e-6);
  // As fast as the interest, and faster.
  inputs.escalation.amount = 0.08;
  EXPECT_NEAR(yearly(owned(inputs).operation->energy), first * 5 / 1.08 / factor, 1e-6);
  inputs.escalation.amount = 0.10;
  EXPECT_GT(owned(inputs).operation->energy, cost.operation->energy);
}

OwnedTerms<NoTrace> random_cluster(std::mt19937_64& generator) {
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(generator() >> 11U) * 0x1p-53;
  };
  OwnedTerms<NoTrace> inputs;
  inputs.gpu_count = std::floor(between(1, 5000));
  inputs.horizon_years = std::floor(between(1, 11));
  inputs.discount_rate = generator() % 8 == 0 ? 0.0 : between(0.001, 0.25);
  inputs.utilization = between(0.02, 1);
  inputs.servers.amount = usd(value_of(inputs.gpu_count) * between(5000, 60000));
  inputs.network.amount = usd(value_of(inputs.gpu_count) * between(0, 6000));
  inputs.storage.amount = usd(between(0, 1e6));
  inputs.spares.amount = usd(between(0, 1e6));
  inputs.installation_fraction.amount = between(0, 0.4);
  inputs.residual_fraction.amount = between(0, 0.5);
  inputs.fabric_residual_fraction.amount = between(0, 0.2);
  inputs.decommissioning.amount = usd(between(0, 1e5));
  inputs.it_power.amount = kw(value_of(inputs.gpu_count) * between(0.3, 2));
  inputs.load.amount = between(0.2, 1);
  inputs.pue.amount = between(1.05, 2);
  inputs.electricity_price.amount = usd_per_kwh(between(0.03, 0.4));
  inputs.escalation.amount = generator() % 2 == 0 ? 0.0 : between(-0.05, 0.2);
  inputs.facility.amount = usd_per_year(between(0, 1e6));
  inputs.support_fraction.amount = between(0, 0.15);
  inputs.licence_per_gpu.amount = usd_per_year(between(0, 4500));
  inputs.staff.amount = between(0, 20);
  inputs.salary.amount = usd_per_year(between(1e5, 4e5));
  inputs.connection.amount = usd_per_year(between(0, 1e5));
  return inputs;
}

TEST(OwningProperties, PartsAddUpAndTheValueTodayIsTheLevelCost) {
  std::mt19937_64 generator(7);
  for (int round = 0; round < 2000; ++round) {
    const OwnedTerms<NoTrace> inputs = random_cluster(generator);
    const OwningCost<NoTrace> cost = owned(inputs);
    const OwnedOperation<NoTrace>& o = *cost.operation;
    const double tolerance = 1e-9 * yearly(cost.total->yearly);
    EXPECT_NEAR(yearly(o.yearly),
                yearly(o.energy) + yearly(o.facility) + yearly(o.support) + yearly(o.licences) + yearly(o.staff) +
                    yearly(o.connection),
                tolerance);
    EXPECT_NEAR(yearly(cost.total->yearly), yearly(cost.capital->yearly) + yearly(o.yearly), tolerance);
    EXPECT_NEAR(cost.capital->capex / usd(1),
                (*inputs.servers.amount + *inputs.network.amount + *inputs.storage.amount + *inputs.spares.amount +
                 cost.capital->installation) /
                    usd(1),
                1e-9 * (cost.capital->capex / usd(1)));
    const double r = inputs.discount_rate;
    double factor = 0;
    double by_year = cost.capital->capex / usd(1);
    double discount = 1;
    for (const OwningYear<NoTrace>& year : cost.by_year) {
      discount /= 1 + r;
      factor += discount;
      by_year += year.present_operation / usd(1);
    }
    by_year -= cost.capital->terminal / usd(1) * discount;
    const double npv = cost.total->net_present_cost / usd(1);
    EXPECT_NEAR(npv, yearly(cost.total->yearly) * factor, 1e-9 * std::fabs(npv) + 1e-9 * tolerance);
    EXPECT_NEAR(npv, by_year, 1e-9 * (cost.capital->capex / usd(1)) + 1e-9 * std::fabs(npv));
  }
}

TEST(OwningProperties, MoreUseNeverRaisesTheUsedHour) {
  std::mt19937_64 generator(8);
  for (int round = 0; round < 500; ++round) {
    OwnedTerms<NoTrace> inputs = random_cluster(generator);
    UsdPerSecond before = usd_per_hour(1e12);
    for (const double utilization : {0.05, 0.2, 0.5, 0.9, 1.0}) {
      inputs.utilization = utilization;
      const OwningCost<NoTrace> cost = owned(inputs);
      EXPECT_LE(*cost.used, before);
      EXPECT_GE(*cost.used, cost.total->available);
      before = *cost.used;
    }
  }
}

TEST(OwningProperties, EveryCostRaisesTheTotal) {
  std::mt19937_64 generator(9);
  for (int round = 0; round < 200; ++round) {
    const OwnedTerms<NoTrace> inputs = random_cluster(generator);
    const UsdPerSecond total = owned(inputs).total->yearly;
    const auto dearer = [&](auto part, double factor) {
      OwnedTerms<NoTrace> more = inputs;
      more.*part = {.amount = *(more.*part).amount * factor + decltype(*(more.*part).amount * factor)(), .absence = {}};
      return owned(more).total->yearly;
    };
    using Inputs = OwnedTerms<NoTrace>;
    EXPECT_GE(dearer(&Inputs::network, 1.1), total);
    EXPECT_GE(dearer(&Inputs::spares, 1.1), total);
    EXPECT_GE(dearer(&Inputs::decommissioning, 1.1), total);
    EXPECT_GE(dearer(&Inputs::pue, 1.1), total);
    EXPECT_GE(dearer(&Inputs::electricity_price, 1.1), total);
    EXPECT_GE(dearer(&Inputs::facility, 1.1), total);
    EXPECT_GE(dearer(&Inputs::support_fraction, 1.1), total);
    EXPECT_GE(dearer(&Inputs::staff, 1.1), total);
    EXPECT_LE(dearer(&Inputs::residual_fraction, 1.1), total);
  }
}

// Fractions of years have no list of years but a level cost between those of their neighbours.
TEST(OwningProperties, FractionsOfYears) {
  OwnedTerms<NoTrace> inputs = one_server();
  const UsdPerSecond five = owned(inputs).total->yearly;
  inputs.horizon_years = 4.5;
  const OwningCost<NoTrace> between = owned(inputs);
  inputs.horizon_years = 4;
  EXPECT_TRUE(between.by_year.empty());
  EXPECT_GT(between.total->yearly, five);
  EXPECT_LT(between.total->yearly, owned(inputs).total->yearly);
}

TEST(Owning, TracedNumbersAreThePlainOnes) {
  Trace trace;
  OwnedTerms<Trace> inputs;
  const OwnedTerms<NoTrace> plain = one_server();
  inputs.gpu_count = trace.input("/gpu_count", plain.gpu_count);
  inputs.horizon_years = trace.input("/horizon_years", plain.horizon_years);
  inputs.discount_rate = trace.input("/discount_rate", plain.discount_rate);
  inputs.utilization = trace.input("/utilization", *plain.utilization);
  inputs.servers.amount = trace.input("/servers_usd", *plain.servers.amount);
  inputs.network.amount = trace.input("/network_usd", *plain.network.amount);
  inputs.storage.amount = trace.input("/storage_usd", *plain.storage.amount);
  inputs.residual_fraction.amount = trace.input("/residual_fraction", *plain.residual_fraction.amount);
  inputs.it_power.amount = trace.input("/it_power_kw", *plain.it_power.amount);
  inputs.load.amount = trace.input("/load", *plain.load.amount);
  inputs.pue.amount = trace.input("/pue", *plain.pue.amount);
  inputs.electricity_price.amount = trace.input("/electricity", *plain.electricity_price.amount);
  inputs.support_fraction.amount = trace.input("/support", *plain.support_fraction.amount);
  inputs.licence_per_gpu.amount = trace.input("/licence", *plain.licence_per_gpu.amount);
  inputs.staff.amount = trace.input("/staff", *plain.staff.amount);
  inputs.salary.amount = trace.input("/salary", *plain.salary.amount);
  const OwningCost<Trace> cost = owning_cost(trace, inputs);
  const OwningCost<NoTrace> without = owned(plain);
  EXPECT_EQ(cost.total->net_present_cost.value, without.total->net_present_cost);
  EXPECT_EQ(cost.used->value, *without.used);
  EXPECT_EQ(cost.by_year[4].total.value, without.by_year[4].total);
  for (const TraceNode& node : trace.nodes())
    for (const NodeId input : node.inputs) EXPECT_GE(input, 0) << node.id;
}

}  // namespace
}  // namespace podwright::owning_test
