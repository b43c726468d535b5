#include <set>
#include <string>

#include "equations/registry_check.h"
#include "study/formulas.h"

TEST(Equations, OfTheStudyTool) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kStudyFormulas, "study", ids);
}
