#include <set>
#include <string>

#include "equations/registry_check.h"
#include "perf/formulas_interval.h"

TEST(Equations, OfIntervals) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kIntervalFormulas, "perf", ids);
}
