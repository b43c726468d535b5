#include "probes/result_of_case.h"

#include <algorithm>

#include "base/nearest.h"
#include "base/words.h"
#include "probes/backends.h"
#include "probes/catalogue.h"
#include "probes/device_facts.h"

namespace podwright::probes {
namespace {

SkipReason reason_of(const std::string& word) {
  return of_word<SkipReason>(word.substr(0, word.find(':')), kSkipReasonWords).value_or(SkipReason::not_supported);
}

/// Of collectives whether the library took the switch where it might is not given.
void note_way(const ProbeCase& one, ProbeVariant& variant) {
  if (one.probe == "launch.graph") variant.graph = true;
  if (one.probe.rfind("coll.", 0) != 0) return;
  variant.graph = one.variant == "graph";
  variant.registered = one.variant == "registered";
  if (one.variant == "no_nvls") variant.nvls = false;
}

/// Sizes and the power at rest stand at the device. False for all other probes, and where the check failed.
bool note_at_device(ProfileDevice& device, const std::string& probe, const Measured& measured) {
  const bool passed = measured.result.check.status == CheckStatus::pass;
  if (probe == "idle") {
    if (measured.result.load && measured.result.load->power_w_p50)
      device.idle_power_w = measured.result.load->power_w_p50;
  } else if (probe == "mem.capacity" && passed) {
    // Drivers that page count more than there is.
    device.memory_allocatable_gib = std::min(measured.checked / kGiB, device.memory_total_gib.value_or(1e300));
  } else if (probe == "mem.nccl" && passed) {
    device.collectives_gib = measured.checked / kGiB;
  } else {
    return false;
  }
  return true;
}

/// The host link under load; at rest it trains down, which is not a fault.
void note_link(ProfileDevice& device, const Measured& measured) {
  const auto raise_to = [](std::optional<double>& to, const std::optional<double>& seen, double most) {
    if (seen && *seen >= 1 && *seen <= most) to = std::max(to.value_or(0), *seen);
  };
  raise_to(device.pcie_generation, measured.pcie_generation, 10);
  raise_to(device.pcie_width, measured.pcie_width, 64);
}

/// Who used the device before this run did, where the backend can tell, and the clock of the same work's burst.
void add_context(ProbeContext& context, const HardwareProfile& profile, const ProfileDevice& device,
                 const std::vector<Fact>& facts, const ProbeCase& one) {
  for (const Fact& fact : facts) {
    if (fact.key == "other_processes") context.other_processes = static_cast<int>(fact.number);
    if (fact.key == "idle_utilization") context.idle_utilization = std::clamp(fact.number, 0.0, 1.0);
  }
  if (one.mode != ProbeMode::sustained) return;
  for (const ProbeResult& burst : profile.results)
    if (burst.probe == one.probe && burst.mode == ProbeMode::burst && burst.size == one.size &&
        burst.devices.front() == device.id)
      context.burst_sm_clock_hz = burst.context.sm_clock_hz;
}

}  // namespace

bool chosen(const std::string& probe, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& begin) { return probe.rfind(begin, 0) == 0; });
}

std::vector<std::string> without_probe(const std::vector<std::string>& beginnings, const std::set<std::string>& names) {
  std::vector<std::string> without;
  for (const std::string& begin : beginnings)
    if (const auto at = names.lower_bound(begin); at == names.end() || at->rfind(begin, 0) != 0)
      without.push_back(begin);
  return without;
}

void judge_missing(const RunOptions& options, const std::string& backend, RunOutcome& outcome) {
  std::string why;
  const std::vector<std::string> missing = without_probe(options.required, outcome.tried);
  if (outcome.tried.empty() && !options.only.empty())
    why = "no probe of this run on " + backend + " begins with " + joined(options.only, " or ");
  else if (!missing.empty())
    why = std::to_string(missing.size()) + " of " + std::to_string(options.required.size()) +
          " required probes were not tried: " + joined(missing);
  if (why.empty()) return;
  outcome.exit = std::max(outcome.exit, ProbeExit::unusable);
  if (outcome.message.empty()) outcome.message = why;
}

Measured skipped(const std::string& reason, const std::string& detail) {
  Measured measured;
  measured.end = CaseEnd::skipped;
  measured.reason = reason;
  measured.detail = detail;
  return measured;
}

ProbeResult result_of(const ProbeCase& one, std::vector<std::string> devices, const Measured& measured,
                      std::vector<double> byte_roofs) {
  ProbeResult result;
  if (measured.end == CaseEnd::measured) result = measured.result;
  result.probe = one.name();
  result.devices = std::move(devices);
  result.size = one.size;
  result.dtype = one.dtype;
  result.mode = one.mode;
  result.counted = one.counted;
  if (one.variant == "zeros") result.variant.library = "own";
  if (measured.end != CaseEnd::measured) {
    result.skip =
        Skip{reason_of(measured.reason), message_of(measured.reason, measured.detail), consequence_of(result.probe)};
    return result;
  }
  if (one.work_bytes_per_byte > 0 && result.size.bytes) {
    result.size.bytes = measured.result.size.bytes;
    result.counted.bytes = one.work_bytes_per_byte * *result.size.bytes;
  }
  note_way(one, result.variant);
  finish_result(result, {.target = one.target,
                         .clock_resolution_s = measured.clock_resolution_s,
                         .precise = measured.precise,
                         .byte_roofs = std::move(byte_roofs),
                         .flop_roofs = {}});
  return result;
}

void take_case(HardwareProfile& profile, int device, const std::vector<Fact>& facts, const ProbeCase& one,
               Measured measured) {
  const auto described = std::find_if(profile.devices.begin(), profile.devices.end(),
                                      [&](const ProfileDevice& other) { return other.id == device_id(device); });
  std::vector<std::string> devices;
  for (const int member : one.members) devices.push_back(device_id(member));
  if (devices.empty()) devices = {device_id(device)};
  if (one.peer >= 0) devices.push_back(device_id(one.peer));
  std::vector<double> byte_roofs;
  if (measured.end == CaseEnd::measured) {
    if (note_at_device(*described, one.probe, measured)) return;
    if (one.probe.rfind("pcie.", 0) == 0) note_link(*described, measured);
    add_context(measured.result.context, profile, *described, facts, one);
    // Where a memory is wrong says which part to replace.
    if (one.probe == "mem.integrity" && measured.result.check.status == CheckStatus::fail)
      profile.health_events.push_back({device_id(device), "memory_mismatch", measured.check_note});
    if (one.probe.rfind("hbm.", 0) == 0 && one.beyond_cache)
      for (const auto& roof : {described->datasheet_bytes_per_s, described->driver_bytes_per_s})
        if (roof) byte_roofs.push_back(*roof);
  }
  profile.results.push_back(result_of(one, std::move(devices), measured, std::move(byte_roofs)));
  const ProbeResult& result = profile.results.back();
  if (profile.environment.blas.empty() && result.probe.rfind("cpu.gemm.", 0) == 0)
    profile.environment.blas = result.variant.algorithm;
}

}  // namespace podwright::probes
