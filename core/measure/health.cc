#include "measure/health.h"

#include <algorithm>
#include <optional>

#include "base/number_text.h"
#include "measure/foreign_parts.h"
#include "measure/health_rules.h"

namespace podwright {
namespace {

struct CounterRule {
  std::string_view name;
  HealthGravity gravity;
  std::string_view words;  ///< of what was counted
  bool link = false;       ///< errors of links are judged by their rate
};
constexpr CounterRule kCounters[] = {
    {"ecc_uncorrectable", HealthGravity::failed, "uncorrectable memory errors"},
    {"remap_failed", HealthGravity::failed, "rows that could not be remapped"},
    {"ecc_correctable", HealthGravity::warning, "corrected memory errors"},
    {"remapped_rows", HealthGravity::warning, "remapped rows"},
    {"pcie_replay", HealthGravity::warning, "repeated PCIe packets", true},
    {"nvlink_crc", HealthGravity::warning, "NVLink checksum errors", true},
    {"nvlink_replay", HealthGravity::warning, "repeated NVLink packets", true},
    {"nvlink_recovery", HealthGravity::warning, "NVLink recoveries", true},
};

/// Illegal addresses and instructions, and what the driver says when it ends a program for them. NVIDIA's guide "Xid
/// Errors" names the running program as the usual cause of these, and a restart of it as the first step.
constexpr int kApplicationXids[] = {13, 31, 43, 45};

constexpr double kMostXid = 1e6;

std::optional<int> xid_of(const std::string& name) {
  constexpr std::string_view kPrefix = "xid:";
  if (name.rfind(kPrefix, 0) != 0) return std::nullopt;
  const auto number = number_of_text(std::string_view(name).substr(kPrefix.size()));
  if (!number || *number < 0 || *number > kMostXid) return std::nullopt;
  return static_cast<int>(*number);
}

std::string counted(const HealthCounter& counter, const CounterRule& rule, const ProfileRun& run) {
  const double more = counter.after - counter.before;
  std::string text = shortest_number(more) + " " + std::string(rule.words) + " during the run";
  if (rule.link && run.duration_s.value_or(0) > 0)
    text += " (" + human_number(more / *run.duration_s, 3) + " a second)";
  return text;
}

Message counted_message(const HealthCounter& counter, const std::string& text) {
  if (counter.name == "ecc_uncorrectable")
    return say("health/ecc-uncorrectable", "count"_v = counter.after - counter.before);
  if (counter.name == "remap_failed") return say("health/remap-failed");
  return as_written(text);
}

void judge_counter(const HealthCounter& counter, const ProfileRun& run, std::vector<HealthFinding>& findings) {
  // A row that waits for a reset waits whether or not it was found in this run.
  if (counter.name == "remap_pending" && counter.after > 0)
    findings.push_back({counter.device, HealthGravity::warning, "a remapped row takes effect at the next reset",
                        say("health/remap-pending")});
  const auto rule = std::find_if(std::begin(kCounters), std::end(kCounters),
                                 [&](const CounterRule& one) { return one.name == counter.name; });
  if (rule == std::end(kCounters) || counter.after <= counter.before) return;
  const std::string text = counted(counter, *rule, run);
  findings.push_back({counter.device, rule->gravity, text, counted_message(counter, text)});
}

/// Ends of a run that are faults of the device, as the run tells them.
constexpr std::string_view kDeviceFaults[] = {"device_fault", "hang", "gpu_lost", "memory_mismatch"};

void judge_event(const HealthEvent& event, std::vector<HealthFinding>& findings) {
  const auto add = [&](HealthGravity gravity, const std::string& text) {
    findings.push_back({event.device, gravity, text, as_written(text)});
  };
  const auto xid = xid_of(event.name);
  if (std::find(std::begin(kDeviceFaults), std::end(kDeviceFaults), event.name) != std::end(kDeviceFaults))
    add(HealthGravity::failed, event.name + (event.message.empty() ? "" : ": " + event.message));
  if (!xid) return;
  const bool ours = is_of_programs(*xid);
  add(ours ? HealthGravity::own_fault : HealthGravity::failed,
      "Xid " + shortest_number(*xid) + (ours ? ", of a class that programs cause" : ""));
}

void judge_check(const HealthCheck& check, bool imported, std::vector<HealthFinding>& findings) {
  if (check.state != HealthState::warning && check.state != HealthState::failed) return;
  // Of a run it is judged with the copies.
  if (check.name == "pcie_link" && !imported) return;
  std::string message = check.name + ": " + check.seen;
  if (!check.expected.empty()) message += "; expected: " + check.expected;
  if (!check.advice.empty()) message += ". " + check.advice;
  findings.push_back({check.device, check.state == HealthState::failed ? HealthGravity::failed : HealthGravity::warning,
                      std::move(message), seen_message(check), &check});
}

}  // namespace

std::vector<HealthFinding> health_findings(const HardwareProfile& profile) {
  std::vector<HealthFinding> findings;
  for (const HealthCounter& counter : profile.health_counters) judge_counter(counter, profile.run, findings);
  for (const HealthEvent& event : profile.health_events) judge_event(event, findings);
  const bool imported = profile.run.mode == RunMode::imported;
  for (const HealthCheck& check : profile.health_checks) judge_check(check, imported, findings);
  return findings;
}

bool is_of_programs(int xid) {
  return std::find(std::begin(kApplicationXids), std::end(kApplicationXids), xid) != std::end(kApplicationXids);
}

ProbeExit exit_of(HealthGravity gravity) {
  switch (gravity) {
    case HealthGravity::failed:
      return ProbeExit::fault;
    case HealthGravity::own_fault:
      return ProbeExit::internal_error;
    case HealthGravity::warning:
      break;
  }
  return ProbeExit::ok;
}

}  // namespace podwright
