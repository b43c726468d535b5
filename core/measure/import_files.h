#pragma once
/// Files that a person hands over, of any known program and of one machine: distinguished, read, and joined.
/// docs/method/probes.md#imports.
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "measure/foreign_file.h"
#include "measure/identifiers.h"
#include "measure/imported_state.h"
#include "measure/profile_file.h"

namespace podwright {

struct FileText {
  std::string name;
  std::string text;
  std::string read_as = "";  ///< a person's word on what it is, of kReadAsWords; empty: by its marks and its name
};

/// What a person may say that a file is: what wrote it, of nccl-tests also which collective.
inline constexpr std::array<std::string_view, 19> kReadAsWords = {
    "nvidia-smi",       "nvbandwidth",     "dcgm-diag",  "all_reduce",    "all_gather",
    "reduce_scatter",   "alltoall",        "sendrecv",   "broadcast",     "vllm-bench",
    "aiperf",           "aiperf-records",  "guidellm",   "inferencex",    "llm-d-report",
    "mlperf-inference", "mlperf-training", "engine-log", "engine-metrics"};

/// A file that could not be read, or does not belong to the others. It does not keep the others from being read.
struct RefusedFile {
  std::size_t place = 0;
  std::string name;
  Errors errors;                      ///< with "/<place>/text" in front
  std::vector<std::string> could_be;  ///< words of kReadAsWords with which it may be tried again
};

struct ImportedFile {
  std::string name;
  FileFormat format = FileFormat::profile;
  FileFields fields;
  std::vector<IdentifierCount> identifiers;
  ServingMeasurements serving;                  ///< of a load generator; such a file does not describe a machine
  std::optional<TrainingMeasurement> training;  ///< of a training run; neither does such a file
  std::optional<EngineFacts> engine;            ///< of a serving engine; neither does such a file

  bool of_machine() const { return serving.empty() && !training && !engine; }
};

struct ImportedFiles {
  std::vector<ImportedFile> files;
  /// Of all files that tell of a machine. Devices have the catalog's keys. What may name the machine is left out of it,
  /// so that the digest of a profile which held such is another one.
  std::optional<ReadProfile> profile;
  /// Of all logs and metrics of an engine.
  std::optional<EngineFacts> engine;
  std::vector<RefusedFile> refused;  ///< in the order of the files
};

/// Files that cannot be read are refused and the others are read; where none can, their errors are those of the whole:
/// the readers' with "/<place>/text" in front, "wrong-type" for a text of no known program with what it looks like
/// instead, "conflict" where files are of different machines or engines. "missing" for no file, "unknown-id" with the
/// path "/gpus/<place>/..." for a choice of what is not there.
Result<ImportedFiles> import_files(const Catalog& catalog, std::span<const FileText> files, const std::string& version,
                                   std::span<const ChosenGpu> gpus = {});

}  // namespace podwright
