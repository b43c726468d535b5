#pragma once
/// Published runs whose traffic is described: what clients sent, request by request, what prompts shared, and how
/// requests were routed. docs/method/replay.md#published-runs.
#include <optional>
#include <string_view>

#include "base/result.h"
#include "calibration/measured_serving.h"
#include "catalog/traffic.h"

namespace podwright {

struct MeasuredTrafficRow : MeasuredServingRow {
  StagedLoad load;
  std::optional<double> counted_output_tokens;  ///< of an answer, as the client counts them
};

using MeasuredTraffic = MeasuredTable<MeasuredTrafficRow>;

/// Those of serving runs, and the percentiles and settings that only such tables have.
const MeasuredColumns& measured_traffic_columns();

/// As read_measured_serving().
Result<MeasuredTraffic> read_measured_traffic(const Catalog& catalog, std::string_view csv, std::string_view file);

}  // namespace podwright
