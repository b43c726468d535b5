#include <set>
#include <string>

#include "architecture/site_formulas.h"
#include "equations/registry_check.h"

TEST(Equations, OfSites) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kSiteFormulas, "architecture", ids,
                            {{"architecture.feed_load_after_loss", "feeds", 1}});
}
