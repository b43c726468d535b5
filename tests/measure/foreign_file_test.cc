#include "measure/foreign_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "measure/engine_samples.h"
#include "measure/foreign_samples.h"
#include "measure/profile_file.h"
#include "measure/sample_profile.h"

namespace podwright::foreign_file_test {
namespace {

TEST(ForeignFile, IsToldByItsContent) {
  EXPECT_EQ(format_of(kBandwidth), FileFormat::nvbandwidth);
  EXPECT_EQ(format_of(kCollective), FileFormat::nccl_tests);
  EXPECT_EQ(format_of(kLog), FileFormat::nvidia_smi);
  EXPECT_EQ(format_of(kVllm), FileFormat::vllm_bench);
  EXPECT_EQ(format_of(kAiperf), FileFormat::aiperf);
  EXPECT_EQ(format_of(kAiperfRecords), FileFormat::aiperf_records);
  for (const std::string& log : {kVllmLog, kVllmBlocksLog, kSglangLog, kTrtLog, kLlamaLog})
    EXPECT_EQ(format_of(log), FileFormat::engine_log) << log;
  for (const std::string& metrics : {kVllmMetrics, kSglangMetrics})
    EXPECT_EQ(format_of(metrics), FileFormat::engine_metrics) << metrics;
  EXPECT_EQ(format_of(profile_text(sample_profile())), FileFormat::profile);
  EXPECT_EQ(format_of("{}"), FileFormat::profile);  // its reader tells what is missing
  EXPECT_FALSE(format_of("gpu,rate\nd0,5\n"));
  EXPECT_FALSE(format_of(" \n"));
}

TEST(ForeignFile, AKeptImportIsAProfile) {
  const auto imported = read_machine_file(kBandwidth);
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->format, FileFormat::nvbandwidth);
  const auto kept = read_machine_file(profile_text(imported->profile));
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->format, FileFormat::profile);
  EXPECT_EQ(kept->digest.size(), 64U);
}

TEST(ForeignFile, ServingMeasurementsTellOfNoMachine) {
  for (const std::string& text : {kVllm, kAiperf}) {
    EXPECT_EQ(read_machine_file(text).error().front().code, "wrong-type");
    EXPECT_EQ(read_serving_file(text)->front().requests, 200);
  }
  EXPECT_EQ(read_serving_file(kBandwidth).error().front().code, "wrong-type");
  EXPECT_EQ(read_machine_file("").error().front().message, "The file is empty.");
  EXPECT_EQ(read_machine_file("a,b\n").error().front().message, "No known program wrote this.");
}

TEST(ForeignFile, FilesOfOneMachineAreOneProfile) {
  const std::vector<HardwareProfile> parts = {*import_nvidia_smi(kLog), *import_nvbandwidth(kBandwidth),
                                              *import_nccl_tests(kCollective)};
  const auto joined = joined_imports(parts);
  ASSERT_TRUE(joined);
  ASSERT_EQ(joined->devices.size(), 2U);
  EXPECT_EQ(joined->devices[0].name, "NVIDIA H200");
  EXPECT_EQ(*joined->devices[0].pcie_width_max, 16);
  EXPECT_EQ(joined->links.size(), 4U);
  EXPECT_EQ(joined->results.size(), 3U);
  EXPECT_EQ(joined->run.backend, "nvidia-smi+nvbandwidth+nccl-tests");
  EXPECT_EQ(joined->environment.driver, "580.65.06");  // of the first file
  EXPECT_TRUE(read_profile(profile_text(*joined)));
  EXPECT_EQ(joined_imports({}).error().front().code, "missing");

  const std::vector<HardwareProfile> two = {*import_nvidia_smi(kLog),
                                            *import_nvidia_smi(with(kLog, "NVIDIA H200", "NVIDIA L4"))};
  EXPECT_EQ(joined_imports(two).error().front().path, "/1");
}

}  // namespace
}  // namespace podwright::foreign_file_test
