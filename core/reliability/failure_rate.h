#pragma once
/// Which fleet's failures stand for a GPU. docs/method/calendar.md#failures.
#include <string>

#include "catalog/catalog.h"

namespace podwright {

/// The total of a fleet with this GPU; else with another of its family ("A100"), else of the fleet with the most GPUs
/// and days. Null where the catalog has no total.
const FailureRate* failure_rate_of(const Catalog& catalog, const Gpu& gpu);
/// "Failures come every 50,677 GPU-hours, as in Meta Llama 3 405B on H100."
std::string failure_assumption(const FailureRate& rate, const Gpu& gpu);

}  // namespace podwright
