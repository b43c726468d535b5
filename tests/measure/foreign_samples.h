#pragma once
/// Small outputs of other programs, made up in their formats.
#include <gtest/gtest.h>

#include <string>

namespace podwright {

/// A text with its first `from` replaced.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

inline const std::string kBandwidth =
    R"({"nvbandwidth":{"CUDA Runtime Version":12090,"Driver Version":"575.57","testcases":[
  {"name":"host_to_device_memcpy_ce","status":"Passed","bandwidth_matrix":[["55.40","55.32"]]},
  {"name":"device_to_device_memcpy_read_ce","status":"Passed","bandwidth_matrix":[["N/A","396.1"],["395.8","N/A"]]},
  {"name":"device_to_host_memcpy_ce","status":"Error"},
  {"name":"something_new","status":"Passed"}]}})";

inline const std::string kCollective =
    R"(# nThread 1 nGpus 8 minBytes 1024 maxBytes 1073741824 step: 2(factor) warmup iters: 5 iters: 20
# Collective test starting: all_reduce_perf
#  Rank  0 Group  0 Pid 100 on example device  0 [0x1b] NVIDIA H200
#  Rank  1 Group  0 Pid 100 on example device  1 [0x43] NVIDIA H200
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
        1024           256     float     sum      -1    15.64    0.07    0.07      0    15.70    0.07    0.07      0
     1048576        262144     float     sum      -1    25.40   41.28   41.28      0    25.60   40.96   40.96      0
   536870912     134217728     float     sum      -1   2111.0  254.32  254.32      0   2110.0  254.44  254.44      0
# Out of bounds values : 0 OK
)";

inline const std::string kLog = R"(<?xml version="1.0" ?><nvidia_smi_log><driver_version>580.65.06</driver_version>
<cuda_version>13.0</cuda_version><attached_gpus>1</attached_gpus><gpu id="00000000:1B:00.0">
<product_name>NVIDIA H200</product_name><uuid>GPU-secret-uuid</uuid><serial>1650000000000</serial>
<pci><pci_gpu_link_info><pcie_gen><max_link_gen>5</max_link_gen><current_link_gen>5</current_link_gen></pcie_gen>
<link_widths><max_link_width>16x</max_link_width><current_link_width>8x</current_link_width></link_widths>
</pci_gpu_link_info></pci><fb_memory_usage><total>143771 MiB</total><free>143153 MiB</free></fb_memory_usage>
<ecc_mode><current_ecc>Enabled</current_ecc></ecc_mode><gpu_power_readings><current_power_limit>600.00 W</current_power_limit>
<default_power_limit>700.00 W</default_power_limit></gpu_power_readings><max_clocks><sm_clock>1980 MHz</sm_clock></max_clocks>
</gpu></nvidia_smi_log>)";

inline const std::string kVllm = R"({"backend":"vllm","model_id":"example-8b","num_prompts":200,"request_rate":"inf",
  "max_concurrency":16,"duration":20.0,"completed":200,"total_input_tokens":204800,"total_output_tokens":25600,
  "request_throughput":10.0,"output_throughput":1280.0,"total_token_throughput":11520.0,"mean_ttft_ms":80.0,
  "median_ttft_ms":75.0,"p99_ttft_ms":200.0,"mean_tpot_ms":12.0,"median_tpot_ms":11.5,"p99_tpot_ms":20.0})";

inline const std::string kAiperf = R"({"request_count":{"unit":"requests","avg":200},
  "request_throughput":{"unit":"requests/sec","avg":10.0},"output_token_throughput":{"unit":"tokens/sec","avg":1280.0},
  "time_to_first_token":{"unit":"ms","avg":80.0,"p50":75.0,"p99":200.0},
  "inter_token_latency":{"unit":"ms","avg":12.0,"p50":11.5,"p99":20.0},
  "output_sequence_length":{"unit":"tokens","avg":128.0}})";

/// A request of AIPerf's profile_export.jsonl, times in ms since the first start.
inline std::string aiperf_record(int start_ms, int end_ms, double ttft_ms, double itl_ms, int tokens,
                                 const std::string& phase = "profiling") {
  const auto ns = [](int ms) { return std::to_string(1759813207000000000LL + ms * 1000000LL); };
  return R"({"metadata":{"session_num":0,"x_request_id":"7609a2e7-aa53-4ab1-98f4-f35ecafefd25","request_start_ns":)" +
         ns(start_ms) + R"(,"request_ack_ns":null,"request_end_ns":)" + ns(end_ms) +
         R"(,"worker_id":"worker_1","benchmark_phase":")" + phase +
         R"(","was_cancelled":false},"metrics":{"input_sequence_length":{"value":1024,"unit":"tokens"},)" +
         R"("time_to_first_token":{"value":)" + std::to_string(ttft_ms) +
         R"(,"unit":"ms"},"output_sequence_length":{"value":)" + std::to_string(tokens) +
         R"(,"unit":"tokens"},"inter_token_latency":{"value":)" + std::to_string(itl_ms) +
         R"(,"unit":"ms"},"inter_chunk_latency":{"value":[11.0,13.0],"unit":"ms"}},"error":null})";
}

/// Four requests in two seconds, before them a warm-up, between them one that failed.
inline const std::string kAiperfRecords =
    aiperf_record(-9000, -8000, 900, 90, 50, "warmup") + "\n" + aiperf_record(0, 1500, 60, 10, 100) + "\n" +
    aiperf_record(100, 1600, 70, 11, 120) + "\n" +
    R"({"metadata":{"request_start_ns":1759813207200000000,"request_end_ns":1759813227000000000,)"
    R"("benchmark_phase":"profiling","was_cancelled":true},"metrics":{"error_isl":{"value":550,"unit":"tokens"}},)"
    R"("error":{"code":499,"type":"RequestCancellationError","message":"cancelled"}})"
    "\n" +
    aiperf_record(300, 1900, 90, 13, 140) + "\n" + aiperf_record(400, 2000, 100, 14, 152) + "\n";

}  // namespace podwright
