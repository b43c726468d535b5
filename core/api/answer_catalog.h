#pragma once
/// Answers of the kinds `catalog` and `rule_of_thumb`.
#include "api/outcome.h"
#include "api/requests.h"

namespace podwright {

Answer answer_catalog(const Catalog& catalog, const CatalogRequest& request);

}  // namespace podwright
