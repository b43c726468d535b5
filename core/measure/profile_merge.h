#pragma once
/// Several profiles as one, and one compared with another. docs/method/probes.md#merging.
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "measure/profile.h"
#include "measure/profile_file.h"

namespace podwright {

/// Devices and results of all, ids prefixed with "n0.", "n1." ... in the order given; environment and host of the
/// first. Different versions of driver, CUDA and NCCL are named in `limits`. One without a digest stands for a node
/// that gave no profile: the others keep their numbers. Errors: "missing" for no profile, "conflict" where one profile
/// is given twice; path "/<place>".
Result<HardwareProfile> merged_profiles(std::span<const ReadProfile> profiles);

/// Different versions of driver, CUDA, cuBLASLt, NCCL and BLAS, sentences; one that only one of both tells is
/// different.
std::vector<std::string> version_differences(const ProfileEnvironment& a, const ProfileEnvironment& b);

/// Same probe and its version, size, dtype, mode and devices.
bool same_measurement(const ProbeResult& a, const ProbeResult& b);

/// One result that both profiles hold: same probe and its version, size, dtype, mode and devices.
struct ComparedResult {
  const ProbeResult* before = nullptr;
  const ProbeResult* after = nullptr;
  double time_ratio = 1;      ///< after over before
  bool beyond_noise = false;  ///< both have intervals, and they do not touch
};
struct ProfileComparison {
  std::vector<ComparedResult> results;
  std::vector<std::string> differences;  ///< of software, devices and settings, sentences
  int only_before = 0;                   ///< usable results without a counterpart
  int only_after = 0;
};
/// The profiles must outlive the comparison.
ProfileComparison compared_profiles(const HardwareProfile& before, const HardwareProfile& after);

}  // namespace podwright
