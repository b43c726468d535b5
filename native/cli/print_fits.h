#pragma once
/// Fits of a measured machine for a terminal.
#include <string>
#include <vector>

#include "calibration/fit_rows.h"

namespace podwright::cli {

/// A table with every fit, the points of those that have them, and why plans leave what they do not take.
std::string fit_text(const std::vector<FitRow>& rows);

}  // namespace podwright::cli
