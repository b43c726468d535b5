#pragma once
/// What is made of a profile that `podwright probe` kept.
#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace podwright::cli {

/// Fits the planner's parameters on each profile and says how well held-back results are predicted. 1 when a device
/// gives no fit at all.
int calibrate_profile_command(const Catalog& catalog, const std::vector<std::string>& files);

/// Digest, schema and self-check of a profile; 1 when the run that made it was unfinished.
int verify_profile_command(const std::string& file);

}  // namespace podwright::cli
