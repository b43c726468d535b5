#include "calibration/slow_nodes.h"

namespace podwright {

std::vector<ProfileVerdict> slow_node_verdicts(const HardwareProfile& profile) {
  std::vector<ProfileVerdict> verdicts;
  for (const HealthEvent& event : profile.health_events) {
    if (event.name != "slow_node") continue;
    ProfileVerdict one;
    one.probe = event.message.substr(0, event.message.find(' '));  // the first word of the sentence
    one.device = event.device;
    one.judged = "compared with the other nodes";
    one.verdict = {VerdictKind::low, "", "none",
                   event.message + ". Plans that wait for the slowest node go at its pace."};
    verdicts.push_back(std::move(one));
  }
  return verdicts;
}

std::vector<std::string> slow_node_notes(const HardwareProfile& profile) {
  std::vector<std::string> notes;
  for (const HealthEvent& event : profile.health_events)
    if (event.name == "slow_set")
      notes.push_back(event.device + ": an older version found its node slow in all-reduces over TCP between the " +
                      "processors. That says nothing about its GPUs and is not judged; measure again.");
  return notes;
}

}  // namespace podwright
