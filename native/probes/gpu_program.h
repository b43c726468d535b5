#pragma once
/// What this program cannot do by itself, and the program beside it that can.
#include <string>

namespace podwright::probes {

/// False in a program that is linked statically: opening a library there would need the very C library that it was
/// linked with.
bool opens_libraries();

/// podwright-gpu next to this program, or why it cannot be used.
struct GpuProgram {
  std::string path;     ///< empty when it cannot be used
  std::string problem;  ///< a clause without a full stop
};
GpuProgram gpu_program();

}  // namespace podwright::probes
