#pragma once
/// What a profile does not say about a machine. docs/method/probes.md#refusals.
#include <string>

namespace podwright {

/// A fit that was asked for and cannot be used, or a parameter that nothing was measured for.
struct CalibrationGap {
  std::string parameter;  ///< "gemm.bf16", "hbm.triad", "launch.graph" ...
  std::string reason;
};

}  // namespace podwright
