#include <set>
#include <string>

#include "equations/registry_check.h"
#include "plan/formulas.h"

TEST(Equations, OfPlan) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kPlanFormulas, "plan", ids);
}
