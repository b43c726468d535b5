#include "calibration/slow_nodes.h"

namespace podwright {

std::vector<ProfileVerdict> slow_node_verdicts(const HardwareProfile& profile) {
  std::vector<ProfileVerdict> verdicts;
  for (const HealthEvent& event : profile.health_events) {
    const bool one_probe = event.name == "slow_node";
    if (!one_probe && event.name != "slow_set") continue;
    ProfileVerdict one;
    // The first word of the sentence; sets are found by all-reduces.
    one.probe = one_probe ? event.message.substr(0, event.message.find(' ')) : "cpu.isolate.allreduce";
    one.device = event.device;
    one.judged = "beside the other nodes";
    one.verdict = {VerdictKind::low, "", "none",
                   event.message + (one_probe ? "." : "") + " Plans that wait for the slowest node go at its pace."};
    verdicts.push_back(std::move(one));
  }
  return verdicts;
}

}  // namespace podwright
