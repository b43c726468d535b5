#include <set>
#include <string>

#include "cost/formulas.h"
#include "equations/registry_check.h"

TEST(Equations, OfCost) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kCostFormulas, "cost", ids);
  equations::check_registry(podwright::kOwningFormulas, "cost", ids);
  equations::check_registry(podwright::kWorkFormulas, "cost", ids);
}
