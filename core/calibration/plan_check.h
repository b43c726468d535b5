#pragma once
/// Does this machine keep what a plan assumes of it? docs/method/probes.md#plan-check.
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "measure/profile.h"

namespace podwright {

/// Something of each device that must reach `value` at least.
struct PlanAssumption {
  enum class Quantity {
    allocatable_memory,  ///< GiB of one process
    memory_bandwidth,    ///< bytes/s of the largest memory result
    product_rate,        ///< FLOP/s of the largest product of `dtype`, sustained where that was measured
    collective_rate,     ///< message bytes/s of the largest message of `probe` among `ranks` devices
  };
  Quantity quantity = Quantity::allocatable_memory;
  double value = 0;
  std::string dtype;  ///< of products
  std::string probe;  ///< of collectives: "coll.allreduce"
  double ranks = 0;   ///< of collectives
};

enum class AssumptionState { met, not_met, unknown };
inline constexpr std::array<std::string_view, 3> kAssumptionStateWords = {"met", "not_met", "unknown"};

struct CheckedAssumption {
  AssumptionState state = AssumptionState::unknown;
  std::optional<double> measured;  ///< in the assumption's unit; of the worst device
  std::string device;              ///< that one
  std::string reason;              ///< one sentence
};

/// Met where the interval's lower end reaches the value on every GPU (every CPU where there is no GPU), not met where
/// its upper end stays below it on one, else unknown; unknown also where one was not measured, with the reason.
CheckedAssumption check_assumption(const HardwareProfile& profile, const PlanAssumption& assumption);

}  // namespace podwright
