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
  return value ? std::optional<double>(*value * scale) : std::nullopt;
}

std::string text_or_empty(std::optional<std::string_view> text) {
  if (!text) return "";
  const std::string_view value = trimmed(*text);
  return value == "N/A" ? "" : std::string(value);
}

/// A number of a device, in the unit of the profile.
struct DeviceNumber {
  std::string_view path;
  double scale;
  std::optional<double> ProfileDevice::*member;
};
constexpr std::array<DeviceNumber, 9> kNumbers{{
    {"fb_memory_usage/total", 1.0 / 1024, &ProfileDevice::memory_total_gib},
    {"fb_memory_usage/free", 1.0 / 1024, &ProfileDevice::memory_free_gib},
    {"max_clocks/sm_clock", 1e6, &ProfileDevice::sm_clock_max_hz},
    {"gpu_power_readings/current_power_limit", 1, &ProfileDevice::power_limit_w},
    {"gpu_power_readings/default_power_limit", 1, &ProfileDevice::power_limit_default_w},
    {"pcie_gen/current_link_gen", 1, &ProfileDevice::pcie_generation},
    {"pcie_gen/max_link_gen", 1, &ProfileDevice::pcie_generation_max},
    {"link_widths/current_link_width", 1, &ProfileDevice::pcie_width},
    {"link_widths/max_link_width", 1, &ProfileDevice::pcie_width_max},
}};
constexpr std::array<std::string_view, 3> kTexts{"product_name", "vbios_version", "ecc_mode/current_ecc"};

void read_device(std::string_view gpu, ProfileDevice& device) {
  device.name = text_or_empty(element(gpu, kTexts[0]));
  device.vbios = text_or_empty(element(gpu, kTexts[1]));
  for (const DeviceNumber& number : kNumbers) device.*number.member = amount(inside(gpu, number.path), number.scale);
  if (const auto ecc = inside(gpu, kTexts[2]); ecc && trimmed(*ecc) != "N/A") device.ecc = trimmed(*ecc) == "Enabled";
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
  int index = 0;
  for (std::size_t begin = log->find("<gpu id="); begin != std::string_view::npos; ++index) {
    const std::string path = "/nvidia_smi_log/gpu/" + std::to_string(index);
    const std::size_t end = log->find("</gpu>", begin);
    if (end == std::string_view::npos)
      return failure(kNvidiaSmi.error("missing", path, "The element gpu is not closed."));
    ProfileDevice& device = imported_device(profile, index);
    read_device(log->substr(begin, end - begin), device);
    if (device.name.empty())
      return failure(kNvidiaSmi.error("missing", path + "/product_name", "The device has no name."));
    if (!device.memory_total_gib)
      return failure(kNvidiaSmi.error("missing", path + "/fb_memory_usage/total", "The device's memory is missing."));
    begin = log->find("<gpu id=", end);
  }
  if (index == 0) return failure(kNvidiaSmi.error("missing", "/nvidia_smi_log/gpu", "The log holds no device."));
  profile.limits.push_back("Clocks and link widths are those of an idle moment.");
  return profile;
}

FileFields nvidia_smi_fields(std::string_view text) {
  FileFields fields;
  const std::string_view log = element(text, "nvidia_smi_log").value_or("");
  for (const char* name : {"driver_version", "cuda_version"})
    (text_or_empty(element(log, name)).empty() ? fields.missing : fields.used).emplace_back(name);
  const std::string_view gpu = element(log, "gpu").value_or("");
  for (const std::string_view path : kTexts)
    (text_or_empty(inside(gpu, path)).empty() ? fields.missing : fields.used).emplace_back(path);
  for (const DeviceNumber& number : kNumbers)
    (amount(inside(gpu, number.path), number.scale) ? fields.used : fields.missing).emplace_back(number.path);
  for (const std::string& name : children(gpu)) {
    const auto taken = [&](std::string_view path) { return path.substr(0, path.find('/')) == name; };
    // What is taken of the slot stands deeper: pci/pci_gpu_link_info/pcie_gen.
    if (name != "pci" && std::none_of(kTexts.begin(), kTexts.end(), taken) &&
        std::none_of(kNumbers.begin(), kNumbers.end(), [&](const DeviceNumber& one) { return taken(one.path); }))
      fields.ignored.push_back(name);
  }
  return fields;
}

}  // namespace podwright
