#include <set>
#include <string>

#include "equations/registry_check.h"
#include "model/formulas.h"

TEST(Equations, OfModel) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kModelFormulas, "model", ids);
}
