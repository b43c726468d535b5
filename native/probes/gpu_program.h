#pragma once
/// The program that measures GPUs, beside one that does not.
#include <string>

namespace podwright::probes {

/// podwright-gpu next to this program, or why it cannot be used.
struct GpuProgram {
  std::string path;     ///< empty when it cannot be used
  std::string problem;  ///< a clause without a full stop
};
GpuProgram gpu_program();

}  // namespace podwright::probes
