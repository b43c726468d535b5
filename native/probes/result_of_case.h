#pragma once
/// What a worker measured, as a result of the profile.
#include <string>
#include <vector>

#include "measure/probe_result.h"

namespace podwright::probes {

/// Does the probe's name begin with one of them?
bool chosen(const std::string& probe, const std::vector<std::string>& beginnings);

/// A word may carry the code of a library: "nccl:5".
SkipReason reason_of(const std::string& word);
/// The sentence for people keeps the code that the reason has no place for.
std::string message_of(const std::string& word, const std::string& detail);
/// With what a plan cannot know then.
void set_skip(ProbeResult& result, SkipReason reason, const std::string& message);

/// Samples, check, context, load and algorithm; probe, size, devices and counted work are the caller's.
void take_measured(ProbeResult& result, const ProbeResult& measured);

}  // namespace podwright::probes
