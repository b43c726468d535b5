#include "measure/import_foreign.h"

#include <gtest/gtest.h>

#include <string>

#include "measure/profile_file.h"

namespace podwright {
namespace {

/// A text with its first `from` replaced.
std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

const std::string kBandwidth = R"({"nvbandwidth":{"CUDA Runtime Version":12090,"Driver Version":"575.57","testcases":[
  {"name":"host_to_device_memcpy_ce","status":"Passed","bandwidth_matrix":[["55.40","55.32"]]},
  {"name":"device_to_device_memcpy_read_ce","status":"Passed","bandwidth_matrix":[["N/A","396.1"],["395.8","N/A"]]},
  {"name":"device_to_host_memcpy_ce","status":"Error"},
  {"name":"something_new","status":"Passed"}]}})";

const std::string kCollective =
    R"(# nThread 1 nGpus 8 minBytes 1024 maxBytes 1073741824 step: 2(factor) warmup iters: 5 iters: 20
# Collective test starting: all_reduce_perf
#  Rank  0 Group  0 Pid 100 on example device  0 [0x1b] NVIDIA H100
#  Rank  1 Group  0 Pid 100 on example device  1 [0x43] NVIDIA H100
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
        1024           256     float     sum      -1    15.64    0.07    0.07      0    15.70    0.07    0.07      0
     1048576        262144     float     sum      -1    25.40   41.28   41.28      0    25.60   40.96   40.96      0
   536870912     134217728     float     sum      -1   2111.0  254.32  254.32      0   2110.0  254.44  254.44      0
# Out of bounds values : 0 OK
)";

const std::string kLog = R"(<?xml version="1.0" ?><nvidia_smi_log><driver_version>580.65.06</driver_version>
<cuda_version>13.0</cuda_version><attached_gpus>1</attached_gpus><gpu id="00000000:1B:00.0">
<product_name>NVIDIA H200</product_name><uuid>GPU-secret-uuid</uuid><serial>1650000000000</serial>
<pci><pci_gpu_link_info><pcie_gen><max_link_gen>5</max_link_gen><current_link_gen>5</current_link_gen></pcie_gen>
<link_widths><max_link_width>16x</max_link_width><current_link_width>8x</current_link_width></link_widths>
</pci_gpu_link_info></pci><fb_memory_usage><total>143771 MiB</total><free>143153 MiB</free></fb_memory_usage>
<ecc_mode><current_ecc>Enabled</current_ecc></ecc_mode><gpu_power_readings><current_power_limit>600.00 W</current_power_limit>
<default_power_limit>700.00 W</default_power_limit></gpu_power_readings><max_clocks><sm_clock>1980 MHz</sm_clock></max_clocks>
</gpu></nvidia_smi_log>)";

const std::string kVllm = R"({"backend":"vllm","model_id":"example-8b","num_prompts":200,"request_rate":"inf",
  "max_concurrency":16,"duration":20.0,"completed":200,"total_input_tokens":204800,"total_output_tokens":25600,
  "request_throughput":10.0,"output_throughput":1280.0,"total_token_throughput":11520.0,"mean_ttft_ms":80.0,
  "median_ttft_ms":75.0,"p99_ttft_ms":200.0,"mean_tpot_ms":12.0,"median_tpot_ms":11.5,"p99_tpot_ms":20.0})";

const std::string kAiperf = R"({"request_count":{"unit":"requests","avg":200},
  "request_throughput":{"unit":"requests/sec","avg":10.0},"output_token_throughput":{"unit":"tokens/sec","avg":1280.0},
  "time_to_first_token":{"unit":"ms","avg":80.0,"p50":75.0,"p99":200.0},
  "inter_token_latency":{"unit":"ms","avg":12.0,"p50":11.5,"p99":20.0},
  "output_sequence_length":{"unit":"tokens","avg":128.0}})";

TEST(Import, NvbandwidthGivesLinks) {
  const auto profile = import_nvbandwidth(kBandwidth);
  ASSERT_TRUE(profile) << profile.error().front().message;
  ASSERT_EQ(profile->links.size(), 4U);
  EXPECT_EQ(profile->links[1].from, "host");
  EXPECT_EQ(profile->links[1].to, "d1");
  EXPECT_DOUBLE_EQ(*profile->links[1].bytes_per_s, 55.32e9);
  EXPECT_EQ(profile->links[2].from, "d0");
  EXPECT_DOUBLE_EQ(*profile->links[2].bytes_per_s, 396.1e9);
  EXPECT_NE(profile->limits.back().find("device_to_host"), std::string::npos);
  EXPECT_TRUE(read_profile(profile_text(*profile)));
}

TEST(Import, NcclTestsGiveTimesOfACollective) {
  const auto profile = import_nccl_tests(kCollective);
  ASSERT_TRUE(profile) << profile.error().front().message;
  ASSERT_EQ(profile->results.size(), 3U);
  const ProbeResult& result = profile->results[1];
  EXPECT_EQ(result.probe, "coll.allreduce");
  EXPECT_EQ(*result.size.ranks, 2);
  EXPECT_EQ(*result.size.bytes, 1048576);
  EXPECT_DOUBLE_EQ(result.time_s->median, 25.40e-6);
  EXPECT_FALSE(result.time_s->lo95);
  EXPECT_TRUE(read_profile(profile_text(*profile)));
}

TEST(Import, NcclTestsThatFoundWrongValuesGiveNoTime) {
  const auto profile = import_nccl_tests(with(kCollective, "41.28   41.28      0", "41.28   41.28      7"));
  ASSERT_TRUE(profile);
  EXPECT_FALSE(profile->results[1].time_s);
  EXPECT_FALSE(profile->results[1].usable());
  EXPECT_TRUE(profile->results[0].usable());
}

TEST(Import, NvidiaSmiGivesDevicesWithoutTheirIdentity) {
  const auto profile = import_nvidia_smi(kLog);
  ASSERT_TRUE(profile) << profile.error().front().message;
  ASSERT_EQ(profile->devices.size(), 1U);
  const ProfileDevice& device = profile->devices.front();
  EXPECT_EQ(device.name, "NVIDIA H200");
  EXPECT_NEAR(*device.memory_total_gib, 140.401, 0.001);
  EXPECT_EQ(*device.power_limit_w, 600);
  EXPECT_EQ(*device.power_limit_default_w, 700);
  EXPECT_EQ(*device.pcie_width, 8);
  EXPECT_EQ(*device.pcie_width_max, 16);
  EXPECT_TRUE(*device.ecc);
  const std::string text = profile_text(*profile);
  EXPECT_EQ(text.find("secret"), std::string::npos);
  EXPECT_EQ(text.find("16500000"), std::string::npos);
}

TEST(Import, LoadGeneratorsGiveOneMeasurement) {
  const auto vllm = import_vllm_bench(kVllm);
  const auto aiperf = import_aiperf(kAiperf);
  ASSERT_TRUE(vllm) << vllm.error().front().message;
  ASSERT_TRUE(aiperf) << aiperf.error().front().message;
  for (const ServingMeasurement& measured : {*vllm, *aiperf}) {
    EXPECT_EQ(measured.requests, 200);
    EXPECT_DOUBLE_EQ(measured.ttft_s, 0.080);
    EXPECT_DOUBLE_EQ(*measured.tpot_s_p99, 0.020);
    EXPECT_DOUBLE_EQ(measured.output_tokens_per_s, 1280);
    EXPECT_DOUBLE_EQ(*measured.output_tokens, 128);
  }
  EXPECT_EQ(*vllm->concurrency, 16);
  EXPECT_FALSE(vllm->request_rate_per_s);  // "inf" is no rate
  EXPECT_EQ(*vllm->input_tokens, 1024);
}

template <class T>
void expect_refused(const Result<T>& result, const std::string& code, const std::string& path) {
  ASSERT_FALSE(result) << code << path;
  EXPECT_EQ(result.error().front().code, code) << path;
  EXPECT_EQ(result.error().front().path, path) << result.error().front().message;
  EXPECT_FALSE(result.error().front().message.empty());
}

TEST(Import, WrongFilesTellPathAndCause) {
  expect_refused(import_nvbandwidth("no json"), "not-json", "");
  expect_refused(import_nvbandwidth(kVllm), "missing", "/nvbandwidth");
  expect_refused(import_nvbandwidth(R"({"nvbandwidth":{}})"), "missing", "/nvbandwidth/testcases");
  expect_refused(import_nvbandwidth(R"({"nvbandwidth":{"testcases":[]}})"), "missing", "/nvbandwidth/testcases");
  expect_refused(import_nvbandwidth(with(kBandwidth, "55.32", "fast")), "wrong-type",
                 "/nvbandwidth/testcases/0/bandwidth_matrix/0/1");
  expect_refused(import_nvbandwidth(with(kBandwidth, R"([["55.40","55.32"]])", "[7]")), "wrong-type",
                 "/nvbandwidth/testcases/0/bandwidth_matrix/0");
  expect_refused(import_nvbandwidth(with(kBandwidth, R"("name":"host)", R"("label":"host)")), "missing",
                 "/nvbandwidth/testcases/0/name");
  expect_refused(import_nccl_tests(""), "missing", ":0");
  expect_refused(import_nccl_tests(kVllm), "missing", ":4");
  expect_refused(import_nccl_tests(with(kCollective, "all_reduce_perf", "x")), "missing", "/collective");
  expect_refused(import_nccl_tests(kCollective, "hug"), "missing", "/collective");
  expect_refused(import_nccl_tests(with(kCollective, "15.64", "-1.0")), "wrong-type", ":6");
  expect_refused(
      import_nccl_tests(with(kCollective, "    15.64    0.07    0.07      0    15.70    0.07    0.07      0", "")),
      "missing", ":6");
  expect_refused(import_nvidia_smi(kVllm), "missing", "/nvidia_smi_log");
  expect_refused(import_nvidia_smi(kLog.substr(0, kLog.size() - 10)), "missing", "/nvidia_smi_log");
  expect_refused(import_nvidia_smi(with(kLog, "</gpu>", "")), "missing", "/nvidia_smi_log/gpu/0");
  expect_refused(import_nvidia_smi(with(kLog, "143771 MiB", "N/A")), "missing",
                 "/nvidia_smi_log/gpu/0/fb_memory_usage/total");
  expect_refused(import_nvidia_smi("<nvidia_smi_log></nvidia_smi_log>"), "missing", "/nvidia_smi_log/gpu");
  expect_refused(import_vllm_bench("["), "not-json", "");
  expect_refused(import_vllm_bench("[]"), "wrong-type", "");
  expect_refused(import_vllm_bench(kAiperf), "wrong-type", "/request_throughput");
  expect_refused(import_vllm_bench(with(kVllm, R"("mean_ttft_ms":80.0)", R"("mean_ttft_ms":"80")")), "wrong-type",
                 "/mean_ttft_ms");
  expect_refused(import_vllm_bench(with(kVllm, R"("duration":20.0)", R"("duration":0)")), "out-of-range", "/duration");
  expect_refused(import_aiperf("{}"), "missing", "/request_count");
  expect_refused(import_aiperf("[]"), "wrong-type", "");
  expect_refused(import_aiperf(kVllm), "wrong-type", "/request_throughput");
  expect_refused(import_aiperf(with(kAiperf, R"("unit":"ms")", R"("unit":"s")")), "out-of-range",
                 "/time_to_first_token/unit");
}

}  // namespace
}  // namespace podwright
