#include <algorithm>
#include <array>
#include <vector>

#include "measure/foreign_parts.h"
#include "measure/import_foreign.h"

namespace podwright {
namespace {

constexpr ForeignProgram kNvidiaSmi{"nvidia-smi -q -x"};

/// Inner text of the first element of this name; absent where there is none or its end is missing.
std::optional<std::string_view> element(std::string_view xml, std::string_view name) {
  const std::string open = "<" + std::string(name);
  const std::string close = "</" + std::string(name) + ">";
  for (std::size_t begin = xml.find(open); begin != std::string_view::npos; begin = xml.find(open, begin + 1)) {
    const std::size_t behind = begin + open.size();
    if (behind >= xml.size() || (xml[behind] != '>' && xml[behind] != ' ')) continue;
    const std::size_t start = xml.find('>', behind);
    const std::size_t end = xml.find(close, behind);
    if (start == std::string_view::npos || end == std::string_view::npos || end < start) return std::nullopt;
    return xml.substr(start + 1, end - start - 1);
  }
  return std::nullopt;
}

/// The element at a path of names, outermost first: "fb_memory_usage/total".
std::optional<std::string_view> inside(std::string_view xml, std::string_view path) {
  const std::size_t step = path.find('/');
  const auto found = element(xml, path.substr(0, step));
  return found && step != std::string_view::npos ? inside(*found, path.substr(step + 1)) : found;
}

/// "81559 MiB", "700.00 W", "1980 MHz", "4", "16x": the number in front, times `scale`; absent for "N/A".
std::optional<double> amount(std::optional<std::string_view> text, double scale) {
  if (!text) return std::nullopt;
  const std::string_view whole = trimmed(*text);
  const auto value = number_of_text(whole.substr(0, whole.find_first_not_of("0123456789.+-")));
  return value && is_tellable(*value * scale) ? std::optional<double>(*value * scale) : std::nullopt;
}

std::string text_or_empty(std::optional<std::string_view> text) {
  if (!text) return "";
  const std::string_view value = trimmed(*text);
  return value == "N/A" ? "" : std::string(value);
}

/// "Yes", "Active", "Enabled"; absent for "N/A" and what says neither.
std::optional<bool> yes_or_no(std::optional<std::string_view> text) {
  const std::string_view word = text ? trimmed(*text) : std::string_view();
  for (const char* yes : {"Yes", "Active", "Enabled", "True"})
    if (word == yes) return true;
  for (const char* no : {"No", "Not Active", "Disabled", "False"})
    if (word == no) return false;
  return std::nullopt;
}

/// A number of a device, in the unit of the profile; of several paths to it, which drivers of other years write, the
/// first that is there counts.
struct DeviceNumber {
  std::string_view path;
  double scale;
  std::optional<double> ProfileDevice::*member;
  std::string_view older = "";
};
constexpr std::array<DeviceNumber, 9> kNumbers{{
    {"fb_memory_usage/total", 1.0 / 1024, &ProfileDevice::memory_total_gib},
    {"fb_memory_usage/free", 1.0 / 1024, &ProfileDevice::memory_free_gib},
    {"max_clocks/sm_clock", 1e6, &ProfileDevice::sm_clock_max_hz},
    {"gpu_power_readings/current_power_limit", 1, &ProfileDevice::power_limit_w, "power_readings/enforced_power_limit"},
    {"gpu_power_readings/default_power_limit", 1, &ProfileDevice::power_limit_default_w,
     "power_readings/default_power_limit"},
    {"pcie_gen/current_link_gen", 1, &ProfileDevice::pcie_generation},
    {"pcie_gen/max_link_gen", 1, &ProfileDevice::pcie_generation_max},
    {"link_widths/current_link_width", 1, &ProfileDevice::pcie_width},
    {"link_widths/max_link_width", 1, &ProfileDevice::pcie_width_max},
}};
constexpr std::array<std::string_view, 3> kTexts{"product_name", "vbios_version", "ecc_mode/current_ecc"};

struct HeatNumber {
  std::string_view path;
  std::optional<double> GpuHeat::*member;
};
constexpr std::array<HeatNumber, 8> kHeat{{{"temperature/gpu_temp", &GpuHeat::now},
                                           {"temperature/gpu_temp_max_gpu_threshold", &GpuHeat::continuous},
                                           {"temperature/gpu_temp_slow_threshold", &GpuHeat::slowdown},
                                           {"temperature/gpu_temp_max_threshold", &GpuHeat::shutdown},
                                           {"temperature/gpu_temp_tlimit", &GpuHeat::margin},
                                           {"temperature/gpu_temp_slow_tlimit_threshold", &GpuHeat::slowdown_margin},
                                           {"temperature/memory_temp", &GpuHeat::memory},
                                           {"temperature/gpu_temp_max_mem_threshold", &GpuHeat::memory_most}}};

/// Drivers before R530 call events throttling.
struct ReasonFlag {
  std::string_view name;
  std::optional<bool> ClockReasons::*member;
};
constexpr std::array<ReasonFlag, 7> kReasons{{{"gpu_idle", &ClockReasons::idle},
                                              {"sw_power_cap", &ClockReasons::power_cap},
                                              {"applications_clocks_setting", &ClockReasons::clocks_set},
                                              {"hw_slowdown", &ClockReasons::hw_slowdown},
                                              {"hw_thermal_slowdown", &ClockReasons::hw_thermal},
                                              {"hw_power_brake_slowdown", &ClockReasons::power_brake},
                                              {"sw_thermal_slowdown", &ClockReasons::sw_thermal}}};

std::optional<bool> reason_flag(std::string_view gpu, std::string_view name) {
  const auto flag = [&](const std::string& word) {
    return yes_or_no(inside(gpu, "clocks_" + word + "_reasons/clocks_" + word + "_reason_" + std::string(name)));
  };
  const auto now = flag("event");
  return now ? now : flag("throttle");
}

struct MemoryFlag {
  std::string_view path;
  std::optional<bool> GpuMemoryState::*member;
};
constexpr std::array<MemoryFlag, 4> kMemoryFlags{
    {{"ecc_errors/aggregate/sram_threshold_exceeded", &GpuMemoryState::sram_threshold},
     {"remapped_rows/remapped_row_pending", &GpuMemoryState::remap_pending},
     {"remapped_rows/remapped_row_failure", &GpuMemoryState::remap_failed},
     {"retired_pages/pending_retirement", &GpuMemoryState::retirement_pending}}};

/// Counts that are added up: errors of memory and of what is on the chip, which drivers of other years name otherwise.
struct MemorySum {
  std::optional<double> GpuMemoryState::*member;
  std::array<std::string_view, 5> paths;
};
constexpr std::array<MemorySum, 5> kMemorySums{
    {{&GpuMemoryState::uncorrectable,
      {"ecc_errors/volatile/dram_uncorrectable", "ecc_errors/volatile/sram_uncorrectable",
       "ecc_errors/volatile/sram_uncorrectable_parity", "ecc_errors/volatile/sram_uncorrectable_secded",
       "ecc_errors/volatile/double_bit/total"}},
     {&GpuMemoryState::uncorrectable_ever,
      {"ecc_errors/aggregate/dram_uncorrectable", "ecc_errors/aggregate/sram_uncorrectable",
       "ecc_errors/aggregate/sram_uncorrectable_parity", "ecc_errors/aggregate/sram_uncorrectable_secded",
       "ecc_errors/aggregate/double_bit/total"}},
     {&GpuMemoryState::corrected,
      {"ecc_errors/volatile/dram_correctable", "ecc_errors/volatile/sram_correctable",
       "ecc_errors/volatile/single_bit/total", "", ""}},
     {&GpuMemoryState::remapped_rows,
      {"remapped_rows/remapped_row_corr", "remapped_rows/remapped_row_unc", "", "", ""}},
     {&GpuMemoryState::retired_pages,
      {"retired_pages/multiple_single_bit_retirement/retired_count",
       "retired_pages/double_bit_retirement/retired_count", "", "", ""}}}};

/// Other paths of what is judged, for the list of what was used.
constexpr std::string_view kStatePaths[] = {"persistence_mode",
                                            "mig_mode/current_mig",
                                            "mig_mode/pending_mig",
                                            "ecc_mode/pending_ecc",
                                            "clocks/sm_clock",
                                            "remapped_rows/row_remapper_histogram/row_remapper_histogram_max",
                                            "gpu_recovery_action",
                                            "gpu_reset_status/reset_required",
                                            "gpu_virtualization_mode/virtualization_mode",
                                            "fabric/state",
                                            "fabric/status"};

std::optional<double> device_number(std::string_view gpu, const DeviceNumber& number) {
  const auto value = amount(inside(gpu, number.path), number.scale);
  return value || number.older.empty() ? value : amount(inside(gpu, number.older), number.scale);
}

void read_device(std::string_view gpu, ProfileDevice& device) {
  device.name = text_or_empty(element(gpu, kTexts[0]));
  device.vbios = text_or_empty(element(gpu, kTexts[1]));
  for (const DeviceNumber& number : kNumbers) device.*number.member = device_number(gpu, number);
  device.ecc = yes_or_no(inside(gpu, kTexts[2]));
  const std::string virtualization = text_or_empty(inside(gpu, "gpu_virtualization_mode/virtualization_mode"));
  device.virtualization = virtualization == "None"           ? "none"
                          : virtualization == "Pass-Through" ? "passthrough"
                          : virtualization == "VGPU"         ? "vgpu"
                                                             : "";
}

GpuMemoryState memory_state(std::string_view gpu) {
  GpuMemoryState memory;
  for (const MemoryFlag& flag : kMemoryFlags) memory.*flag.member = yes_or_no(inside(gpu, flag.path));
  for (const MemorySum& sum : kMemorySums)
    for (const std::string_view path : sum.paths)
      if (const auto count = path.empty() ? std::nullopt : amount(inside(gpu, path), 1))
        memory.*sum.member = (memory.*sum.member).value_or(0) + *count;
  return memory;
}

std::optional<RemapBanks> remap_banks(std::string_view gpu) {
  const auto histogram = inside(gpu, "remapped_rows/row_remapper_histogram");
  const auto banks = [&](const char* name) {
    return histogram ? amount(inside(*histogram, "row_remapper_histogram_" + std::string(name)), 1) : std::nullopt;
  };
  const auto most = banks("max");
  if (!most) return std::nullopt;
  return RemapBanks{*most, banks("high").value_or(0), banks("partial").value_or(0), banks("low").value_or(0),
                    banks("none").value_or(0)};
}

/// Microseconds in which heat or the power supply slowed the clocks.
std::optional<double> slowed(std::string_view gpu) {
  constexpr double kMicrosecond = 1e-6;
  std::optional<double> sum;
  for (const char* name : {"hw_therm_slowdown", "hw_power_brake"})
    if (const auto time =
            amount(inside(gpu, "clocks_event_reasons_counters/clocks_event_reasons_counters_" + std::string(name)),
                   kMicrosecond))
      sum = sum.value_or(0) + *time;
  return sum;
}

GpuReading read_state(std::string_view gpu) {
  GpuReading reading;
  reading.memory = memory_state(gpu);
  reading.remap_banks = remap_banks(gpu);
  for (const HeatNumber& number : kHeat) reading.heat.*number.member = amount(inside(gpu, number.path), 1);
  for (const ReasonFlag& flag : kReasons) reading.reasons.*flag.member = reason_flag(gpu, flag.name);
  reading.reasons.slowed_s = slowed(gpu);
  reading.sm_clock_hz = amount(inside(gpu, "clocks/sm_clock"), 1e6);
  reading.persistence = yes_or_no(element(gpu, "persistence_mode"));
  reading.ecc_next = yes_or_no(inside(gpu, "ecc_mode/pending_ecc"));
  reading.mig = yes_or_no(inside(gpu, "mig_mode/current_mig"));
  reading.mig_next = yes_or_no(inside(gpu, "mig_mode/pending_mig"));
  reading.recovery = text_or_empty(element(gpu, "gpu_recovery_action"));
  // Drivers before R565.
  if (const auto reset = yes_or_no(inside(gpu, "gpu_reset_status/reset_required")); reset && reading.recovery.empty())
    reading.recovery = *reset ? "Reset" : "None";
  const std::string fabric = text_or_empty(inside(gpu, "fabric/state"));
  constexpr std::array<std::string_view, 4> kStates = {"Not Supported", "Not Started", "In Progress", "Completed"};
  const auto* state = std::find(kStates.begin(), kStates.end(), fabric);
  if (state != kStates.end()) reading.fabric_state = static_cast<double>(state - kStates.begin());
  if (const std::string status = text_or_empty(inside(gpu, "fabric/status")); !status.empty())
    reading.fabric_status = status == "Success" ? 0 : 1;
  return reading;
}

/// The text of each device, with the address that stands in its first line.
struct GpuText {
  std::string_view text;
  std::string bus_id;
  bool closed = true;
};
std::vector<GpuText> gpus_in(std::string_view log) {
  constexpr std::string_view kOpen = "<gpu id=\"";
  std::vector<GpuText> gpus;
  for (std::size_t begin = log.find(kOpen); begin != std::string_view::npos; begin = log.find(kOpen, begin + 1)) {
    const std::size_t end = log.find("</gpu>", begin);
    const std::string_view text = log.substr(begin, end == std::string_view::npos ? end : end - begin);
    const std::string_view rest = text.substr(kOpen.size());
    gpus.push_back({text, std::string(rest.substr(0, rest.find('"'))), end != std::string_view::npos});
  }
  return gpus;
}

/// Names of the elements directly inside.
std::vector<std::string> children(std::string_view xml) {
  std::vector<std::string> names;
  for (std::size_t open = xml.find('<'); open != std::string_view::npos;) {
    const std::size_t end = xml.find_first_of(" />\r\n\t", open + 1);
    const std::string name(xml.substr(open + 1, end == std::string_view::npos ? end : end - open - 1));
    const std::size_t close = name.empty() ? std::string_view::npos : xml.find("</" + name + ">", open);
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    open = xml.find('<', (close == std::string_view::npos ? open : close + name.size()) + 1);
  }
  return names;
}

}  // namespace

Result<HardwareProfile> import_nvidia_smi(std::string_view text) {
  const auto log = element(text, "nvidia_smi_log");
  if (!log)
    return failure(kNvidiaSmi.error(
        "missing", "/nvidia_smi_log",
        "The element nvidia_smi_log is missing or not closed: this is not a complete log of that program."));
  HardwareProfile profile = imported_profile("nvidia-smi");
  profile.environment.driver = text_or_empty(element(*log, "driver_version"));
  profile.environment.cuda_driver = text_or_empty(element(*log, "cuda_version"));
  const std::vector<GpuText> gpus = gpus_in(*log);
  for (std::size_t index = 0; index < gpus.size(); ++index) {
    const std::string path = "/nvidia_smi_log/gpu/" + std::to_string(index);
    if (!gpus[index].closed) return failure(kNvidiaSmi.error("missing", path, "The element gpu is not closed."));
    ProfileDevice& device = imported_device(profile, static_cast<int>(index));
    read_device(gpus[index].text, device);
    device.pci_bus_id = gpus[index].bus_id;
    if (device.name.empty())
      return failure(kNvidiaSmi.error("missing", path + "/product_name", "The device has no name."));
    if (!device.memory_total_gib)
      return failure(kNvidiaSmi.error("missing", path + "/fb_memory_usage/total", "The device's memory is missing."));
  }
  if (gpus.empty()) return failure(kNvidiaSmi.error("missing", "/nvidia_smi_log/gpu", "The log holds no device."));
  profile.limits.push_back(
      "What nvidia-smi says is that of one moment: a GPU at rest runs its clocks and its link below their limits.");
  return profile;
}

std::vector<GpuReading> nvidia_smi_readings(std::string_view text) {
  std::vector<GpuReading> readings;
  for (const GpuText& gpu : gpus_in(element(text, "nvidia_smi_log").value_or("")))
    readings.push_back(read_state(gpu.text));
  return readings;
}

FileFields nvidia_smi_fields(std::string_view text) {
  FileFields fields;
  std::vector<std::string> read;
  const std::string_view log = element(text, "nvidia_smi_log").value_or("");
  const std::string_view gpu = element(log, "gpu").value_or("");
  const auto add = [&](const std::string& path, bool there) {
    (there ? fields.used : fields.missing).push_back(path);
    read.push_back(path.substr(0, path.find('/')));
  };
  const auto add_if_there = [&](std::string_view path) {
    if (!path.empty() && !text_or_empty(inside(gpu, path)).empty()) add(std::string(path), true);
  };
  for (const char* name : {"driver_version", "cuda_version"}) add(name, !text_or_empty(element(log, name)).empty());
  for (const std::string_view path : kTexts) add(std::string(path), !text_or_empty(inside(gpu, path)).empty());
  for (const DeviceNumber& number : kNumbers) add(std::string(number.path), device_number(gpu, number).has_value());
  for (const ReasonFlag& flag : kReasons)
    add("clocks_event_reasons/" + std::string(flag.name), reason_flag(gpu, flag.name).has_value());
  read.emplace_back("clocks_throttle_reasons");
  // Drivers write one of several names for the same; what is not there lacks only where all are.
  for (const HeatNumber& number : kHeat) add_if_there(number.path);
  for (const MemoryFlag& flag : kMemoryFlags) add_if_there(flag.path);
  for (const MemorySum& sum : kMemorySums)
    for (const std::string_view path : sum.paths) add_if_there(path);
  for (const std::string_view path : kStatePaths) add_if_there(path);
  for (const char* group : {"temperature", "ecc_errors", "remapped_rows"})
    if (std::find(read.begin(), read.end(), group) == read.end()) add(group, false);
  for (const std::string& name : children(gpu)) {
    // What is taken of the slot stands deeper: pci/pci_gpu_link_info/pcie_gen.
    if (name != "pci" && std::find(read.begin(), read.end(), name) == read.end()) fields.ignored.push_back(name);
  }
  return fields;
}

}  // namespace podwright
