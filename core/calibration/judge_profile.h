#pragma once
/// A whole profile beside what healthy devices reach: verdicts with causes, and what explains them.
/// docs/method/probes.md#verdicts.
#include <string>

#include "calibration/profile_verdict.h"
#include "catalog/catalog.h"

namespace podwright {

/// Norms are the catalog's. Devices that it lacks get one verdict `unjudged` with the reason. Each event slow_node, of
/// a run of several nodes, is a verdict `low` on the device that was slow, of the probe that was.
ProfileJudgement judge_profile(const Catalog& catalog, const HardwareProfile& profile);

/// The explanation in a few sentences: roof, shares, clock, causes, next command.
std::string explanation_text(const VerdictExplanation& explanation);

}  // namespace podwright
