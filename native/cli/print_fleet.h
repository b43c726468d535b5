#pragma once
/// What a comparison of nodes says, for people; and the forms in which verdicts are printed.
#include <array>
#include <string>
#include <string_view>

#include "calibration/judge_fleet.h"

namespace podwright::cli {

enum class VerdictForm { text, json, prometheus, junit, markdown };
inline constexpr std::array<std::string_view, 5> kVerdictForms = {"text", "json", "prometheus", "junit", "markdown"};

/// How many nodes are what; each that needs something, with why, the gravest first; versions that differ; notes.
std::string fleet_text(const FleetJudgement& fleet);

}  // namespace podwright::cli
