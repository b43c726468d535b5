#pragma once
/// Plans on machines that were measured.
#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace podwright::cli {

/// `catalog` with the rates of the file that `calibrate PROFILE -o FILE` wrote. Null after a message when it is none.
const Catalog* load_calibrated(const Catalog& catalog, const std::string& file);

/// Writes what plans take from the profiles (merged, where there are several) to `output`.
int write_calibration_command(const Catalog& catalog, const std::vector<std::string>& profiles,
                              const std::string& output);

/// Writes the catalog's reference_rates.csv with the rows of one verified profile to `output`, and says which source
/// they need.
int write_reference_command(const Catalog& catalog, const std::vector<std::string>& profiles,
                            const std::string& output);

/// Does the machine of `profile` keep what the answer to the request `plan` assumes, and what is the answer with its
/// own rates? 1 when it does not, or when its profile is unfinished.
int verify_plan_command(const Catalog& catalog, const std::string& plan, const std::string& profile, bool json);

/// Verdicts on a profile, as the kind `verify` answers them. 4 when something failed, 1 when a verdict is low.
int verify_json_command(const Catalog& catalog, const std::string& profile);

}  // namespace podwright::cli
