#pragma once
/// What an import takes of a file, what it passes over, and what it would take were it there.
#include <string>
#include <string_view>
#include <vector>

#include "measure/foreign_file.h"

namespace podwright {

/// Names as they are in the file.
struct FileFields {
  std::vector<std::string> used;
  std::vector<std::string> ignored;
  std::vector<std::string> missing;
};

/// Of a text that the reader of its format has accepted.
FileFields fields_of(FileFormat format, std::string_view text);

// By format, next to the readers and from the same tables.
FileFields nvbandwidth_fields(std::string_view text);
FileFields nccl_tests_fields();
FileFields nvidia_smi_fields(std::string_view text);
FileFields vllm_bench_fields(std::string_view text);
FileFields aiperf_fields(std::string_view text);
FileFields aiperf_records_fields(std::string_view text);
FileFields profile_fields(const HardwareProfile& profile);

}  // namespace podwright
