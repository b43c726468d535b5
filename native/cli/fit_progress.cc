#include "cli/fit_progress.h"

#include <unistd.h>

#include <iostream>

namespace podwright::cli {

void show_progress(const std::string& left_out) {
  if (isatty(STDERR_FILENO) == 1)
    std::cerr << "\r\033[Kfitting " << (left_out.empty() ? "on all rows" : "without " + left_out) << std::flush;
}

void end_progress() {
  if (isatty(STDERR_FILENO) == 1) std::cerr << "\r\033[K" << std::flush;
}

}  // namespace podwright::cli
