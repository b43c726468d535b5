#pragma once
/// Verdicts on the results of a profile, and what explains them. docs/method/probes.md#verdicts.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "measure/profile.h"
#include "measure/verdict.h"

namespace podwright {

/// A measured rate beside one of the figures that it is compared with.
struct RoofShare {
  std::string roof;  ///< datasheet, bandwidth of bus and clock, negotiated link ...
  double share = 0;
};
/// Something seen that lowers a rate, and where it was seen.
struct SeenCause {
  std::string cause;  ///< clock, power, link, slice, shared, throttling, nvls
  std::string evidence;
};
/// One factor of what a rate reaches of its roof: the factors' product is the share.
struct DeficitTerm {
  std::string of;    ///< clock, power, tiles, start, rest
  double share = 1;  ///< that it leaves; the rest may exceed 1 where the others are told too low
  std::string evidence;
};
/// Why a rate is what it is, as far as the profile tells.
struct VerdictExplanation {
  std::string binding_roof;                    ///< compute, memory, link, host link, launch, capacity
  std::optional<double> arithmetic_intensity;  ///< FLOP per byte
  std::optional<double> ridge;                 ///< FLOP per byte above which compute binds
  std::vector<RoofShare> shares;
  std::optional<double> clock_ratio;    ///< of the clock seen to the data sheet's boost clock
  std::optional<double> at_that_clock;  ///< share of the peak that this clock allows
  std::vector<DeficitTerm> deficit;  ///< of the first of `shares`, the rest last; empty where nothing tells them apart
  std::vector<SeenCause> causes;     ///< what accounts for most first
  std::string next_command;          ///< empty where there is nothing to do
};

/// One judged result, set of results, or link of an imported profile.
struct ProfileVerdict {
  std::string probe;
  std::string device;  ///< id within the profile
  std::string dtype;
  ProbeMode mode = ProbeMode::burst;
  std::string judged;  ///< "4 GiB", "median of 9 of the nine shapes"
  std::optional<MeasuredRate> rate;
  RateUnit unit = RateUnit::bytes_per_s;
  Verdict verdict;
  VerdictExplanation explanation;
  std::optional<Message> says;  ///< the verdict's sentence for other languages, where there is one
};

enum class DeviceState {
  service,     ///< needs a reset, a repair or a replacement
  impossible,  ///< a rate is above what the hardware can give: a figure is wrong, and nothing follows for the device
  look,        ///< works, and something about it should be known
  fine,        ///< all that was judged is as it should be
  unjudged,    ///< nothing was judged
};
inline constexpr std::array<std::string_view, 5> kDeviceStateWords = {"service", "impossible", "look", "fine",
                                                                      "unjudged"};

/// What to do, and the command for it; either may be empty.
struct DeviceStep {
  Message advice;
  std::string command;
};

struct DeviceVerdict {
  std::string device;  ///< id within the profile; "host": the machine as a whole
  std::string name;    ///< as the driver gives it
  std::string gpu;     ///< id of the catalog; empty where none matches
  KeyMatch match = KeyMatch::none;
  DeviceState state = DeviceState::unjudged;
  Message says;                      ///< one sentence
  std::vector<Message> causes;       ///< gravest first
  std::vector<DeviceStep> steps;     ///< in the order of the causes
  std::vector<Message> checked;      ///< rules that were judged
  std::vector<Message> not_checked;  ///< rules of which nothing could be seen
};

struct ProfileJudgement {
  std::vector<ProfileVerdict> verdicts;  ///< by device, in the order of the probes' norms
  std::vector<DeviceVerdict> devices;    ///< what all of it means for each device, the gravest first
  Message summary = as_written("");      ///< of the machine, in one or two sentences
  std::vector<std::string> notes;        ///< single shapes outside their band, peers, what has no norm: sentences
  /// low for low, bad, impossible and stragglers; fault for wrong outputs and memory errors
  ProbeExit exit = ProbeExit::ok;
};

}  // namespace podwright
