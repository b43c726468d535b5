#pragma once
/// Rates, bandwidths and times that a fit or a fact scales, of training and of serving alike.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {}  // namespace podwright
