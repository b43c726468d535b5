#include "measure/profile_merge.h"

#include <algorithm>
#include <set>

#include "base/append.h"

namespace podwright {
namespace {

struct VersionField {
  const char* name;
  std::string ProfileEnvironment::*member;
};
constexpr VersionField kVersions[] = {{"driver", &ProfileEnvironment::driver},
                                      {"CUDA runtime", &ProfileEnvironment::cuda_runtime},
                                      {"cuBLASLt", &ProfileEnvironment::cublaslt},
                                      {"NCCL", &ProfileEnvironment::nccl},
                                      {"BLAS", &ProfileEnvironment::blas}};

void prefix_ids(HardwareProfile& profile, const std::string& prefix) {
  for (ProfileDevice& device : profile.devices) device.id = prefix + device.id;
  for (ProbeResult& result : profile.results)
    for (std::string& device : result.devices) device = prefix + device;
  // The host of a link is that of the device at its other end, whatever node it is.
  for (ProfileLink& link : profile.links)
    for (std::string* end : {&link.from, &link.to})
      if (*end != "host") *end = prefix + *end;
  for (HealthCounter& counter : profile.health_counters) counter.device = prefix + counter.device;
  for (HealthEvent& event : profile.health_events) event.device = prefix + event.device;
  for (HealthCheck& check : profile.health_checks) check.device = prefix + check.device;
}

ComparedResult compared(const ProbeResult& before, const ProbeResult& after) {
  const SampleSummary& a = *before.time_s;
  const SampleSummary& b = *after.time_s;
  const bool intervals = a.lo95 && a.hi95 && b.lo95 && b.hi95;
  return {&before, &after, b.median / a.median, intervals && (*a.hi95 < *b.lo95 || *b.hi95 < *a.lo95)};
}

int usable_count(const HardwareProfile& profile) {
  return static_cast<int>(std::count_if(profile.results.begin(), profile.results.end(),
                                        [](const ProbeResult& result) { return result.usable(); }));
}

}  // namespace

bool same_measurement(const ProbeResult& a, const ProbeResult& b) {
  return a.probe == b.probe && a.version == b.version && a.size == b.size && a.dtype == b.dtype && a.mode == b.mode &&
         a.devices == b.devices;
}

std::vector<std::string> version_differences(const ProfileEnvironment& a, const ProfileEnvironment& b) {
  std::vector<std::string> differences;
  for (const VersionField& field : kVersions)
    if (a.*field.member != b.*field.member)
      differences.push_back("Different " + std::string(field.name) + ": \"" + a.*field.member + "\" and \"" +
                            b.*field.member + "\".");
  return differences;
}

Result<HardwareProfile> merged_profiles(std::span<const ReadProfile> profiles) {
  const auto missing = [](const ReadProfile& one) { return one.digest.empty(); };
  const auto first = std::find_if_not(profiles.begin(), profiles.end(), missing);
  if (first == profiles.end())
    return failure({"missing", "/0", "There is no profile to merge.", "Give at least one profile."});
  HardwareProfile merged = first->profile;
  merged.devices.clear(), merged.links.clear(), merged.results.clear(), merged.limits.clear();
  merged.health_counters.clear(), merged.health_events.clear(), merged.health_checks.clear();
  // Several are no rank.
  merged.run.rank.reset(), merged.exchanges.clear();
  std::set<std::string> digests;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    if (missing(profiles[i])) continue;
    if (!digests.insert(profiles[i].digest).second)
      return failure(
          {"conflict", "/" + std::to_string(i), "The same profile is given twice.", "Leave one of them out."});
    HardwareProfile next = profiles[i].profile;
    for (const std::string& difference : version_differences(first->profile.environment, next.environment))
      merged.limits.push_back("Node " + std::to_string(i) + ": " + difference);
    prefix_ids(next, "n" + std::to_string(i) + ".");
    append(merged.devices, next.devices);
    append(merged.links, next.links);
    append(merged.results, next.results);
    append(merged.health_counters, next.health_counters);
    append(merged.health_events, next.health_events);
    append(merged.health_checks, next.health_checks);
    append(merged.limits, next.limits);
    merged.run.complete = merged.run.complete && next.run.complete;
    merged.run.exit_code = std::max(merged.run.exit_code, next.run.exit_code);
    merged.previous_digests.push_back(profiles[i].digest);
  }
  return merged;
}

ProfileComparison compared_profiles(const HardwareProfile& before, const HardwareProfile& after) {
  ProfileComparison comparison;
  comparison.differences = version_differences(before.environment, after.environment);
  for (const ProbeResult& old : before.results) {
    if (!old.usable()) continue;
    for (const ProbeResult& now : after.results) {
      if (!now.usable() || !same_measurement(old, now)) continue;
      comparison.results.push_back(compared(old, now));
      break;
    }
  }
  const int both = static_cast<int>(comparison.results.size());
  comparison.only_before = usable_count(before) - both;
  comparison.only_after = std::max(0, usable_count(after) - both);
  return comparison;
}

}  // namespace podwright
