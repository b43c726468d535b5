#include "probes/health_log.h"

#include "probes/device_facts.h"

namespace podwright::probes {

void HealthLog::take(int device, const std::vector<Fact>& facts) {
  lost_.erase(device);
  for (const Fact& fact : facts) {
    if (!fact.text.empty()) {
      events_.push_back({device_id(device), fact.key, fact.text});
      continue;
    }
    if (fact.number < 0) continue;  // no counter
    auto& of_device = counters_[device];
    const auto [place, first] = of_device.try_emplace(fact.key);
    HealthCounter& counter = place->second;
    if (first) counter = {device_id(device), fact.key, fact.number, fact.number};
    counter.after = fact.number;
  }
}

void HealthLog::lost(int device) {
  if (counters_.count(device) != 0) lost_.insert(device);
}

std::map<std::string, double> HealthLog::counters(int device) const {
  std::map<std::string, double> last;
  if (const auto found = counters_.find(device); found != counters_.end())
    for (const auto& [name, counter] : found->second) last[name] = counter.after;
  return last;
}

void HealthLog::write(HardwareProfile& profile) const {
  for (const auto& [device, counters] : counters_)
    for (const auto& [name, counter] : counters) profile.health_counters.push_back(counter);
  profile.health_events.insert(profile.health_events.end(), events_.begin(), events_.end());
  for (const int device : lost_)
    profile.limits.push_back("Error counters of " + device_id(device) + " after the run are not known.");
}

}  // namespace podwright::probes
