#pragma once
/// Every fit of one measured machine as a row that answers and the command line show alike: parameters, errors on
/// points that the fit did not see, interval, and what plans take of it. docs/method/probes.md#calibration.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calibration/machine_calibration.h"
#include "catalog/catalog.h"

namespace podwright {

/// A parameter under the key of its answer, which ends in its unit: "start_us", "compute_efficiency" (of the peak).
struct FitNumber {
  std::string_view key;
  double value = 0;
};

/// Numbers point by point, where plans or readers need the points themselves.
struct FitCurve {
  std::string_view x;  ///< keys: "tokens", "message_bytes", "bytes", "flop"
  std::string_view y;
  std::vector<std::pair<double, double>> points;  ///< by x
};

/// A rate of the catalog that plans take from large sizes; without an operation none.
struct FollowedRate {
  std::string operation;
  std::string precision;
  double ranks = 1;
};

/// How plans with this machine's calibration stand on a fit.
enum class FitUse {
  rate,  ///< they follow the rate of large sizes that stands among its points
  none,  ///< they do not take it: `why_not`
};
inline constexpr std::array<std::string_view, 2> kFitUseWords = {"rate", "no"};

struct FitRow {
  std::string parameter;  ///< "gemm.bf16", "prefill.attn.bf16", "coll.allreduce/8"
  std::vector<FitNumber> numbers;
  std::optional<bool> sustained_is_measured;  ///< of `sustained_factor` among the numbers
  std::optional<FitCurve> curve;              ///< what was measured
  std::optional<FitCurve> residuals;      ///< fit_residual() of each point; of tables, which go through theirs, none
  std::optional<double> left_out_median;  ///< |ln| error of points that the fit did not see
  std::optional<double> left_out_90;
  std::optional<double> half_width;  ///< of the logarithm of a time that it predicts: 90 %; of a plain median 95 %
  FollowedRate follows;
  FitUse use = FitUse::none;
  std::string why_not;   ///< of a fit that plans do not take, a sentence
  std::string left_out;  ///< what plans leave of a fit whose rate they take, a sentence
};

/// In the order of the families: products, memory, caches of keys and values, cache, attention, collectives inside
/// nodes and over them, launches. Fits that were refused are gaps of `calibration`, not rows. `host`: what plans take
/// of the device, null where they take nothing.
std::vector<FitRow> fit_rows(const MachineCalibration& calibration, const HostCalibration* host);

/// Of all-reduces over whole nodes as three stages, where every stage was measured; empty otherwise.
std::vector<FitRow> staged_rows(const CollectiveTables& tables);

}  // namespace podwright
