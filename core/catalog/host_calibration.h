#pragma once
/// What the probes of one machine say of its GPUs, and what plans take of it. docs/method/probes.md#plans.
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "catalog/kernel_rate.h"

namespace podwright {

/// The machine compared with the reference machine of its GPU, over the sizes that both measured in the same way.
struct AgainstReference {
  double host = 0;        ///< base units of the rate: geometric mean over the sizes
  double reference = 0;   ///< likewise
  double half_width = 0;  ///< of the logarithm of host / reference, at least 90 %
  double sizes = 1;
  std::string source;  ///< of the reference profile
};

/// What plans make of a measured rate.
enum class RateUse {
  none,      ///< nothing: verdicts only, `why`
  relative,  ///< the catalog's rate times host / reference
  absolute,  ///< the rate itself
};

/// `low` and `high` of the rate enclose the typical one with 95 % confidence, or are all there is.
struct HostRate : KernelRate {
  std::string probe;
  std::string way;  ///< library or kernel that did it; empty where the probe does not say
  int probe_version = 1;
  std::optional<AgainstReference> against;
  RateUse use = RateUse::none;
  std::string why;  ///< a sentence, where plans take nothing
};

struct HostCalibration {
  std::string gpu_id;          ///< of the catalog, or of `device_json`
  std::string device_json;     ///< a device that the catalog lacks, as an object of its shape; empty otherwise
  std::string profile_digest;  ///< 64 hex digits
  std::string measured;        ///< UTC; empty where the profile does not say
  std::string backend;         ///< of the probes, or the program that measured; empty where the file does not say
  std::vector<HostRate> rates;
  std::optional<Bytes> memory;     ///< as the driver reports it
  std::vector<std::string> notes;  ///< what was measured and not taken, and why
};
}  // namespace podwright
