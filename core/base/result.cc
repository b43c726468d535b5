#include "base/result.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/broken_promise.h"

namespace podwright {
namespace {

BrokenPromiseReport chosen_report = nullptr;

}  // namespace

void report_broken_promises(BrokenPromiseReport report) { chosen_report = report; }

Errors shortened(Errors errors, std::size_t all) {
  if (all <= kMostErrors || (!errors.empty() && errors.back().code == "more-errors")) return errors;
  errors.resize(std::min(errors.size(), kMostErrors));
  const std::string listed = std::to_string(errors.size());
  errors.push_back({"more-errors", "",
                    "There are " + std::to_string(all) + " problems; the first " + listed + " are listed.",
                    "Mend these, and the others follow."});
  return errors;
}

void assertion_failed(const char* expression, const char* file, int line) {
  if (chosen_report != nullptr) chosen_report(expression, file, line);
  std::fprintf(stderr, "podwright: internal error: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace podwright
