#pragma once
/// What is made of a profile that `podwright probe` kept.
#include <string>
#include <vector>

#include "calibration/judge_profile.h"
#include "catalog/catalog.h"

namespace podwright::cli {

/// Files are profiles, or what nvbandwidth, nccl-tests and nvidia-smi wrote: docs/operator.md.

/// Exit code of a judged machine, however it was asked for: that of its gravest verdict, 1 also of an unfinished run.
int code_of(const ProfileJudgement& judgement, const HardwareProfile& profile);

/// Says on the error stream what whoever calibrates with this profile must know.
void warn_of(const Catalog& catalog, const HardwareProfile& profile, const std::string& file);

/// Fits the planner's parameters on each profile and says how well held-back results are predicted. 1 when a device
/// gives no fit at all; warnings change no code.
int calibrate_profile_command(const Catalog& catalog, const std::vector<std::string>& files);

/// Digest, schema and self-check of a profile, and its verdicts: 4 when something failed, 1 when a verdict is low or
/// bad or the run was unfinished. A measurement of a serving engine is checked and printed.
int verify_profile_command(const Catalog& catalog, const std::string& file);

/// Files of other programs from one machine as one profile, written to `output`.
int import_command(const Catalog& catalog, const std::vector<std::string>& files, const std::string& output);

}  // namespace podwright::cli
