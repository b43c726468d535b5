#pragma once
/// What a year of a plan means where the request trains once.
#include "base/json_read.h"

namespace podwright {

/// Whether a year of the plan, as an answer has it, costs what renting for its only training run does.
bool is_one_run(const JsonNode& plan);

}  // namespace podwright
