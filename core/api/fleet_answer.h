#pragma once
/// What `podwright compare` says, as JSON with the fields of `verify` for each node. docs/operator.md#results-out.
#include <string>

#include "calibration/judge_fleet.h"
#include "catalog/catalog.h"

namespace podwright {

/// One JSON document without a line break.
std::string fleet_json(const Catalog& catalog, const FleetJudgement& fleet);

}  // namespace podwright
