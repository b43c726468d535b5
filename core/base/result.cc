#include "base/result.h"

#include <cstdio>
#include <cstdlib>

#include "base/broken_promise.h"

namespace podwright {
namespace {

BrokenPromiseReport chosen_report = nullptr;

}  // namespace

void report_broken_promises(BrokenPromiseReport report) { chosen_report = report; }

void assertion_failed(const char* expression, const char* file, int line) {
  if (chosen_report != nullptr) chosen_report(expression, file, line);
  std::fprintf(stderr, "podwright: internal error: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace podwright
