#pragma once
/// How sure the time of a step is that is put together from fits. docs/method/probes.md#errors-of-a-step.
#include <span>
#include <string_view>

namespace podwright {

/// A part of a step: parts of one family ("gemm.bf16", "reads", "collectives") share a fit and its error.
struct StepPart {
  std::string_view family;
  double share = 0;       ///< of the time of the step, 0..1
  double half_width = 0;  ///< of the logarithm of its time
};

/// Half width of the logarithm of the time of the step: errors inside a family go together, families err
/// independently. What the parts leave of the step counts as exact.
double step_half_width(std::span<const StepPart> parts);

}  // namespace podwright
