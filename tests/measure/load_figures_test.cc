#include "measure/load_figures.h"

#include <gtest/gtest.h>

#include "measure/sample_profile.h"

namespace podwright::load_figures_test {
namespace {

/// Ten looks a second for ten seconds at a device that draws 100 W for half of the time and 300 W then.
std::vector<LoadReading> two_halves(bool counts_energy) {
  std::vector<LoadReading> readings;
  double joules = 5000;
  for (int i = 0; i <= 100; ++i) {
    const double watts = i <= 50 ? 100 : 300;
    if (i > 0) joules += 0.1 * watts;
    LoadReading one;
    one.at_s = 0.1 * i;
    one.power_w = watts;
    if (counts_energy) one.energy_j = joules;
    one.temperature_c = 40 + 0.3 * i;
    one.power_capped = i >= 60;
    readings.push_back(one);
  }
  return readings;
}

TEST(LoadFigures, CountEnergyFromTheCountersWindows) {
  const auto figures = load_figures(two_halves(true), 0);
  ASSERT_TRUE(figures);
  EXPECT_NEAR(*figures->energy_j, 5 * 100 + 5 * 300, 1e-6);
  EXPECT_NEAR(*figures->energy_window_s, 10, 1e-9);
  EXPECT_NEAR(*figures->power_w, 200, 1e-6);
  EXPECT_NEAR(*figures->power_w_p95, 300, 1e-6);
  EXPECT_NEAR(*figures->temperature_c_max, 70, 1e-9);
  EXPECT_FALSE(figures->memory_temperature_c_max);
}

TEST(LoadFigures, LookAtTheSamplesThatCountAlone) {
  const auto figures = load_figures(two_halves(true), 5);
  ASSERT_TRUE(figures);
  EXPECT_NEAR(*figures->power_w, 300, 1e-6);
  EXPECT_NEAR(*figures->power_w_p50, 300, 1e-6);
  // The time until the limit binds begins with the load.
  EXPECT_NEAR(*figures->power_capped_after_s, 6, 1e-9);
  EXPECT_FALSE(figures->throttled_after_s);
}

TEST(LoadFigures, WithoutACounterReadingsOfThePowerServe) {
  const auto figures = load_figures(two_halves(false), 0);
  ASSERT_TRUE(figures);
  EXPECT_FALSE(figures->energy_j);
  EXPECT_NEAR(*figures->power_w, (51 * 100 + 50 * 300) / 101.0, 1e-6);
  EXPECT_EQ(figures->power_w_p50, 100);
}

TEST(LoadFigures, LessThanASecondIsNoWindow) {
  std::vector<LoadReading> readings = two_halves(true);
  readings.resize(9);
  const auto figures = load_figures(readings, 0);
  ASSERT_TRUE(figures);
  EXPECT_FALSE(figures->energy_j);
  EXPECT_EQ(figures->power_w, 100);
}

TEST(LoadFigures, CounterThatFellTellsNothing) {
  std::vector<LoadReading> readings = two_halves(true);
  for (std::size_t i = 60; i < readings.size(); ++i) readings[i].energy_j = 1;
  EXPECT_FALSE(load_figures(readings, 0)->energy_j);
}

TEST(LoadFigures, NothingIsMadeUp) {
  EXPECT_FALSE(load_figures({}, 0));
  EXPECT_FALSE(load_figures(std::vector<LoadReading>(5), 0));
  EXPECT_FALSE(load_figures(two_halves(true), 20));
}

TEST(LoadFigures, EnergyOfAFlopIsPowerOverItsRate) {
  ProbeResult result = sample_product();
  result.load = LoadFigures{};
  result.load->power_w = 688;
  finish_result(result, {});
  EXPECT_NEAR(*result.load->j_per_flop, 688 / *result.flops_per_s(), 1e-20);
  EXPECT_NEAR(*result.load->j_per_byte, 688 / *result.bytes_per_s(), 1e-15);
}

TEST(LoadFigures, StandInTheProfile) {
  HardwareProfile profile = sample_profile();
  LoadFigures& load = profile.results.front().load.emplace();
  load.power_w = 690;
  load.power_w_p95 = 700;
  load.memory_temperature_c_max = 85;
  load.throttled_after_s = 12.5;
  load.counters = {{"pcie_replay", 2}};
  const std::string text = profile_text(profile);
  const auto read = read_profile(text);
  ASSERT_TRUE(read) << read.error().front().path;
  EXPECT_EQ(read->profile.results.front().load->throttled_after_s, 12.5);
  EXPECT_EQ(read->profile.results.front().load->counters.front().name, "pcie_replay");
  EXPECT_EQ(profile_text(read->profile), text);
}

TEST(LoadFigures, WrongOnesAreNamed) {
  const auto document = parse_json(profile_text(sample_profile()));
  JsonNode changed = *document;
  for (std::size_t i = 0; i < changed.keys.size(); ++i) {
    if (changed.keys[i] != "results") continue;
    changed.items[i].items.front() = merged(changed.items[i].items.front(), *parse_json(R"({"load":{"power_w":-1}})"));
  }
  const auto read = read_profile(signed_again(changed));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().front().path, "/results/0/load/power_w");
}

}  // namespace
}  // namespace podwright::load_figures_test
