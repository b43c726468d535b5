#include <set>
#include <string>

#include "cost/formulas_portfolio.h"
#include "equations/registry_check.h"

TEST(Equations, OfPortfolios) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kPortfolioFormulas, "cost", ids);
}
