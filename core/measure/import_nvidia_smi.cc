#include "measure/foreign_parts.h"
#include "measure/import_foreign.h"

namespace podwright {
namespace {

constexpr std::string_view kProgram = "nvidia-smi -q -x";

Error wrong(std::string code, std::string path, std::string message) {
  return foreign_error(std::move(code), std::move(path), std::move(message), kProgram);
}

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

/// The element at a path of names, outermost first.
template <class... Names>
std::optional<std::string_view> inside(std::string_view xml, std::string_view name, Names... deeper) {
  const auto found = element(xml, name);
  if constexpr (sizeof...(deeper) == 0) {
    return found;
  } else {
    return found ? inside(*found, deeper...) : std::nullopt;
  }
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

void read_device(std::string_view gpu, ProfileDevice& device) {
  device.name = text_or_empty(element(gpu, "product_name"));
  device.vbios = text_or_empty(element(gpu, "vbios_version"));
  device.memory_total_gib = amount(inside(gpu, "fb_memory_usage", "total"), 1.0 / 1024);
  device.memory_free_gib = amount(inside(gpu, "fb_memory_usage", "free"), 1.0 / 1024);
  device.sm_clock_max_hz = amount(inside(gpu, "max_clocks", "sm_clock"), 1e6);
  device.power_limit_w = amount(inside(gpu, "gpu_power_readings", "current_power_limit"), 1);
  device.power_limit_default_w = amount(inside(gpu, "gpu_power_readings", "default_power_limit"), 1);
  device.pcie_generation = amount(inside(gpu, "pcie_gen", "current_link_gen"), 1);
  device.pcie_generation_max = amount(inside(gpu, "pcie_gen", "max_link_gen"), 1);
  device.pcie_width = amount(inside(gpu, "link_widths", "current_link_width"), 1);
  device.pcie_width_max = amount(inside(gpu, "link_widths", "max_link_width"), 1);
  if (const auto ecc = inside(gpu, "ecc_mode", "current_ecc"); ecc && trimmed(*ecc) != "N/A")
    device.ecc = trimmed(*ecc) == "Enabled";
}

}  // namespace

Result<HardwareProfile> import_nvidia_smi(std::string_view text) {
  const auto log = element(text, "nvidia_smi_log");
  if (!log)
    return failure(wrong("missing", "/nvidia_smi_log",
                         "The element nvidia_smi_log is missing or not closed: this is no whole log of that program."));
  HardwareProfile profile = imported_profile("nvidia-smi");
  profile.environment.driver = text_or_empty(element(*log, "driver_version"));
  profile.environment.cuda_driver = text_or_empty(element(*log, "cuda_version"));
  int index = 0;
  for (std::size_t begin = log->find("<gpu id="); begin != std::string_view::npos; ++index) {
    const std::string path = "/nvidia_smi_log/gpu/" + std::to_string(index);
    const std::size_t end = log->find("</gpu>", begin);
    if (end == std::string_view::npos) return failure(wrong("missing", path, "The element gpu is not closed."));
    ProfileDevice& device = imported_device(profile, index);
    read_device(log->substr(begin, end - begin), device);
    if (device.name.empty()) return failure(wrong("missing", path + "/product_name", "The device has no name."));
    if (!device.memory_total_gib)
      return failure(wrong("missing", path + "/fb_memory_usage/total", "The device's memory is missing."));
    begin = log->find("<gpu id=", end);
  }
  if (index == 0) return failure(wrong("missing", "/nvidia_smi_log/gpu", "The log holds no device."));
  profile.limits.push_back("Clocks and link widths are those of an idle moment.");
  return profile;
}

}  // namespace podwright
