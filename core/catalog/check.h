#pragma once
/// Is the catalog sound? Sources that dangle, implausible figures, price hygiene, facts that have aged.
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"

namespace podwright {

struct CatalogCheck {
  double facts = 0;                   ///< numbers looked at
  std::vector<std::string> problems;  ///< "<where>: <what>"
  std::vector<std::string> stale;     ///< older than the limit
};

/// `today` as ISO date; facts that age are stale after `stale_days`.
CatalogCheck check_catalog(const Catalog& catalog, std::string_view today, double stale_days);

}  // namespace podwright
