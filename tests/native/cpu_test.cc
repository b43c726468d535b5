/// The processors for real: kernels against sums done by hand, the pool, and a run of the program.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>

#include "native/runs.h"
#include "probes/backends.h"
#include "probes/catalogue.h"
#include "probes/cpu/gemm_kernel.h"
#include "probes/cpu/thread_pool.h"

namespace podwright::probes::cpu_test {
namespace {

/// Small whole numbers, whose products sum exactly.
template <class T>
std::vector<T> numbers(std::int64_t count, int step) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<T>((i * step) % 13 - 6));
  return values;
}

template <class T>
void expect_product(GemmFunction<T> gemm, std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::vector<T> a = numbers<T>(m * k, 5);
  const std::vector<T> b = numbers<T>(k * n, 7);
  std::vector<T> c(static_cast<std::size_t>(m * n), std::numeric_limits<T>::quiet_NaN());
  std::vector<T> packed(static_cast<std::size_t>(gemm_packed_size()));
  gemm({a.data(), b.data(), c.data(), k, n, n, m, n, k, packed.data()});
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      T sum = 0;
      for (std::int64_t p = 0; p < k; ++p)
        sum += a[static_cast<std::size_t>(i * k + p)] * b[static_cast<std::size_t>(p * n + j)];
      ASSERT_EQ(c[static_cast<std::size_t>(i * n + j)], sum) << m << "x" << n << "x" << k << " at " << i << "," << j;
    }
}

TEST(BlockedGemm, AllWidthsAndEdges) {
  std::vector<GemmWidth> widths{gemm_plain()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) widths.push_back(gemm_avx2());
  if (__builtin_cpu_supports("avx512f")) widths.push_back(gemm_avx512());
#endif
  constexpr std::int64_t kSizes[][3] = {{1, 1, 1},     {1, 33, 7},     {4, 64, 65},   {5, 17, 3},
                                        {13, 37, 300}, {97, 100, 257}, {7, 515, 513}, {200, 31, 64}};
  for (const GemmWidth& width : widths)
    for (const auto& size : kSizes) {
      if (width.of_floats == nullptr) continue;
      expect_product<float>(width.of_floats, size[0], size[1], size[2]);
      expect_product<double>(width.of_doubles, size[0], size[1], size[2]);
    }
}

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
    JsonWriter json;
    write_case(json, one);
    const auto node = parse_json(json.take());
    ASSERT_TRUE(node);
    const ProbeCase read = read_case(*node);
    EXPECT_EQ(read.title(), one.title());
    EXPECT_EQ(read.size, one.size);
    EXPECT_EQ(read.dtype, one.dtype);
    EXPECT_EQ(read.counted.flops, one.counted.flops);
    EXPECT_EQ(read.sample_s, one.sample_s);
    EXPECT_EQ(read.peer, one.peer);
    EXPECT_EQ(read.members, one.members);
    EXPECT_EQ(read.groups, one.groups);
  }
}

// With sanitizers a product takes so much longer that the watchdog ends it: there the other probes are run.
#ifdef PODWRIGHT_SANITIZED
constexpr int kRealProducts = 0;
const std::string kRealProbes = "cpu.stream,cpu.coll,cpu.lat";
#else
constexpr int kRealProducts = 24;
const std::string kRealProbes = "cpu.gemm,cpu.stream,cpu.coll,cpu.lat";
#endif

TEST(Processors, RealRunIsCheckedAndValid) {
  const std::string file = scratch("cpu.json");
  Program program({"probe", "--backend", "cpu", "--budget", "3", "--only", kRealProbes, "-o", file}, {},
                  scratch("cpu.log"));
  EXPECT_EQ(program.wait(), 0);
  const auto read = read_profile(file_text(file));
  ASSERT_TRUE(read) << read.error().front().path << " " << read.error().front().message;
  const HardwareProfile& profile = read->profile;
  EXPECT_TRUE(profile.run.complete);
  EXPECT_EQ(profile.run.backend, "cpu");
  EXPECT_TRUE(profile.host.name.empty());
  EXPECT_EQ(profile.environment.blas.empty(), kRealProducts == 0);
  ASSERT_EQ(profile.devices.size(), 1U);
  int products = 0;
  for (const ProbeResult& result : profile.results) {
    if (result.skip) continue;
    EXPECT_EQ(result.check.status, CheckStatus::pass) << result.probe;
    EXPECT_GT(result.time_s->median, 0) << result.probe;
    products += result.probe == "cpu.gemm.f32";
  }
  EXPECT_EQ(products, kRealProducts);
  double triad = 0;
  double small_latency = 0;
  double large_latency = 0;
  for (const ProbeResult& result : profile.results) {
    if (result.probe == "cpu.stream.triad") triad = std::max(triad, *result.bytes_per_s());
    if (result.probe != "cpu.lat") continue;
    (*result.size.bytes < 1e6 ? small_latency : large_latency) = result.time_s->median;
  }
  // Any machine of this century, however shared.
  EXPECT_GT(triad, 1e8);
  EXPECT_LT(triad, 1e13);
  EXPECT_LT(small_latency, large_latency);
}

}  // namespace
}  // namespace podwright::probes::cpu_test
