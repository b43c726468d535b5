#include <set>
#include <string>

#include "equations/registry_check.h"
#include "perf/formulas_queue.h"

TEST(Equations, OfServingQueues) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kQueueFormulas, "perf", ids);
}
