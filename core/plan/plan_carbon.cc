#include "plan/plan_carbon.h"

#include "cost/provider_name.h"

namespace podwright::plan_detail {

std::string cloud_region_id(const CloudPrice& row) { return row.provider + ":" + row.region; }

GridCarbon cloud_grid_carbon(const Catalog& catalog, const CloudPrice& row) {
  GridCarbon grid = grid_carbon(catalog, cloud_region_id(row));
  if (grid.region == nullptr)
    grid.absence = "No dated source for the carbon of electricity in the region " + row.region + " of " +
                   provider_name(row.provider) + ".";
  return grid;
}

}  // namespace podwright::plan_detail
