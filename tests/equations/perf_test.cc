#include <set>
#include <string>

#include "equations/registry_check.h"
#include "perf/formulas.h"

TEST(Equations, OfPerf) {
  std::set<std::string> ids;
  // A group stands on at least one node, and a token chooses at least one expert.
  equations::check_registry(podwright::kPerfFormulas, "perf", ids,
                            {{"perf.nodes_of_token", "nodes", 1}, {"perf.nodes_of_token", "experts_per_token", 1}});
}
