#include "calibration/host_calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "calibration/host_rates.h"
#include "calibration/synthetic_fits.h"
#include "perf/ceilings.h"
#include "perf/measured_exchanges.h"
#include "perf/serving_interval.h"
#include "perf/training_interval.h"

namespace podwright::host_calibration_test {
namespace {

const Catalog& built_in() { return embedded_catalog_facts(); }

const KernelRate* rate(const HostCalibration& host, std::string_view operation, std::string_view precision,
                       double ranks = 1) {
  for (const KernelRate& one : host.rates)
    if (one.operation == operation && one.precision == precision && one.ranks == ranks) return &one;
  return nullptr;
}

HostCalibration calibration_of(const SyntheticHost& host) {
  const auto hosts = host_calibrations(built_in(), synthetic_h100_profile(host));
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
  for (const KernelRate& one : host.rates) {
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
  const double before = host_rates(profile, profile.devices.front()).rates.front().typical;
  for (ProbeResult result : std::vector<ProbeResult>(profile.results)) {
    if (result.probe != "gemm.bf16") continue;
    result.probe = "gemm.bf16.zeros";
    result.time_s->median /= 1.3;
    profile.results.push_back(result);
  }
  EXPECT_EQ(host_rates(profile, profile.devices.front()).rates.front().typical, before);
  ProbeResult attention = profile.results.front();
  attention.probe = "prefill.attn";
  attention.variant.algorithm = "reference_kernel";
  profile.results.push_back(attention);
  const HostRates rates = host_rates(profile, profile.devices.front());
  ASSERT_EQ(rates.notes.size(), 1U);
  EXPECT_NE(rates.notes.front().find("reference kernel"), std::string::npos);
}

TEST(HostCalibration, SustainedLoadSlowsProductsDown) {
  HardwareProfile profile = synthetic_h100_host({.gpus = 1});
  profile.devices.front().key = "h200-sxm5-141gb";
  profile.devices.front().memory_total_gib = 139.8;
  const auto products = [&] {
    return rate(host_calibrations(built_in(), *read_profile(profile_text(profile))).front(), "gemm", "bf16")->typical;
  };
  const double burst = products();
  ProbeResult slow;
  for (const ProbeResult& result : profile.results)
    if (result.probe == "gemm.bf16") slow = result;  // the last one has the most work
  slow.mode = ProbeMode::sustained;
  for (double* time : {&slow.time_s->median, &*slow.time_s->lo95, &*slow.time_s->hi95, &slow.time_s->min,
                       &slow.time_s->q1, &slow.time_s->q3, &slow.time_s->p95})
    *time *= 1.4;
  profile.results.push_back(slow);
  EXPECT_NEAR(products() / burst, 1.12 / 1.4, 1e-3);  // 1.12: published of this GPU
}

const CollectiveTimes* times(const HostCalibration& host, std::string_view collective, double ranks) {
  for (const CollectiveTimes& one : host.collectives)
    if (one.collective == collective && one.ranks == ranks) return &one;
  return nullptr;
}

HostCalibration with_collectives(std::initializer_list<SyntheticCollectives> all) {
  HardwareProfile profile = synthetic_h100_host({.gpus = 1});
  for (const SyntheticCollectives& one : all) add_collectives(profile, one);
  return host_calibrations(built_in(), *read_profile(profile_text(profile))).front();
}

TEST(HostCalibration, TakesTimesOfExchangesBySize) {
  const HostCalibration host = with_collectives({{.ranks = 2}, {.sag = 1.5, .ranks = 8}});
  for (const char* collective : {"all-reduce", "all-gather"}) {
    const CollectiveTimes* eight = times(host, collective, 8);
    ASSERT_NE(eight, nullptr) << collective;
    EXPECT_EQ(eight->sizes.size(), 10U);
    // Between 8 and 32 MiB, which both sag.
    const double once = std::string(collective) == "all-reduce" ? 2 : 1;
    EXPECT_NEAR(raw(time_of_message(eight->sizes, mib(16))), 1.5 * (15e-6 + once * 7 / 8 * 16777216 / 440e9),
                0.05 * 1.5 * 100e-6);
    // Four GPUs were not measured and lie between.
    ASSERT_NE(times(host, collective, 4), nullptr) << collective;
    EXPECT_GT(time_of_message(times(host, collective, 4)->sizes, mib(16)),
              time_of_message(times(host, collective, 2)->sizes, mib(16)));
    EXPECT_LT(time_of_message(times(host, collective, 4)->sizes, mib(16)), time_of_message(eight->sizes, mib(16)));
    EXPECT_EQ(times(host, collective, 16), nullptr) << "beyond what was measured";
  }
  const Catalog calibrated = with_hosts(built_in(), {host}, {});
  const CollectiveTimes* found = measured_times(calibrated, "h100-sxm5-80gb", "all-reduce", 8);
  ASSERT_NE(found, nullptr);
  EXPECT_NE(find_source(calibrated, found->source_of("sizes/3/time_us")), nullptr);
  EXPECT_EQ(measured_times(calibrated, "h200-sxm5-141gb", "all-reduce", 8), nullptr);
  EXPECT_EQ(measured_times(built_in(), "h100-sxm5-80gb", "all-reduce", 8), nullptr);
}

TEST(HostCalibration, FewSizesTellNothingBetweenThem) {
  const HostCalibration host = calibration_of({});
  EXPECT_TRUE(host.collectives.empty());
  ASSERT_EQ(host.notes.size(), 1U);
  EXPECT_NE(host.notes.front().find("3 valid points, fewer than 6"), std::string::npos) << host.notes.front();
}

TEST(HostCalibration, OfTwoGroupsTheSlowerCounts) {
  HardwareProfile profile = synthetic_h100_host({.gpus = 2});
  add_collectives(profile, {.bus = 400e9, .ranks = 4});
  const std::size_t first = profile.results.size();
  add_collectives(profile, {.bus = 300e9, .ranks = 4});
  for (std::size_t i = first; i < profile.results.size(); ++i) profile.results[i].devices = {"d1"};
  const HostCalibration host = host_calibrations(built_in(), *read_profile(profile_text(profile))).front();
  ASSERT_NE(times(host, "all-gather", 4), nullptr);
  EXPECT_NEAR(raw(times(host, "all-gather", 4)->sizes.back().time), 15e-6 + 0.75 * 536870912 / 300e9, 30e-6);
}

TEST(MeasuredExchanges, FollowTheMeasuredSizes) {
  const std::vector<TransferPoint> sizes = {{Bytes(1024), Seconds(10e-6)}, {Bytes(4096), Seconds(20e-6)}};
  EXPECT_EQ(time_of_message(sizes, Bytes(8)), Seconds(10e-6));
  EXPECT_NEAR(raw(time_of_message(sizes, Bytes(2048))), 10e-6 * std::sqrt(2), 1e-12);
  EXPECT_NEAR(raw(time_of_message(sizes, Bytes(40960))), 200e-6, 1e-12);
  // An exchange that saw no work beside it takes what was measured.
  EXPECT_EQ(measured_exchange_time(Seconds(10e-6), Seconds(25e-6), 1, 1), Seconds(25e-6));
  EXPECT_NEAR(raw(measured_exchange_time(Seconds(10e-6), Seconds(25e-6), 2, 0.5)), 50e-6, 1e-12);
  EXPECT_EQ(measured_exchange_time(Seconds(10e-6), Seconds(9e-6), 1, 1), Seconds(10e-6));
}

TEST(HostCalibration, StandsInPlaceOfTheCatalogsRates) {
  const Catalog calibrated = with_hosts(built_in(), {calibration_of({.speed = 0.8, .memory_gib = 78})}, {});
  const KernelRate* products = find_kernel_rate(calibrated, "h100-sxm5-80gb", "gemm", "bf16");
  ASSERT_NE(products, nullptr);
  EXPECT_NEAR(products->typical, 0.8 * 0.75 * 989e12, 0.02 * 989e12);
  EXPECT_NE(find_source(calibrated, products->source), nullptr);
  EXPECT_EQ((*find_gpu(calibrated, "h100-sxm5-80gb"))->memory_driver, gib(78));
  EXPECT_EQ(calibrated.digest, built_in().digest);
  // Other GPUs keep theirs.
  EXPECT_EQ(find_kernel_rate(calibrated, "h200-sxm5-141gb", "gemm", "bf16")->typical,
            find_kernel_rate(built_in(), "h200-sxm5-141gb", "gemm", "bf16")->typical);
}

TEST(HostCalibration, NarrowReadsFollowTheSameMemory) {
  const auto of = [](const Catalog& catalog, const char* precision) {
    return find_kernel_rate(catalog, "h100-sxm5-80gb", "weight-streaming", precision)->typical;
  };
  const Catalog calibrated = with_hosts(built_in(), {calibration_of({.speed = 0.8})}, {});
  EXPECT_NEAR(of(calibrated, "fp8") / of(built_in(), "fp8"), of(calibrated, "bf16") / of(built_in(), "bf16"), 1e-12);
  EXPECT_LT(of(calibrated, "fp8"), of(built_in(), "fp8"));
}

ServingRun serving_run(const char* weights) {
  ServingRun run;
  run.weight_precision = weights;
  run.engine = "vllm";
  return run;
}

TEST(HostCalibration, NarrowsTheIntervalsOfWhatItMeasured) {
  const Catalog calibrated = with_hosts(built_in(), {calibration_of({.fp8 = false})}, {});
  const Model& model = **find_model(built_in(), "llama-3.1-70b");
  const Gpu& gpu = **find_gpu(built_in(), "h100-sxm5-80gb");
  const auto width = [&](const Catalog& catalog, const char* weights) {
    const ServingKnowledge knowledge = serving_knowledge(catalog, model, gpu, serving_run(weights));
    return *serving_widths(catalog.serving_efficiency, knowledge, false);
  };
  EXPECT_LT(width(calibrated, "bf16").tpot, width(built_in(), "bf16").tpot);
  EXPECT_LT(width(calibrated, "bf16").throughput, width(built_in(), "bf16").throughput);
  EXPECT_EQ(width(calibrated, "fp8").tpot, width(built_in(), "fp8").tpot);  // its products were not measured

  TrainingRun run;
  run.sequence_length = 8192;
  run.global_batch_size = 512;
  const auto training = [&](const Catalog& catalog) {
    return *time_half_width(catalog.training_efficiency, training_knowledge(catalog, model, gpu, run));
  };
  EXPECT_LT(training(calibrated), training(built_in()));
}

TEST(HostCalibration, ANoisyMeasurementNarrowsNothing) {
  SyntheticHost noisy;
  noisy.noise = 0.15;
  const HostCalibration host = calibration_of(noisy);
  const Catalog calibrated = with_hosts(built_in(), {host}, {});
  const Model& model = **find_model(built_in(), "llama-3.1-70b");
  const Gpu& gpu = **find_gpu(built_in(), "h100-sxm5-80gb");
  const auto width = [&](const Catalog& catalog) {
    return serving_widths(catalog.serving_efficiency, serving_knowledge(catalog, model, gpu, serving_run("bf16")),
                          false)
        ->tpot;
  };
  EXPECT_LE(width(calibrated), width(built_in()));
  EXPECT_GT(width(calibrated), 0.95 * width(built_in()));
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
}

}  // namespace
}  // namespace podwright::host_calibration_test
