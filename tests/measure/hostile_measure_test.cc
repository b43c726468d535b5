/// Outputs of other programs and profiles, changed at random or told to hold what nothing measures: each is read with
/// values in their ranges, or refused with a path and a hint.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "base/told_number.h"
#include "measure/engine_samples.h"
#include "measure/foreign_file.h"
#include "measure/foreign_samples.h"
#include "measure/megatron_log.h"
#include "measure/sample_profile.h"
#include "support/mutation.h"

namespace podwright::hostile_measure_test {
namespace {

void expect_told(const Errors& errors) {
  ASSERT_FALSE(errors.empty());
  for (const Error& error : errors) {
    EXPECT_FALSE(error.message.empty());
    EXPECT_FALSE(error.hint.empty()) << error.code << " " << error.path << " " << error.message;
  }
}

/// Whatever was read can be written and read again.
void expect_sound(const HardwareProfile& profile) {
  for (const ProfileLink& link : profile.links)
    ASSERT_TRUE(!link.bytes_per_s || (*link.bytes_per_s > 0 && is_tellable(*link.bytes_per_s)));
  for (const ProbeResult& result : profile.results)
    ASSERT_TRUE(!result.time_s || (result.time_s->median > 0 && is_tellable(result.time_s->median)));
  const auto again = read_profile(profile_text(profile));
  ASSERT_TRUE(again) << again.error().front().path << " " << again.error().front().message;
}

TEST(Hostile, M1NvbandwidthOf1e308) {
  for (const char* rate : {"\"1e308\"", "1e308", "\"1e-308\"", "\"1e20\"", "1e20"}) {
    const auto profile = import_nvbandwidth(with(kBandwidth, "\"55.40\"", rate));
    ASSERT_FALSE(profile) << rate;
    expect_told(profile.error());
    EXPECT_EQ(profile.error().front().path, "/nvbandwidth/testcases/0/bandwidth_matrix/0/0") << rate;
  }
  EXPECT_TRUE(import_nvbandwidth(with(kBandwidth, "\"55.40\"", "55.4")));
}

TEST(Hostile, M1NcclTestsBeyondAnyTime) {
  for (const char* time : {"1e308", "1e-308", "1e20"}) {
    const auto profile = import_nccl_tests(with(kCollective, " 25.40 ", " " + std::string(time) + " "));
    ASSERT_FALSE(profile) << time;
    expect_told(profile.error());
    EXPECT_EQ(profile.error().front().path, ":7");
  }
}

TEST(Hostile, M1ServingResultsBeyondAnyRate) {
  for (const char* number : {"1e308", "1e-308", "-1e308"}) {
    const auto bench = import_vllm_bench(with(kVllm, "1280.0", number));
    ASSERT_FALSE(bench) << number;
    EXPECT_NE(bench.error().front().path.find("/output_throughput"), std::string::npos);
    EXPECT_FALSE(import_aiperf(with(kAiperf, "1280.0", number)));
    EXPECT_FALSE(import_engine_metrics(kVllmMetrics + "vllm:num_requests_running " + number + "\n"));
  }
}

TEST(Hostile, M1ProfilesOfNumbersThatNothingMeasures) {
  for (const char* patch : {R"({"run":{"duration_s":1e308}})", R"({"host":{"memory_gib":1e300}})",
                            R"({"devices":[{"id":"d0","kind":"gpu","sm_clock_max_hz":1e-308}]})"}) {
    const auto read = read_profile(changed_profile(patch));
    ASSERT_FALSE(read) << patch;
    expect_told(read.error());
  }
}

TEST(Hostile, M1MutatedImports) {
  const std::string json[] = {kBandwidth, kVllm, kAiperf, kAiperfRecords};
  const std::string texts[] = {kCollective, kLog,      kVllmLog,     kSglangLog,
                               kTrtLog,     kLlamaLog, kVllmMetrics, kSglangMetrics};
  Mutation mutation(33);
  std::map<bool, int> outcomes;
  const auto import = [&](const std::string& text) {
    const auto format = format_of(text);
    if (!format || *format == FileFormat::profile) return;
    fields_of(*format, text);
    const auto outcome = [&](const auto& read) {
      ++outcomes[read.has_value()];
      if (!read) expect_told(read.error());
    };
    if (is_of_load_generator(*format)) return outcome(read_serving_file(text, format));
    if (is_of_engine(*format)) return outcome(read_engine_file(text, format));
    if (is_of_training(*format)) return outcome(read_training_file(text, format));
    const auto machine = read_machine_file(text, "all_reduce_perf.txt", format);
    outcome(machine);
    if (machine) expect_sound(machine->profile);
  };
  for (int i = 0; i < 150; ++i) {
    for (const std::string& text : json) {
      import(mutation.of(text));
      import(mutation.of_numbers(text));
    }
    for (const std::string& text : texts) import(mutation.of(text));
  }
  EXPECT_GT(outcomes[true], 300);
  EXPECT_GT(outcomes[false], 300);
}

TEST(Hostile, M1MutatedMegatronLogs) {
  const std::string log =
      "[Rank 0] (after 2 iterations) memory (MB) | allocated: 1.0 | max allocated: 2.0 | reserved: 3.0 | max reserved: "
      "4.0\n[Rank 8] (after 2 iterations) memory (MB) | allocated: 1.0 | max allocated: 2.5 | reserved: 3.0 | max "
      "reserved: 4.0\n";
  Mutation mutation(34);
  int read_well = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto read = import_megatron_log(mutation.of(log));
    if (!read) {
      expect_told(read.error());
      continue;
    }
    ++read_well;
    for (const MegatronRank& rank : read->ranks)
      ASSERT_TRUE(std::isfinite(raw(rank.max_allocated)) && raw(rank.max_allocated) >= 0);
  }
  EXPECT_GT(read_well, 100);
}

/// Its ranks were sought one by one in a list.
TEST(Hostile, M2MegatronLogOfManyRanks) {
  std::string log;
  for (int rank = 0; rank < 60000; ++rank)
    log += "[Rank " + std::to_string(rank) + "] (after 2 iterations) memory (MB) | allocated: 1 | max allocated: 2\n";
  const auto read = import_megatron_log(log);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->ranks.size(), 60000U);
}

TEST(Hostile, M10ScriptedProfilesAreKnownByTheirMarks) {
  HardwareProfile profile = sample_profile();
  EXPECT_FALSE(is_scripted(profile));
  profile.run.backend = "fake";
  EXPECT_TRUE(is_scripted(profile));
  profile.run.backend = "cuda";  // renamed
  profile.environment.driver = "scripted 1.0";
  EXPECT_TRUE(is_scripted(profile));
}

}  // namespace
}  // namespace podwright::hostile_measure_test
