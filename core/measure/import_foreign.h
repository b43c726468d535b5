#pragma once
/// Results of other programs as profiles, and which fields of their files are taken. What a file does not give stays
/// unknown, and `limits` names it; nothing of an imported profile has a confidence interval.
/// docs/method/probes.md#imports.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "measure/health_reading.h"
#include "measure/profile.h"

namespace podwright {

/// What an import takes of a file, what it passes over, and what it would take were it there; names as they are in the
/// file, which its reader has accepted.
struct FileFields {
  std::vector<std::string> used;
  std::vector<std::string> ignored;
  std::vector<std::string> missing;
};

/// nvbandwidth --json: rates of links between host and devices and between devices. Error paths are JSON Pointers.
Result<HardwareProfile> import_nvbandwidth(std::string_view text);
FileFields nvbandwidth_fields(std::string_view text);

/// The printed table of an nccl-tests program (one node or several): times of one collective by message size, out of
/// place. Which collective is in the text, else, as older versions print it nowhere, in the name of the file:
/// "all_reduce_perf.txt". Error paths are ":<line>".
Result<HardwareProfile> import_nccl_tests(std::string_view text, std::string_view file_name = "");
FileFields nccl_tests_fields(std::string_view text);

/// nvidia-smi -q -x: devices with memory, clocks, limits and links. Serial numbers and UUIDs are passed over. Error
/// paths are the names of elements: "/nvidia_smi_log/gpu/0/product_name".
Result<HardwareProfile> import_nvidia_smi(std::string_view text);
/// What the log says of the state of each device, in the order of the devices: health_check.h judges it.
std::vector<GpuReading> nvidia_smi_readings(std::string_view text);
FileFields nvidia_smi_fields(std::string_view text);

/// What a load generator measured at a serving engine.
struct ServingMeasurement {
  std::string tool;  ///< vllm-bench, sglang-bench, aiperf
  std::string model;
  std::optional<double> concurrency;
  std::optional<double> request_rate_per_s;
  double requests = 0;  ///< completed
  std::optional<double> duration_s;
  double requests_per_s = 0;
  double output_tokens_per_s = 0;
  std::optional<double> total_tokens_per_s;
  std::optional<double> input_tokens;   ///< mean per request
  std::optional<double> output_tokens;  ///< mean per request
  double ttft_s = 0;                    ///< mean
  std::optional<double> ttft_s_p50;
  std::optional<double> ttft_s_p99;
  double tpot_s = 0;  ///< mean time per output token after the first
  std::optional<double> tpot_s_p50;
  std::optional<double> tpot_s_p99;
};

/// vllm bench serve --save-result, and SGLang's bench_serving, whose keys are the same.
Result<ServingMeasurement> import_vllm_bench(std::string_view text);
FileFields vllm_bench_fields(std::string_view text);
/// AIPerf's profile_export_aiperf.json.
Result<ServingMeasurement> import_aiperf(std::string_view text);
FileFields aiperf_fields(std::string_view text);
/// AIPerf's records of single requests, profile_export.jsonl. Error paths start with ":<line>"; those of the whole text
/// are empty.
Result<ServingMeasurement> import_aiperf_records(std::string_view text);
FileFields aiperf_records_fields(std::string_view text);

}  // namespace podwright
