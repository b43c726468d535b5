#pragma once
/// Parts of the `cost` request's table of fields.
#include "api/cost_question.h"
#include "api/fields.h"

namespace podwright {

void describe(FieldVisitor& visitor, const Catalog& catalog, CostOnPremises& owned);
/// `has_gpu`: the request names a GPU whose prices the catalog may have.
void describe(FieldVisitor& visitor, const Catalog& catalog, CostCloud& cloud, bool has_gpu);
/// `has_rates`: the request's workload says how many tokens come in and go out.
void describe(FieldVisitor& visitor, CostHostedApi& hosted, bool has_rates);

void describe_fleet(FieldVisitor& visitor, std::optional<CostFleet>& fleet);
/// Problems between the fleet and the rest of the request.
void check_fleet(const CostRequest& request, Errors& problems);

}  // namespace podwright
