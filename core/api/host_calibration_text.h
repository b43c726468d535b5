#pragma once
/// Calibrations of machines as JSON: what the kind `calibrate` answers, and what requests carry as `calibration`.
/// docs/method/probes.md#plans.
#include <string_view>
#include <vector>

#include "api/fields.h"
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

/// Kinds whose answers stand on rates of GPUs.
bool takes_calibration(std::string_view kind);

/// The field of requests whose answers change with it. `answer_request` has read it before.
void describe_calibration(FieldVisitor& visitor);

/// `"calibrations": [{gpu, profile_digest, measured, relative, absolute, unchanged, notes}]` of an answer that stands
/// on any: which rates follow the machine's ratio to the reference, are its own, or stay the catalog's, and why.
void write_calibrations(JsonWriter& out, const Catalog& catalog);

}  // namespace podwright
