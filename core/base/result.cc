#include "base/result.h"

#include <cstdio>
#include <cstdlib>

namespace podwright {

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "podwright: internal error: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace podwright
