/// Tables of measured runs and profiles made to break what is computed of them.
#include <gtest/gtest.h>

#include <string>

#include "calibration/host_calibration.h"
#include "calibration/measured_cells.h"
#include "calibration/measured_serving.h"
#include "calibration/measured_training.h"
#include "calibration/synthetic_h100.h"
#include "support/mutation.h"

namespace podwright::hostile_calibration_test {
namespace {

const std::string kRuns =
    "id,model,gpu,num_gpus,tp,ep,precision,framework,input_len,output_len,concurrency_or_batch,ttft_ms,"
    "output_tokens_per_s\na,Llama-3.1-70B,H100 SXM,8,4,1,fp8,vllm,1000,500,16,80,1200\n";

void expect_told(const Errors& errors) {
  ASSERT_FALSE(errors.empty());
  for (const Error& error : errors) {
    EXPECT_FALSE(error.path.empty());
    EXPECT_FALSE(error.hint.empty()) << error.message;
  }
}

/// Each number of the row replaced by what nothing measures.
TEST(Hostile, M1MeasuredNumbers) {
  int refused = 0;
  for (const char* hostile : {"1e308", "1e-308", "1e999", "inf", "0x10"})
    for (const std::string& runs : each_number_replaced(kRuns, kRuns.find('\n'), hostile)) {
      const auto read = read_measured_serving(embedded_catalog_facts(), runs, "runs.csv");
      // No limit is a load.
      if (read && std::string_view(hostile) == "inf") continue;
      ASSERT_FALSE(read) << runs;
      expect_told(read.error());
      EXPECT_EQ(read.error().front().path, "runs.csv:2");
      ++refused;
    }
  EXPECT_GT(refused, 30);
}

TEST(Hostile, M1MutatedMeasuredTables) {
  Mutation mutation(35);
  int read_well = 0;
  for (int i = 0; i < 300; ++i) {
    const auto read = read_measured_serving(embedded_catalog_facts(), mutation.of(kRuns), "runs.csv");
    if (!read) {
      expect_told(read.error());
      continue;
    }
    ++read_well;
    for (const MeasuredServingRow& row : read->rows)
      for (const Measured& figure : row.measured) ASSERT_TRUE(figure.value > 0 && figure.value <= 1e40);
  }
  EXPECT_GT(read_well, 30);
}

/// Divisors were sought one by one from the largest down.
TEST(Hostile, M2DivisorsOfLargeLayouts) {
  EXPECT_EQ(largest_divisor(12, 5), 4);
  EXPECT_EQ(largest_divisor(12, 12), 12);
  EXPECT_EQ(largest_divisor(13, 12), 1);
  EXPECT_EQ(largest_divisor(36, 7), 6);
  EXPECT_EQ(largest_divisor(12, 0.5), 1);
  EXPECT_EQ(largest_divisor(99999989, 99999988), 1) << "a prime";
  for (double whole = 1; whole < 60; ++whole)
    for (double most = 1; most < 60; ++most) {
      double sought = 1;
      for (double part = 1; part <= most; ++part)
        if (divides(part, whole)) sought = part;
      ASSERT_EQ(largest_divisor(whole, most), sought) << whole << " " << most;
    }
}

/// Renamed as a machine, too: its driver says what it is.
TEST(Hostile, M10FakeProfilesNeverBecomeRates) {
  const Catalog catalog = with_synthetic_reference();
  HardwareProfile profile = synthetic_h100_host();
  const auto taken = [&] { return host_calibrations(catalog, *read_profile(profile_text(profile))).front(); };
  const HostCalibration honest = taken();
  EXPECT_FALSE(honest.rates.empty());
  EXPECT_EQ(honest.backend, profile.run.backend);
  profile.environment.driver = "scripted 1.0";
  for (const char* backend : {"fake", "cuda"}) {
    profile.run.backend = backend;
    const HostCalibration host = taken();
    EXPECT_TRUE(host.rates.empty()) << backend;
    EXPECT_FALSE(host.memory) << backend;
    ASSERT_EQ(host.notes.size(), 1U);
    EXPECT_NE(host.notes.front().find("--backend fake"), std::string::npos);
    EXPECT_NE(calibration_cautions(catalog, profile).front().find("--backend fake"), std::string::npos);
  }
}

}  // namespace
}  // namespace podwright::hostile_calibration_test
