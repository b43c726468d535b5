#pragma once
/// Verdicts as Markdown (GitHub's), for the summary of a job or a ticket. docs/operator.md#results-out.
#include <string>
#include <string_view>

#include "calibration/judge_fleet.h"

namespace podwright {

/// Text that stands for itself in a cell of a table: one line, and no sign of Markdown or HTML acts.
std::string markdown_escaped(std::string_view text);

/// A table of the nodes, those that need something first, then mixed versions and notes.
std::string markdown_text(const FleetJudgement& fleet);
/// A machine by itself: its devices, and the verdicts that are not in order.
std::string markdown_text(const JudgedNode& node);

}  // namespace podwright
