#include "calibration/memory_reads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/distributions.h"
#include "base/random.h"
#include "calibration/held_back.h"

namespace podwright::memory_reads_test {
namespace {

constexpr double kMiB = 1048576;
constexpr double kBandwidth = 4.8e12;

DevicePeaks h200_peaks() { return {{{"bf16", tflops(989)}}, BytesPerSecond(kBandwidth), "", {}}; }

/// Results of one device with noise of their own.
class Machine {
 public:
  Machine() {
    profile_.devices.push_back({.id = "d0", .kind = "gpu", .key = "h200-sxm5-141gb", .key_match = KeyMatch::exact});
    profile_.devices.front().l2_bytes = 50 * kMiB;
  }

  ProbeResult& add(const std::string& probe, double bytes, double seconds) {
    ProbeResult result;
    result.probe = probe;
    result.devices = {"d0"};
    result.dtype = "bf16";
    result.size.bytes = bytes;
    result.counted.bytes = bytes;
    const random::Stream stream(3, profile_.results.size());
    for (std::uint64_t i = 0; i < 24; ++i)
      result.samples_s.push_back(seconds * (1 + 0.003 * normal_quantile(stream.uniform(i))));
    result.check.status = CheckStatus::pass;
    finish_result(result, {});
    profile_.results.push_back(result);
    return profile_.results.back();
  }
  void sweep(double start, double efficiency) {
    for (double bytes = kMiB; bytes <= 4096 * kMiB; bytes *= 4)
      add("hbm.read", bytes, start + bytes / (kBandwidth * efficiency));
  }
  /// Chains of eight layers of four products, each with a start-up time of its own.
  void chains(double start, double efficiency) {
    for (const double layer : {436e6, 1711e6})
      for (int i = 0; i < 7; ++i)
        add("decode.weights", 8 * layer, 8 * (4 * start + layer / (kBandwidth * efficiency))).size.batch = 8;
  }
  void cache(double effective, double bandwidth, double noise = 0) {
    for (double bytes = 65536; bytes <= 200 * kMiB; bytes *= 2)
      add("l2.read", bytes,
          (2e-6 + std::min(bytes, effective) / bandwidth + std::max(0.0, bytes - effective) / 4.0e12) *
              std::exp(noise * normal_quantile(random::Stream(5, 1).uniform(profile_.results.size()))));
  }

  MemoryReads reads() const { return memory_reads(profile_, profile_.devices.front(), h200_peaks()); }
  HardwareProfile profile_;
};

TEST(MemoryReads, SourcesCountInTheirOrder) {
  Machine machine;
  machine.sweep(3e-6, 0.9);
  ASSERT_TRUE(machine.reads().weights);
  EXPECT_EQ(machine.reads().weights->probe, "hbm.read");

  machine.chains(4e-6, 0.8);
  EXPECT_EQ(machine.reads().weights->probe, "decode.weights");
  EXPECT_NEAR(machine.reads().weights->fit.efficiency, 0.8, 0.02);
}

// The start-up times of a chain's 32 kernels together lie beyond what one kernel may have.
TEST(MemoryReads, StartsOfChainsAreThoseOfOneLayer) {
  Machine machine;
  machine.chains(6.4e-6, 0.8);
  const MemoryReads reads = machine.reads();
  ASSERT_TRUE(reads.weights) << reads.gaps.front().reason;
  EXPECT_NEAR(raw(reads.weights->fit.start), 4 * 6.4e-6, 3e-6);
  EXPECT_FALSE(predict_held_back(machine.profile_, machine.profile_.devices.front(), h200_peaks()).empty());
}

TEST(MemoryReads, RefusedSourcesAreToldAndPassedOver) {
  Machine machine;
  machine.sweep(3e-6, 0.9);
  machine.chains(4e-6, 0.1);
  const MemoryReads reads = machine.reads();
  ASSERT_TRUE(reads.weights);
  EXPECT_EQ(reads.weights->probe, "hbm.read");
  ASSERT_EQ(reads.gaps.size(), 1U);
  EXPECT_EQ(reads.gaps.front().parameter, "weights from decode.weights");
  EXPECT_NE(reads.gaps.front().reason.find("efficiency"), std::string::npos);
  EXPECT_EQ(Machine().reads().gaps.front().reason, "no usable result of reads");
}

TEST(MemoryReads, KeysAndValuesAreFittedByPage) {
  Machine machine;
  for (const double page : {16.0, 64.0})
    for (const double batch : {1.0, 16.0, 64.0, 256.0})
      for (const double context : {1024.0, 8192.0}) {
        const double bytes = batch * context * 4096;
        const double share = page == 16 ? 0.6 : 0.75;
        ProbeResult& result = machine.add("decode.attn", bytes, 6e-6 + bytes / (kBandwidth * share));
        result.size = {.batch = batch, .context_tokens = context, .page_tokens = page};
      }
  const MemoryReads reads = machine.reads();
  ASSERT_EQ(reads.kv.size(), 2U);
  EXPECT_NEAR(reads.kv.find("bf16/16")->second.efficiency, 0.6, 0.02);
  EXPECT_NEAR(reads.kv.find("bf16/64")->second.efficiency, 0.75, 0.02);
}

TEST(CacheFit, FindsTheEdgeAndBothBandwidths) {
  Machine machine;
  machine.sweep(3e-6, 0.9);
  machine.cache(40 * kMiB, 9.5e12, 0.003);
  const MemoryReads reads = machine.reads();
  ASSERT_TRUE(reads.cache) << reads.gaps.front().reason;
  EXPECT_NEAR(raw(reads.cache->effective) / (40 * kMiB), 1, 0.1);
  EXPECT_NEAR(raw(reads.cache->bandwidth) / 9.5e12, 1, 0.05);
  EXPECT_LT(reads.cache->leave_one_out_median, 0.03);
}

TEST(CacheFit, RefusesWhatCannotBeTrusted) {
  const auto reason = [](double effective, double bandwidth) {
    Machine machine;
    machine.cache(effective, bandwidth);
    const MemoryReads reads = machine.reads();
    EXPECT_FALSE(reads.cache);
    return reads.gaps.front().reason;
  };
  EXPECT_NE(reason(15 * kMiB, 9.5e12).find("outside 0.5 to 1.2"), std::string::npos);
  EXPECT_NE(reason(40 * kMiB, 3e12).find("no faster"), std::string::npos) << reason(40 * kMiB, 3e12);
  Machine unknown;
  unknown.cache(40 * kMiB, 9.5e12);
  unknown.profile_.devices.front().l2_bytes.reset();
  EXPECT_NE(unknown.reads().gaps.front().reason.find("does not give"), std::string::npos);
  const std::vector<TransferPoint> few(5, {Bytes(1e6), Seconds(1e-6)});
  EXPECT_NE(fit_cache(few, Bytes(5e7)).refused.find("5 valid points"), std::string::npos);
}

}  // namespace
}  // namespace podwright::memory_reads_test
