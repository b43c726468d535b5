#include <set>
#include <string>

#include "equations/registry_check.h"
#include "perf/formulas_serving_claim.h"

TEST(Equations, OfServingClaims) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kServingClaimFormulas, "perf", ids);
}
