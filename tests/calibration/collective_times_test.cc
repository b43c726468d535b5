#include "calibration/collective_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "calibration/machine_calibration.h"
#include "measure/profile_file.h"

namespace podwright::collective_times_test {
namespace {

constexpr double kKiB = 1024;

ProbeResult measured(const std::string& probe, double bytes, double ranks, double nodes, double seconds) {
  ProbeResult result;
  result.probe = probe;
  result.size.bytes = bytes;
  result.size.ranks = ranks;
  if (nodes > 1) result.size.nodes = nodes;
  result.samples_s = std::vector<double>(12, seconds);
  result.samples_s.back() = 1.05 * seconds;
  result.time_s = summary_of(result.samples_s);
  return result;
}

/// A start-up time that grows with the logarithm of the ranks, and a bus that carries the same for all of them.
double line(const std::string& probe, double ranks, double bytes, double bus) {
  return 4e-6 * (1 + std::log2(ranks)) + bus_factor(probe, ranks) * bytes / bus;
}

struct Measurements {
  std::vector<ProbeResult> results;

  void add(const std::string& probe, double ranks, double bus, double nodes = 1) {
    for (double bytes = kKiB; bytes <= 512 * kKiB * kKiB; bytes *= 4)
      results.push_back(measured(probe, bytes, ranks, nodes, line(probe, ranks, bytes, bus)));
  }
  CollectiveTables tables() const {
    std::vector<const ProbeResult*> pointers;
    for (const ProbeResult& result : results) pointers.push_back(&result);
    return collective_tables(pointers);
  }
};

TEST(CollectiveTimes, IntervalsHaveTheFloorOfRepeats) {
  Measurements measurements;
  measurements.add("coll.allreduce", 8, 400e9);
  const CollectiveTable once = measurements.tables().begin()->second;
  EXPECT_NEAR(once.repeat_90, std::log(1.05) * 0.45, 0.02);  // the slow twentieth of the samples
  for (const double factor : {0.9, 1.12})
    for (double bytes = kKiB; bytes <= 512 * kKiB * kKiB; bytes *= 4)
      measurements.results.push_back(
          measured("coll.allreduce", bytes, 8, 1, factor * line("coll.allreduce", 8, bytes, 400e9)));
  const CollectiveTable repeated = measurements.tables().begin()->second;
  EXPECT_NEAR(repeated.repeat_90, std::log(1.12), 1e-6);
  EXPECT_GE(repeated.half_width(), repeated.repeat_90);
}

TEST(HierarchicalAllReduce, AddsItsStagesAndLearnsThePipelining) {
  Measurements measurements;
  measurements.add("coll.reducescatter", 8, 300e9);
  measurements.add("coll.allgather", 8, 300e9);
  measurements.add("coll.allreduce", 4, 40e9, 4);
  const auto stages = hierarchical_all_reduce(measurements.tables(), 8, 4);
  ASSERT_TRUE(stages);
  EXPECT_EQ(stages->hidden, 0);
  const double widest =
      std::max({stages->scatter.half_width(), stages->gather.half_width(), stages->between.half_width()});
  EXPECT_GT(stages->half_width(Bytes(1e6)), 0);
  EXPECT_LE(stages->half_width(Bytes(1e6)), widest);
  const Bytes message(64 * kKiB * kKiB);
  const double sum = line("coll.reducescatter", 8, raw(message), 300e9) +
                     line("coll.allreduce", 4, raw(message) / 8, 40e9) + line("coll.allgather", 8, raw(message), 300e9);
  EXPECT_NEAR(raw(stages->predict(message)) / sum, 1, 0.02);

  for (double bytes = kKiB; bytes <= 512 * kKiB * kKiB; bytes *= 4)
    measurements.results.push_back(measured("coll.allreduce", bytes, 32, 4, 0.8 * raw(stages->predict(Bytes(bytes)))));
  const auto pipelined = hierarchical_all_reduce(measurements.tables(), 8, 4);
  ASSERT_TRUE(pipelined);
  EXPECT_NEAR(pipelined->hidden, 0.2, 1e-9);
  EXPECT_NEAR(pipelined->predict(message) / stages->predict(message), 0.8, 1e-9);
}

TEST(HierarchicalAllReduce, NeedsEveryStage) {
  Measurements measurements;
  measurements.add("coll.allgather", 8, 300e9);
  measurements.add("coll.allreduce", 4, 40e9, 4);
  EXPECT_FALSE(hierarchical_all_reduce(measurements.tables(), 8, 4));
  measurements.add("coll.reducescatter", 8, 300e9);
  EXPECT_TRUE(hierarchical_all_reduce(measurements.tables(), 8, 4));
  // Nothing measured between four nodes tells of sixteen.
  EXPECT_FALSE(hierarchical_all_reduce(measurements.tables(), 8, 16));
}

/// A merged profile as a run over nodes writes it: inside a node, between the first GPUs of each, over all.
HardwareProfile merged_profile(double hidden) {
  HardwareProfile profile;
  profile.run.backend = "cuda";
  profile.run.mode = RunMode::cluster;
  std::vector<std::string> all;
  for (int node = 0; node < 2; ++node)
    for (int gpu = 0; gpu < 4; ++gpu) {
      ProfileDevice device;
      device.id = all.emplace_back("n" + std::to_string(node) + ".d" + std::to_string(gpu));
      device.kind = "gpu";
      profile.devices.push_back(device);
    }
  const auto add = [&](const std::string& probe, std::vector<std::string> devices, double nodes, double bytes,
                       double seconds) {
    ProbeResult result = measured(probe, bytes, static_cast<double>(devices.size()), nodes, seconds);
    result.devices = std::move(devices);
    result.dtype = "bf16";
    result.counted.bytes = bytes;
    result.check.status = CheckStatus::pass;
    if (nodes > 1) result.context.entry_skew_s = 3e-6;
    profile.results.push_back(std::move(result));
  };
  for (double bytes = kKiB; bytes <= 512 * kKiB * kKiB; bytes *= 4) {
    const double scatter = line("coll.reducescatter", 4, bytes, 300e9);
    const double gather = line("coll.allgather", 4, bytes, 300e9);
    const double between = line("coll.allreduce", 2, bytes, 40e9);
    add("coll.reducescatter", {all.begin(), all.begin() + 4}, 1, bytes, scatter);
    add("coll.allgather", {all.begin(), all.begin() + 4}, 1, bytes, gather);
    add("coll.allreduce", {all[0], all[4]}, 2, bytes, between);
    add("coll.sendrecv", {all[0], all[4]}, 2, bytes, bytes / 40e9);
    const double part = line("coll.allreduce", 2, bytes / 4, 40e9);
    add("coll.allreduce", all, 2, bytes, (1 - hidden) * (scatter + part + gather));
  }
  return profile;
}

TEST(CollectiveTimes, ProfilesOverNodesGiveEachTableItsOwn) {
  const auto read = read_profile(profile_text(merged_profile(0.1)));
  ASSERT_TRUE(read) << read.error().front().path << read.error().front().message;
  const HardwareProfile& profile = read->profile;
  EXPECT_EQ(*profile.results.back().context.entry_skew_s, 3e-6);
  const auto calibration = calibrate_machine(profile, profile.devices.front(), DevicePeaks());
  std::vector<std::string> keys;
  for (const auto& [key, table] : calibration.collectives) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"coll.allgather/4", "coll.allreduce/2/2", "coll.allreduce/8/2",
                                            "coll.reducescatter/4", "coll.sendrecv/2/2"}));
  const auto stages = hierarchical_all_reduce(calibration.collectives, 4, 2);
  ASSERT_TRUE(stages);
  EXPECT_NEAR(stages->hidden, 0.1, 0.02);
  const double bytes = 64 * kKiB * kKiB;
  const double whole = raw(calibration.collectives.at("coll.allreduce/8/2").predict(Bytes(bytes)));
  EXPECT_NEAR(raw(stages->predict(Bytes(bytes))) / whole, 1, 0.05);
  // A GPU that is not the first of its node has the table of all, and none between the first ones.
  const auto other = calibrate_machine(profile, profile.devices.back(), DevicePeaks());
  EXPECT_EQ(other.collectives.size(), 1U);
  EXPECT_EQ(other.collectives.count("coll.allreduce/8/2"), 1U);
}

}  // namespace
}  // namespace podwright::collective_times_test
