#include <set>
#include <string>

#include "equations/registry_check.h"
#include "perf/formulas.h"

TEST(Equations, OfPerf) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kPerfFormulas, "perf", ids);
}
