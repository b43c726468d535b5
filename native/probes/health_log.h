#pragma once
/// Counters and events of the devices of a run, as their workers tell them one after the other.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "measure/profile.h"
#include "probes/worker.h"

namespace podwright::probes {

class HealthLog {
 public:
  /// Numbers are counters: the first given is from before the run, the last from after it. Texts are events.
  void take(int device, const std::vector<Fact>& facts);
  /// A worker ended without a word: what is known of the device is old until another one tells.
  void lost(int device);
  /// Counters of a device as they were told last.
  std::map<std::string, double> counters(int device) const;
  /// Devices whose last worker told nothing, of those that told anything before.
  std::set<int> unknown() const { return lost_; }

  /// Into the profile, and a sentence into its limits for each device that is still unknown.
  void write(HardwareProfile& profile) const;

 private:
  std::map<int, std::map<std::string, HealthCounter>> counters_;
  std::vector<HealthEvent> events_;
  std::set<int> lost_;
};

}  // namespace podwright::probes
