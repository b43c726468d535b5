/// The processors for real: the pool, the plan, and a run of the program.
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "native/runs.h"
#include "probes/backends.h"
#include "probes/catalogue.h"
#include "probes/cpu/thread_pool.h"
#include "probes/wire.h"

namespace podwright::probes::cpu_test {
namespace {

TEST(ThreadPool, EveryThreadRunsOnceEachTime) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    std::atomic<int> calls{0};
    std::atomic<int> mask{0};
    for (int round = 0; round < 200; ++round) pool.run([&](int thread, int) { ++calls, mask |= 1 << thread; });
    EXPECT_EQ(calls, 200 * threads);
    EXPECT_EQ(mask, (1 << threads) - 1);
  }
}

TEST(Catalogue, CoolestFirstAndTheSameForOneSeed) {
  const Machine machine{"cuda", 80e9, 50e6, 1, 1, 90, 0, {0}};
  const auto cases = plan_cases(machine, {RunMode::standard, 0}, 3);
  const auto again = plan_cases(machine, {RunMode::standard, 0}, 3);
  ASSERT_EQ(cases.size(), again.size());
  int grid = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(cases[i].title(), again[i].title());
    if (i > 0) {
      EXPECT_LE(cases[i - 1].heat, cases[i].heat);
    }
    const bool small = cases[i].size.m.value_or(0) <= 4096;
    grid += cases[i].probe == "gemm.bf16" && cases[i].mode == ProbeMode::burst && cases[i].variant.empty() && small;
    // Block scales need a newer device.
    EXPECT_NE(cases[i].dtype, "nvfp4");
  }
  EXPECT_GE(grid, 48);
  double seconds = 0;
  for (const ProbeCase& one : cases) seconds += one.warm_up_s + one.budget_s;
  EXPECT_LE(seconds, budget_seconds({RunMode::standard, 0}) + 1e-6);
}

TEST(Catalogue, CaseTravelsToTheWorkerWhole) {
  for (const ProbeCase& one : plan_cases({"cuda", 80e9, 50e6, 1, 2, 100, 0, {0, 1}}, {RunMode::standard, 0}, 1)) {
    const auto there = read_wire<ProbeCase>(wire_text(one));
    ASSERT_TRUE(there);
    const ProbeCase& read = *there;
    EXPECT_EQ(read.title(), one.title());
    EXPECT_EQ(read.size, one.size);
    EXPECT_EQ(read.dtype, one.dtype);
    EXPECT_EQ(read.counted.flops, one.counted.flops);
    EXPECT_EQ(read.sample_s, one.sample_s);
    EXPECT_EQ(read.peer, one.peer);
    EXPECT_EQ(read.members, one.members);
    EXPECT_EQ(read.groups, one.groups);
    EXPECT_EQ(read.predicted_s(), one.predicted_s());
  }
}

// With sanitizers a product takes so much longer that the watchdog ends it: there the other probes are run.
#ifdef PODWRIGHT_SANITIZED
const std::string kRealProbes = "cpu.stream,cpu.lat";
#else
const std::string kRealProbes = "cpu.gemm,cpu.stream,cpu.lat";
#endif

TEST(Processors, RealRunIsCheckedAndValid) {
  const std::string file = scratch("cpu.json");
  // With patience for a machine that others keep busy.
  Program program(
      {"probe", "--backend", "cpu", "--budget", "3", "--only", kRealProbes, "--watchdog", "100", "-o", file}, {},
      scratch("cpu.log"));
  EXPECT_EQ(program.wait(), 0);
  const auto read = read_profile(file_text(file));
  ASSERT_TRUE(read) << read.error().front().path << " " << read.error().front().message;
  const HardwareProfile& profile = read->profile;
  EXPECT_TRUE(profile.run.complete);
  EXPECT_EQ(profile.run.backend, "cpu");
  EXPECT_TRUE(profile.host.name.empty());
  ASSERT_EQ(profile.devices.size(), 1U);
  int products = 0;
  for (const ProbeResult& result : profile.results) {
    if (result.skip) continue;
    EXPECT_EQ(result.check.status, CheckStatus::pass) << result.probe;
    EXPECT_GT(result.time_s->median, 0) << result.probe;
    products += result.probe == "cpu.gemm.f32";
  }
  EXPECT_EQ(products, profile.environment.blas.empty() ? 0 : 24);
  std::set<double> latencies;
  for (const ProbeResult& result : profile.results) {
    if (result.probe == "cpu.stream.triad") {
      EXPECT_EQ(result.counted.bytes, 3 * *result.size.bytes);
    }
    if (result.probe == "cpu.lat") latencies.insert(*result.size.bytes);
  }
  EXPECT_EQ(latencies, (std::set<double>{16 * kKiB, 64 * kMiB}));
}

}  // namespace
}  // namespace podwright::probes::cpu_test
