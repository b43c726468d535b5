#pragma once
/// Work and time of a whole run from its parameter count alone, as published plans state them; flops.h is what the
/// engine uses.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Compute of a run: six FLOPs per active parameter and token.
constexpr auto run_flops(Of<double> auto active_parameters, Of<double> auto tokens) {
  return cited("arXiv 2001.08361", in<Flops>(6.0 * active_parameters * tokens));
}

/// Time of a run without recompute.
constexpr auto run_time(Of<double> auto parameters, Of<double> auto tokens, Of<double> auto gpus,
                        Of<FlopsPerSecond> auto achieved_per_gpu) {
  return cited("arXiv 2001.08361", in<Flops>(6.0 * parameters * tokens) / (gpus * achieved_per_gpu));
}

}  // namespace podwright
