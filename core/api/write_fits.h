#pragma once
/// Fits of a measured machine, as JSON.
#include <vector>

#include "base/json_write.h"
#include "calibration/fit_rows.h"

namespace podwright {

/// `"fits": [{parameter, <numbers with their unit in the key>, left_out_median_error, ..., residuals, in_plans, why}]`.
void write_fits(JsonWriter& out, const std::vector<FitRow>& rows);

}  // namespace podwright
