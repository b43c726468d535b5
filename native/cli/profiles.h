#pragma once
/// Profiles that `podwright probe` kept, and files of other programs that say what a machine reaches.
#include <optional>
#include <string>
#include <vector>

#include "calibration/judge_profile.h"
#include "catalog/catalog.h"
#include "cli/trusted.h"
#include "measure/foreign_file.h"
#include "measure/imported_state.h"
#include "measure/profile_file.h"

namespace podwright::cli {

/// What `--gpu ID` and `--gpu DEVICE=ID` say.
std::vector<ChosenGpu> chosen_gpus(const std::vector<std::string>& options);

/// A profile, or what nvbandwidth, nccl-tests and nvidia-smi wrote: docs/operator.md. Empty after a message when it is
/// none, or a choice is of no GPU.
std::optional<MachineFile> read_machine(const Catalog& catalog, const std::string& file, const std::string& text,
                                        const std::vector<std::string>& gpus = {});

/// Profiles of one machine or of the nodes of a fleet as one. Empty after a message, also where keys are named and one
/// of the profiles was not signed with any of them.
std::optional<ReadProfile> read_profiles(const std::vector<std::string>& files, const TrustedKeys& trusted = {});

/// Why a run is not whole, for people, to standard error.
void print_limits(const HardwareProfile& profile);

/// Exit code of a judged machine, however it was asked for: that of its gravest verdict, 1 also of an unfinished run.
int code_of(const ProfileJudgement& judgement, const HardwareProfile& profile);

}  // namespace podwright::cli
