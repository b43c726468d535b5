#pragma once
/// The `cost` answer as a whole. Each function writes members of the outermost object; what it cannot say it names in
/// `not_modelled`.
#include <optional>
#include <string>
#include <vector>

#include "api/cost_request.h"
#include "api/write_cost_cloud.h"
#include "base/json_write.h"

namespace podwright {

/// Sides of the comparison that are priced.
struct CostSides {
  std::optional<CloudAnswer> cloud;
  std::optional<HostedCost<Trace>> hosted;
};

/// `on_premises`
void write_on_premises(JsonWriter& out, Trace& trace, const Catalog& catalog, const CostRequest& request,
                       CostSides& sides, std::vector<std::string>& not_modelled);
/// `break_even`, of owning against renting and against a hosted interface
void write_break_even(JsonWriter& out, Trace& trace, const CostRequest& request, const CostSides& sides,
                      std::vector<std::string>& not_modelled);
/// `hybrid`
void write_hybrid(JsonWriter& out, Trace& trace, const CostRequest& request, const CostSides& sides,
                  std::vector<std::string>& not_modelled);
/// `tornado` and `distribution`
void write_uncertainty(JsonWriter& out, Trace& trace, const CostRequest& request, const CostSides& sides,
                       std::vector<std::string>& not_modelled);
/// `carbon`
void write_carbon(JsonWriter& out, Trace& trace, const Catalog& catalog, const CostRequest& request,
                  std::vector<std::string>& not_modelled);

}  // namespace podwright
