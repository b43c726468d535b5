#include <set>
#include <string>

#include "equations/registry_check.h"
#include "sizing/formulas.h"

TEST(Equations, OfSizing) {
  std::set<std::string> ids;
  equations::check_registry(podwright::sizing::kSizingFormulas, "sizing", ids);
}
