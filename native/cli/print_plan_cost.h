#pragma once
/// What a plan costs each way, block by block, for people.
#include <string>

#include "base/json_read.h"

namespace podwright::cli {

/// The ways of paying side by side; empty without a sum.
std::string plan_ways_text(const JsonNode& plan);
/// Owning, renting, both, break-even, certainty, growth and carbon of one plan.
std::string plan_money_text(const JsonNode& plan);

}  // namespace podwright::cli
