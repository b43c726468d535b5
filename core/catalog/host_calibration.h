#pragma once
/// What the probes of one machine say of its GPUs, in place of the catalog's own figures. docs/method/probes.md#plans.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "catalog/kernel_rate.h"

namespace podwright {

/// Bytes that were moved, and the time that it took.
struct TransferPoint {
  Bytes bytes;
  Seconds time;
};

/// Measured times of one collective among GPUs of one node by the size of its message. A size is that of what each GPU
/// holds before an all-reduce, and after an all-gather.
struct CollectiveTimes : CatalogItem {
  std::string collective;  ///< "all-reduce", "all-gather"
  double ranks = 2;
  std::vector<TransferPoint> sizes;  ///< ascending, at least 2
  double half_width = 0;             ///< of the logarithm of a time between them, 90 %
};

struct HostCalibration {
  std::string gpu_id;          ///< of the catalog, or of `device_json`
  std::string device_json;     ///< a device that the catalog lacks, as an object of its shape; empty otherwise
  std::string profile_digest;  ///< 64 hex digits
  std::string measured;        ///< UTC; empty where the profile does not tell
  std::vector<KernelRate>
      rates;  ///< their low and high enclose the typical rate with 95 % confidence, or are all there is
  std::vector<CollectiveTimes> collectives;  ///< each collective and number of ranks once
  std::optional<Bytes> memory;               ///< as the driver reports it
  std::vector<std::string> notes;            ///< what was measured and not taken, and why
};
}  // namespace podwright
