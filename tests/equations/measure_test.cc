#include <set>
#include <string>

#include "equations/registry_check.h"
#include "measure/formulas.h"

TEST(Equations, OfMeasure) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kMeasureFormulas, "measure", ids);
}
