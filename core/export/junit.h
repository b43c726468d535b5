#pragma once
/// Verdicts as test results in JUnit's XML, by the schema of Jenkins (xunit-plugin, junit-10.xsd); where the time of a
/// run is known, by that of Ant too. A node is a suite, a verdict a case. docs/operator.md#results-out.
#include <span>
#include <string>

#include "calibration/judge_fleet.h"

namespace podwright {

/// Failures: verdicts low, bad, invalid, impossible and failed, slow nodes, unfinished runs. Errors: nodes without a
/// profile. Skipped: what could not be judged.
std::string junit_text(const FleetJudgement& fleet);
std::string junit_text(const JudgedNode& node);

}  // namespace podwright
