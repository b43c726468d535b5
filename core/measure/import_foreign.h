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

/// nvbandwidth --json: rates of links between host and devices and between devices, and every other test that passed as
/// rows "nvbandwidth.<test>". Error paths are JSON Pointers.
Result<HardwareProfile> import_nvbandwidth(std::string_view text);
FileFields nvbandwidth_fields(std::string_view text);

/// The printed table of an nccl-tests program, or the JSON file of -J, of one node or several: times of one collective
/// by message size, out of place. Which collective is in the text, else, as older versions print it nowhere, in the
/// name of the file: "all_reduce_perf.txt". Error paths are ":<line>", of JSON pointers.
Result<HardwareProfile> import_nccl_tests(std::string_view text, std::string_view file_name = "");
FileFields nccl_tests_fields(std::string_view text);

/// nvidia-smi -q -x: devices with memory, clocks, limits and links. Serial numbers and UUIDs are passed over. Error
/// paths are the names of elements: "/nvidia_smi_log/gpu/0/product_name".
Result<HardwareProfile> import_nvidia_smi(std::string_view text);
/// What the log says of the state of each device, in the order of the devices: health_check.h judges it.
std::vector<GpuReading> nvidia_smi_readings(std::string_view text);
FileFields nvidia_smi_fields(std::string_view text);

/// dcgmi diag -j, DCGM 2 to 4: a check of each device for each test. Error paths are JSON Pointers.
Result<HardwareProfile> import_dcgm_diag(std::string_view text);
FileFields dcgm_diag_fields(std::string_view text);

/// What a load generator measured at a serving engine in one run; what the file does not say is absent.
struct ServingMeasurement {
  std::string tool;  ///< vllm-bench, sglang-bench, aiperf, genai-perf, guidellm, inferencex, llm-d, mlperf-inference
  std::string model;
  std::optional<double> concurrency;
  std::optional<double> request_rate_per_s;
  std::optional<double> requests;  ///< completed
  std::optional<double> duration_s;
  std::optional<double> requests_per_s;
  std::optional<double> output_tokens_per_s;
  std::optional<double> total_tokens_per_s;
  std::optional<double> output_tokens_per_s_per_gpu;
  std::optional<double> input_tokens;   ///< mean per request
  std::optional<double> output_tokens;  ///< mean per request
  std::optional<double> ttft_s;         ///< mean
  std::optional<double> ttft_s_p50;
  std::optional<double> ttft_s_p99;
  std::optional<double> tpot_s;  ///< mean time per output token after the first
  std::optional<double> tpot_s_p50;
  std::optional<double> tpot_s_p99;
  bool as_fast_as_it_can = false;  ///< all requests were sent at once
  // Of the deployment, where the file says it, as it is written there.
  std::string gpu;
  std::string engine;
  std::string engine_version;
  std::string precision;
  std::string kv_precision;
  bool disaggregated = false;
  std::optional<double> gpus;
  std::optional<double> tensor;
  std::optional<double> pipeline;
  std::optional<double> expert;
  std::optional<double> attention_data;
  std::string note;  ///< what must be known of it, a sentence; may be empty
};
using ServingMeasurements = std::vector<ServingMeasurement>;  ///< of one file, never empty

/// vllm bench serve --save-result, and SGLang's bench_serving, whose keys are the same and whose file has a run a line.
/// Error paths are JSON Pointers, of several lines with ":<line>" in front.
Result<ServingMeasurements> import_vllm_bench(std::string_view text);
FileFields vllm_bench_fields(std::string_view text);
/// AIPerf's profile_export_aiperf.json, and profile_export_genai_perf.json of its predecessor.
Result<ServingMeasurements> import_aiperf(std::string_view text);
FileFields aiperf_fields(std::string_view text);
/// AIPerf's records of single requests, profile_export.jsonl. Error paths start with ":<line>"; those of the whole text
/// are empty.
Result<ServingMeasurements> import_aiperf_records(std::string_view text);
FileFields aiperf_records_fields(std::string_view text);
/// guidellm's benchmarks.json, a run for each load.
Result<ServingMeasurements> import_guidellm(std::string_view text);
FileFields guidellm_fields(std::string_view text);
/// Records of InferenceX (InferenceMAX): one, or a list of them.
Result<ServingMeasurements> import_inferencex(std::string_view text);
FileFields inferencex_fields(std::string_view text);
/// The benchmark report of llm-d, versions 0.1 and 0.2, as JSON.
Result<ServingMeasurements> import_llm_d_report(std::string_view text);
FileFields llm_d_report_fields(std::string_view text);
/// mlperf_log_summary.txt, or mlperf_log_detail.txt, of MLPerf's load generator. Error paths are ":<line>".
Result<ServingMeasurements> import_mlperf_inference(std::string_view text);
FileFields mlperf_inference_fields(std::string_view text);

}  // namespace podwright
