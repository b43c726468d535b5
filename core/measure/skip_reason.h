#pragma once
/// Why a probe was not run or did not finish, and what that means for the exit code. docs/method/probes.md#faults.
#include <array>
#include <string>
#include <string_view>

namespace podwright {

enum class SkipReason {
  no_driver,         ///< no driver is installed
  driver_too_old,    ///< the program needs a newer driver
  no_device,         ///< no device, or all hidden
  init_failed,       ///< the driver does not start
  fabric_not_ready,  ///< the fabric manager has not finished
  arch_unsupported,  ///< no kernel was built for this capability
  busy_exclusive,    ///< another process owns the device
  oom,               ///< even the smallest size does not fit
  device_fault,      ///< the device reported a sticky error
  hang,              ///< the watchdog ended the probe
  gpu_lost,          ///< the device fell off the bus
  library_missing,   ///< a library that is opened at run time is absent or too old
  cuda_missing,      ///< podwright-gpu, which measures GPUs, is absent or does not start
  not_supported,     ///< this device cannot do it: dtype, peers, slices
  one_device,        ///< the probe needs more devices
  nccl,              ///< the collective library failed
  p2p_off,           ///< peers cannot reach each other
  not_permitted,     ///< the system refused access
  busy,              ///< others use the device
  budget,            ///< no time was left
  interrupted,       ///< the run was ended
  rank_lost,         ///< another rank of the collective did not come, or went away
};
inline constexpr std::array<std::string_view, 22> kSkipReasonWords = {"no_driver",
                                                                      "driver_too_old",
                                                                      "no_device",
                                                                      "init_failed",
                                                                      "fabric_not_ready",
                                                                      "arch_unsupported",
                                                                      "busy_exclusive",
                                                                      "oom",
                                                                      "device_fault",
                                                                      "hang",
                                                                      "gpu_lost",
                                                                      "library_missing",
                                                                      "cuda_missing",
                                                                      "not_supported",
                                                                      "one_device",
                                                                      "nccl",
                                                                      "p2p_off",
                                                                      "not_permitted",
                                                                      "busy",
                                                                      "budget",
                                                                      "interrupted",
                                                                      "rank_lost"};

struct Skip {
  SkipReason reason = SkipReason::not_supported;
  std::string message;      ///< for people: what was missing or seen, with names and versions
  std::string consequence;  ///< what the plan cannot know without it; may be empty
};

/// Exit codes of a probe run.
enum class ProbeExit {
  ok = 0,
  low = 1,             ///< a verdict is low or bad
  wrong_input = 2,     ///< wrong usage
  unusable = 3,        ///< environment unusable or busy, nothing was judged
  fault = 4,           ///< wrong result, device fault, uncorrectable error
  internal_error = 5,  ///< ours
};

/// What a skip of this reason does to the exit code by itself: `fault` for faults (device_fault, hang, gpu_lost,
/// rank_lost), else `ok`; `required` turns every other skip into `unusable`.
inline ProbeExit exit_of(SkipReason reason, bool required) {
  if (reason == SkipReason::device_fault || reason == SkipReason::hang || reason == SkipReason::gpu_lost ||
      reason == SkipReason::rank_lost)
    return ProbeExit::fault;
  return required ? ProbeExit::unusable : ProbeExit::ok;
}

}  // namespace podwright
