#include "measure/gpu_state.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "measure/health_rules.h"

namespace podwright {
namespace {

/// Below this share of the maximum a clock is a low one: boost clocks vary by some steps with the temperature.
constexpr double kLowClock = 0.95;
/// Pages that GPUs before Ampere can retire: NVIDIA GPU Memory Error Management, row remapping.
constexpr double kMostRetiredPages = 64;

/// Of one device: the rule of each check that is asked for.
struct Checks {
  const ProfileDevice& device;
  bool imported = false;
  std::vector<HealthCheck> made;

  void add(std::string_view rule, HealthState state, const Message& says) {
    made.push_back(made_check(rule, device.id, state, says));
  }
  void not_told(std::string_view rule) {
    if (imported) add(rule, HealthState::unknown, say("health/not-in-log"));
  }
};

void check_errors(const GpuMemoryState& memory, Checks& checks) {
  constexpr const char* kRule = "ecc_errors";
  if (memory.sram_threshold == true) return checks.add(kRule, HealthState::failed, say("health/sram-threshold"));
  if (!memory.uncorrectable && !memory.uncorrectable_ever) return checks.not_told(kRule);
  if (memory.uncorrectable.value_or(0) > 0)
    return checks.add(kRule, HealthState::failed, say("health/ecc-uncorrectable", "count"_v = *memory.uncorrectable));
  if (memory.uncorrectable_ever.value_or(0) > 0)
    return checks.add(kRule, HealthState::warning,
                      say("health/ecc-uncorrectable-before", "count"_v = *memory.uncorrectable_ever));
  if (memory.corrected.value_or(0) > 0)
    return checks.add(kRule, HealthState::ok, say("health/ecc-corrected", "count"_v = *memory.corrected));
  checks.add(kRule, HealthState::ok, say("health/ecc-none"));
}

void check_pending_remap(const GpuMemoryState& memory, Checks& checks) {
  constexpr const char* kRule = "remap_pending";
  if (!memory.remap_pending) return checks.not_told(kRule);
  if (*memory.remap_pending) return checks.add(kRule, HealthState::warning, say("health/remap-pending"));
  checks.add(kRule, HealthState::ok, say("health/remap-none-waits"));
}

/// Only GPUs before Ampere retire pages; the others say nothing of them.
void check_pages(const GpuMemoryState& memory, Checks& checks) {
  constexpr const char* kRule = "retired_pages";
  if (!memory.retired_pages && !memory.retirement_pending) return;
  const double pages = memory.retired_pages.value_or(0);
  if (memory.retirement_pending == true) return checks.add(kRule, HealthState::warning, say("health/pages-waiting"));
  if (pages >= kMostRetiredPages)
    return checks.add(kRule, HealthState::failed,
                      say("health/pages-many", "pages"_v = pages, "limit"_v = kMostRetiredPages));
  checks.add(kRule, HealthState::ok, say("health/pages-retired", "pages"_v = pages));
}

void check_recovery(const std::string& asked, Checks& checks) {
  constexpr const char* kRule = "recovery_action";
  // Drivers before R565 do not say.
  if (asked.empty()) return;
  const auto names = [&](const char* word) { return asked.find(word) != std::string::npos; };
  if (asked == "None") return checks.add(kRule, HealthState::ok, say("health/driver-asks-nothing"));
  if (names("Reboot")) return checks.add(kRule, HealthState::failed, say("health/driver-asks-reboot"));
  if (names("Reset")) return checks.add(kRule, HealthState::failed, say("health/driver-asks-reset"));
  checks.add(kRule, HealthState::failed, say("health/driver-asks-drain"));
}

/// What is beyond a limit of the GPU's own temperature, by how it is told.
std::optional<std::pair<HealthState, Message>> heat_of(const GpuHeat& heat) {
  const double now = *heat.now;
  const auto temperature = "temperature_c"_v = now;
  if (heat.slowdown && now >= *heat.slowdown)
    return {{HealthState::failed, say("health/too-hot", temperature, "limit_c"_v = *heat.slowdown)}};
  if (heat.margin && *heat.margin < 0) {
    const bool by_hardware = *heat.margin <= heat.slowdown_margin.value_or(0);
    return {{by_hardware ? HealthState::failed : HealthState::warning,
             say("health/beyond-limit", temperature, "over_c"_v = -*heat.margin)}};
  }
  if (heat.shutdown && now >= *heat.shutdown)
    return {{HealthState::failed, say("health/beyond-limit", temperature, "over_c"_v = now - *heat.shutdown)}};
  if (heat.margin && *heat.margin == 0) return {{HealthState::warning, say("health/at-limit", temperature)}};
  if (heat.continuous && now > *heat.continuous)
    return {{HealthState::warning, say("health/warm", temperature, "limit_c"_v = *heat.continuous)}};
  return std::nullopt;
}

void check_heat(const GpuHeat& heat, Checks& checks) {
  constexpr const char* kRule = "temperature";
  const bool limited = heat.slowdown || heat.shutdown || heat.continuous || heat.margin;
  if (!heat.now || !limited) return checks.not_told(kRule);
  if (const auto hot = heat_of(heat)) return checks.add(kRule, hot->first, hot->second);
  if (heat.memory && heat.memory_most && *heat.memory >= *heat.memory_most)
    return checks.add(kRule, HealthState::failed,
                      say("health/memory-hot", "temperature_c"_v = *heat.memory, "limit_c"_v = *heat.memory_most));
  checks.add(kRule, HealthState::ok, say("health/cool", "temperature_c"_v = *heat.now));
}

bool slows(const ClockReasons& reasons) {
  return reasons.hw_thermal == true || reasons.power_brake == true || reasons.hw_slowdown == true ||
         reasons.sw_thermal == true || reasons.clocks_set == true;
}

void check_reasons(const ClockReasons& reasons, Checks& checks) {
  constexpr const char* kRule = "clock_reasons";
  if (!reasons.hw_slowdown && !reasons.hw_thermal && !reasons.power_brake && !reasons.sw_thermal)
    return checks.not_told(kRule);
  // hw_slowdown is set with each of the two that are more exact.
  if (reasons.hw_thermal == true) return checks.add(kRule, HealthState::failed, say("health/hw-thermal"));
  if (reasons.power_brake == true) return checks.add(kRule, HealthState::failed, say("health/power-brake"));
  if (reasons.hw_slowdown == true) return checks.add(kRule, HealthState::failed, say("health/hw-slowdown"));
  if (reasons.sw_thermal == true) return checks.add(kRule, HealthState::warning, say("health/sw-thermal"));
  if (reasons.clocks_set == true) return checks.add(kRule, HealthState::warning, say("health/clocks-set"));
  if (reasons.slowed_s.value_or(0) > 0)
    return checks.add(kRule, HealthState::warning, say("health/was-slowed", "seconds"_v = *reasons.slowed_s));
  if (reasons.power_cap == true) return checks.add(kRule, HealthState::ok, say("health/power-capped"));
  checks.add(kRule, HealthState::ok, say("health/nothing-slows"));
}

/// A low clock by itself is that of a GPU at rest; it counts where something slows it.
void check_clocks(const ProfileDevice& device, const GpuReading& reading, Checks& checks) {
  constexpr const char* kRule = "clocks";
  if (!reading.sm_clock_hz || !device.sm_clock_max_hz) return checks.not_told(kRule);
  constexpr double kMhz = 1e6;
  const auto now = "clock_mhz"_v = std::floor(*reading.sm_clock_hz / kMhz + 0.5);
  const auto most = "clock_max_mhz"_v = std::floor(*device.sm_clock_max_hz / kMhz + 0.5);
  const bool low = *reading.sm_clock_hz < kLowClock * *device.sm_clock_max_hz;
  if (low && slows(reading.reasons))
    return checks.add(kRule, HealthState::warning, say("health/clocks-low", now, most));
  checks.add(kRule, HealthState::ok, say("health/clocks-full", now, most));
}

void check_power_limit(const ProfileDevice& device, Checks& checks) {
  constexpr const char* kRule = "power_limit";
  if (!device.power_limit_w || !device.power_limit_default_w) return checks.not_told(kRule);
  const auto limit = "limit_w"_v = *device.power_limit_w;
  if (power_limit_lowered(device))
    return checks.add(kRule, HealthState::warning,
                      say("health/power-limit-low", limit, "default_w"_v = *device.power_limit_default_w));
  checks.add(kRule, HealthState::ok, say("health/power-limit-full", limit));
}

void check_mig(const GpuReading& reading, Checks& checks) {
  constexpr const char* kRule = "mig_mode";
  if (!reading.mig) return;  // most GPUs have none
  if (reading.mig_next && *reading.mig_next != *reading.mig)
    return checks.add(kRule, HealthState::warning, say("health/mode-waits"));
  checks.add(kRule, HealthState::ok, *reading.mig ? say("health/mig-slices") : say("health/mig-whole"));
}

/// A run reads the link under load. A log may be of a moment of rest, in which the link runs at a lower generation; its
/// lanes stay.
void check_pcie(const ProfileDevice& device, const ClockReasons& reasons, Checks& checks) {
  constexpr const char* kRule = "pcie_link";
  if (!device.pcie_generation_max || !device.pcie_width_max || !device.pcie_generation || !device.pcie_width) {
    if (checks.imported) return checks.not_told(kRule);
    checks.made.push_back(
        made_check(kRule, checks.device.id, HealthState::unknown,
                   device.pcie_width_max ? "no copy was measured" : "the driver does not say; a newer one may"));
    return;
  }
  const auto generation = "generation"_v = *device.pcie_generation;
  const auto generation_max = "generation_max"_v = *device.pcie_generation_max;
  const auto width = "width"_v = *device.pcie_width;
  const auto width_max = "width_max"_v = *device.pcie_width_max;
  const bool narrow = *device.pcie_width < *device.pcie_width_max;
  const bool slow = *device.pcie_generation < *device.pcie_generation_max;
  const bool rests = checks.imported && reasons.idle.value_or(true);
  const HealthState state = narrow || (slow && !rests) ? HealthState::warning : HealthState::ok;
  if (narrow && slow && !rests)
    return checks.add(kRule, state, say("health/pcie-narrow-and-slow", generation, width, generation_max, width_max));
  if (narrow) return checks.add(kRule, state, say("health/pcie-narrow", width, width_max));
  if (slow && rests) return checks.add(kRule, state, say("health/pcie-idle", width, generation, generation_max));
  if (slow) return checks.add(kRule, state, say("health/pcie-slow", generation, generation_max));
  checks.add(kRule, state, say("health/pcie-full", generation, width));
}

}  // namespace

bool power_limit_lowered(const ProfileDevice& device) {
  constexpr double kLowerLimit = 0.99;  // limits are printed with two decimals
  return device.power_limit_w && device.power_limit_default_w &&
         *device.power_limit_w < kLowerLimit * *device.power_limit_default_w;
}

std::vector<HealthCheck> gpu_state_checks(const HardwareProfile& profile, const ProfileDevice& device,
                                          const GpuReading& reading) {
  Checks checks{device, profile.run.mode == RunMode::imported, {}};
  check_errors(reading.memory, checks);
  check_pending_remap(reading.memory, checks);
  check_pages(reading.memory, checks);
  check_recovery(reading.recovery, checks);
  check_heat(reading.heat, checks);
  check_reasons(reading.reasons, checks);
  check_clocks(device, reading, checks);
  check_power_limit(device, checks);
  check_mig(reading, checks);
  check_pcie(device, reading.reasons, checks);
  return std::move(checks.made);
}

}  // namespace podwright
