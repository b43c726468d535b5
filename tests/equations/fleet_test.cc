#include <set>
#include <string>

#include "equations/registry_check.h"
#include "reliability/formulas_fleet.h"

TEST(Equations, OfFleets) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kFleetFormulas, "reliability", ids);
}
