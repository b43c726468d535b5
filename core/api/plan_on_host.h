#pragma once
/// A plan against a machine that was measured: what the plan assumes of it, and what the plan becomes with the measured
/// rates. docs/method/probes.md#plan-check.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/outcome.h"
#include "base/json_read.h"
#include "calibration/host_calibration.h"
#include "calibration/plan_check.h"

namespace podwright {

/// A figure of a plan's answer, before and after.
struct ReplannedFigure {
  struct Value {
    std::optional<double> low;
    double value = 0;
    std::optional<double> high;
  };
  std::string workload;  ///< of a plan; empty otherwise
  std::string figure;    ///< its key in the answer: "tpot_s"
  std::optional<Value> before;
  std::optional<Value> after;
};

/// What a missed assumption alone makes of a figure.
struct FigureImpact {
  std::string workload;  ///< of a plan; empty otherwise
  std::string figure;
  double before = 0;
  double after = 0;
  double change() const { return after / before - 1; }
};

/// What a machine has of an assumption, with its interval.
struct MeasuredOnHost {
  double low = 0;
  double typical = 0;
  double high = 0;
};

/// What the number of devices is called among the assumptions.
inline constexpr std::string_view kDevicesAssumed = "devices";

/// A fact that the answer stands on, beside what the machine's probes say.
struct HostAssumption {
  std::string gpu;
  std::string what;    ///< "gemm bf16", "memory_driver_gib"
  double assumed = 0;  ///< in `unit`
  std::optional<MeasuredOnHost> measured;
  std::string unit;
  AssumptionState state = AssumptionState::unknown;
  std::string sentence;
  /// Of a missed one: the plan again with only this figure of the machine's, in the order of the figures. Empty also
  /// where it changes none.
  std::vector<FigureImpact> impact;
  std::optional<bool> feasible_alone;  ///< that plan; absent where none was made
  std::string costs;                   ///< the impact as a sentence; empty where no plan was made
};

struct PlanOnHost {
  Errors errors;  ///< of the request; nothing else is there then
  std::vector<HostAssumption> assumptions;
  std::vector<ReplannedFigure> figures;
  std::string gpu_before;  ///< whose figures these are: of the best plan on a GPU of the profile, else of the best
  std::string gpu_after;
  std::optional<bool> feasible_before;  ///< absent where only the machine's own profile knows the GPU
  bool feasible_after = false;
  std::string replanned;  ///< the answer with the machine's rates, JSON

  /// At least one figure of the machine was measured; how many devices there are is known of every profile.
  bool checked() const {
    return std::any_of(assumptions.begin(), assumptions.end(), [](const HostAssumption& one) {
      return one.what != kDevicesAssumed && one.state != AssumptionState::unknown;
    });
  }
};

/// A rate keeps an assumption from this share on: shapes and libraries differ by as much.
inline constexpr double kKeptShare = 0.95;

/// `request` is of kind plan, serving, training or search.
PlanOnHost plan_on_host(RequestKinds kinds, const Catalog& catalog, const JsonNode& request,
                        const ReadProfile& profile);

}  // namespace podwright
