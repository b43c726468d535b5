#include "measure/foreign_file.h"

#include <algorithm>

#include "base/append.h"
#include "base/json_read.h"
#include "measure/foreign_parts.h"
#include "measure/profile_file.h"

namespace podwright {
namespace {

bool holds(std::string_view text, std::string_view mark) { return text.find(mark) != std::string_view::npos; }

Error not_known(std::string message) {
  return {"wrong-type", "", std::move(message),
          "Known are profiles of podwright probe, nvbandwidth --json, nccl-tests tables, nvidia-smi -q -x, vllm bench "
          "serve --save-result, AIPerf's profile_export_aiperf.json and profile_export.jsonl, and logs and metrics of "
          "serving engines."};
}

/// Sections of a profile.
FileFields profile_fields(std::string_view text) {
  FileFields fields;
  const auto read = read_profile(text);
  if (!read) return fields;
  const HardwareProfile& profile = read->profile;
  const auto section = [&](std::string_view name, bool there) {
    (there ? fields.used : fields.missing).emplace_back(name);
  };
  section("devices", !profile.devices.empty());
  section("links", !profile.links.empty());
  const auto usable = std::count_if(profile.results.begin(), profile.results.end(),
                                    [](const ProbeResult& result) { return result.usable(); });
  const auto flagged = static_cast<std::ptrdiff_t>(profile.results.size()) - usable;
  section(usable == 0 ? "results" : std::to_string(usable) + " results", usable > 0);
  if (flagged > 0) fields.ignored.push_back(std::to_string(flagged) + " results with flags");
  section("environment.driver", !profile.environment.driver.empty());
  section("environment.cuda_runtime", !profile.environment.cuda_runtime.empty());
  section("run.started", !profile.run.started.empty());
  return fields;
}

/// What reads the files of a program: those that describe a machine, those of a load generator, or of an engine.
struct FormatReader {
  std::string_view called;
  Result<HardwareProfile> (*machine)(std::string_view text, std::string_view file_name);
  Result<ServingMeasurement> (*serving)(std::string_view text);
  FileFields (*fields)(std::string_view text);
  Result<EngineFacts> (*engine)(std::string_view text) = nullptr;
};
constexpr std::array<FormatReader, kFileFormatWords.size()> kReaders{
    {{"a profile of podwright probe", nullptr, nullptr, profile_fields},
     {"nvbandwidth --json", [](std::string_view text, std::string_view) { return import_nvbandwidth(text); }, nullptr,
      nvbandwidth_fields},
     {"an nccl-tests program", import_nccl_tests, nullptr, nccl_tests_fields},
     {"nvidia-smi -q -x", [](std::string_view text, std::string_view) { return import_nvidia_smi(text); }, nullptr,
      nvidia_smi_fields},
     {"vllm bench serve --save-result", nullptr, import_vllm_bench, vllm_bench_fields},
     {"AIPerf (profile_export_aiperf.json)", nullptr, import_aiperf, aiperf_fields},
     {"AIPerf's records of single requests (profile_export.jsonl)", nullptr, import_aiperf_records,
      aiperf_records_fields},
     {"the log of a serving engine's start", nullptr, nullptr, engine_log_fields, import_engine_log},
     {"the metrics of a serving engine", nullptr, nullptr, engine_metrics_fields, import_engine_metrics}}};

const FormatReader& reader_of(FileFormat format) { return kReaders.begin()[static_cast<std::size_t>(format)]; }

/// The first that gives a fact counts.
template <class Fact>
void take(Fact& fact, const Fact& other) {
  if (fact == Fact{}) fact = other;
}

void join_device(ProfileDevice& device, const ProfileDevice& other) {
  take(device.name, other.name);
  take(device.vbios, other.vbios);
  take(device.pci_bus_id, other.pci_bus_id);
  take(device.virtualization, other.virtualization);
  take(device.ecc, other.ecc);
  for (const auto fact :
       {&ProfileDevice::sm_clock_max_hz, &ProfileDevice::power_limit_w, &ProfileDevice::power_limit_default_w,
        &ProfileDevice::pcie_generation, &ProfileDevice::pcie_width, &ProfileDevice::pcie_generation_max,
        &ProfileDevice::pcie_width_max, &ProfileDevice::memory_total_gib, &ProfileDevice::memory_free_gib})
    take(device.*fact, other.*fact);
}

void join_environment(ProfileEnvironment& environment, const ProfileEnvironment& other) {
  take(environment.driver, other.driver);
  take(environment.cuda_driver, other.cuda_driver);
  take(environment.cuda_runtime, other.cuda_runtime);
  take(environment.nccl, other.nccl);
}

}  // namespace

std::optional<FileFormat> format_of(std::string_view text) {
  const std::string_view body = trimmed(text);
  if (!body.empty() && body.front() == '{') {
    // A kept import names its program, so that the marks of a profile come first.
    if (holds(body, "podwright-profile/") || holds(body, "\"integrity\"")) return FileFormat::profile;
    if (holds(body, "\"nvbandwidth\"")) return FileFormat::nvbandwidth;
    if (holds(body, "\"request_start_ns\"")) return FileFormat::aiperf_records;
    if (holds(body, "\"inter_token_latency\"") || holds(body, "\"output_token_throughput\"")) return FileFormat::aiperf;
    if (holds(body, "_ttft_ms\"") || holds(body, "\"total_output_tokens\"")) return FileFormat::vllm_bench;
    // Whatever else is JSON is read as a profile, whose reader says what is wrong with it.
    return FileFormat::profile;
  }
  if (holds(body, "nvidia_smi_log")) return FileFormat::nvidia_smi;
  if (looks_like_engine_metrics(body)) return FileFormat::engine_metrics;
  if (looks_like_engine_log(body)) return FileFormat::engine_log;
  if (holds(body, "busbw") || holds(body, "nccl-tests") || holds(body, "# nThread")) return FileFormat::nccl_tests;
  return std::nullopt;
}

Result<MachineFile> read_machine_file(std::string_view text, std::string_view file_name,
                                      std::optional<FileFormat> format) {
  if (!format) format = format_of(text);
  if (!format) return failure(not_known(trimmed(text).empty() ? "The file is empty." : "No known program wrote this."));
  if (is_of_load_generator(*format) || is_of_engine(*format))
    return failure(
        not_known("This is of a serving engine, which does not describe a machine: import it by itself, with the "
                  "request of its deployment."));
  if (*format != FileFormat::profile) {
    auto imported = reader_of(*format).machine(text, file_name);
    if (!imported) return failure(imported.error());
    std::vector<GpuReading> readings;
    if (*format == FileFormat::nvidia_smi) readings = nvidia_smi_readings(text);
    return MachineFile{std::move(*imported), *format, "", std::move(readings)};
  }
  auto read = read_profile(text);
  if (!read) return failure(read.error());
  return MachineFile{std::move(read->profile), FileFormat::profile, std::move(read->digest), {}};
}

Result<ServingMeasurement> read_serving_file(std::string_view text, std::optional<FileFormat> format) {
  if (!format) format = format_of(text);
  if (!format || !is_of_load_generator(*format))
    return failure(not_known("This is not a measurement of a serving engine."));
  return reader_of(*format).serving(text);
}

Result<EngineFacts> read_engine_file(std::string_view text, std::optional<FileFormat> format) {
  if (!format) format = format_of(text);
  if (!format || !is_of_engine(*format)) return failure(not_known("No serving engine wrote this."));
  return reader_of(*format).engine(text);
}

FileFields fields_of(FileFormat format, std::string_view text) { return reader_of(format).fields(text); }

std::string_view called(FileFormat format) { return reader_of(format).called; }

Result<HardwareProfile> joined_imports(std::span<const HardwareProfile> profiles) {
  if (profiles.empty()) return failure({"missing", "", "There is no file to join.", ""});
  HardwareProfile joined = profiles.front();
  for (std::size_t i = 1; i < profiles.size(); ++i) {
    const HardwareProfile& other = profiles[i];
    for (const ProfileDevice& device : other.devices) {
      const auto same = std::find_if(joined.devices.begin(), joined.devices.end(),
                                     [&](const ProfileDevice& one) { return one.id == device.id; });
      if (same == joined.devices.end()) {
        joined.devices.push_back(device);
        continue;
      }
      if (!same->name.empty() && !device.name.empty() && same->name != device.name)
        return failure(
            {"conflict", "/" + std::to_string(i),
             "Device " + device.id + " is \"" + same->name + "\" in one file and \"" + device.name + "\" in this one.",
             "Join files of one machine only."});
      join_device(*same, device);
    }
    join_environment(joined.environment, other.environment);
    append(joined.links, other.links);
    append(joined.results, other.results);
    for (const std::string& limit : other.limits)
      if (std::find(joined.limits.begin(), joined.limits.end(), limit) == joined.limits.end())
        joined.limits.push_back(limit);
    if (joined.run.backend.find(other.run.backend) == std::string::npos) joined.run.backend += "+" + other.run.backend;
  }
  return joined;
}

}  // namespace podwright
