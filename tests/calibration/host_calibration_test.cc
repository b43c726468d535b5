#include "calibration/host_calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "calibration/host_rates.h"
#include "calibration/synthetic_fits.h"
#include "perf/ceilings.h"
#include "perf/host_kernels.h"
#include "perf/serving_interval.h"
#include "perf/training_interval.h"

namespace podwright::host_calibration_test {
namespace {

const Catalog& built_in() { return embedded_catalog_facts(); }

const HostRate* rate(const HostCalibration& host, std::string_view operation, std::string_view precision,
                     double ranks = 1) {
  for (const HostRate& one : host.rates)
    if (one.operation == operation && one.precision == precision && one.ranks == ranks) return &one;
  return nullptr;
}

/// With a reference machine of the H100 in it.
const Catalog& referenced() {
  static const Catalog catalog = with_synthetic_reference();
  return catalog;
}

HostCalibration calibration_of(const SyntheticHost& host, const Catalog& catalog = built_in()) {
  const auto hosts = host_calibrations(catalog, synthetic_h100_profile(host));
  EXPECT_EQ(hosts.size(), 1U);
  return hosts.front();
}

TEST(HostCalibration, TakesTheRatesThatTheProbesSaw) {
  const HostCalibration host = calibration_of({});
  EXPECT_EQ(host.gpu_id, "h100-sxm5-80gb");
  EXPECT_TRUE(host.device_json.empty());
  EXPECT_EQ(host.measured, "2026-01-31T12:00:00Z");
  EXPECT_EQ(host.profile_digest.size(), 64U);
  ASSERT_NE(rate(host, "gemm", "bf16"), nullptr);
  EXPECT_NEAR(rate(host, "gemm", "bf16")->typical, 0.75 * 989e12, 0.02 * 989e12);
  EXPECT_NEAR(rate(host, "gemm", "fp8")->typical, 0.75 * 1979e12, 0.03 * 1979e12);
  EXPECT_NEAR(rate(host, "weight-streaming", "bf16")->typical, 0.85 * 3.35e12, 0.01 * 3.35e12);
  EXPECT_NEAR(rate(host, "kv-reading", "bf16")->typical, 0.9 * 0.85 * 3.35e12, 0.01 * 3.35e12);
  EXPECT_NEAR(rate(host, "host-link", "any")->typical, 55e9, 1e9);
  EXPECT_NEAR(rate(host, "all-reduce-bus-bandwidth", "any", 8)->typical, 440e9, 10e9);
  EXPECT_NEAR(rate(host, "all-reduce-latency", "any", 8)->typical, 15e-6, 1e-6);
  for (const HostRate& one : host.rates) {
    EXPECT_LE(one.low, one.typical) << one.operation;
    EXPECT_LE(one.typical, one.high) << one.operation;
    EXPECT_FALSE(one.note.empty()) << one.operation;
  }
}

TEST(HostCalibration, TheSlowestGpuCounts) {
  const double whole = rate(calibration_of({}), "gemm", "bf16")->typical;
  const double slow = rate(calibration_of({.slow_last_gpu = 0.8}), "gemm", "bf16")->typical;
  EXPECT_NEAR(slow / whole, 0.8, 0.02);
}

TEST(HostCalibration, ADiagnosticIsNoRate) {
  HardwareProfile profile = synthetic_h100_host();
  const double before = host_rates(built_in(), profile, profile.devices.front()).front().typical;
  for (ProbeResult result : std::vector<ProbeResult>(profile.results)) {
    if (result.probe != "gemm.bf16") continue;
    result.probe = "gemm.bf16.zeros";
    result.time_s->median /= 1.3;
    profile.results.push_back(result);
  }
  EXPECT_EQ(host_rates(built_in(), profile, profile.devices.front()).front().typical, before);
}

TEST(HostCalibration, WithoutAReferenceThereAreVerdictsOnly) {
  const HostCalibration host = calibration_of({.speed = 0.8});
  for (const HostRate& one : host.rates) {
    EXPECT_FALSE(one.against) << one.operation;
    EXPECT_EQ(one.use, one.operation == "host-link" ? RateUse::absolute : RateUse::none) << one.operation;
    EXPECT_EQ(one.why, one.operation == "host-link" ? "" : "No reference profile of this GPU yet: verdicts only.");
  }
  ASSERT_EQ(host.notes.size(), 1U);
  EXPECT_NE(host.notes.front().find("No reference profile of this GPU yet: verdicts only."), std::string::npos);
  EXPECT_NE(host.notes.front().find("gemm bf16"), std::string::npos) << host.notes.front();
  const Catalog calibrated = with_hosts(built_in(), {host}, {});
  for (const KernelRate& one : built_in().kernel_rates) {
    const auto same = std::find_if(calibrated.kernel_rates.begin(), calibrated.kernel_rates.end(),
                                   [&](const KernelRate& other) { return same_quantity(one, other); });
    ASSERT_NE(same, calibrated.kernel_rates.end());
    EXPECT_EQ(same->typical, one.typical) << one.id;
  }
  const Gpu& gpu = **find_gpu(built_in(), "h100-sxm5-80gb");
  EXPECT_NE(host_sentence(host, gpu, {}).find("verdicts only"), std::string::npos) << host_sentence(host, gpu, {});
}

TEST(HostCalibration, AHealthyMachineIsTheReferenceWithinTheInterval) {
  for (const double noise : {0.001, 0.003, 0.005})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const HostCalibration host = calibration_of({.noise = noise, .seed = seed}, referenced());
      const Catalog calibrated = with_hosts(referenced(), {host}, {});
      for (const HostRate& one : host.rates) {
        ASSERT_TRUE(one.against) << one.operation;
        EXPECT_LT(one.against->half_width, 0.015) << one.operation << " noise " << noise;
        // Eight GPUs of a machine differ by noise alone, and the slowest counts: twice the interval holds all of them.
        EXPECT_LT(std::fabs(std::log(one.against->host / one.against->reference)), 2 * one.against->half_width)
            << quantity_text(one) << " noise " << noise << " seed " << seed;
      }
      const KernelRate* products = find_kernel_rate(calibrated, "h100-sxm5-80gb", "gemm", "bf16");
      EXPECT_NEAR(products->typical / 775e12, 1, 0.01) << "the catalog's, whatever the probes reach";
    }
}

TEST(HostCalibration, TheReferenceMachineItselfChangesNothing) {
  const SyntheticHost one{.gpus = 1};
  Catalog catalog = built_in();
  catalog.reference_rates = *with_reference(built_in(), synthetic_h100_profile(one));
  for (const HostRate& rate : calibration_of(one, catalog).rates) {
    ASSERT_TRUE(rate.against) << rate.operation;
    EXPECT_EQ(rate.against->host, rate.against->reference) << rate.operation;
  }
}

TEST(HostCalibration, FollowsTheReference) {
  const Catalog calibrated =
      with_hosts(referenced(), {calibration_of({.speed = 0.8, .memory_gib = 78}, referenced())}, {});
  const KernelRate* products = find_kernel_rate(calibrated, "h100-sxm5-80gb", "gemm", "bf16");
  ASSERT_NE(products, nullptr);
  EXPECT_NEAR(products->typical, 0.8 * 775e12, 0.01 * 775e12);
  ASSERT_NE(products->relative, nullptr);
  EXPECT_EQ(products->relative->catalog.typical, 775e12);
  EXPECT_EQ(products->relative->host.source.rfind("profile-", 0), 0U);
  EXPECT_EQ(products->relative->reference.source.rfind("profile-", 0), 0U);
  EXPECT_NE(products->relative->host.source, products->relative->reference.source);
  // Caches were read by a kernel of this project: as a ratio it is legitimate.
  EXPECT_NEAR(find_kernel_rate(calibrated, "h100-sxm5-80gb", "kv-reading", "bf16")->typical, 0.8 * 2.71e12, 0.03e12);
  EXPECT_EQ((*find_gpu(calibrated, "h100-sxm5-80gb"))->memory_driver, gib(78));
  EXPECT_EQ(catalog_digest(calibrated), catalog_digest(referenced()));
  // Other GPUs keep theirs.
  EXPECT_EQ(find_kernel_rate(calibrated, "h200-sxm5-141gb", "gemm", "bf16")->typical,
            find_kernel_rate(built_in(), "h200-sxm5-141gb", "gemm", "bf16")->typical);
}

TEST(HostCalibration, HalfRateMemoryHalvesWhatReadsIt) {
  const Catalog calibrated = with_hosts(referenced(), {calibration_of({.memory_speed = 0.5}, referenced())}, {});
  const auto ratio = [&](const char* operation, const char* precision) {
    return find_kernel_rate(calibrated, "h100-sxm5-80gb", operation, precision)->typical /
           find_kernel_rate(built_in(), "h100-sxm5-80gb", operation, precision)->typical;
  };
  for (const char* operation : {"weight-streaming", "kv-reading"})
    for (const char* precision : {"bf16", "fp8"}) EXPECT_NEAR(ratio(operation, precision), 0.5, 0.01) << operation;
  EXPECT_NEAR(ratio("gemm", "bf16"), 1, 0.01);
}

TEST(HostCalibration, OnlyTheSameProbeWayAndVersionIsCompared) {
  const auto against = [](void (*change)(ProbeResult&)) {
    HardwareProfile profile = synthetic_h100_host({.gpus = 1});
    for (ProbeResult& result : profile.results)
      if (result.probe == "decode.attn") change(result);
    const auto hosts = host_calibrations(referenced(), *read_profile(profile_text(profile)));
    return *rate(hosts.front(), "kv-reading", "bf16");
  };
  EXPECT_TRUE(against([](ProbeResult&) {}).against);
  for (void (*change)(ProbeResult&) : {+[](ProbeResult& result) { result.version = 2; },
                                       +[](ProbeResult& result) { result.variant.algorithm = "cudnn 9.10"; },
                                       +[](ProbeResult& result) { result.size.batch = 77; }}) {
    const HostRate other = against(change);
    EXPECT_FALSE(other.against);
    EXPECT_EQ(other.use, RateUse::none);
    EXPECT_NE(other.why.find("same probe, way, size and version"), std::string::npos) << other.why;
  }
  // Another choice of algorithm or another release of a library is the same way.
  ProbeResult result;
  result.variant.algorithm = "cublaslt-12";
  EXPECT_EQ(way_of(result), "cublaslt");
  result.variant.algorithm = "nccl 2.27.3";
  EXPECT_EQ(way_of(result), "nccl");
  result.variant.graph = true;
  EXPECT_EQ(way_of(result), "nccl+graph");
}

TEST(HostCalibration, SustainedProductsAreComparedWhereBothHaveThem) {
  const auto profile = [](double slower) {
    HardwareProfile of = synthetic_h100_host({.gpus = 1});
    ProbeResult slow;
    for (const ProbeResult& result : of.results)
      if (result.probe == "gemm.bf16") slow = result;  // the last one has the most work
    slow.mode = ProbeMode::sustained;
    for (double* time : {&slow.time_s->median, &*slow.time_s->lo95, &*slow.time_s->hi95, &slow.time_s->min,
                         &slow.time_s->q1, &slow.time_s->q3, &slow.time_s->p95})
      *time *= slower;
    of.results.push_back(slow);
    return *read_profile(profile_text(of));
  };
  Catalog catalog = built_in();
  catalog.reference_rates = *with_reference(built_in(), profile(1.12));
  const auto products = [&](double slower) {
    const HostCalibration host = host_calibrations(catalog, profile(slower)).front();
    return rate(host, "gemm", "bf16")->against->host / rate(host, "gemm", "bf16")->against->reference;
  };
  EXPECT_NEAR(products(1.12), 1, 1e-12);
  EXPECT_NEAR(products(1.4), 1.12 / 1.4, 1e-9);
}

TEST(HostCalibration, OwnKernelsNeverStandForThemselves) {
  HardwareProfile profile = synthetic_h100_host({.gpus = 1});
  profile.devices.front().key.clear();  // a GPU that the catalog lacks has nothing to scale
  profile.devices.front().key_match = KeyMatch::none;
  profile.devices.front().name = "Some GPU";
  const auto hosts = host_calibrations(built_in(), *read_profile(profile_text(profile)));
  ASSERT_EQ(hosts.size(), 1U);
  EXPECT_EQ(rate(hosts.front(), "gemm", "bf16")->use, RateUse::absolute);
  EXPECT_EQ(rate(hosts.front(), "weight-streaming", "bf16")->use, RateUse::absolute);
  EXPECT_EQ(rate(hosts.front(), "kv-reading", "bf16")->use, RateUse::none);
  EXPECT_NE(rate(hosts.front(), "kv-reading", "bf16")->why.find("own-split-kv"), std::string::npos);
}

ServingRun serving_run(const char* weights) {
  ServingRun run;
  run.weight_precision = weights;
  run.engine = "vllm";
  return run;
}

/// Half width of a figure of Llama 3.1 70B on an H100.
double tpot_width(const Catalog& catalog, const char* weights = "bf16") {
  const Model& model = **find_model(catalog, "llama-3.1-70b");
  const Gpu& gpu = **find_gpu(catalog, "h100-sxm5-80gb");
  return serving_widths(catalog.serving_efficiency, serving_knowledge(catalog, model, gpu, serving_run(weights)), false)
      ->tpot;
}

TEST(HostCalibration, IntervalsHoldThatOfTheRatio) {
  for (const double noise : {0.003, 0.15}) {
    const HostCalibration host = calibration_of({.noise = noise, .fp8 = false}, referenced());
    const Catalog calibrated = with_hosts(referenced(), {host}, {});
    double widest = 0;
    for (const char* operation : {"gemm", "weight-streaming", "kv-reading"})
      widest = std::max(widest, rate(host, operation, "bf16")->against->half_width);
    EXPECT_GT(widest, noise / 10);
    EXPECT_DOUBLE_EQ(tpot_width(calibrated), std::hypot(tpot_width(built_in()), widest));
  }
  EXPECT_EQ(tpot_width(with_hosts(built_in(), {calibration_of({})}, {})), tpot_width(built_in()))
      << "without a reference nothing follows the machine";
  // What is known of a device's own kernels takes the place of what others told.
  EXPECT_LT(width_on_machine(0.3, 0.2, {.own = 0.01, .ratio = 0}), 0.3);
  EXPECT_EQ(width_on_machine(0.3, 0.2, {}), 0.3);
}

TEST(HostCalibration, AnUnknownProcessorIsADeviceOfItsOwn) {
  HardwareProfile profile;
  profile.devices = {{.id = "d0", .kind = "cpu"}};
  profile.devices.front().name = "Some(R) Processor 9000";
  profile.host.memory_gib = 64;
  for (const double n : {512.0, 1024.0}) {
    ProbeResult product = synthetic_result("cpu.gemm.f32", "d0", {.bytes = 12 * n * n, .flops = 2 * n * n * n},
                                           2 * n * n * n / 1e11, 0.002, static_cast<std::uint64_t>(n));
    product.dtype = "fp32";
    product.size.m = product.size.n = product.size.k = n;
    finish_result(product, {});
    profile.results.push_back(product);
  }
  const auto alone = host_calibrations(built_in(), *read_profile(profile_text(profile)));
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_TRUE(alone.front().rates.empty());
  ASSERT_EQ(alone.front().notes.size(), 1U);
  EXPECT_NE(alone.front().notes.front().find("no bandwidth"), std::string::npos);

  ProbeResult triad = synthetic_result("cpu.stream.triad", "d0", {.bytes = 1e9, .flops = 0}, 0.02, 0.002, 5);
  triad.size.bytes = 1e9 / 3;
  finish_result(triad, {});
  profile.results.push_back(triad);
  const auto hosts = host_calibrations(built_in(), *read_profile(profile_text(profile)));
  ASSERT_EQ(hosts.size(), 1U);
  EXPECT_EQ(hosts.front().gpu_id, "host-some-r-processor-9000");
  EXPECT_NE(hosts.front().device_json.find("\"memory_driver_gib\":64"), std::string::npos) << hosts.front().device_json;
  EXPECT_NEAR(rate(hosts.front(), "gemm", "fp32")->typical, 1e11, 2e9);
  EXPECT_EQ(rate(hosts.front(), "gemm", "fp32")->use, RateUse::absolute);
  EXPECT_EQ(rate(hosts.front(), "weight-streaming", "bf16")->use, RateUse::absolute);
}

}  // namespace
}  // namespace podwright::host_calibration_test
