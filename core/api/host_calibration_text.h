#pragma once
/// Calibrations of machines as JSON: what the kind `calibrate` answers, and what requests carry as `calibration`.
/// docs/method/probes.md#plans.
#include <string_view>
#include <vector>

#include "base/json_write.h"
#include "base/object_reader.h"
#include "base/result.h"
#include "catalog/catalog.h"

namespace podwright {

inline constexpr std::string_view kCalibrationSchema = "podwright-calibration/2";

/// `"schema": ..., "devices": [...]`, members of an object that is open.
void write_calibration(JsonWriter& out, const std::vector<HostCalibration>& hosts);

/// The catalog with the calibration of `node`, which stands at `path` of a request. Errors name the place.
Result<Catalog> calibrated_catalog(const Catalog& catalog, const JsonNode& node, std::string_view path);

/// Unit of an operation's rates in files and answers, and its base units; no unit for one that is of no GPU.
struct RateDisplay {
  std::string_view unit;
  double base_units = 1;
};
RateDisplay rate_display(std::string_view operation);

/// Names of the rates that a calibration uses in this way.
std::vector<std::string> rates_of_use(const HostCalibration& host, RateUse use);
/// Why some stay the catalog's, each reason once.
std::vector<std::string> reasons_of_unchanged(const HostCalibration& host);

}  // namespace podwright
