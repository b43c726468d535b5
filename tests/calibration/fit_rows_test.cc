#include "calibration/fit_rows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "calibration/host_calibration.h"
#include "calibration/synthetic_fits.h"

namespace podwright::fit_rows_test {
namespace {

/// With the uses of `use`, as those of a machine with a reference, where it is given.
std::vector<FitRow> rows_of(const HardwareProfile& profile, std::optional<RateUse> use = RateUse::relative) {
  const Catalog& catalog = embedded_catalog_facts();
  const ReadProfile read = *read_profile(profile_text(profile));
  const ProfileDevice& device = read.profile.devices.front();
  std::vector<HostCalibration> hosts = host_calibrations(catalog, read);
  if (use)
    for (HostRate& rate : hosts.front().rates) rate.use = *use;
  return fit_rows(calibrate_machine(read.profile, device, device_peaks(catalog, read.profile, device)),
                  host_of(catalog, hosts, device));
}

const FitRow* row(const std::vector<FitRow>& rows, std::string_view parameter) {
  for (const FitRow& one : rows)
    if (one.parameter == parameter) return &one;
  return nullptr;
}

double number(const FitRow& row, std::string_view key) {
  for (const FitNumber& one : row.numbers)
    if (one.key == key) return one.value;
  ADD_FAILURE() << row.parameter << " has no " << key;
  return 0;
}

TEST(FitRows, ShowEveryFitWithItsParametersErrorsAndUse) {
  HardwareProfile profile = synthetic_h100_host({.gpus = 1});
  add_small_probes(profile);
  add_collectives(profile, {});
  const std::vector<FitRow> rows = rows_of(profile);
  const FitRow* attention = row(rows, "prefill.attn.bf16");
  ASSERT_NE(attention, nullptr);
  EXPECT_NEAR(number(*attention, "longest_efficiency"), 0.6, 0.02);
  ASSERT_TRUE(attention->curve);
  ASSERT_EQ(attention->curve->points.size(), 6U);
  EXPECT_EQ(attention->curve->points.front().first, 1024);
  EXPECT_LT(attention->curve->points.front().second, attention->curve->points.back().second);
  EXPECT_EQ(attention->use, FitUse::rate);

  const FitRow* products = row(rows, "gemm.bf16");
  ASSERT_NE(products, nullptr);
  ASSERT_TRUE(products->residuals);
  EXPECT_EQ(products->residuals->x, "flop");
  EXPECT_EQ(products->residuals->points.size(), static_cast<std::size_t>(number(*products, "points")));
  EXPECT_TRUE(std::is_sorted(products->residuals->points.begin(), products->residuals->points.end()));
  EXPECT_EQ(attention->residuals->points.size(), 6U);
  EXPECT_EQ(attention->residuals->x, "tokens");

  const FitRow* cache = row(rows, "l2.read");
  ASSERT_NE(cache, nullptr);
  EXPECT_NEAR(number(*cache, "effective_mib"), 45, 2);
  EXPECT_NEAR(number(*cache, "cache_gb_per_s"), 5500, 200);
  EXPECT_EQ(cache->use, FitUse::none);

  const FitRow* sum = row(rows, "coll.allreduce/8");
  ASSERT_NE(sum, nullptr);
  EXPECT_EQ(number(*sum, "ranks"), 8);
  EXPECT_NEAR(number(*sum, "start_us"), 15, 0.2);
  EXPECT_NEAR(number(*sum, "bus_gb_per_s"), 440, 5);
  EXPECT_EQ(sum->curve->points.size(), 10U);
  EXPECT_EQ(sum->use, FitUse::rate);
  EXPECT_FALSE(sum->residuals);  // a table goes through its points
  EXPECT_LT(*sum->left_out_median, 0.15);
  EXPECT_GT(*sum->half_width, 0);

  for (const auto& [probe, time] : {std::pair{"launch.stream", 2.5}, {"launch.graph", 1.3}, {"host.sync", 6.0}}) {
    const FitRow* launch = row(rows, probe);
    ASSERT_NE(launch, nullptr) << probe;
    EXPECT_NEAR(number(*launch, "time_us"), time, 0.02 * time);
    EXPECT_LT(*launch->half_width, 0.05);
    EXPECT_FALSE(launch->left_out_90) << "a median is no fit";
  }
  for (const FitRow& one : rows) {
    EXPECT_TRUE(one.half_width) << one.parameter;
    EXPECT_TRUE(one.use != FitUse::none || !one.why_not.empty()) << one.parameter;
  }
}

TEST(FitRows, WithoutAReferencePlansTakeOnlyRatesOfTheSameMethod) {
  HardwareProfile profile = synthetic_h100_host({.gpus = 1});
  add_small_probes(profile);
  add_collectives(profile, {});
  const std::vector<FitRow> rows = rows_of(profile, std::nullopt);
  for (const char* parameter : {"gemm.bf16", "prefill.attn.bf16", "coll.allreduce/8"}) {
    const FitRow* one = row(rows, parameter);
    ASSERT_NE(one, nullptr) << parameter;
    EXPECT_EQ(one->use, FitUse::none) << parameter;
    EXPECT_EQ(one->why_not, "No reference profile of this GPU yet: verdicts only.") << parameter;
  }
}

TEST(FitRows, ResidualsAreMeasuredOverFittedLessOneBySize) {
  TransferFit read;
  read.start = Seconds(1e-6);
  read.bandwidth = gb_per_s(1000);
  read.efficiency = 0.5;
  read.points = {{Bytes(3e6), Seconds(3.8e-6)}, {Bytes(1e6), Seconds(2.2e-6)}};  // fitted: 4 and 2 us
  MachineCalibration calibration;
  calibration.memory["hbm.read"] = read;
  const std::vector<FitRow> rows = fit_rows(calibration, nullptr);
  ASSERT_EQ(rows.size(), 1U);
  const FitCurve& residuals = *rows.front().residuals;
  EXPECT_EQ(residuals.x, "bytes");
  ASSERT_EQ(residuals.points.size(), 2U);
  EXPECT_EQ(residuals.points[0].first, 1e6);
  EXPECT_NEAR(residuals.points[0].second, 0.1, 1e-12);
  EXPECT_NEAR(residuals.points[1].second, -0.05, 1e-12);
}

TEST(FitRows, AReferenceKernelGivesAGapAndNoRow) {
  HardwareProfile profile = synthetic_h100_host({.gpus = 1});
  add_small_probes(profile);
  for (ProbeResult& result : profile.results)
    if (result.probe == "prefill.attn") result.variant.algorithm = "reference_kernel";
  EXPECT_EQ(row(rows_of(profile), "prefill.attn.bf16"), nullptr);
}

TEST(FitRows, AnAllReduceOverNodesStandsBesideItsStages) {
  HardwareProfile profile = synthetic_h100_host({.gpus = 1});
  add_collectives(profile, {});
  const auto gather = [](double bytes) { return 15e-6 + 7.0 / 8 * bytes / 440e9; };
  add_collective(profile, "coll.reducescatter", 8, 1,
                 {{1048576, gather(1048576)}, {33554432, gather(33554432)}, {1073741824, gather(1073741824)}});
  const auto between = [](double bytes) { return 25e-6 + bytes / 45e9; };
  add_collective(profile, "coll.allreduce", 2, 2,
                 {{131072, between(131072)}, {4194304, between(4194304)}, {134217728, between(134217728)}});
  const auto whole = [&](double bytes) { return 0.8 * (2 * gather(bytes) + between(bytes / 8)); };
  add_collective(profile, "coll.allreduce", 16, 2,
                 {{1048576, whole(1048576)}, {33554432, whole(33554432)}, {1073741824, whole(1073741824)}});
  const std::vector<FitRow> rows = rows_of(profile);
  const FitRow* over = row(rows, "coll.allreduce/16/2");
  ASSERT_NE(over, nullptr);
  EXPECT_EQ(over->use, FitUse::none);
  EXPECT_EQ(number(*over, "nodes"), 2);
  const FitRow* staged = row(rows, "coll.allreduce/16/2 in stages");
  ASSERT_NE(staged, nullptr);
  EXPECT_NEAR(number(*staged, "hidden_share"), 0.2, 0.02);
  EXPECT_LT(number(*staged, "seen_median_error"), 0.03);
  EXPECT_FALSE(staged->left_out_median);
}

}  // namespace
}  // namespace podwright::fit_rows_test
