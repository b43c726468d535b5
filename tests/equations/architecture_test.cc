#include <set>
#include <string>

#include "architecture/formulas.h"
#include "equations/registry_check.h"

TEST(Equations, OfArchitecture) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kArchitectureFormulas, "architecture", ids);
}
