#include "measure/import_foreign.h"

#include <gtest/gtest.h>

#include <string>

#include "measure/foreign_samples.h"
#include "measure/profile_file.h"

namespace podwright::import_foreign_test {
namespace {

std::string foreign_replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

TEST(Import, NvbandwidthGivesLinks) {
  const auto profile = import_nvbandwidth(kBandwidth);
  ASSERT_TRUE(profile) << profile.error().front().message;
  ASSERT_EQ(profile->links.size(), 4U);
  EXPECT_EQ(profile->links[1].from, "host");
  EXPECT_EQ(profile->links[1].to, "d1");
  EXPECT_DOUBLE_EQ(*profile->links[1].bytes_per_s, 55.32e9);
  EXPECT_EQ(profile->links[2].from, "d0");
  EXPECT_DOUBLE_EQ(*profile->links[2].bytes_per_s, 396.1e9);
  EXPECT_NE(profile->limits[1].find("device_to_host"), std::string::npos);
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
  // SGLang's file: a number that is not finite, and keys of its own.
  const std::string sglang = with(with(kVllm, "\"inf\"", "Infinity"), "\"num_prompts\"",
                                  "\"std_itl_ms\":NaN,\"total_output_tokens_retokenized\":25590,\"num_prompts\"");
  EXPECT_EQ(import_vllm_bench(sglang)->front().tool, "sglang-bench");
  EXPECT_EQ(import_vllm_bench(sglang)->front().output_tokens_per_s, vllm->front().output_tokens_per_s);
  EXPECT_FALSE(import_vllm_bench(sglang)->front().request_rate_per_s);
  // SGLang appends a run a line.
  const std::string line = foreign_replaced(kVllm, "\n", " ");
  EXPECT_EQ(import_vllm_bench(line + "\n" + line + "\n")->size(), 2U);
  const std::string cut = line + "\n" + line.substr(0, 99);
  EXPECT_EQ(import_vllm_bench(cut).error().front().path, ":2");
  const auto aiperf = import_aiperf(kAiperf);
  ASSERT_TRUE(vllm) << vllm.error().front().message;
  ASSERT_TRUE(aiperf) << aiperf.error().front().message;
  for (const ServingMeasurement& measured : {vllm->front(), aiperf->front()}) {
    EXPECT_EQ(measured.requests, 200);
    EXPECT_DOUBLE_EQ(*measured.ttft_s, 0.080);
    EXPECT_DOUBLE_EQ(*measured.tpot_s_p99, 0.020);
    EXPECT_DOUBLE_EQ(*measured.output_tokens_per_s, 1280);
    EXPECT_DOUBLE_EQ(*measured.output_tokens, 128);
  }
  EXPECT_EQ(*vllm->front().concurrency, 16);
  EXPECT_FALSE(vllm->front().request_rate_per_s);  // "inf" is no rate
  EXPECT_EQ(*vllm->front().input_tokens, 1024);
}

TEST(Import, RecordsOfSingleRequestsAreOneMeasurement) {
  const auto read = import_aiperf_records(kAiperfRecords);
  ASSERT_TRUE(read) << read.error().front().path << " " << read.error().front().message;
  const ServingMeasurement* records = &read->front();
  EXPECT_EQ(records->requests, 4);  // neither the warm-up nor the one that failed
  EXPECT_NEAR(*records->duration_s, 2.0, 1e-6);
  EXPECT_NEAR(*records->requests_per_s, 2.0, 1e-6);
  EXPECT_NEAR(*records->output_tokens_per_s, 256, 1e-3);  // 100 + 120 + 140 + 152 tokens in 2 s
  EXPECT_DOUBLE_EQ(*records->output_tokens, 128);
  EXPECT_DOUBLE_EQ(*records->input_tokens, 1024);
  EXPECT_DOUBLE_EQ(*records->ttft_s, 0.080);
  EXPECT_DOUBLE_EQ(*records->ttft_s_p50, 0.080);
  EXPECT_DOUBLE_EQ(*records->ttft_s_p99, 0.0997);  // 90 + 0.97 * 10 ms
  EXPECT_DOUBLE_EQ(*records->tpot_s, 0.012);
  EXPECT_FALSE(records->concurrency);
}

TEST(Import, ARequestOfOneTokenHasNoTimeBetweenTokens) {
  const std::string one = with(aiperf_record(500, 600, 80, 5, 1), "inter_token_latency", "reasoning_token_count");
  const auto read = import_aiperf_records(
      kAiperfRecords + with(one, R"("unit":"ms"},"inter_chunk)", R"("unit":"tokens"},"inter_chunk)"));
  ASSERT_TRUE(read);
  const ServingMeasurement* records = &read->front();
  EXPECT_EQ(records->requests, 5);
  EXPECT_DOUBLE_EQ(*records->tpot_s, 0.012);
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
  expect_refused(import_nccl_tests(kVllm), "missing", "/config");
  expect_refused(import_nccl_tests(with(kCollective, "all_reduce_perf", "x")), "missing", "/collective");
  expect_refused(import_nccl_tests(with(kCollective, "all_reduce_perf", "x"), "times.txt"), "missing", "/collective");
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
  expect_refused(import_aiperf("{}"), "missing", "/request_throughput");
  expect_refused(import_aiperf("[]"), "wrong-type", "");
  expect_refused(import_aiperf(kVllm), "wrong-type", "/request_throughput");
  expect_refused(import_aiperf(with(kAiperf, R"("unit":"ms")", R"("unit":"s")")), "out-of-range",
                 "/time_to_first_token/unit");
}

}  // namespace
}  // namespace podwright::import_foreign_test
