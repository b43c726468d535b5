#pragma once
/// Fits what GPUs draw on published serving runs that measured it. docs/method/serving_energy.md#fit.
#include <vector>

#include "calibration/measured_serving.h"
#include "catalog/catalog.h"

namespace podwright {

/// Sets the constants of power to those that come nearest to the measured power of `rows`. How far a run uses its GPUs
/// follows from the measured rate, not from the predicted: an error of the times is none of the power. Rows without an
/// estimate are passed over; without rows the priors remain.
void fit_power(Catalog& catalog, const std::vector<const MeasuredServingRow*>& rows);

}  // namespace podwright
