#pragma once
/// What a worker measured, as a result of the profile.
#include <set>
#include <string>
#include <vector>

#include "measure/profile.h"
#include "probes/run_options.h"
#include "probes/worker.h"

namespace podwright::probes {

/// Does the probe's name begin with one of them?
bool chosen(const std::string& probe, const std::vector<std::string>& beginnings);
/// The beginnings with which none of these names begins.
std::vector<std::string> without_probe(const std::vector<std::string>& beginnings, const std::set<std::string>& names);
/// A run that tried nothing of `only`, or not all that is required, is unusable, and says why.
void judge_missing(const RunOptions& options, const std::string& backend, RunOutcome& outcome);

/// A case that was not measured, as if a worker had told it.
Measured skipped(const std::string& reason, const std::string& detail);

/// The finished result, or the skip with what a plan cannot know then. `byte_roofs` as FinishFacts has them.
ProbeResult result_of(const ProbeCase& one, std::vector<std::string> devices, const Measured& measured,
                      std::vector<double> byte_roofs = {});

/// Takes a case of a device into the profile: as a result, or at the device where it tells a size or the power at rest.
/// `facts`: its inventory.
void take_case(HardwareProfile& profile, int device, const std::vector<Fact>& facts, const ProbeCase& one,
               Measured measured);

}  // namespace podwright::probes
