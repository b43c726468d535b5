#include "measure/foreign_file.h"

#include <algorithm>

#include "base/append.h"
#include "base/json_read.h"
#include "measure/foreign_parts.h"
#include "measure/profile_file.h"
#include "measure/profile_merge.h"

namespace podwright {
namespace {

bool holds(std::string_view text, std::string_view mark) { return text.find(mark) != std::string_view::npos; }

Error not_known(std::string message) { return {"wrong-type", "", std::move(message), std::string(kKnownFiles)}; }

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
  Result<ServingMeasurements> (*serving)(std::string_view text);
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
     {"dcgmi diag -j", [](std::string_view text, std::string_view) { return import_dcgm_diag(text); }, nullptr,
      dcgm_diag_fields},
     {"vllm bench serve --save-result", nullptr, import_vllm_bench, vllm_bench_fields},
     {"AIPerf (profile_export_aiperf.json)", nullptr, import_aiperf, aiperf_fields},
     {"AIPerf's records of single requests (profile_export.jsonl)", nullptr, import_aiperf_records,
      aiperf_records_fields},
     {"guidellm (benchmarks.json)", nullptr, import_guidellm, guidellm_fields},
     {"a record of InferenceX", nullptr, import_inferencex, inferencex_fields},
     {"the benchmark report of llm-d", nullptr, import_llm_d_report, llm_d_report_fields},
     {"MLPerf's load generator", nullptr, import_mlperf_inference, mlperf_inference_fields},
     {"the result of an MLPerf training run", nullptr, nullptr, mlperf_training_fields},
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

/// Software of which two files of one machine say different versions: one is older than the other, or of another
/// machine.
std::vector<std::string> version_conflicts(const ProfileEnvironment& a, const ProfileEnvironment& b) {
  std::vector<std::string> conflicts;
  for (const auto& [name, member] :
       {std::pair{"driver", &ProfileEnvironment::driver}, {"NCCL", &ProfileEnvironment::nccl}})
    if (!(a.*member).empty() && !(b.*member).empty() && a.*member != b.*member)
      conflicts.push_back("The files name two versions of the " + std::string(name) + ": " + a.*member + " and " +
                          b.*member + ". Were they written on one machine, without an update between them?");
  return conflicts;
}

/// Whether a result or a link of one is in the other as well.
bool measures_again(const HardwareProfile& joined, const HardwareProfile& other) {
  return std::any_of(other.results.begin(), other.results.end(),
                     [&](const ProbeResult& one) {
                       return std::any_of(joined.results.begin(), joined.results.end(),
                                          [&](const ProbeResult& known) { return same_measurement(one, known); });
                     }) ||
         std::any_of(other.links.begin(), other.links.end(), [&](const ProfileLink& one) {
           return std::any_of(joined.links.begin(), joined.links.end(), [&](const ProfileLink& known) {
             return one.from == known.from && one.to == known.to && one.type == known.type;
           });
         });
}

void join_environment(ProfileEnvironment& environment, const ProfileEnvironment& other) {
  take(environment.driver, other.driver);
  take(environment.cuda_driver, other.cuda_driver);
  take(environment.cuda_runtime, other.cuda_runtime);
  take(environment.nccl, other.nccl);
}

}  // namespace

namespace {

/// A mark of a format, and one that must be there as well; the first that fits decides.
struct FormatMark {
  FileFormat format;
  std::string_view mark;
  std::string_view and_mark = "";
};
// A kept import names its program, so that the marks of a profile come first.
constexpr FormatMark kJsonFormats[] = {
    {FileFormat::profile, "podwright-profile/"},
    {FileFormat::profile, "\"integrity\""},
    {FileFormat::nccl_tests, "\"bus_bw\""},
    {FileFormat::nccl_tests, "\"average_bus_bandwidth\""},
    {FileFormat::dcgm_diag, "\"DCGM Diagnostic\""},
    {FileFormat::dcgm_diag, "\"DCGM GPU Diagnostic\""},
    {FileFormat::nvbandwidth, "\"nvbandwidth\""},  // DCGM has a test of this name
    {FileFormat::aiperf_records, "\"request_start_ns\""},
    {FileFormat::guidellm, "\"benchmarks\"", "_token_ms\""},
    {FileFormat::guidellm, "\"benchmarks\"", "guidellm"},
    {FileFormat::llm_d_report, "\"request_performance\""},
    {FileFormat::llm_d_report, "\"normalized_time_per_output_token\""},
    {FileFormat::inferencex, "\"hw\"", "\"conc\""},
    {FileFormat::aiperf, "\"inter_token_latency\""},
    {FileFormat::aiperf, "\"output_token_throughput\""},
    {FileFormat::vllm_bench, "_ttft_ms\""},
    {FileFormat::vllm_bench, "\"total_output_tokens\""},
};
constexpr FormatMark kTextFormats[] = {
    {FileFormat::nvidia_smi, "nvidia_smi_log"},
    {FileFormat::mlperf_inference, "MLPerf Results Summary"},
    {FileFormat::mlperf_training, ":::MLLOG", "\"submission_benchmark\""},
    {FileFormat::mlperf_training, ":::MLLOG", "\"run_start\""},
    {FileFormat::mlperf_inference, ":::MLLOG"},
};

std::optional<FileFormat> format_marked(std::string_view body, std::span<const FormatMark> marks) {
  for (const FormatMark& one : marks)
    if (holds(body, one.mark) && (one.and_mark.empty() || holds(body, one.and_mark))) return one.format;
  return std::nullopt;
}

}  // namespace

std::optional<FileFormat> format_of(std::string_view text) {
  const std::string_view body = trimmed(text);
  // Whatever else is JSON is read as a profile, whose reader says what is wrong with it.
  if (!body.empty() && body.front() == '{') return format_marked(body, kJsonFormats).value_or(FileFormat::profile);
  if (!body.empty() && body.front() == '[' && format_marked(body, kJsonFormats) == FileFormat::inferencex)
    return FileFormat::inferencex;
  if (const auto format = format_marked(body, kTextFormats)) return format;
  if (looks_like_engine_metrics(body)) return FileFormat::engine_metrics;
  if (looks_like_engine_log(body)) return FileFormat::engine_log;
  if (holds(body, "busbw") || holds(body, "nccl-tests") || holds(body, "# nThread")) return FileFormat::nccl_tests;
  return std::nullopt;
}

Result<MachineFile> read_machine_file(std::string_view text, std::string_view file_name,
                                      std::optional<FileFormat> format) {
  if (!format) format = format_of(text);
  if (!format) return failure(not_known(trimmed(text).empty() ? "The file is empty." : "No known program wrote this."));
  if (is_of_training(*format))
    return failure(
        not_known("This is of a training run, which does not describe a machine: import --rows makes a row of "
                  "it."));
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

Result<ServingMeasurements> read_serving_file(std::string_view text, std::optional<FileFormat> format) {
  if (!format) format = format_of(text);
  if (!format || !is_of_load_generator(*format))
    return failure(not_known("This is not a measurement of a serving engine."));
  return reader_of(*format).serving(text);
}

Result<TrainingMeasurement> read_training_file(std::string_view text, std::optional<FileFormat> format) {
  if (!format) format = format_of(text);
  if (!format || !is_of_training(*format)) return failure(not_known("This is not a measurement of a training run."));
  return import_mlperf_training(text);
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
    for (std::string& difference : version_conflicts(joined.environment, other.environment))
      joined.limits.push_back(std::move(difference));
    join_environment(joined.environment, other.environment);
    if (measures_again(joined, other))
      joined.limits.push_back("Several files of " + other.run.backend +
                              " measured the same: of each figure the slowest is judged.");
    append(joined.links, other.links);
    append(joined.results, other.results);
    append(joined.health_checks, other.health_checks);
    for (const std::string& limit : other.limits)
      if (std::find(joined.limits.begin(), joined.limits.end(), limit) == joined.limits.end())
        joined.limits.push_back(limit);
    if (joined.run.backend.find(other.run.backend) == std::string::npos) joined.run.backend += "+" + other.run.backend;
  }
  return joined;
}

}  // namespace podwright
