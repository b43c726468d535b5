#include <set>
#include <string>

#include "equations/registry_check.h"
#include "reliability/formulas.h"

TEST(Equations, OfReliability) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kReliabilityFormulas, "reliability", ids);
}
