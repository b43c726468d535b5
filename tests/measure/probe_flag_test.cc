#include "measure/probe_flag.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/words.h"
#include "measure/simulated_samples.h"

namespace podwright::probe_flag_test {
namespace {

constexpr SamplingFacts kFacts{.target = 0.01, .clock_resolution_s = 1e-9};

std::string words_of(const std::vector<ProbeFlag>& flags) {
  std::string words;
  for (const ProbeFlag& flag : flags) words += (words.empty() ? "" : " ") + std::string(word_of(flag.kind, kFlagWords));
  return words;
}

std::vector<double> noisy(double noise, int samples = 54) {
  NormalSeries series(21, 1);
  std::vector<double> times;
  for (int i = 0; i < samples; ++i) times.push_back(3e-3 * (1 + noise * series.next()));
  return times;
}

TEST(Flags, CleanSamplesHaveNone) { EXPECT_EQ(words_of(sample_flags(noisy(0.01), kFacts)), ""); }

TEST(Flags, OfRisingTimesAreDriftAlone) {
  std::vector<double> times = noisy(0.01);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] *= 1 + 0.1 * static_cast<double>(i) / 54;
  const auto flags = sample_flags(times, kFacts);
  EXPECT_EQ(words_of(flags), "drift");
  EXPECT_NE(flags.front().detail.find("slower"), std::string::npos);
  EXPECT_FALSE(flags.front().invalidates());
}

TEST(Flags, OfTwoModesAreBimodalAlone) {
  std::vector<double> times = noisy(0.005);
  for (std::size_t i = 0; i < times.size(); i += 3) times[i] *= 1.25;
  const auto flags = sample_flags(times, kFacts);
  EXPECT_EQ(words_of(flags), "bimodal");
  EXPECT_NE(flags.front().detail.find(" s and 0.0037"), std::string::npos) << flags.front().detail;
}

TEST(Flags, OfACoarseGridAreQuantisedAlone) {
  std::vector<double> times = noisy(0.001);
  for (double& time : times) time = std::round(time / 1e-5) * 1e-5;
  const auto flags = sample_flags(times, {.target = 0.01, .clock_resolution_s = 1e-5});
  EXPECT_EQ(words_of(flags), "quantised");
  EXPECT_TRUE(invalid(flags));
}

// A clock of 1 us in batches of 4 ms.
TEST(Flags, OfQuietDevicesAreNone) {
  for (const double noise : {0.0, 1e-4, 2e-4, 3e-4, 5e-4})
    for (const int samples : {11, 24, 54}) {
      std::vector<double> times = noisy(noise, samples);
      for (double& time : times) time = std::round(time * 4 / 3 / 1e-6) * 1e-6;
      EXPECT_EQ(words_of(sample_flags(times, {.target = 0.01, .clock_resolution_s = 1e-6})), "") << noise << samples;
    }
}

TEST(Flags, OfAClockThatStandsStillAreQuantised) {
  const std::vector<double> times(54, 3e-5);
  EXPECT_EQ(words_of(sample_flags(times, {.target = 0.01, .clock_resolution_s = 1e-6})), "quantised");
}

// Matrix products of two busy-waiting threads on a machine of two virtual processors: about 8 ms for 128, 256 and 512
// cubed alike, with 0.1 % variation, a two-hundredth of the true rate. Statistics alone would call them excellent.
TEST(Flags, OfTheSchedulersEightMillisecondsAreQuantised) {
  NormalSeries series(23, 1);
  std::vector<CurvePoint> points;
  for (const double size : {128.0, 256.0, 512.0}) {
    std::vector<double> times;
    for (int i = 0; i < 24; ++i) times.push_back(8e-3 * (1 + 0.001 * series.next()));
    EXPECT_EQ(words_of(sample_flags(times, {.target = 0.02, .clock_resolution_s = 1e-9})), "");
    const SampleSummary summary = summary_of(times);
    points.push_back(
        {.work = 2 * size * size * size, .time_s = summary.median, .lo95_s = *summary.lo95, .hi95_s = *summary.hi95});
  }
  for (const auto& flags : curve_flags(points)) EXPECT_EQ(words_of(flags), "quantised");
}

TEST(Flags, MoreWorkInLessTimeIsNotMonotone) {
  const std::vector<CurvePoint> points = {{.work = 1, .time_s = 1.0, .lo95_s = 0.99, .hi95_s = 1.01},
                                          {.work = 2, .time_s = 0.9, .lo95_s = 0.89, .hi95_s = 0.91},
                                          {.work = 4, .time_s = 2.0, .lo95_s = 1.99, .hi95_s = 2.01}};
  const auto flags = curve_flags(points);
  EXPECT_EQ(words_of(flags[0]), "not_monotone");
  EXPECT_EQ(words_of(flags[1]), "not_monotone");
  EXPECT_EQ(words_of(flags[2]), "");
}

TEST(Flags, StartUpTimeMayHideWorkThatDoesNotBind) {
  const std::vector<CurvePoint> points = {{.work = 1, .time_s = 1.0, .lo95_s = 1.0, .hi95_s = 1.0, .work_binds = false},
                                          {.work = 8, .time_s = 1.0, .lo95_s = 1.0, .hi95_s = 1.0}};
  for (const auto& flags : curve_flags(points)) EXPECT_TRUE(flags.empty());
}

TEST(Flags, MoreThreadsThatTakeLongerAreNotMonotone) {
  const CurvePoint one{.work = 1, .time_s = 1.0, .lo95_s = 0.99, .hi95_s = 1.01};
  EXPECT_TRUE(thread_flag(one, {.work = 1, .time_s = 1.2, .lo95_s = 1.19, .hi95_s = 1.21}));
  EXPECT_FALSE(thread_flag(one, {.work = 1, .time_s = 1.04, .lo95_s = 1.03, .hi95_s = 1.05}));
}

TEST(Flags, AboveTheHighestRoofIsInvalid) {
  const std::vector<double> roofs = {8.0e12, 7.67e12};
  EXPECT_FALSE(roof_flag(8.1e12, roofs));
  EXPECT_TRUE(roof_flag(8.2e12, roofs)->invalidates());
  EXPECT_FALSE(roof_flag(1e99, {}));
}

TEST(Flags, ReasonsAreTestedOneByOne) {
  const std::vector<ReasonShare> reasons = {
      {"idle", 0.9}, {"sw_power_cap", 0.97}, {"hw_thermal", 0.12}, {"power_brake", 0.05}};
  EXPECT_EQ(throttle_flag(reasons)->detail, "sw_power_cap+hw_thermal");
  EXPECT_FALSE(throttle_flag(std::vector<ReasonShare>{{"sw_thermal", 0.09}}));
}

TEST(Flags, OfClocksAndNeighbours) {
  EXPECT_TRUE(clock_flag(1.62e9, 1.98e9));
  EXPECT_FALSE(clock_flag(1.90e9, 1.98e9));
  EXPECT_TRUE(neighbour_flag(1, 0));
  EXPECT_TRUE(neighbour_flag(0, 0.06));
  EXPECT_FALSE(neighbour_flag(0, 0.05));
  EXPECT_TRUE(mismatch_flag(0.9, 1.0));
  EXPECT_TRUE(mismatch_flag(3.1, 1.0));
  EXPECT_FALSE(mismatch_flag(0.04, 0.01));
  EXPECT_FALSE(mismatch_flag(1.1, 1.0));
}

// Clean runs of 0.2 to 3 % noise, stopped by the rule, on a clock of half a microsecond in three milliseconds.
TEST(Flags, OfTenThousandCleanRunsAreFewerThanOnePercent) {
  int flagged[11] = {};
  int runs_flagged = 0;
  for (int run = 0; run < 10000; ++run) {
    const double noise = 0.002 + 0.028 * (run % 29) / 28;
    NormalSeries series(22, static_cast<std::uint64_t>(run));
    const auto times =
        sampled({.target = 0.01}, [&] { return std::round(3e-3 * (1 + noise * series.next()) / 0.5e-6) * 0.5e-6; });
    const auto flags = sample_flags(times, {.target = 0.01, .clock_resolution_s = 0.5e-6});
    for (const ProbeFlag& flag : flags) ++flagged[static_cast<int>(flag.kind)];
    runs_flagged += flags.empty() ? 0 : 1;
  }
  EXPECT_LT(runs_flagged, 100) << "drift " << flagged[0] << ", bimodal " << flagged[1] << ", quantised " << flagged[2];
}

}  // namespace
}  // namespace podwright::probe_flag_test
