#include "probes/opens_libraries.h"

#include <link.h>

#include <cstddef>

namespace podwright::probes {

bool opens_libraries() {
  // The program itself comes first; it names a loader when it is linked with shared libraries.
  const auto names_loader = [](dl_phdr_info* program, std::size_t, void*) {
    for (int i = 0; i < program->dlpi_phnum; ++i)
      if (program->dlpi_phdr[i].p_type == PT_INTERP) return 1;
    return -1;
  };
  return dl_iterate_phdr(names_loader, nullptr) > 0;
}

}  // namespace podwright::probes
