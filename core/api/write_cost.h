#pragma once
/// The `cost` answer as a whole. Each function writes members of the outermost object; what it cannot say it names in
/// `not_modelled`.
#include <optional>
#include <string>
#include <vector>

#include "api/cost_request.h"
#include "api/write_cost_cloud.h"
#include "api/write_cost_owned.h"
#include "base/json_write.h"

namespace podwright {

/// Sides of the comparison that are priced.
struct CostSides {
  std::optional<OwnedAnswer> owned;
  std::optional<CloudAnswer> cloud;
  std::optional<HostedCost<Trace>> hosted;
};

/// `break_even`, of owning against renting, or against a hosted interface where nothing is rented.
void write_break_even(JsonWriter& out, Trace& trace, const CostRequest& request, const CostSides& sides);
/// `hybrid`
void write_hybrid(JsonWriter& out, Trace& trace, const CostRequest& request, const CostSides& sides);
/// `tornado`, `distribution` and `flips`
void write_uncertainty(JsonWriter& out, Trace& trace, const Catalog& catalog, const CostRequest& request,
                       const CostSides& sides);
/// `carbon`
void write_carbon(JsonWriter& out, Trace& trace, const Catalog& catalog, const CostRequest& request,
                  const CostSides& sides);

}  // namespace podwright
