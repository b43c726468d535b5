#pragma once
/// Which program wrote a file, identified by its content, and files of one machine as one profile.
/// docs/method/probes.md#imports.
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "measure/engine_facts.h"
#include "measure/import_foreign.h"
#include "measure/training_measurement.h"

namespace podwright {

enum class FileFormat {
  profile,
  nvbandwidth,
  nccl_tests,
  nvidia_smi,
  dcgm_diag,
  vllm_bench,
  aiperf,
  aiperf_records,
  guidellm,
  inferencex,
  llm_d_report,
  mlperf_inference,
  mlperf_training,
  engine_log,
  engine_metrics
};
inline constexpr std::array<std::string_view, 15> kFileFormatWords = {
    "profile",      "nvbandwidth",      "nccl-tests",      "nvidia-smi", "dcgm-diag",
    "vllm-bench",   "aiperf",           "aiperf-records",  "guidellm",   "inferencex",
    "llm-d-report", "mlperf-inference", "mlperf-training", "engine-log", "engine-metrics"};

/// Of a serving engine; such a file does not describe a machine.
constexpr bool is_of_engine(FileFormat format) { return format >= FileFormat::engine_log; }
/// Of a load generator; neither does such a file.
constexpr bool is_of_load_generator(FileFormat format) {
  return format >= FileFormat::vllm_bench && format <= FileFormat::mlperf_inference;
}
/// Of a training run; neither does such a file.
constexpr bool is_of_training(FileFormat format) { return format == FileFormat::mlperf_training; }

/// For messages about files that no reader knows.
inline constexpr std::string_view kKnownFiles =
    "Known are profiles of podwright probe, nvbandwidth --json, nccl-tests tables and JSON files, nvidia-smi -q -x, "
    "dcgmi diag -j, vllm bench serve --save-result, SGLang's bench serving, AIPerf, GenAI-Perf, guidellm, InferenceX, "
    "llm-d's benchmark report as JSON, MLPerf logs, and start-up logs and metrics of serving engines.";

/// How people call what a program writes: "nvbandwidth --json".
std::string_view called(FileFormat format);

/// By the marks that each program writes; a damaged file may still show them. Absent where none is there.
std::optional<FileFormat> format_of(std::string_view text);

struct MachineFile {
  HardwareProfile profile;
  FileFormat format = FileFormat::profile;
  std::string digest;                ///< of profiles; empty of imported files
  std::vector<GpuReading> readings;  ///< of the devices in their order; empty of files that tell of no state
};
/// A profile, or what nvbandwidth, nccl-tests and nvidia-smi wrote. Errors: those of the readers; wrong-type with the
/// path "" for a serving measurement, which holds no machine, and for a text of no known program. The name says what
/// the text leaves out. `format` is that of the text's marks where it is not given.
Result<MachineFile> read_machine_file(std::string_view text, std::string_view file_name = "",
                                      std::optional<FileFormat> format = std::nullopt);

/// What a load generator measured, a run or several. Errors: those of the readers, and wrong-type for another file.
Result<ServingMeasurements> read_serving_file(std::string_view text, std::optional<FileFormat> format = std::nullopt);

/// What a training run measured. Errors likewise.
Result<TrainingMeasurement> read_training_file(std::string_view text, std::optional<FileFormat> format = std::nullopt);

/// What a serving engine says of itself. Errors: those of the readers, and wrong-type for another file.
Result<EngineFacts> read_engine_file(std::string_view text, std::optional<FileFormat> format = std::nullopt);

FileFields fields_of(FileFormat format, std::string_view text);

/// Imported files of one machine: devices of the same id are one, of which the first file that gives a fact counts;
/// links, results and limits of all. Errors: "missing" for no file; "conflict" with the path "/<place>" where two files
/// name a device differently.
Result<HardwareProfile> joined_imports(std::span<const HardwareProfile> profiles);

}  // namespace podwright
